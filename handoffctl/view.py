"""What the next agent's model receives, put together as a runner does it."""

from __future__ import annotations

from typing import Literal, NamedTuple

from handoffctl.item import Item
from handoffctl.model import HandoffInputData, RunItem, Step, history_items
from handoffctl.running.replay import ReasoningIds, to_input_item, without_metadata
from handoffctl.running.runner import latest, orphans

__all__ = ["as_next_agent", "dropped_by_runner", "model_input", "runner_step", "to_input_item"]

Profile = Literal["sdk", "cai"]

RUNNER = "runner"
"""The name of the runner's own step, after those of a chain."""

NOT_SENT = "a pending approval is never sent"
REPLACED = "a later item has the same id"


class _Assembly(NamedTuple):
    sent: tuple[Item, ...]
    dropped: tuple[tuple[Item, str], ...]


def model_input(
    data: HandoffInputData, *, reasoning_item_id_policy: ReasoningIds = "preserve", profile: Profile = "sdk"
) -> tuple[Item, ...]:
    """The items that the next agent's model receives besides its own instructions, oldest first.

    History, pre-handoff items and new items (input items where they are set) one after the other. The SDK's
    runner converts run items, drops those that it generated and that lost their other half, and sends the
    latest of items that share an id. CAI's sends all as it is, and knows no input items. Items that nothing
    was taken from are the same objects.
    Source: `agents.run_internal` of openai-agents 0.24.0; CAI at 7ec0b4cc.
    """
    if profile == "cai":
        generated = (*data.pre_handoff_items, *data.new_items)
        return (*history_items(data), *(each.raw_item for each in generated if each.type != "tool_approval_item"))
    return _assembled(data, reasoning_item_id_policy).sent


def dropped_by_runner(data: HandoffInputData) -> tuple[tuple[Item, str], ...]:
    """The items that the SDK's runner doesn't send although the data holds them, in order, each with the reason."""
    return _assembled(data, "preserve").dropped


def as_next_agent(
    data: HandoffInputData, *, reasoning_item_id_policy: ReasoningIds = "preserve", profile: Profile = "sdk"
) -> HandoffInputData:
    """Data whose history is what the model receives, and that has no other part."""
    sent = model_input(data, reasoning_item_id_policy=reasoning_item_id_policy, profile=profile)
    return HandoffInputData(sent, run_context=data.run_context)


def runner_step(
    data: HandoffInputData, *, reasoning_item_id_policy: ReasoningIds = "preserve", profile: Profile = "sdk"
) -> Step:
    """What the runner makes of a chain's result, as the chain's last step."""
    after = as_next_agent(data, reasoning_item_id_policy=reasoning_item_id_policy, profile=profile)
    return Step(RUNNER, data, after)


def _generated(data: HandoffInputData) -> tuple[RunItem, ...]:
    last = data.new_items if data.input_items is None else data.input_items
    return (*data.pre_handoff_items, *last)


def _assembled(data: HandoffInputData, policy: ReasoningIds) -> _Assembly:
    callers = [(item, without_metadata(item)) for item in history_items(data)]
    entries: list[tuple[Item, Item | None]] = [*callers, *(_converted(each, policy) for each in _generated(data))]
    sent = {index: item for index, (_, item) in enumerate(entries) if item is not None}
    reasons = {index: NOT_SENT for index in range(len(entries)) if index not in sent}
    generated = [index for index in sent if index >= len(callers)]
    reasons |= {generated[place]: why for place, why in orphans([sent[index] for index in generated]).items()}
    kept = [index for index in sent if index not in reasons]
    order = [kept[place] for place in latest([sent[index] for index in kept])]
    reasons |= dict.fromkeys(set(kept).difference(order), REPLACED)
    return _Assembly(
        tuple([sent[index] for index in order]),
        tuple([(entries[index][0], reasons[index]) for index in sorted(reasons)]),
    )


def _converted(run_item: RunItem, policy: ReasoningIds) -> tuple[Item, Item | None]:
    item = to_input_item(run_item, reasoning_item_id_policy=policy)
    return run_item.raw_item, None if item is None else without_metadata(item)
