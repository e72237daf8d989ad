"""Chat Completions messages: a list, an object that holds one, one conversation a line, or one message a line.

**Source**: `types/chat` of openai 3.57; fine-tuning files of the same API.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from handoffctl.dialects.chat import ChatEntries
from handoffctl.dialects.chat_entries import entries_of, no_message_says
from handoffctl.dumps.detection import Evidence, Sample, votes
from handoffctl.dumps.flat import flat_items, joined
from handoffctl.model import HandoffInputData, Transcript
from handoffctl.raw.faults import malformed
from handoffctl.records import Record


class Chat:
    """Messages of Chat Completions: a text and its tool calls share a message, each output has one of its own.

    Read and written: a JSON list; an object that holds one as `messages`, `input` or `items`; JSON Lines with one
    conversation or one message a line. A round trip keeps every byte; a message that lost its calls has no
    `tool_calls`. A handoff shows as a tool call and its output.
    """

    name: ClassVar[str] = "chat"
    writes: ClassVar[bool] = True

    def sniff(self, sample: Sample) -> Evidence | None:
        form, key, entries = sample.lie()
        tally = votes(entries)
        if tally.foreign or tally.chat <= max(tally.responses, tally.anthropic):
            return None
        why = f"{tally.chat} of {sum(tally)} entries have tool_calls, a tool_call_id or the role tool"
        return Evidence(why, 2, form, key)

    def read(self, record: Record, evidence: Evidence) -> Sequence[Transcript]:
        entries = ChatEntries(record.raw, evidence.key)
        items = entries.items()
        return (Transcript(HandoffInputData(items), record.source, self.name, entries),)

    def write(self, record: Record, results: Sequence[tuple[Transcript, HandoffInputData]]) -> bytes:
        ((transcript, after),) = results
        entries: ChatEntries = transcript.layout
        texts, unsaid = entries_of(flat_items(after), entries)
        if unsaid:
            raise malformed(record.source, *no_message_says(unsaid))
        return joined(record, entries, texts)
