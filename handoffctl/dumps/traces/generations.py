"""Conversations out of generation spans: each holds all messages so far, so one that goes on continues another."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from handoffctl.dialects.chat import ChatEntries, calls_of
from handoffctl.dumps.detection import votes
from handoffctl.dumps.traces.spans import Span
from handoffctl.entries import Entries
from handoffctl.item import Item
from handoffctl.kinds import INSTRUCTION_ROLES
from handoffctl.raw.jsontext import decode, encode


@dataclass(slots=True)
class Exchange:
    """The messages of one conversation, oldest first. `turns` says where each turn of a model begins, and whose it is.

    `instructions` are the agents' system prompts, which stand outside.
    """

    messages: list[bytes] = field(default_factory=list)
    turns: list[tuple[int, str | None]] = field(default_factory=list)
    instructions: dict[str, str] = field(default_factory=dict)

    @property
    def agent(self) -> str | None:
        """The agent that answered last."""
        return self.turns[-1][1] if self.turns else None

    def items(self) -> tuple[Item, ...]:
        """The messages as items; the entry that each is of is its message."""
        raw = b"[" + b",".join(self.messages) + b"]"
        tally = votes([decode(message) for message in self.messages])
        return (Entries if tally.responses > tally.chat else ChatEntries)(raw, None).items()


def exchanges(spans: Sequence[Span]) -> list[Exchange]:
    """The conversations of generation spans, given oldest first; spans without messages give none.

    A span whose input begins with all that was said in another continues it.
    """
    found: list[Exchange] = []
    open_: defaultdict[int, deque[Exchange]] = defaultdict(deque)
    for span in spans:
        said = messages_of(span)
        if said is None:
            continue
        prompts, asked, answered = said
        states = list(_states(asked))
        known = next((n for n in range(len(states), 0, -1) if open_.get(states[n - 1])), 0)
        exchange = open_[states[known - 1]].popleft() if known else Exchange()
        found += [] if known else [exchange]
        exchange.messages += asked[known:]
        exchange.turns.append((len(exchange.messages), span.agent))
        exchange.messages += answered
        if prompts:
            exchange.instructions[span.agent or ""] = "\n\n".join(prompts)
        open_[deque(_states([*asked, *answered]), 1).pop()].append(exchange)
    return found


def messages_of(span: Span) -> tuple[list[str], list[bytes], list[bytes]] | None:
    """The system prompts, the messages that the model got and those that it gave; None where the span has none."""
    got = span.said("input")
    asked, answered = _messages(got), _messages(span.said("output"))
    if not asked:
        return None
    raws = [bytes(raw) for raw in Entries(got, None).raws]
    leading = next((n for n, each in enumerate(asked) if not _is_prompt(each)), len(asked))
    return [str(each["content"]) for each in asked[:leading]], raws[leading:], [*map(_without_nulls, answered)]


def _messages(text: bytes) -> list[dict[str, Any]]:
    """A list of messages; empty for anything else."""
    value = decode(text)
    return value if isinstance(value, list) and all(isinstance(each, dict) for each in value) else []


def _is_prompt(message: dict[str, Any]) -> bool:
    return message.get("role") in tuple(INSTRUCTION_ROLES) and isinstance(message.get("content"), str)


def _without_nulls(message: dict[str, Any]) -> bytes:
    """An answer as a message is written in the next input: without what it does not have."""
    return encode({key: value for key, value in message.items() if value is not None or key == "content"})


def _states(messages: Sequence[bytes]) -> Iterator[int]:
    """What stands for all that was said after each message, however it was divided into messages.

    The SDK sends a text and a call as one message that a model gave as two.
    """
    state = 0
    if not messages:
        yield state
    for raw in messages:
        for said in _said(decode(raw)):
            state = hash((state, said))
        yield state


def _said(message: dict[str, Any]) -> Iterator[str]:
    """What a message says: its text or output, then each of its calls."""
    if message.get("content"):
        yield repr((message.get("role"), message["content"], message.get("tool_call_id")))
    for call in calls_of(message):
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict):
            yield repr((call.get("id"), function.get("name"), function.get("arguments")))
