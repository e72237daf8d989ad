"""A choice of items over the segments of a handoff as one list, and what the segments then hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any, Literal, TypeVar

from handoffctl.cutting import whole
from handoffctl.groups import Bundle, Pair, bundles, pairs
from handoffctl.item import Item
from handoffctl.model import HandoffInputData, RunItem, history_items

Choose = Callable[[Sequence[Item]], list[bool]]
"""For each item of a conversation whether it stays."""

_Kept = TypeVar("_Kept", Item, RunItem)


@dataclass(frozen=True)
class SegmentCut:
    """What stays of each segment, a boolean for each item; `input` is None where there are no input items."""

    data: HandoffInputData
    history: Sequence[bool]
    pre: Sequence[bool]
    new: Sequence[bool]
    input: Sequence[bool] | None

    @property
    def left_out(self) -> list[Item]:
        """The items of history, pre-handoff and new that go, oldest first."""
        stay = (*self.history, *self.pre, *self.new)
        return [item for item, kept in zip(_conversation(self.data), stay, strict=True) if not kept]

    def without(self, unwanted: Callable[[Item], bool]) -> SegmentCut:
        """The same cut, where the unwanted items of the history go too."""
        items = history_items(self.data)
        stay = [kept and not unwanted(item) for item, kept in zip(items, self.history, strict=True)]
        return replace(self, history=stay)

    def result(self, note: Item | None = None) -> HandoffInputData:
        """What is left; the same object where all is. A note goes into the history, where the first gap is."""
        data = self.data
        changes: dict[str, Any] = {
            "input_history": self._history(note),
            "pre_handoff_items": _left(data.pre_handoff_items, self.pre),
            "new_items": _left(data.new_items, self.new),
        }
        if data.input_items is not None and self.input is not None:
            changes["input_items"] = _left(data.input_items, self.input)
        changed = {name: left for name, left in changes.items() if left is not getattr(data, name)}
        return data.clone(**changed) if changed else data

    def _history(self, note: Item | None) -> str | tuple[Item, ...]:
        history = self.data.input_history
        if note is None:
            if isinstance(history, str):
                return history if all(self.history) else ()
            return _left(history, self.history)
        left = _left(history_items(self.data), self.history)
        gap = list(self.history).index(False) if not all(self.history) else len(left)
        return (*left[:gap], note, *left[gap:])


def cut_segments(
    data: HandoffInputData, choose: Choose, *, scope: Literal["history", "all"], exact: bool = False
) -> SegmentCut:
    """Choose over the history, or over history, pre-handoff and new items as one list.

    Where there are input items, the same is chosen with them in place of the new ones. No bundle is torn in
    either list, and no pair that reaches from the history into a run, unless the cut is to be `exact`.
    """
    history, pre = history_items(data), _raw(data.pre_handoff_items)
    shared = (*history, *pre)
    alternatives = [_raw(each) for each in (data.new_items, data.input_items) if each is not None]
    lists = [(*shared, *each) for each in alternatives]
    groups: list[Sequence[Bundle | Pair]]
    if scope == "all":
        stay, groups = [choose(each) for each in lists], [bundles(each) for each in lists]
    else:
        chosen = choose(history)
        stay, groups = [chosen + [True] * (len(each) - len(history)) for each in lists], [pairs(each) for each in lists]
    if not exact:
        stay = _agreed(stay, groups, len(shared))
    return SegmentCut(
        data,
        stay[0][: len(history)],
        stay[0][len(history) : len(shared)],
        stay[0][len(shared) :],
        stay[1][len(shared) :] if len(stay) > 1 else None,
    )


def _agreed(stay: list[list[bool]], groups: Sequence[Sequence[Bundle | Pair]], shared: int) -> list[list[bool]]:
    """The choices over lists that begin with the same items, made the same for these."""
    while True:
        common = [all(kept) for kept in zip(*(each[:shared] for each in stay), strict=True)]
        agreed = [whole([*common, *each[shared:]], group) for each, group in zip(stay, groups, strict=True)]
        if agreed == stay:
            return stay
        stay = agreed


def _conversation(data: HandoffInputData) -> tuple[Item, ...]:
    return (*history_items(data), *_raw(data.pre_handoff_items), *_raw(data.new_items))


def _raw(run_items: Sequence[RunItem]) -> tuple[Item, ...]:
    return tuple([each.raw_item for each in run_items])


def _left(items: tuple[_Kept, ...], stay: Sequence[bool]) -> tuple[_Kept, ...]:
    return items if all(stay) else tuple(compress(items, stay))
