"""The conversations that a command works on: files read, records picked, each split at the handoff asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from handoffctl.errors import InputError, MalformedDump, UsageError
from handoffctl.handoffs import find_handoffs
from handoffctl.loading import Dump, Loaded
from handoffctl.model import Handoff, Transcript
from handoffctl.raw.reading import EVERYTHING, Reading
from handoffctl.records import Gap
from handoffctl.split import split_at, with_pending_handoff


@dataclass(frozen=True, slots=True)
class Selection:
    """Which conversations, and which moment of them.

    `handoff` is `last`, `all` or a number from 1; None takes a dump as it is. `pending` names an agent that the
    conversation is about to be handed to. `record` counts from 1.
    """

    format: str | None = None
    handoff: str | None = None
    pending: str | None = None
    handoff_tools: tuple[str, ...] = ()
    record: int | None = None
    fail_fast: bool = False
    reading: Reading = EVERYTHING

    def __post_init__(self) -> None:
        if self.handoff is not None and self.handoff not in ("last", "all") and not _is_number(self.handoff):
            raise UsageError(f"--handoff {self.handoff}", help="a number from 1, last, or all")
        if self.handoff and self.pending:
            raise UsageError("--handoff and --pending-handoff exclude each other", help="take one of them")

    @property
    def splits(self) -> bool:
        """Whether conversations are taken at another moment than the dump's own."""
        return self.handoff is not None or self.pending is not None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10 and int(text) > 0


@dataclass(frozen=True, slots=True)
class Opened:
    """One file's dump with what a command takes of it."""

    dump: Dump
    selection: Selection

    @classmethod
    def of(cls, path: str, selection: Selection) -> Opened:
        """A file opened as the selection asks. Raises InputError where it can't be read."""
        return cls(Dump(path, selection.format, selection.reading), selection)

    def __iter__(self) -> Iterator[Loaded | MalformedDump | Gap]:
        """Records with their conversations at the moment asked for; faults and gaps as they come.

        Raises the first fault with `fail_fast`, InputError where no record of that number is there.
        """
        try:
            yield from self._picked()
        finally:
            self.dump.close()

    def _picked(self) -> Iterator[Loaded | MalformedDump | Gap]:
        number = 0
        for each in self._of_session() if self.selection.reading.session is not None else self.dump:
            if isinstance(each, Loaded):
                number += 1
                if self.selection.record is not None and self.selection.record != number:
                    continue
                each = self._selected(each)  # noqa: PLW2901 - the same record at the moment asked for
            if isinstance(each, MalformedDump) and self.selection.fail_fast:
                raise each
            yield each
        if self.selection.record is not None and number < self.selection.record:
            what = f"there is no record {self.selection.record}, it has {number}"
            raise InputError(what, place=self.dump.input.path)

    def _of_session(self) -> Iterator[Loaded | MalformedDump | Gap]:
        """Records with the conversation of that name alone; those without it are left out.

        Raises UsageError where no conversation has it.
        """
        session, names = self.selection.reading.session, dict[str, None]()
        for each in self.dump:
            if not isinstance(each, Loaded):
                yield each
                continue
            names |= dict.fromkeys(name for one in each.transcripts if (name := one.source.name))
            chosen = [one for one in each.transcripts if one.source.name == session]
            if chosen:
                yield Loaded(each.record, chosen)
        if session not in names:
            told = f"there are: {', '.join(list(names)[:12])}" if names else "its conversations have no names"
            raise UsageError("no such session", place=f"{self.dump.input.path} --session {session}", help=told)

    def _selected(self, loaded: Loaded) -> Loaded | MalformedDump:
        """The record at the moment asked for; a fault where it has no such moment, so that others are worked on."""
        if not self.selection.splits:
            return loaded
        try:
            moments = [moment for each in loaded.transcripts for moment in at_moment(each, self.selection)]
        except InputError as error:
            return MalformedDump(error.what, place=error.place, help=error.help)
        return Loaded(loaded.record, moments)


def open_all(paths: Iterable[str], selection: Selection) -> Iterator[Opened]:
    """Each file's dump, opened when it is its turn. Raises InputError where one can't be read."""
    for path in paths:
        yield Opened.of(path, selection)


def transcripts(opened: Opened) -> Iterator[Transcript | MalformedDump]:
    """The conversations of a file, one after the other, and the faults of what could not be read."""
    for each in opened:
        if isinstance(each, Loaded):
            yield from each.transcripts
        elif isinstance(each, MalformedDump):
            yield each


def at_moment(transcript: Transcript, selection: Selection) -> list[Transcript]:
    """The conversation at the handoff asked for; at each of them for `all`.

    Raises InputError where there is no such handoff.
    """
    if selection.pending is not None:
        data = with_pending_handoff(transcript.whole or transcript.data, selection.pending)
        return [
            replace(
                transcript, data=data, whole=None, split=f"a handoff to {selection.pending} as if it were called now"
            )
        ]
    if transcript.splits:
        count = len(transcript.splits)
        return [
            replace(transcript, data=transcript.splits[n - 1], whole=None, split=f"handoff {n} of {count}")
            for n in _numbers(selection, count, transcript)
        ]
    if transcript.data.pre_handoff_items or transcript.data.new_items:
        if selection.handoff in ("last", "all"):
            return [transcript]
        what = "the dump is split at its handoff already"
        raise InputError(what, place=transcript.source.place, help="leave out --handoff N")
    found = done_handoffs(find_handoffs(transcript.data, tool_globs=selection.handoff_tools))
    return [
        replace(
            transcript,
            data=split_at(transcript.data, found, n),
            split=f"handoff {n} of {len(found)}, by {found[n - 1].evidence}",
        )
        for n in _numbers(selection, len(found), transcript)
    ]


def done_handoffs(handoffs: Sequence[Handoff]) -> tuple[Handoff, ...]:
    """The handoffs whose output stands in the dump: those that a conversation can be split at."""
    return tuple(each for each in handoffs if each.kind == "handoff" and each.output is not None)


def _numbers(selection: Selection, count: int, transcript: Transcript) -> range:
    """The handoffs asked for, counted from 1."""
    if selection.handoff == "all" and count:
        return range(1, count + 1)
    wanted = selection.handoff or ""
    number = int(wanted) if _is_number(wanted) else count
    if not 1 <= number <= count:
        what = f"there is no handoff {wanted}, the conversation has {count}" if count else "there is no handoff in it"
        raise InputError(what, place=transcript.source.place, help="--handoff-tool GLOB names other transfer tools")
    return range(number, number + 1)
