"""Single items picked out of the segments: pairs go whole, reasoning goes with the last item that it belongs to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from handoffctl.grouping.cutting import whole
from handoffctl.grouping.placed import Placed, Scope, alternatives, in_scope
from handoffctl.grouping.segment_cut import SegmentCut
from handoffctl.groups import bundles, pairs
from handoffctl.item import Item
from handoffctl.kinds import Kind, is_model_made, kind_of
from handoffctl.model import HandoffInputData, history_items

Pick = Callable[[Sequence[Placed]], Sequence[bool]]
"""For each item of a conversation whether it is to go."""


def pick_segments(data: HandoffInputData, unwanted: Pick, *, scope: Scope = "all") -> SegmentCut:
    """What is left when the unwanted items go: with all of their pairs, and with the reasoning that led to them alone.

    What is out of scope isn't picked, but goes where it is the other half of a pair that is.
    """
    lists = alternatives(data)
    stay = [_kept(unwanted(placed), placed, scope) for placed in lists]
    history, shared = len(history_items(data)), len(lists[0]) - len(data.new_items)
    items = [[each.item for each in placed] for placed in lists]
    while True:
        common = [all(kept) for kept in zip(*(each[:shared] for each in stay), strict=True)]
        agreed = [_completed([*common, *each[shared:]], group) for each, group in zip(stay, items, strict=True)]
        if agreed == stay:
            break
        stay = agreed
    inputs = stay[1][shared:] if len(stay) > 1 else None
    return SegmentCut(data, stay[0][:history], stay[0][history:shared], stay[0][shared:], inputs)


def without(data: HandoffInputData, unwanted: Callable[[Item], bool], *, scope: Scope = "all") -> HandoffInputData:
    """The data without the items that are unwanted wherever they stand; the same object where there are none."""
    return pick_segments(data, lambda placed: [unwanted(each.item) for each in placed], scope=scope).result()


def _kept(unwanted: Sequence[bool], placed: Sequence[Placed], scope: Scope) -> list[bool]:
    return [not (goes and in_scope(each, scope)) for goes, each in zip(unwanted, placed, strict=True)]


def _completed(kept: Sequence[bool], items: Sequence[Item]) -> list[bool]:
    chosen = whole(kept, pairs(items))
    if not all(chosen):
        for reasoning, owned in belongings(items):
            if not any(chosen[each] for each in owned):
                chosen[reasoning] = False
    return chosen


def belongings(items: Sequence[Item]) -> Iterator[tuple[int, list[int]]]:
    """Each reasoning item that something follows in its bundle, with what it led to: all up to the next reasoning."""
    for bundle in bundles(items):
        owned: list[int] = []
        is_fresh = False
        for index in reversed(bundle.indexes):
            item = items[index]
            if kind_of(item) is Kind.REASONING:
                is_fresh = True
                if owned:
                    yield index, owned
            elif is_model_made(item):
                owned = [index] if is_fresh else [index, *owned]
                is_fresh = False
