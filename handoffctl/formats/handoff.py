"""Dumps of `HandoffInputData`, and records of handoffs with what their filter got and gave.

**Source**: `agents.handoffs.HandoffInputData` of openai-agents 0.24.0; the record is handoffctl's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from handoffctl.dumps.detection import Evidence, Sample
from handoffctl.dumps.parts import Parts, agent_name, members_of
from handoffctl.model import HandoffInputData, Transcript
from handoffctl.raw.jsontext import decode, style_of
from handoffctl.raw.splice import with_members
from handoffctl.records import Record


class Handoff:
    """What an input filter gets, its parts apart; or a record of a handoff, with before and after.

    Read and written: `{"input_history", "pre_handoff_items", "new_items", "input_items"}` with wrapped or bare run
    items; `{"handoffctl": 1, "from", "to", "tool", "at", "before": {…}, "after": {…}}`, of which a filter gets
    `before` (a record that it changes loses its `after`). JSON, or JSON Lines with one a line. A round trip keeps
    every byte. A handoff shows as a handoff call item and a handoff output item.
    """

    name: ClassVar[str] = "handoff"
    writes: ClassVar[bool] = True

    def sniff(self, sample: Sample) -> Evidence | None:
        dumps = [value for value in sample.values if isinstance(value, dict)]
        if any("handoffctl" in value and "before" in value for value in dumps):
            return Evidence("`handoffctl` and `before`: a recorded handoff", 3)
        if any("input_history" in value for value in dumps):
            return Evidence("`input_history`: a dump of HandoffInputData", 3)
        return None

    def read(self, record: Record, evidence: Evidence) -> Sequence[Transcript]:  # noqa: ARG002 - one shape for all
        members = members_of(record.raw)
        if "handoffctl" in members and "before" in members:
            return (_recorded(record, self.name, members),)
        if "input_history" not in members:
            raise ValueError("no `input_history` in this record")
        parts = Parts(record.raw)
        split = "the dump's own parts"
        return (Transcript(parts.data, record.source, self.name, parts, split=split, about=_about(members)),)

    def write(self, record: Record, results: Sequence[tuple[Transcript, HandoffInputData]]) -> bytes:
        ((transcript, after),) = results
        parts: Parts = transcript.layout
        if parts.raw is record.raw:
            return parts.written(after)
        changes: dict[str, bytes | None] = {"before": parts.written(after)}
        if "after" in members_of(record.raw):
            changes["after"] = None
        return with_members(record.raw, changes, style_of(record.raw))


def _recorded(record: Record, name: str, members: dict[str, bytes]) -> Transcript:
    parts = Parts(members["before"])
    about: dict[str, Any] = {key: decode(members[key]) for key in ("from", "to", "tool", "at") if key in members}
    after = Parts(members["after"]).data if members.get("after", b"null").strip() != b"null" else None
    return Transcript(
        parts.data,
        record.source,
        name,
        parts,
        agent=agent_name(about.get("to")),
        after=after,
        split="the recorded handoff's own parts",
        about=about,
    )


def _about(members: dict[str, bytes]) -> dict[str, Any]:
    """What else the dump says of where it came from, such as a conversation that a server holds."""
    known = ("previous_response_id", "conversation_id")
    return {key: decode(members[key]) for key in known if key in members}
