"""What `handoffctl filter` does with its files: open, filter, write, say what happened."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, BinaryIO

from handoffctl.bulk import FilterJob, filtered, target_of
from handoffctl.chain import Chain
from handoffctl.cli.destinations import check_destination, overwrites, own_stream, shared_stream
from handoffctl.cli.filter import Output, Report
from handoffctl.cli.messages import Complaints, Lost, say, shown
from handoffctl.conversations import Opened, Selection
from handoffctl.errors import HandoffctlError, UsageError
from handoffctl.output import LeftAsItIs
from handoffctl.writing import SESSIONS, target

if TYPE_CHECKING:
    from handoffctl.dumps.session_store import SessionStore
    from handoffctl.model import Transcript
    from handoffctl.reports.filtering import Tally


@dataclass(frozen=True)
class Filtering:
    """One run of the command; a chain of None changes nothing. `converts` takes whole conversations and names each item
    that gets lost."""

    chain: Chain | None
    selection: Selection
    output: Output
    reporting: Report
    converts: bool = False

    def run(self, paths: list[str]) -> int:
        """Filter the files; the exit code. Raises UsageError where options exclude each other."""
        self._check(paths)
        complaints, losses = Complaints(), Lost(itemised=self.converts)
        tally = self._tally()
        to = self.output.to.replace("_", "-") if self.output.to else None
        job = FilterJob(
            self.chain or Chain(()),
            to,
            self._lines(paths),
            complaints,
            tally.add if tally else None,
            losses.add,
            self.output.strict,
            whole=self.converts and not self.selection.splits and to not in ("handoff", "next-agent"),
            tell=None if self.reporting.quiet else _say_notes,
        )
        self._write(paths, job, complaints)
        if tally is not None:
            say(tally.text(broken=complaints.count, lost=losses.counts))
        losses.tell()
        return complaints.close()

    def _check(self, paths: list[str]) -> None:
        output = self.output
        if output.to is not None:
            target(output.to)
        if self.selection.splits and (
            output.in_place or output.to not in (None, "handoff", "next-agent", "next_agent")
        ):
            what = "--handoff and --pending-handoff write part of a conversation"
            raise UsageError(what, help="--to handoff or --to next-agent, and not --in-place")
        check_destination(paths, output)
        if output.to is not None and output.to.replace("_", "-") == SESSIONS:
            self._check_sessions(paths)

    def _check_sessions(self, paths: list[str]) -> None:
        """A database is one new file for all conversations."""
        if self.output.output in (None, "-"):
            raise UsageError("a session database is one file", place=f"--to {SESSIONS}", help="name it: -o NEW.db")
        if any(overwrites(path, self.output) for path in paths):
            raise UsageError("would be overwritten by its own result", place=str(self.output.output), help="-o NEW.db")

    def _tally(self) -> Tally | None:
        if not (self.reporting.report or self.reporting.tokens or self.reporting.report_format != "human"):
            return None
        from handoffctl.reports.filtering import Tally

        return Tally.made(self.reporting.report_format, self.reporting.counter if self.reporting.tokens else None)

    def _lines(self, paths: list[str]) -> bool:
        """Whether several conversations share one stream, so that each goes on a line of its own."""
        return (len(paths) > 1 and not _has_own(self.output)) or self.selection.handoff == "all"

    def _write(self, paths: list[str], job: FilterJob, complaints: Complaints) -> None:
        with ExitStack() as stack:
            shared: BinaryIO | None = None
            store = stack.enter_context(closing(_new_store())) if job.to == SESSIONS else None
            if store is not None:
                job = replace(job, store=store.add)
            for path in paths:
                try:
                    opened = Opened.of(path, self.selection)
                except HandoffctlError as error:
                    if len(paths) == 1 or self.selection.fail_fast:
                        raise
                    complaints(error)
                    continue
                self._tell_of(opened, job)
                if _has_own(self.output):
                    self._write_own(path, opened, job, complaints)
                    continue
                shared = shared or stack.enter_context(shared_stream(self.output))
                before = complaints.count
                _pour(filtered(opened, job), shared, at_once=path == "-")
                if complaints.count > before and overwrites(path, self.output):
                    self._leave(path)
            if store is not None and shared is not None:
                _pour(store.pieces(), shared)

    def _write_own(self, path: str, opened: Opened, job: FilterJob, complaints: Complaints) -> None:
        if self.output.in_place and not opened.dump.format.writes:
            opened.dump.close()
            what = f"{opened.dump.format.name} can't be written back in place"
            raise UsageError(what, place=path, help="write it as handoff with -o or --output-dir")
        before = complaints.count
        with own_stream(path, self.output) as stream:
            _pour(filtered(opened, job), stream)
            if complaints.count > before and overwrites(path, self.output):
                self._leave(path)

    def _leave(self, path: str) -> None:
        say(f"{shown(path)}: left as it is, since a part of it would be lost")
        raise LeftAsItIs

    def _tell_of(self, opened: Opened, job: FilterJob) -> None:
        if self.reporting.quiet:
            return
        path = shown(opened.dump.input.path)
        for note in opened.dump.notes:
            say(f"{path}: {note}")
        if job.to is None and target_of(opened, job) == "handoff":
            name = opened.dump.format.name
            why = "part of a conversation" if self.selection.splits else f"{name} has no writer"
            if name != "handoff":
                say(f"{path}: written as handoff: {why}")


def _say_notes(transcript: Transcript) -> None:
    for note in transcript.notes:
        say(f"{shown(transcript.source.place)}: {shown(note)}")


def _new_store() -> SessionStore:
    from handoffctl.dumps.session_store import SessionStore

    return SessionStore()


def _has_own(output: Output) -> bool:
    """Whether each file's result goes to a file of its own."""
    return output.output_dir is not None or output.in_place


def _pour(pieces: Iterable[bytes], stream: BinaryIO, *, at_once: bool = False) -> None:
    write = stream.write
    for piece in pieces:
        write(piece)
        if at_once and piece.endswith(b"\n"):
            stream.flush()
