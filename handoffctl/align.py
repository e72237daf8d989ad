"""Before and after as changes: what became of every item, and which filter did it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from handoffctl.aligning.likeness import normal_bytes, value_bytes
from handoffctl.aligning.matching import Entry
from handoffctl.aligning.sides import Content, Sides
from handoffctl.item import Item
from handoffctl.model import Change, HandoffInputData, Step, history_items, run_segments


def align(steps: Sequence[Step]) -> tuple[Change, ...]:
    """The changes between the data before the first step and the data after the last one; empty without steps.

    Every item before is in exactly one change that is kept, removed, edited or moved, every item after in
    exactly one that isn't removed. What was edited and moved is edited; what is as it was in the end is kept,
    by nobody. `by` names the filters that touched an item, in order and joined with `, `; for a removed one
    only the filter that removed it.

    Segment by segment and by position before; added items before the next one that stayed in its place. A
    string history is one user message.
    """
    return _align(steps, value_bytes)


def align_two(before: HandoffInputData, after: HandoffInputData, by: str | None = None) -> tuple[Change, ...]:
    """`align` for two conversations that no filter ties together; `by` names whatever made the difference.

    Items are kept where they say the same in two styles: a text or one text part with it, keys in another
    order, marks of a prompt cache.
    """
    changes = _align([Step("", before, after)], normal_bytes)
    return tuple([each if each.by is None else replace(each, by=by) for each in changes])


def after_side(changes: Iterable[Change]) -> list[Item]:
    """The items after, over all segments, in their order there."""
    placed = [(each.after_index, each.after) for each in changes]
    left = [(place, item) for place, item in placed if place is not None and item is not None]
    return [item for _, item in sorted(left, key=lambda each: each[0])]


class _Track(NamedTuple):
    """One item on its way through the steps: its position at first (None for a new one), and who touched it."""

    origin: int | None
    names: tuple[str, ...] = ()


def _align(steps: Sequence[Step], content: Content) -> tuple[Change, ...]:
    if not steps:
        return ()
    entries = _Entries()
    first = last = entries.of(steps[0].before)
    tracks = [_Track(position) for position in range(len(first))]
    removers: dict[int, str] = {}
    for step in steps:
        now = entries.of(step.after)
        if not _are_same(last, now):
            tracks = _follow(tracks, Sides.matched(last, now, content), step.name, removers)
        last = now
    whole = Sides(first, last, [track.origin for track in tracks], content)
    return tuple([_signed(change, tracks, removers, steps[-1].name) for change in whole.changes()])


def _follow(tracks: Sequence[_Track], sides: Sides, name: str, removers: dict[int, str]) -> list[_Track]:
    """The tracks after one more step; `removers` gets what the step removed."""
    moved = sides.moved()
    followed = []
    for place, position in enumerate(sides.found):
        track = _Track(None) if position is None else tracks[position]
        if position is None or place in moved or sides.is_edited(place):
            track = _Track(track.origin, (*track.names, name))
        followed.append(track)
    for position in sides.lost():
        origin = tracks[position].origin
        if origin is not None:
            removers[origin] = name
    return followed


def _signed(change: Change, tracks: Sequence[_Track], removers: dict[int, str], last: str) -> Change:
    """The change with who made it. What moved only through several filters together is by the last one."""
    if change.sign == "kept":
        return change
    if change.after_index is None:
        return replace(change, by=removers[change.index])
    return replace(change, by=", ".join(dict.fromkeys(tracks[change.after_index].names)) or last)


def _are_same(before: Sequence[Entry], after: Sequence[Entry]) -> bool:
    return len(before) == len(after) and all(
        one.item is other.item and one.segment == other.segment for one, other in zip(before, after, strict=True)
    )


class _Entries:
    """The entries of each data; equal string histories are one and the same item."""

    def __init__(self) -> None:
        self._messages: dict[str, Item] = {}

    def of(self, data: HandoffInputData) -> list[Entry]:
        history = data.input_history
        if isinstance(history, str):
            if history not in self._messages:
                self._messages[history] = history_items(data)[0]
            found = [Entry("history", self._messages[history], is_text=True)]
        else:
            found = [Entry("history", item) for item in history]
        for segment, run_items in run_segments(data):
            found += [Entry(segment, each.raw_item, each) for each in run_items]
        return found
