"""A choice of items over the segments of a handoff as one list, and what the segments then hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any, Literal

from handoffctl.grouping.cutting import whole
from handoffctl.groups import Bundle, Pair, bundles, pairs
from handoffctl.item import Item
from handoffctl.model import HandoffInputData, RunItem, history_items

Choose = Callable[[Sequence[Item]], list[bool]]
"""For each item of a conversation whether it stays."""


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
        """The same cut, where the unwanted items of these three go too."""
        items = iter(_conversation(self.data))  # read on by each of the three
        history, pre, new = (
            [kept and not unwanted(item) for kept, item in zip(stay, items, strict=False)]
            for stay in (self.history, self.pre, self.new)
        )
        return replace(self, history=history, pre=pre, new=new)

    def result(self, note: Item | None = None) -> HandoffInputData:
        """What is left; the same object where all is. A note goes where the first gap is."""
        data, changes = self.data, self._left()
        if note is not None:
            gaps = [key for key, stay in self._stay().items() if not all(stay)]
            changes[gaps[0]] = self._noted(gaps[0], changes[gaps[0]], note)
        changed = {key: left for key, left in changes.items() if left is not getattr(data, key)}
        return data.clone(**changed) if changed else data

    def _stay(self) -> dict[str, Sequence[bool]]:
        stay = {"input_history": self.history, "pre_handoff_items": self.pre, "new_items": self.new}
        return stay if self.input is None else stay | {"input_items": self.input}

    def _left(self) -> dict[str, Any]:
        return {key: _left(getattr(self.data, key), stay) for key, stay in self._stay().items()}

    def _noted(self, key: str, left: tuple[Any, ...], note: Item) -> tuple[Any, ...]:
        gap = list(self._stay()[key]).index(False)
        entry = note if key == "input_history" else RunItem("input_item", note)
        return (*left[:gap], entry, *left[gap:])


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


def _left(items: Any, stay: Sequence[bool]) -> Any:
    """What is left of a segment: the same object where all is; nothing of a string that goes."""
    if all(stay):
        return items
    return () if isinstance(items, str) else tuple(compress(items, stay))
