"""A file's conversations: records told apart, their format found, each read or named as a fault."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from json import JSONDecodeError
from typing import cast

import msgspec

from handoffctl.dumps.detection import Evidence, Sample, look, shapes
from handoffctl.errors import InputError, MalformedDump
from handoffctl.formats import FORMATS, Format
from handoffctl.model import Source, Transcript
from handoffctl.raw.faults import malformed
from handoffctl.raw.opening import PREFIX, Input, open_input
from handoffctl.raw.reading import EVERYTHING, Reading
from handoffctl.records import Gap, Readable, Record, glued_records

_SAMPLE_RECORDS = 50


@dataclass(frozen=True, slots=True)
class Loaded:
    """One record and the conversations in it: one for most formats, several for some."""

    record: Record
    transcripts: Sequence[Transcript]


class Dump:
    """An opened file: its format, why it is taken for that, and its records in order.

    Iterating gives a `Loaded` for each good record, a `MalformedDump` for each bad one, a `Gap` for blank lines
    between records. Raises InputError where the file can't be read or is of no known format.
    """

    def __init__(self, path: str, wanted: str | None = None, reading: Reading = EVERYTHING) -> None:
        self.input: Input = open_input(path, reading)
        records = iter(self.input)
        try:
            first = _first_records(records, self.input)
            sample = Sample(tuple(_values(first)), self.input.container)
            self.ranking = _named(sample, wanted) if wanted is not None else ranking(sample, path, first)
            self.format, self.evidence = self.ranking[0]
        except BaseException:
            self.close()
            raise
        self._records = chain(first, records)

    def close(self) -> None:
        """Close the file, where reading stopped before its end."""
        self.input.close()

    @property
    def notes(self) -> tuple[str, ...]:
        """What a user should know of how the file was read."""
        note = self.evidence.note
        return (*self.input.notes, *((note,) if note else ()))

    def __iter__(self) -> Iterator[Loaded | MalformedDump | Gap]:
        if self.evidence.form == "entries":
            yield from self._one_conversation()
            return
        for record in self._records:
            if isinstance(record, Record):
                yield from self._read(record)
            else:
                yield record

    def _read(self, record: Record) -> Iterator[Loaded | MalformedDump]:
        raw = record.raw
        try:
            if not raw.isascii():
                raw.decode()  # the fast decoder passes over text without looking at its bytes
            yield Loaded(record, self.format.read(record, self.evidence))
        except (ValueError, RecursionError) as error:
            yield from self._mended(record, error)

    def _mended(self, record: Record, error: Exception) -> Iterator[Loaded | MalformedDump]:
        """What can still be read of a record that failed: values glued together, or its fault."""
        values = glued_records(record)
        if len(values) == 1 and isinstance(values[0], Record):
            yield self._fault(record, error)
            return
        for value in values:
            if isinstance(value, Record):
                yield from self._read(value)
            else:
                yield value

    def _fault(self, record: Record, error: Exception) -> MalformedDump:
        todo = f"--from {self.format.name} was taken from {self.evidence.why}"
        said_by_decoder = isinstance(error, msgspec.DecodeError | JSONDecodeError | RecursionError)
        what = f"no {self.format.name} record: {shapes([look(record.raw)])}" if said_by_decoder else str(error)
        return malformed(record.source, what, todo)

    def _one_conversation(self) -> Iterator[Loaded | MalformedDump | Gap]:
        """All good lines as the entries of one conversation, after the bad ones are named."""
        kept: list[Record | Gap] = []
        for record in chain.from_iterable(_unglued(each) for each in self._records):
            if isinstance(record, MalformedDump):
                yield record
            else:
                kept.append(record)
        yield from self._conversation(kept)

    def _conversation(self, kept: Sequence[Record | Gap]) -> Iterator[Loaded | MalformedDump]:
        lines = [each for each in kept if isinstance(each, Record)]
        if not lines:
            return
        record = _joined(self.input.path, lines, b"".join([_text_of(each) for each in kept]))
        try:
            yield Loaded(record, self.format.read(record, self.evidence))
        except (ValueError, RecursionError) as error:
            faults = {id(line): fault for line in lines if (fault := self._line_fault(line))}
            yield from faults.values() or [self._fault(record, error)]
            if faults:
                yield from self._conversation([each for each in kept if id(each) not in faults])

    def _line_fault(self, line: Record) -> MalformedDump | None:
        """What is wrong with one line by itself; None where nothing is."""
        try:
            self.format.read(_joined(self.input.path, [line], b""), self.evidence)
        except (ValueError, RecursionError) as error:
            return self._fault(line, error)
        return None


def _joined(path: str, lines: Sequence[Record], verbatim: bytes) -> Record:
    """Lines that hold one entry each as one record: a list of entries."""
    raw = b"[" + b",".join([line.raw for line in lines]) + b"]"
    numbers = tuple(line.source.line for line in lines)
    end = lines[-1].end
    text = verbatim[: len(verbatim) - len(end)] if end and verbatim.endswith(end) else verbatim
    return Record(raw, Source(path), "entries", end, numbers, lines[0].end or b"\n", text)


def _text_of(line: Record | Gap) -> bytes:
    return line.raw + line.end if isinstance(line, Record) else line.raw


def _unglued(record: Readable) -> Iterator[Readable]:
    """A line's objects; a line that is no object, or no JSON, as its fault."""
    if not isinstance(record, Record):
        yield record
        return
    for value in glued_records(record):
        if isinstance(value, Record) and value.raw.lstrip()[:1] != b"{":
            yield malformed(value.source, "not an object", "each line should be one item")
        else:
            yield value


