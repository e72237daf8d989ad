"""Which item after a filter is which item before it: one to one, the surest evidence first."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

from handoffctl.aligning.likeness import Wording
from handoffctl.aligning.rises import surroundings
from handoffctl.item import Item
from handoffctl.kinds import PLACEHOLDER_IDS, kind_of
from handoffctl.model import RunItem, Segment

_Keys = Mapping[int, Hashable]
"""Keys by position, ascending."""

_FARTHEST_LOOK = 4


class Entry(NamedTuple):
    """One item where it stands. `run_item` is its wrapper, None in the history; `is_text`: a string history."""

    segment: Segment
    item: Item
    run_item: RunItem | None = None
    is_text: bool = False


def match(before: Sequence[Entry], after: Sequence[Entry], content: Callable[[Item], bytes]) -> list[int | None]:
    """For each entry after, the position of the one before that it is or was made from; None for a new one.

    By object, by the item that it was edited from, by content (what `content` gives alike for), by id, by
    call id, a string history with another, and at last by place and likeness. Among several that are equally
    good the order decides.
    """
    matching = _Matching(before, after)
    matching.by_key(lambda entry: id(entry.item))
    matching.by_source()
    matching.by_key(lambda entry: id(_first_source(entry.item)))
    matching.by_key(lambda entry: content(entry.item))
    matching.by_id(_item_id)
    matching.by_id(_call_id)
    matching.by_key(lambda entry: entry.is_text or None)
    matching.by_place()
    return matching.found


def _first_source(item: Item) -> Item:
    while item.source is not None:
        item = item.source
    return item


def _sort_of(entry: Entry) -> Hashable:
    return entry.segment, kind_of(entry.item), entry.item.role


def _item_id(entry: Entry) -> Hashable:
    item = entry.item
    return None if item.id is None or item.id in PLACEHOLDER_IDS else (kind_of(item), item.id)


def _call_id(entry: Entry) -> Hashable:
    return None if entry.item.call_id is None else (entry.item.type, entry.item.call_id)


class _Matching:
    """A matching that is being made; `found` is what `match` gives, so far."""

    def __init__(self, before: Sequence[Entry], after: Sequence[Entry]) -> None:
        self._before, self._after = before, after
        self.found: list[int | None] = [None] * len(after)
        self._open_before = list(range(len(before)))
        self._open_after = list(range(len(after)))

    def by_key(self, key: Callable[[Entry], Hashable]) -> None:
        """Match what has the same key, first within a segment. None is no key."""
        if not (self._open_before and self._open_after):
            return
        before = {each: key(self._before[each]) for each in self._open_before}
        after = {each: key(self._after[each]) for each in self._open_after}
        self._by_keys(
            {each: (self._before[each].segment, known) for each, known in before.items() if known is not None},
            {each: (self._after[each].segment, known) for each, known in after.items() if known is not None},
        )
        self._by_keys(
            {each: before[each] for each in self._open_before if before[each] is not None},
            {each: after[each] for each in self._open_after if after[each] is not None},
        )

    def by_id(self, key: Callable[[Entry], Hashable]) -> None:
        """`by_key` for ids. One that several items of a segment carry tells nothing, nor one of several segments
        about an item that moved."""
        for scoped in (lambda entry: (entry.segment, key(entry)), key):
            if self._open_before and self._open_after:
                repeated = _repeated(map(scoped, self._before)) | _repeated(map(scoped, self._after))
                self.by_key(_without(repeated, key, scoped))

    def _by_keys(self, before: _Keys, after: _Keys) -> None:
        owners, seekers = _places(before), _places(after)
        repeated = set()
        for key, places in seekers.items():
            owning = owners.get(key, ())
            if len(owning) == len(places) == 1:
                self.found[places[0]] = owning[0]
            elif owning:
                repeated.add(key)
        if repeated:
            self._from_the_end(before, after, owners, seekers)
            self._in_order(owners, {place: key for key in repeated for place in seekers[key]})
        self._close()

    def _from_the_end(
        self, before: _Keys, after: _Keys, owners: dict[Hashable, list[int]], seekers: dict[Hashable, list[int]]
    ) -> None:
        """Match an equal end: filters cut at the start, so of equal items the last ones have stayed."""
        for key, other in zip(reversed(list(before.values())), reversed(list(after.values())), strict=False):
            if key != other:
                return
            self.found[seekers[key].pop()] = owners[key].pop()

    def _in_order(self, owners: Mapping[Hashable, list[int]], wanted: Mapping[int, Hashable]) -> None:
        """Match repeated keys: between their neighbours where that goes, then what is left as it comes."""
        left = []
        for place, floor, ceiling in surroundings(self.found, sorted(wanted)):
            owning = owners[wanted[place]]
            at = bisect_right(owning, floor)
            if at < len(owning) and owning[at] < ceiling:
                self.found[place] = owning.pop(at)
            else:
                left.append(place)
        for place in left:
            if owners[wanted[place]]:
                self.found[place] = owners[wanted[place]].pop(0)

    def by_source(self) -> None:
        """Match an edited item with the one that it was made from, however many edits ago."""
        owners = {id(self._before[each].item): each for each in reversed(self._open_before)}
        for place in self._open_after:
            source = self._after[place].item.source
            while source is not None and id(source) not in owners:
                source = source.source
            if source is not None:
                self.found[place] = owners.pop(id(source))
        self._close()

    def by_place(self) -> None:
        """Match what stands between the same neighbours, is of one sort and has much the same words."""
        left = self._open_before
        old = {each: _sort_of(self._before[each]) for each in left}
        wordings = {each: Wording.of(self._before[each].item) for each in left} if self._open_after else {}
        for place, floor, ceiling in surroundings(self.found, self._open_after):
            first, sort = bisect_right(left, floor), _sort_of(self._after[place])
            near = [each for each in left[first : first + _FARTHEST_LOOK] if each < ceiling and old.get(each) == sort]
            wording = Wording.of(self._after[place].item) if near else None
            position = next((each for each in near if wording and wording.is_like(wordings[each])), None)
            if position is not None:
                self.found[place] = position
                del old[position]
        self._close()

    def _close(self) -> None:
        taken = {position for position in self.found if position is not None}
        self._open_before = [each for each in self._open_before if each not in taken]
        self._open_after = [each for each in self._open_after if self.found[each] is None]


def _without(
    repeated: set[Hashable], key: Callable[[Entry], Hashable], scoped: Callable[[Entry], Hashable]
) -> Callable[[Entry], Hashable]:
    """The scoped key, but for items without a key of their own or with a repeated one."""
    return lambda entry: None if key(entry) is None or (known := scoped(entry)) in repeated else known


def _repeated(keys: Iterable[Hashable]) -> set[Hashable]:
    return {key for key, times in Counter(keys).items() if times > 1}


def _places(keys: _Keys) -> dict[Hashable, list[int]]:
    """The places of each key, ascending."""
    found: dict[Hashable, list[int]] = {}
    for place, key in keys.items():
        found.setdefault(key, []).append(place)
    return found
