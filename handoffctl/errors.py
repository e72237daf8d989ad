"""What can go wrong, and the exit code that each kind means.

HandoffctlError                 one line: place, what is wrong; `help`: what to do
├── UsageError            2     an option, a spec or a configuration is wrong
├── InputError            3     unreadable, of unknown format, or nothing in it
│   └── MalformedDump     3     one record is broken; the others can still be read
├── FilterRefused         1     a filter was told to refuse such data, and did
└── PluginError           4     a filter from elsewhere failed to import, raised, or returned something else
"""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar


class ExitCode(IntEnum):
    """What the command tells the shell. Several at once: 70 > 4 > 3 > 1."""

    DONE = 0
    FOUND = 1
    USAGE = 2
    INPUT = 3
    PLUGIN = 4
    BUG = 70
    INTERRUPTED = 130


class HandoffctlError(Exception):
    """The root of everything that this package raises on purpose."""

    exit_code: ClassVar[ExitCode] = ExitCode.BUG

    def __init__(self, what: str, *, place: str = "", help: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.place = place
        self.help = help

    def __str__(self) -> str:
        return f"{self.place}: {self.what}" if self.place else self.what


class UsageError(HandoffctlError):
    """An option, a filter spec or a configuration file is wrong."""

    exit_code = ExitCode.USAGE


class InputError(HandoffctlError):
    """A file can't be read, is of unknown format, or holds no conversation."""

    exit_code = ExitCode.INPUT


class MalformedDump(InputError):
    """One record is broken. Those around it can still be read."""


class FilterRefused(HandoffctlError):
    """A filter was told to refuse such data (`on_overflow=error`), and did."""

    exit_code = ExitCode.FOUND


class PluginError(HandoffctlError):
    """A filter from elsewhere failed to import, raised, or returned something else."""

    exit_code = ExitCode.PLUGIN