def _first_records(records: Iterator[Readable], opened: Input) -> list[Readable]:
    """The records of the first 64 KiB, but no more than have come: a pipe must not wait."""
    most = min(_SAMPLE_RECORDS, opened.at_once)
    first: list[Readable] = []
    size = 0
    for record in records:
        first.append(record)
        size += len(record.raw) if isinstance(record, Record) else 0
        if len(first) >= most or size > PREFIX:
            break
    return first


def _values(records: Sequence[Readable]) -> Iterator[object]:
    for record in records:
        if isinstance(record, Record):
            for value in glued_records(record) if not _is_whole(record) else (record,):
                if isinstance(value, Record):
                    try:
                        yield look(value.raw)
                    except (ValueError, RecursionError):
                        continue


def _is_whole(record: Record) -> bool:
    try:
        msgspec.json.decode(record.raw, type=msgspec.Raw)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def ranking(sample: Sample, path: str, first: Sequence[Readable]) -> list[tuple[Format, Evidence]]:
    """The formats that these values may be of, the likeliest first. Raises InputError where there is none."""
    found = [(format_, evidence) for format_ in _all() if (evidence := format_.sniff(sample))]
    if not found:
        raise _unknown(sample, path, first)
    return sorted(found, key=lambda pair: -pair[1].score)


def _named(sample: Sample, wanted: str) -> list[tuple[Format, Evidence]]:
    """The format that the user named, whatever the values look like."""
    format_ = cast("Format", FORMATS.get(wanted)())
    form, key, _ = sample.lie()
    found = format_.sniff(sample)
    form, key = (found.form, found.key) if found else (form, key)
    return [(format_, Evidence("the option --from", 3, form, key, mixed=True))]


def _unknown(sample: Sample, path: str, first: Sequence[Readable]) -> InputError:
    """What was seen in a file that no format claims; its first fault where it holds no value at all."""
    values = chain.from_iterable(glued_records(each) if isinstance(each, Record) else (each,) for each in first)
    fault = next((value for value in values if isinstance(value, MalformedDump)), None)
    if not sample.values and fault:
        return InputError(fault.what, place=fault.place, help=fault.help)
    what = f"of no format known here: it holds {shapes(sample.values)}"
    return InputError(what, place=path, help="--from FORMAT says what it is; `handoffctl formats` lists them")


def _all() -> Iterator[Format]:
    for name in FORMATS.names():
        yield FORMATS.get(name)()
