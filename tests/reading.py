"""Reads a file or bytes as the command does, and puts it through a chain: the bytes, and what was said of faults."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from handoffctl.bulk import FilterJob, filtered
from handoffctl.chain import Chain, ChainStep, build_chain
from handoffctl.conversations import Opened, Selection
from handoffctl.errors import HandoffctlError
from handoffctl.loading import Dump, Loaded
from handoffctl.model import Filter, Transcript

NOTHING = Selection()
_FOLDER = tempfile.TemporaryDirectory()


class Filtered(NamedTuple):
    """What came out of a file, the faults that were named, and how the file was read."""

    data: bytes
    faults: list[HandoffctlError]
    dump: Dump


def chain_of(filters: Sequence[str | Filter]) -> Chain:
    """Specs and functions as one chain."""
    steps: list[ChainStep] = []
    for each in filters:
        steps += build_chain([each]).steps if isinstance(each, str) else (ChainStep("test", each, "test", True),)
    return Chain(tuple(steps))


def filter_file(
    path: Path | str,
    *filters: str | Filter,
    selection: Selection = NOTHING,
    to: str | None = None,
    lines: bool = False,
) -> Filtered:
    """A file through a chain, in its own format unless `to` names another."""
    faults: list[HandoffctlError] = []
    dump = Dump(str(path), selection.format)
    job = FilterJob(chain_of(filters), to, lines, faults.append)
    return Filtered(b"".join(filtered(Opened(dump, selection), job)), faults, dump)


def filter_bytes(
    raw: bytes,
    *filters: str | Filter,
    selection: Selection = NOTHING,
    to: str | None = None,
    lines: bool = False,
) -> Filtered:
    """Bytes through a chain, as a file that holds them; it is called `dump` in what is said."""
    return filter_file(file_of(raw), *filters, selection=selection, to=to, lines=lines)


def file_of(raw: bytes) -> Path:
    """A file called `dump` with these bytes, until the next one."""
    path = Path(_FOLDER.name, "dump")
    path.write_bytes(raw)
    return path


def said(faults: Sequence[HandoffctlError]) -> list[str]:
    """What was said of faults, with `dump` for the file's whole path."""
    return [str(fault).replace(_FOLDER.name + "/", "") for fault in faults]


def load_bytes(raw: bytes, wanted: str | None = None) -> list[Transcript]:
    """The conversations in bytes; anything that can't be read fails the test."""
    loaded = list(Opened(Dump(str(file_of(raw)), wanted), NOTHING))
    faults = [each for each in loaded if isinstance(each, HandoffctlError)]
    assert not faults, [str(each) for each in faults]
    return [transcript for each in loaded if isinstance(each, Loaded) for transcript in each.transcripts]
