"""RunState snapshots of the Agents SDK for Python, of every schema version.

**Source**: `agents.run_state` of openai-agents 0.24.0 (schema 1.21); the keys read here have had one shape since 1.0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from handoffctl.dumps.detection import Evidence, Sample
from handoffctl.dumps.parts import agent_name
from handoffctl.dumps.snapshot import Snapshot
from handoffctl.model import HandoffInputData, Transcript
from handoffctl.records import Record


class Runstate:
    """A run as `RunState.to_json()` or `to_string()` saved it: the one file that records where each part begins.

    Read: `original_input` is the history, `generated_items` the rest, split at the turn that called the handoff;
    a handoff that still waits gets its output made up. Not written: a filtered one comes out as `handoff`. A
    handoff shows as a handoff output item with both agents' names.
    """

    name: ClassVar[str] = "runstate"
    writes: ClassVar[bool] = False

    def sniff(self, sample: Sample) -> Evidence | None:
        for value in sample.values:
            if isinstance(value, dict) and "$schemaVersion" in value and "original_input" in value:
                return Evidence("`$schemaVersion` and `original_input`", 3)
        return None

    def read(self, record: Record, evidence: Evidence) -> Sequence[Transcript]:  # noqa: ARG002 - one shape for all
        snapshot = Snapshot(record.raw)
        splits = snapshot.splits()
        data = splits[-1] if splits else snapshot.whole()
        about: dict[str, Any] = {
            "schema_version": snapshot.value("$schemaVersion"),
            "interrupted": snapshot.is_interrupted,
            "session_items": len(snapshot.session_items),
        }
        for key in ("previous_response_id", "conversation_id"):
            if snapshot.value(key):
                about[key] = snapshot.value(key)
        return (
            Transcript(
                data,
                record.source,
                self.name,
                agent=agent_name(snapshot.value("current_agent")),
                splits=splits,
                split=snapshot.told(data) if splits else "no handoff: history, then all generated items",
                whole=snapshot.whole() if splits else None,
                about=about,
                notes=snapshot.notes(),
            ),
        )

    def write(self, record: Record, results: Sequence[tuple[Transcript, HandoffInputData]]) -> bytes:
        raise NotImplementedError  # `writes` is False: nobody asks
