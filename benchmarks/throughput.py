"""Megabytes a second over a large file, against other programs that do the same job.

Each number is the median of several rounds in which the programs take turns; a ratio is that of two runs of the same
round. Time is a process's own (user and system), so that what else the machine does counts less, and without the
program's start-up, which is measured apart on a file with one conversation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.processes import Run, alternate
from benchmarks.programs import Program, handoffctl
from benchmarks.table import Row

OURS = "handoffctl"


@dataclass(frozen=True, slots=True)
class Race:
    """Programs over one file: every run, and what each needs to start, in seconds of its own time."""

    path: Path
    runs: Mapping[str, Sequence[Run]]
    start: Mapping[str, float]

    def seconds(self, name: str) -> list[float]:
        """Each round's time without start-up."""
        return [each.cpu - self.start[name] for each in self.runs[name]]

    def speed(self, name: str) -> str:
        """The median, as text."""
        return f"{self.path.stat().st_size / 1e6 / median(self.seconds(name)):.0f} MB/s"

    def row(self, what: str, peer: str, target: float | None) -> Row:
        """How many times as fast as a peer handoffctl is."""
        pairs = zip(self.seconds(peer), self.seconds(OURS), strict=True)
        ratio = median(theirs / ours for theirs, ours in pairs)
        return Row(what, ratio, "×", self.speed(OURS), self.speed(peer), target)

    @property
    def peak(self) -> int:
        """The most memory that handoffctl held in any run, in bytes."""
        return max(each.peak for each in self.runs[OURS])


def race(path: Path, one: Path, peers: Mapping[str, Program], rounds: int) -> Race:
    """Run handoffctl and its peers over a file in turns; `one` is a file of that kind with one conversation."""
    programs: dict[str, Program] = {OURS: handoffctl, **peers}
    small = alternate({name: program(one) for name, program in programs.items()}, rounds)
    start = {name: median(each.cpu for each in runs) for name, runs in small.items()}
    return Race(path, alternate({name: program(path) for name, program in programs.items()}, rounds), start)
