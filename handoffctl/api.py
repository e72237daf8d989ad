"""The library in two functions: load conversations, and see what a chain makes of one."""

from __future__ import annotations

import os
from typing import Any

from handoffctl.chain import Chain, build_chain, run
from handoffctl.config import load_config
from handoffctl.conversations import Opened, Selection, transcripts
from handoffctl.model import Filter, HandoffInputData, Source, Transcript


def load(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    handoff: str | int | None = None,
    pending_handoff: str | None = None,
) -> list[Transcript]:
    """The conversations of a file, in its order, each at the handoff asked for (`last`, `all`, or one from 1).

    Raises InputError where the file can't be read or is of no known format, and MalformedDump for the first bad
    record: a library's caller must not miss one.
    """
    selection = Selection(format, None if handoff is None else str(handoff), pending_handoff, fail_fast=True)
    opened = Opened.of(os.fspath(path), selection)
    return [each for each in transcripts(opened) if isinstance(each, Transcript)]


def diff(data: HandoffInputData | Transcript, chain: Chain | Filter | str | list[str]) -> Any:
    """What a chain makes of one conversation, item by item; in a notebook it shows itself.

    `chain` may be a chain, a filter, a spec, or several specs. The result's `changes` are in order, and `str()` of
    it is what `handoffctl diff` prints. Raises UsageError for a spec that can't be read, PluginError where foreign
    code fails.
    """
    from handoffctl.difference import Difference

    transcript = data if isinstance(data, Transcript) else Transcript(data, Source("data"), "handoff")
    if isinstance(chain, str | list):
        chain = build_chain([chain] if isinstance(chain, str) else chain, load_config())
    return Difference(transcript, run(chain, transcript.data))
