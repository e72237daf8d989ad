"""Two sides whose items are matched, and the changes that this means, in their order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from handoffctl.aligning.matching import Entry, match
from handoffctl.aligning.rises import longest_rise
from handoffctl.item import Item
from handoffctl.model import SEGMENTS, Change, Segment

Sign = Literal["kept", "edited", "moved"]
Content = Callable[[Item], bytes]
"""Gives equal bytes for items that count as unchanged."""


@dataclass(frozen=True, slots=True)
class Sides:
    """Items before and after. `found` holds for each place after the position before, None for what is new."""

    before: Sequence[Entry]
    after: Sequence[Entry]
    found: Sequence[int | None]
    content: Content

    @classmethod
    def matched(cls, before: Sequence[Entry], after: Sequence[Entry], content: Content) -> Sides:
        """The sides with the matching that `match` finds."""
        return cls(before, after, match(before, after, content), content)

    def moved(self) -> set[int]:
        """Places after whose items stood in another segment, or in another order among those that stayed."""
        stayed = [
            (place, position)
            for place, position in enumerate(self.found)
            if position is not None and self.before[position].segment == self.after[place].segment
        ]
        in_order = {stayed[each][0] for each in longest_rise(position for _, position in stayed)}
        return {place for place, position in enumerate(self.found) if position is not None and place not in in_order}

    def is_edited(self, place: int) -> bool:
        """Whether the item at that place after has other content than the one that it was."""
        position = self.found[place]
        if position is None:
            return False
        old, new = self.before[position].item, self.after[place].item
        return old is not new and old.raw != new.raw and self.content(old) != self.content(new)

    def lost(self) -> Iterator[int]:
        """Positions before whose items are gone, ascending."""
        left = {position for position in self.found if position is not None}
        return (position for position in range(len(self.before)) if position not in left)

    def changes(self) -> Iterator[Change]:
        """Every item's change, by nobody yet: segment by segment and by position before.

        What is new comes before the next item that stayed in its place, after those that were removed there.
        """
        moved = self.moved()
        places = {position: place for place, position in enumerate(self.found) if position is not None}
        for segment in SEGMENTS:
            new = self._new(segment)
            upcoming = next(new, None)
            for position, entry in enumerate(self.before):
                if entry.segment != segment:
                    continue
                place = places.get(position)
                while upcoming is not None and place is not None and place not in moved and upcoming < place:
                    yield self._added(upcoming)
                    upcoming = next(new, None)
                yield self._removed(position) if place is None else self._left(position, place, place in moved)
            while upcoming is not None:
                yield self._added(upcoming)
                upcoming = next(new, None)

    def _new(self, segment: Segment) -> Iterator[int]:
        """Places of a segment with what is new there, ascending."""
        return (
            place for place, entry in enumerate(self.after) if entry.segment == segment and self.found[place] is None
        )

    def _added(self, place: int) -> Change:
        entry = self.after[place]
        return Change("added", None, entry.item, entry.segment, place, None, entry.run_item, place, entry.segment)

    def _removed(self, position: int) -> Change:
        entry = self.before[position]
        return Change("removed", entry.item, None, entry.segment, position, None, entry.run_item)

    def _left(self, position: int, place: int, is_moved: bool) -> Change:  # noqa: FBT001
        old, new = self.before[position], self.after[place]
        sign: Sign = "edited" if self.is_edited(place) else "moved" if is_moved else "kept"
        return Change(sign, old.item, new.item, old.segment, position, None, new.run_item, place, new.segment)
