"""The formats, one file each, most telling first; this table is the one line that a new one adds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from handoffctl.dumps.detection import Evidence, Sample
from handoffctl.model import HandoffInputData, Transcript
from handoffctl.records import Record
from handoffctl.registry import Registry

FORMATS = Registry(
    "format",
    "handoffctl.formats",
    {
        "session-db": "handoffctl.formats.session_db:SessionDb",
        "cai": "handoffctl.formats.cai:Cai",
        "runstate": "handoffctl.formats.runstate:Runstate",
        "handoff": "handoffctl.formats.handoff:Handoff",
        "runs": "handoffctl.formats.runs:Runs",
        "codex": "handoffctl.formats.codex:Codex",
        "codex-exec": "handoffctl.formats.codex_exec:CodexExec",
        "trace": "handoffctl.formats.trace:Trace",
        "anthropic": "handoffctl.formats.anthropic:Anthropic",
        "chat": "handoffctl.formats.chat:Chat",
        "items": "handoffctl.formats.items:Items",
    },
)


class Format(Protocol):
    """How one kind of dump is told, read, and written back."""

    name: str
    writes: bool
    """Whether a conversation can be written back into such a file."""

    def sniff(self, sample: Sample) -> Evidence | None:
        """Why these values are of this format; None where they are not."""

    def read(self, record: Record, evidence: Evidence) -> Sequence[Transcript]:
        """The conversations of one record. Raises ValueError where it is none of this format's."""

    def write(self, record: Record, results: Sequence[tuple[Transcript, HandoffInputData]]) -> bytes:
        """The record with what became of each of its conversations. Raises MalformedDump where it can't say that."""
