"""What one waits for: the start of the program, and the diff of one very long conversation."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks.corpus import ITEMS_OF_LONG
from benchmarks.processes import alternate
from benchmarks.programs import FILTER
from benchmarks.table import Row

_VERSION = (sys.executable, "-m", "handoffctl", "--version")
_TYPER = (sys.executable, "-m", "benchmarks.typer_program")
_DIFF = (sys.executable, "-m", "handoffctl", "diff", "-f", "remove_all_tools")


def start_up(one: Path, rounds: int) -> list[Row]:
    """`--version` and a small `filter`, each against a command of a small typer program."""
    return [
        _start_row("start-up of `--version`", _VERSION, (*_TYPER, "version"), rounds, 1.25),
        _start_row("`filter` of one conversation", (*FILTER, str(one)), (*_TYPER, "copy", str(one)), rounds, None),
    ]


def _start_row(what: str, ours: Sequence[str], theirs: Sequence[str], rounds: int, target: float | None) -> Row:
    runs = alternate({"ours": ours, "theirs": theirs}, rounds)
    ratio = median(one.seconds / other.seconds for one, other in zip(runs["ours"], runs["theirs"], strict=True))
    said = {name: f"{median(each.seconds for each in some) * 1000:.0f} ms" for name, some in runs.items()}
    return Row(f"{what} : typer program", ratio, "×", said["ours"], said["theirs"], target, "≤")


def long_diff(path: Path, rounds: int) -> Row:
    """`diff` of one conversation of 10,000 items."""
    what = f"`diff` of one conversation, {ITEMS_OF_LONG:,} items"
    try:
        runs = alternate({"diff": (*_DIFF, str(path))}, rounds)["diff"]
    except subprocess.CalledProcessError as error:
        return Row(what, None, "s", target=3, bound="≤", note=f"exit {error.returncode}")
    return Row(what, median(each.seconds for each in runs), "s", target=3, bound="≤")
