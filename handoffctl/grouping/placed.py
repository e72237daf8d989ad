"""Items with the place where each stands: which segment it is of, and in which run item."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from handoffctl.item import Item
from handoffctl.model import HandoffInputData, RunItem, Segment, history_items

Scope = Literal["all", "history", "pre", "new"]
"""The segments that a filter works on; `new` includes the input items."""

_SEGMENTS: dict[str, Segment] = {"history": "history", "pre": "pre-handoff", "new": "new"}


class Placed(NamedTuple):
    """An item with its place. `run_item` is the wrapper around it, None in the history."""

    item: Item
    segment: Segment
    run_item: RunItem | None = None

    @property
    def agent(self) -> str | None:
        """Who made the item; None where the dump does not say, as in a history."""
        return self.run_item.agent if self.run_item else None


def in_scope(placed: Placed, scope: Scope) -> bool:
    """Whether a filter of that scope works on what stands there."""
    if scope == "all":
        return True
    return placed.segment == _SEGMENTS[scope] or (scope == "new" and placed.segment == "input")


def alternatives(data: HandoffInputData) -> list[list[Placed]]:
    """The conversation as one list; where there are input items, once more with them in place of the new ones."""
    shared = [Placed(item, "history") for item in history_items(data)]
    shared += _of_run(data.pre_handoff_items, "pre-handoff")
    lists = [shared + _of_run(data.new_items, "new")]
    if data.input_items is not None:
        lists.append(shared + _of_run(data.input_items, "input"))
    return lists


def _of_run(run_items: Sequence[RunItem], segment: Segment) -> list[Placed]:
    return [Placed(each.raw_item, segment, each) for each in run_items]
