"""What `handoffctl filter` does with its files: open, filter, write, say what happened."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from handoffctl.bulk import FilterJob, filtered, target_of
from handoffctl.chain import Chain
from handoffctl.cli.messages import Complaints, say
from handoffctl.conversations import Opened, Selection
from handoffctl.errors import ExitCode, HandoffctlError, UsageError
from handoffctl.escape import visible
from handoffctl.loading import Dump
from handoffctl.model import Transcript
from handoffctl.output import standard_output, written_file
from handoffctl.writing import Losses, target


@dataclass(frozen=True)
class Destination:
    """Where each file's result goes: one file, a folder, the file itself; standard output where none is set."""

    output: str | None = None
    folder: str | None = None
    in_place: bool = False
    backup: bool = True

    def path_for(self, path: str) -> str | None:
        """The file to write; None for standard output."""
        if self.folder is not None:
            return str(Path(self.folder) / Path(path).name)
        return path if self.in_place else self.output


def destination_of(
    paths: list[str], output: str | None, folder: str | None, *, in_place: bool, backup: bool
) -> Destination:
    """Where results go. Raises UsageError where options exclude each other or can't work with these files."""
    if sum((output is not None, folder is not None, in_place)) > 1:
        raise UsageError("-o, --output-dir and --in-place exclude each other", help="take one of them")
    if in_place and "-" in paths:
        raise UsageError("--in-place has no file to write back to", help="name the files")
    if folder is not None:
        names = [Path(path).name for path in paths]
        if "-" in names or len(set(names)) < len(names):
            raise UsageError("--output-dir needs a name of its own for each file", help="name files of different names")
        Path(folder).mkdir(parents=True, exist_ok=True)
    return Destination(None if output == "-" else output, folder, in_place, backup)


@dataclass(frozen=True)
class Filtering:
    """One run of the command."""

    chain: Chain
    selection: Selection
    to: str | None
    destination: Destination
    report: str | None = None
    counter: str | None = None
    strict: bool = False
    quiet: bool = False

    def run(self, paths: list[str]) -> int:
        """Filter the files; the exit code."""
        if self.to is not None:
            target(self.to)
        complaints = Complaints()
        losses = _Losses(strict=self.strict)
        tally = self._tally()
        job = FilterJob(
            self.chain,
            self.to.replace("_", "-") if self.to else None,
            self._lines(paths),
            complaints,
            tally.add if tally else None,
            losses.add,
        )
        self._write(paths, job, complaints)
        if tally is not None:
            say(tally.text(self.report or "human", broken=complaints.count))
        code = max(complaints.close(), losses.tell())
        return int(code)

    def _tally(self):  # type: ignore[no-untyped-def]
        if self.report is None:
            return None
        if self.report not in ("human", "json"):
            raise UsageError("no such format", place=f"--report-format {self.report}", help="human or json")
        from handoffctl.filter_report import Tally

        return Tally(self.counter)

    def _lines(self, paths: list[str]) -> bool:
        """Whether several conversations share one stream, so that each goes on a line of its own."""
        together = self.destination.folder is None and not self.destination.in_place
        return (len(paths) > 1 and together) or self.selection.handoff == "all"

    def _write(self, paths: list[str], job: FilterJob, complaints: Complaints) -> None:
        with ExitStack() as stack:
            shared: BinaryIO | None = None
            for path in paths:
                try:
                    opened = Opened(Dump(path, self.selection.format), self.selection)
                except HandoffctlError as error:
                    if len(paths) == 1 or self.selection.fail_fast:
                        raise
                    complaints(error)
                    continue
                self._tell_of(opened, job)
                own = self.destination.folder is not None or self.destination.in_place
                if own:
                    with written_file(str(self.destination.path_for(path)), backup=self._keeps) as stream:
                        _pour(filtered(opened, job), stream)
                    continue
                shared = shared or stack.enter_context(self._shared_stream())
                _pour(filtered(opened, job), shared, at_once=path == "-")

    @property
    def _keeps(self) -> bool:
        return self.destination.in_place and self.destination.backup

    def _shared_stream(self):  # type: ignore[no-untyped-def]
        output = self.destination.output
        return standard_output() if output is None else written_file(output)

    def _tell_of(self, opened: Opened, job: FilterJob) -> None:
        if self.quiet:
            return
        path = visible(opened.dump.input.path)
        for note in opened.dump.notes:
            say(f"{path}: {note}")
        if job.to is None and target_of(opened, job) == "handoff":
            name = opened.dump.format.name
            why = "part of a conversation" if self.selection.splits else f"{name} has no writer"
            if name != "handoff":
                say(f"{path}: written as handoff: {why}")


class _Losses:
    """What the target format could not say, counted by item type."""

    def __init__(self, *, strict: bool) -> None:
        self.strict = strict
        self.counts: dict[str, int] = {}

    def add(self, transcript: Transcript, losses: Losses) -> None:  # noqa: ARG002 - counted over all
        for item in losses:
            name = item.type or item.role or "unknown"
            self.counts[name] = self.counts.get(name, 0) + 1

    def tell(self) -> int:
        """Say what was lost; the exit code."""
        if not self.counts:
            return ExitCode.DONE
        listing = ", ".join(f"{visible(name)} {number:,}" for name, number in self.counts.items())
        say(f"handoffctl: left out, since the target format can't say it: {listing}")
        return ExitCode.FOUND if self.strict else ExitCode.DONE


def _pour(pieces: Iterable[bytes], stream: BinaryIO, *, at_once: bool = False) -> None:
    write = stream.write
    for piece in pieces:
        write(piece)
        if at_once and piece.endswith(b"\n"):
            stream.flush()
