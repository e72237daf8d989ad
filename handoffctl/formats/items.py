"""Responses input items: a list, an object that holds one, one conversation a line, or one item a line.

**Source**: `ResponseInputItemParam` of openai 3.57; `RunResult.to_input_list()` of openai-agents 0.24.0.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from handoffctl.dumps.detection import Evidence, Sample, dialect_of, votes
from handoffctl.dumps.flat import flat_items, item_texts, joined
from handoffctl.entries import Entries
from handoffctl.item import Item
from handoffctl.kinds import ROLES
from handoffctl.model import HandoffInputData, Transcript
from handoffctl.records import Record

# The names of a call's members or blocks, or an escape of a plain letter, by which a name could be spelled otherwise.
_MAY_CALL = re.compile(rb'"(?:tool_calls|function_call)"[ \t\r\n]*:|"(?:tool_use|tool_result|thinking)"|\\u00[2-7]')
_OTHERS: dict[str, str] = {"chat": "a chat message", "anthropic": "an Anthropic message"}
_NEVER_CALLS = ROLES - {"assistant"}


class Items:
    """Items of the Responses API, as `to_input_list()` and a session's `get_items()` give them.

    Read and written: a JSON list; an object that holds one as `input`, `items` or `messages`; JSON Lines with one
    conversation or one item a line. A round trip keeps every byte. A handoff shows as a call and its output.
    """

    name: ClassVar[str] = "items"
    writes: ClassVar[bool] = True

    def sniff(self, sample: Sample) -> Evidence | None:
        form, key, entries = sample.lie()
        tally = votes(entries)
        if not (entries or key or form == "value") or tally.foreign or tally.readable > tally.responses:
            return None
        if tally.responses:
            why = f"{tally.responses} of {sum(tally)} entries have a Responses type"
            others = ((tally.chat, "chat"), (tally.anthropic, "Anthropic"))
            said = " and ".join(f"{count} {dialect}" for count, dialect in others if count)
            note = f"{said} entries among Responses items, taken as they are" if said else None
            return Evidence(why, 2, form, key, note, mixed=bool(said))
        note = "role and content alone: chat messages and Responses items look the same; read as items"
        return Evidence("entries with role and content", 1, form, key, note)

    def read(self, record: Record, evidence: Evidence) -> Sequence[Transcript]:
        entries = Entries(record.raw, evidence.key)
        items = entries.items()
        if evidence.score < 3 and not evidence.mixed:
            _refuse_others(items, record.raw)
        return (Transcript(HandoffInputData(items), record.source, self.name, entries),)

    def write(self, record: Record, results: Sequence[tuple[Transcript, HandoffInputData]]) -> bytes:
        ((transcript, after),) = results
        entries: Entries = transcript.layout
        return joined(record, entries, item_texts(entries, flat_items(after)))


def _refuse_others(items: Sequence[Item], raw: bytes) -> None:
    """Raise ValueError for a message of another dialect where the file's first records held Responses items.

    Most records have none that could be one, and are not searched.
    """
    roles = {item.role for item in items if item.type is None}
    if roles <= _NEVER_CALLS or (roles <= ROLES and not _MAY_CALL.search(raw)):
        return
    for index, item in enumerate(items):
        if name := _OTHERS.get(dialect_of(item)):
            raise ValueError(f"entry {index} is {name}, where the first records hold Responses items")
