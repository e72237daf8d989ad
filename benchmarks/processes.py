"""Whole processes, measured: how long each took, and how much memory it held at most."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
_PEAK_UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes in the system's unit of peak memory."""


class Run(NamedTuple):
    """One process from start to end. `cpu` is user and system time; `peak` is in bytes."""

    seconds: float
    cpu: float
    peak: int


def run(command: Sequence[str], output: Path | None = None) -> Run:
    """Run a command in the repository; what it prints goes to a file, or nowhere.

    Raises CalledProcessError where it fails.
    """
    with (output or Path(os.devnull)).open("wb") as stdout:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=stdout, stderr=subprocess.PIPE, cwd=ROOT)
        assert process.stderr is not None
        with process.stderr as errors:
            said = errors.read()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command, stderr=said.decode(errors="replace"))
    return Run(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * _PEAK_UNIT)


def alternate(commands: Mapping[str, Sequence[str]], rounds: int) -> dict[str, list[Run]]:
    """Each command's runs: one after the other in every round, after a round that does not count."""
    for command in commands.values():
        run(command)
    runs: dict[str, list[Run]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            runs[name].append(run(command))
    return runs
