"""The nouns. All frozen: nothing is ever changed in place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import msgspec

from handoffctl.item import Item, edit_text
from handoffctl.raw.jsontext import encode

Segment = Literal["history", "pre-handoff", "new", "input"]
SEGMENTS: tuple[Segment, ...] = ("history", "pre-handoff", "new", "input")


@dataclass(frozen=True, slots=True, eq=False)
class RunItem:
    """An item made during a run: the SDK's wrapper around a raw item.

    `type` is the SDK's own (`tool_call_item`, `handoff_output_item`, …); `agent` is the agent that made
    it (for handoff items, the one that hands over), None where the dump does not say. `wrapper` is the
    wrapper's own object as it stood in the file; None for a bare item.
    Source: `agents.items.RunItemBase` of openai-agents 0.24.0.
    """

    type: str
    raw_item: Item
    agent: str | None = None
    source_agent: str | None = None
    target_agent: str | None = None
    wrapper: Item | None = None

    def with_raw_item(self, raw_item: Item) -> RunItem:
        """The same run item around another raw item; a native `output` beside it follows the raw one's."""
        wrapper = self.wrapper
        if wrapper is not None:
            changes: dict[str, bytes | None] = {"raw_item": raw_item.raw}
            if "output" in wrapper and "output" in raw_item and self.raw_item.get("output") != raw_item["output"]:
                changes["output"] = encode(raw_item["output"])
            wrapper = edit_text(wrapper, changes)
        return replace(self, raw_item=raw_item, wrapper=wrapper)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RunItem):
            return NotImplemented
        mine = (self.type, self.agent, self.source_agent, self.target_agent)
        theirs = (other.type, other.agent, other.source_agent, other.target_agent)
        return mine == theirs and self.raw_item == other.raw_item

    __hash__ = None  # type: ignore[assignment]  # compared by value


@dataclass(frozen=True, slots=True)
class HandoffInputData:
    """What an input filter gets and gives, field for field as the SDK has it.

    `input_history` is a string (one user message) or a tuple of items, oldest first. `pre_handoff_items`
    are those of earlier turns of the run, `new_items` those of the turn that called the handoff, both
    oldest first. `run_context` is always None offline. `input_items`, when not None, replaces `new_items`
    for the next agent's model input alone.
    Source: `agents.handoffs.HandoffInputData` of openai-agents 0.24.0.
    """

    input_history: str | tuple[Item, ...] = ()
    pre_handoff_items: tuple[RunItem, ...] = ()
    new_items: tuple[RunItem, ...] = ()
    run_context: Any = None
    input_items: tuple[RunItem, ...] | None = None

    def clone(self, **changes: Any) -> HandoffInputData:
        """A copy with some fields changed."""
        return replace(self, **changes)


Filter = Callable[[HandoffInputData], HandoffInputData]
"""A pure function: it never changes what it gets, and gives the same object back when nothing changes."""


def history_items(data: HandoffInputData) -> tuple[Item, ...]:
    """The history as items, oldest first; a string history is one user message, made anew at each call."""
    history = data.input_history
    return (Item.of({"content": history, "role": "user"}),) if isinstance(history, str) else history


def segment_items(data: HandoffInputData) -> Iterator[tuple[Segment, Item]]:
    """Every raw item with its segment: history, pre-handoff, new, then input items where they are set."""
    for item in history_items(data):
        yield "history", item
    for segment, run_items in run_segments(data):
        for run_item in run_items:
            yield segment, run_item.raw_item


def run_segments(data: HandoffInputData) -> Iterator[tuple[Segment, tuple[RunItem, ...]]]:
    """The segments of run items with their names; input items only where they are set."""
    yield "pre-handoff", data.pre_handoff_items
    yield "new", data.new_items
    if data.input_items is not None:
        yield "input", data.input_items


class Source(msgspec.Struct, frozen=True, gc=False):
    """Where a conversation came from. `record` and `line` count from 1; `line` is where the record starts, 0 where it
    stands on none, as in a database."""

    path: str
    record: int = 1
    line: int = 1
    name: str | None = None
    """What tells conversations of one record apart: a session's id, a run's agent."""

    @property
    def place(self) -> str:
        """`file`, `file:line`, or `file: session NAME`, for messages; `-` is stdin."""
        if self.line == 0:
            return f"{self.path}: session {self.name}"
        return f"{self.path}:{self.line}" if self.line > 1 or self.record > 1 else self.path


@dataclass(frozen=True, slots=True)
class Handoff:
    """One handoff, or one call of an agent used as a tool. Positions count from 0 over all segments as one list.

    `to_agent` and `from_agent` are None where the dump does not say. `evidence` is what it was recognised
    by; `certain` is False for a guess by name. `output` is None while no output stands in the dump.
    """

    kind: Literal["handoff", "agent_as_tool"]
    tool_name: str
    call: int | None
    output: int | None
    to_agent: str | None
    from_agent: str | None = None
    evidence: str = ""
    certain: bool = True


class Transcript(msgspec.Struct, frozen=True):
    """One loaded conversation.

    `instructions` are the agents' system prompts by agent name, where the dump has them outside the list.
    `agent` is the one that made the last items, or whose run it is. `after` is what a recorded handoff's own
    filter made of it. `splits` is the data at each handoff, oldest first, where the format records the boundary,
    and `whole` the conversation with what came after, None where `data` is all there is;
    `layout` is for the format's writer alone. `about` holds what the format knows besides (stop reason, output,
    parent of a run); `split` says which split the data is, and by which evidence. `missing` says why the dump does not
    hold the conversation, so that no filter can work on it; None where it does.
    """

    data: HandoffInputData
    source: Source
    format: str
    layout: Any = None
    instructions: Mapping[str, str] = MappingProxyType({})
    agent: str | None = None
    after: HandoffInputData | None = None
    splits: tuple[HandoffInputData, ...] = ()
    whole: HandoffInputData | None = None
    split: str = "all history"
    about: Mapping[str, Any] = MappingProxyType({})
    notes: tuple[str, ...] = ()
    missing: str | None = None


class Loss(NamedTuple):
    """What a target format can't say: a whole item, or of an item that it says one member by name."""

    item: Item
    member: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One filter's run. `name` is as the user spelled it, options included."""

    name: str
    before: HandoffInputData
    after: HandoffInputData


@dataclass(frozen=True, slots=True)
class Change:
    """What became of one item. `before` is None for an added one, `after` for a removed one.

    `index` is the place in `before` (in `after` for an added one), counted from 0 over all segments as one
    list; `by` names the filter that did it, None for `kept`. `run_item` is the wrapper on the shown side,
    None in the history. `after_index` and `after_segment` are the place in `after`, None for a removed one.
    """

    sign: Literal["kept", "removed", "edited", "added", "moved"]
    before: Item | None
    after: Item | None
    segment: Segment
    index: int
    by: str | None = None
    run_item: RunItem | None = None
    after_index: int | None = None
    after_segment: Segment | None = None
