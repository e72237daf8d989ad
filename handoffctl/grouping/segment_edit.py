"""Items edited where they stand, over the segments of a handoff as one list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from handoffctl.grouping.placed import Placed, Scope, alternatives, in_scope
from handoffctl.item import Item
from handoffctl.model import HandoffInputData, RunItem, history_items

Change = Callable[[Sequence[Placed]], Sequence[Item]]
"""The items of a conversation, each as it was or edited, in the same order."""


def edit_segments(data: HandoffInputData, changed: Change, *, scope: Scope = "all") -> HandoffInputData:
    """The data with the items as they are now; the same object where nothing changed.

    A string history is one user message and stays a string.
    """
    lists = alternatives(data)
    results = [_within(placed, changed(placed), scope) for placed in lists]
    start, end = len(history_items(data)), len(lists[0]) - len(data.new_items)
    changes: dict[str, Any] = {
        "input_history": _history(data, results[0][:start]),
        "pre_handoff_items": rewrapped(data.pre_handoff_items, results[0][start:end]),
        "new_items": rewrapped(data.new_items, results[0][end:]),
    }
    if data.input_items is not None:
        changes["input_items"] = rewrapped(data.input_items, results[1][end:])
    left = {name: value for name, value in changes.items() if value is not getattr(data, name)}
    return data.clone(**left) if left else data


def edit_each(data: HandoffInputData, change: Callable[[Item], Item], *, scope: Scope = "all") -> HandoffInputData:
    """The data with a change to each item that doesn't depend on where it stands; the same item means none."""
    return edit_segments(data, lambda placed: [change(each.item) for each in placed], scope=scope)


def _within(placed: Sequence[Placed], after: Sequence[Item], scope: Scope) -> list[Item]:
    pairs = zip(placed, after, strict=True)
    return [item if in_scope(each, scope) else each.item for each, item in pairs]


def _history(data: HandoffInputData, after: Sequence[Item]) -> str | tuple[Item, ...]:
    before = data.input_history
    if isinstance(before, str):
        content = after[0].get("content")
        return content if isinstance(content, str) and content != before else before
    return before if all(one is other for one, other in zip(before, after, strict=True)) else tuple(after)


def rewrapped(before: tuple[RunItem, ...], after: Sequence[Item]) -> tuple[RunItem, ...]:
    """Run items around the raw items as they are now; the same tuple where all are the same."""
    pairs = list(zip(before, after, strict=True))
    if all(each.raw_item is item for each, item in pairs):
        return before
    return tuple([each if each.raw_item is item else each.with_raw_item(item) for each, item in pairs])
