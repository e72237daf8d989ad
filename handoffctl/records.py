"""Bytes -> records with their places: lines, documents, values glued together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from handoffctl.errors import MalformedDump
from handoffctl.model import Source
from handoffctl.raw.faults import diagnose, too_deep
from handoffctl.raw.jsontext import decode
from handoffctl.raw.spans import value_end

_check_json = msgspec.json.Decoder(msgspec.Raw).decode
_INSIDE = (b",", b"]", b"}", b":")
_LINE_ENDS = {b"\r\n": b"\r\n"}
_SPACE = re.compile(r"[ \t\r\n]*")
_TRAILING = re.compile(r"trailing characters \(byte (\d+)\)")


class Record(msgspec.Struct, frozen=True, gc=False):
    """One JSON value with its place. `end` is what stood after it in the file: a line end, or nothing.

    `form` says what a record is of the file: the whole document, a line, or all lines together as a list of
    entries (then `raw` is that list, written here, `lines` are the entries' line numbers, from 1, and
    `verbatim` is their text with the blank lines between them).
    """

    raw: bytes
    source: Source
    form: Literal["document", "line", "entries"] = "document"
    end: bytes = b""
    lines: tuple[int, ...] = ()
    separator: bytes = b"\n"
    verbatim: bytes | None = None

    @property
    def untouched(self) -> bytes:
        """The bytes in the file that this record was read from, without its end."""
        return self.raw if self.verbatim is None else self.verbatim


class Gap(msgspec.Struct, frozen=True):
    """Blank lines between records, kept for a faithful copy."""

    raw: bytes


Readable = Record | MalformedDump | Gap


def is_json(raw: bytes) -> bool:
    """Whether the bytes begin with one complete JSON value, glued ones behind it allowed, and stand in no other."""
    try:
        _check_json(raw)
    except msgspec.DecodeError as error:
        if trailing := _TRAILING.search(str(error)):
            position = int(trailing[1])
            return raw[position - 1 : position] not in _INSIDE
    except RecursionError:
        return False
    else:
        return True
    try:
        decode(raw)
    except (ValueError, RecursionError):
        return False
    return True


def line_records(path: str, lines: Iterable[bytes]) -> Iterator[Readable]:
    """Each line, its end included, as a record; lines end at LF alone, since U+2028 and its like are text."""
    count = 0
    for number, line in enumerate(lines, 1):
        if line.isspace():
            yield Gap(line)
            continue
        count += 1
        end = _LINE_ENDS.get(line[-2:], b"\n" if line.endswith(b"\n") else b"")
        yield Record(line[: -len(end)] if end else line, Source(path, count, number), "line", end)


def document_records(path: str, raw: bytes) -> Iterator[Readable]:
    """The document as one record; several values glued together as one record each."""
    try:
        _check_json(raw)
    except (msgspec.DecodeError, RecursionError):
        yield from glued_records(Record(raw, Source(path)))
    else:
        yield Record(raw, Source(path))


def glued_records(record: Record) -> Sequence[Record | MalformedDump]:
    """A record whose bytes hold several values one after the other, as one record each; what is no JSON as a fault."""
    values = list(_values_of(record))
    if values and isinstance(values[-1], MalformedDump):
        for index, value in reversed(list(enumerate(values))):
            if isinstance(value, Record):  # now the last on its line
                values[index] = replace(value, end=value.end + record.end)
                break
    return values


def _values_of(record: Record) -> Iterator[Record | MalformedDump]:
    raw, source = record.raw, record.source
    text = raw.decode("latin-1")
    if too_deep(text) is not None:
        yield diagnose(raw, source)
        return
    start = _after_space(text, 0)
    number, line = 0, source.line + text.count("\n", 0, start)
    while start < len(text):
        try:
            end = value_end(text, start)
        except ValueError:
            yield diagnose(raw, source, start if number else 0)
            return
        after = _after_space(text, end)
        if after == len(text) and number == 0:
            yield from _glued_record(record, record, 0)
            return
        between = raw[end:after] + (record.end if after == len(text) else b"")
        place = Source(source.path, source.record + number, line)
        yield from _glued_record(record, Record(raw[start:end], place, record.form, between, record.lines), start)
        number, start, line = number + 1, after, line + text.count("\n", start, after)


def _after_space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _glued_record(whole: Record, piece: Record, start: int) -> Iterator[Record | MalformedDump]:
    try:
        piece.raw.decode()
    except UnicodeDecodeError:
        yield diagnose(whole.raw[: start + len(piece.raw)], whole.source, start)
    else:
        yield piece
