"""The programs that are compared, as commands over a file."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from benchmarks.processes import ROOT
from handoffctl.kinds import removed_item_types

Program = Callable[[Path], Sequence[str]]
"""From a file to the command that filters it to standard output."""

FILTER = (sys.executable, "-m", "handoffctl", "filter", "-f", "remove_all_tools")
_REMOVED = json.dumps(dict.fromkeys(sorted(removed_item_types((0, 24, 0))), True))


def handoffctl(path: Path) -> Sequence[str]:
    return (*FILTER, str(path))


def floor(dialect: str) -> Program:
    """The bare floor for a dialect: `responses` or `chat`."""
    return lambda path: (sys.executable, "-m", "benchmarks.floor", dialect, str(path))


def sdk_script(path: Path) -> Sequence[str]:
    return (sys.executable, "-m", "benchmarks.sdk_script", str(path))


def jq(path: Path) -> Sequence[str]:
    script = ROOT / "benchmarks" / "remove_tools.jq"
    return ("jq", "-c", "--argjson", "removed", _REMOVED, "-f", str(script), str(path))


def peers() -> Mapping[str, Program]:
    """Those that do the same job on Responses items, and are installed here."""
    found: dict[str, Program] = {"floor": floor("responses")}
    if shutil.which("jq"):
        found["jq"] = jq
    if find_spec("agents"):
        found["SDK script"] = sdk_script
    return found
