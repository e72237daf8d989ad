"""Messages of the Anthropic API: a request, a list of messages, one conversation a line, or one message a line.

**Source**: `MessageParam` and `Message` of anthropic 2.17.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

from handoffctl.dialects.anthropic.entries import messages_of
from handoffctl.dialects.anthropic.messages import Messages
from handoffctl.dumps.detection import Evidence, Sample, votes
from handoffctl.dumps.flat import flat_items, joined
from handoffctl.dumps.parts import members_of
from handoffctl.entries import Entries
from handoffctl.model import HandoffInputData, Transcript
from handoffctl.raw.faults import malformed
from handoffctl.raw.jsontext import decode
from handoffctl.records import Record

_REQUEST_KEYS = ("system", "anthropic_version", "anthropic_beta", "stop_sequences", "thinking")


class _Layout(NamedTuple):
    entries: Entries
    messages: Messages


class Anthropic:
    """Messages of the Anthropic API: blocks of text, thinking, `tool_use` and `tool_result` share a message.

    Read and written: a JSON list; a request, which holds one as `messages`; JSON Lines with one conversation or one
    message a line; messages as the API answers with them. The `system` prompt of a request is the agent's
    instructions, outside the conversation. Neighbouring texts and images of a message are one item, each call and each
    output is an item of its own, a provider's tool and what it gave are one.

    A round trip keeps every byte. A message that lost an item keeps its other blocks as they stand, `cache_control`
    and `citations` included; one that lost all of them goes. A thought that a filter edited goes too, since its
    signature holds for its own words. A handoff shows as a call and its output.
    """

    name: ClassVar[str] = "anthropic"
    writes: ClassVar[bool] = True

    def sniff(self, sample: Sample) -> Evidence | None:
        form, key, entries = sample.lie()
        tally = votes(entries)
        if tally.foreign or max(tally.responses, tally.chat) >= max(1, tally.anthropic):
            return None
        if tally.anthropic:
            why = f"{tally.anthropic} of {sum(tally)} entries have tool_use, tool_result or thinking blocks"
            return Evidence(why, 2, form, key)
        found = next(_request_keys(sample), None) if key == "messages" else None
        return Evidence(f"`{found}` beside the messages", 2, form, key) if found else None

    def read(self, record: Record, evidence: Evidence) -> Sequence[Transcript]:
        entries = Entries(record.raw, evidence.key)
        messages = Messages(entries.raws, entries.style)
        data = HandoffInputData(messages.items())
        system = _system(record.raw) if evidence.key is not None else ""
        layout = _Layout(entries, messages)
        instructions = {"": system} if system else {}
        return (Transcript(data, record.source, self.name, layout, instructions=instructions),)

    def write(self, record: Record, results: Sequence[tuple[Transcript, HandoffInputData]]) -> bytes:
        ((transcript, after),) = results
        layout: _Layout = transcript.layout
        texts, losses = messages_of(flat_items(after), layout.entries.style)
        whole = [loss for loss in losses if loss.member is None]
        if whole:
            kinds = ", ".join(dict.fromkeys(str(loss.item.type) for loss in whole))
            what = f"a filter gave items that no Anthropic message can say: {kinds}"
            raise malformed(record.source, what, "--to items or --to handoff can say them")
        return joined(record, layout.entries, texts)


def _request_keys(sample: Sample) -> Iterator[str]:
    for value in sample.values:
        if isinstance(value, dict):
            yield from (key for key in _REQUEST_KEYS if key in value)


def _system(raw: bytes) -> str:
    """The system prompt of a request as one text; empty where it has none."""
    system: Any = decode(members_of(raw).get("system", b'""'))
    if isinstance(system, str):
        return system
    blocks = system if isinstance(system, list) else []
    texts = [block.get("text") for block in blocks if isinstance(block, dict)]
    return "\n\n".join(text for text in texts if isinstance(text, str))
