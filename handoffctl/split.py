"""The three segments of a handoff, taken from a conversation that is one list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from handoffctl.errors import UsageError
from handoffctl.groups import bundles
from handoffctl.handoffs import Entry, classify_bare, conversation, find_handoffs, last_agent, transfer_output
from handoffctl.item import Item
from handoffctl.kinds import Kind, is_model_made, kind_of
from handoffctl.model import Handoff, HandoffInputData, RunItem
from handoffctl.transfers import transfer_tool_name

_PLACE = "--handoff"


def split_at(data: HandoffInputData, handoffs: Sequence[Handoff], which: int | Literal["last"]) -> HandoffInputData:
    """What the filter of a recorded handoff got: history, the run before the handoff's turn, that turn.

    `which` counts handoffs from 1. The turn begins with what the model made before the call and ends with
    the handoff's output; the history ends with the last user, system or developer message before the turn;
    what came after is not there yet. Data that stands in a run already keeps the segments that were
    recorded. Raises UsageError where there is no such handoff.
    """
    handoff = _chosen([each for each in handoffs if each.kind == "handoff"], which)
    entries = conversation(data)
    end = _end(entries, handoff)
    if end >= len(entries) - len(data.new_items):
        return data
    start = _turn_start(entries, handoff.call if handoff.call is not None else end)
    run = _run_start(entries, start)
    classified = _classified(entries, handoffs)
    history = data.input_history if run == 1 and isinstance(data.input_history, str) else None
    return HandoffInputData(
        tuple([item for item, _ in entries[:run]]) if history is None else history,
        classified[run:start],
        classified[start : end + 1],
    )


def _chosen(handoffs: Sequence[Handoff], which: int | Literal["last"]) -> Handoff:
    number = len(handoffs) if which == "last" else which
    if 1 <= number <= len(handoffs):
        return handoffs[number - 1]
    count = len(handoffs)
    what = "no handoff in this conversation" if not count else f"no handoff {which}: the conversation has {count}"
    hint = "--handoff-tool GLOB names handoffs by their tool, --pending-handoff NAME adds one"
    raise UsageError(what, place=_PLACE, help=hint if not count else f"{_PLACE} 1 to {_PLACE} {count}, or last")


def _end(entries: Sequence[Entry], handoff: Handoff) -> int:
    """The position of the handoff's output; of the last item of its bundle while there is none."""
    if handoff.output is not None:
        return handoff.output
    call = handoff.call or 0
    return next(each.indexes[-1] for each in bundles([item for item, _ in entries]) if call in each.indexes)


def _turn_start(entries: Sequence[Entry], call: int) -> int:
    start = call
    while start and is_model_made(entries[start - 1].item):
        start -= 1
    return start


def _run_start(entries: Sequence[Entry], start: int) -> int:
    """The position after the last message before the turn that no model made; 0 where there is none."""
    for position in reversed(range(start)):
        item = entries[position].item
        if kind_of(item) is Kind.MESSAGE and item.role != "assistant":
            return position + 1
    return 0


def _classified(entries: Sequence[Entry], handoffs: Sequence[Handoff]) -> tuple[RunItem, ...]:
    """Every entry as a run item with its agent: the one that took over last before it."""
    types = {each.call: "handoff_call_item" for each in handoffs}
    outputs = {each.output: each for each in handoffs if each.output is not None}
    agent = handoffs[0].from_agent if handoffs else None
    classified: list[RunItem] = []
    for position, bare in enumerate(classify_bare([item for item, _ in entries])):
        run_item, handoff = entries[position].run_item, outputs.get(position)
        if run_item is not None:
            classified.append(run_item)
        elif handoff is not None:
            classified.append(RunItem("handoff_output_item", bare.raw_item, agent, agent, handoff.to_agent))
        else:
            classified.append(replace(bare, type=types.get(position, bare.type), agent=agent))
        agent = handoff.to_agent if handoff else agent
    return tuple(classified)


def with_pending_handoff(data: HandoffInputData, name: str) -> HandoffInputData:
    """The data at a handoff that is about to happen: its call and output are made up, and are the new items.

    `name` is the agent that takes over. What the run had made so far is the run before the handoff's turn.
    """
    source = last_agent(data, find_handoffs(data))
    call = Item.of(
        {"arguments": "{}", "call_id": _unused_id(data), "name": transfer_tool_name(name), "type": "function_call"}
    )
    made = data.new_items if data.input_items is None else data.input_items
    return data.clone(
        pre_handoff_items=(*data.pre_handoff_items, *made),
        new_items=(RunItem("handoff_call_item", call, source), transfer_output(call, source, name)),
        input_items=None,
    )


def _unused_id(data: HandoffInputData) -> str:
    used = {item.call_id for item, _ in conversation(data)}
    used |= {each.raw_item.call_id for each in data.input_items or ()}
    return next(name for number in range(1, len(used) + 2) if (name := f"call_pending_{number}") not in used)
