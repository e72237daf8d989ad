"""Which entry of another dialect an item came from, and which items go back into one entry together."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from handoffctl.item import Item

Home = tuple[Any, int]
"""An origin, and the entry of it, from 0."""


def home_of(item: Item, dialect: type) -> tuple[Home | None, int]:
    """The entry that an item stands in, and as which part; None for an item from elsewhere, whose part says nothing.

    Nor has one an entry that was edited into something else than its entry can hold.
    """
    place, source = item._place, item._source
    if place is None or not isinstance(place[0], dialect):
        return None, -1
    while source is not None:
        if source.type != item.type:
            return None, -1
        source = source._source
    return (place[0], place[1]), place[2]


def grouped(
    items: Iterable[Item], home: Callable[[Item], tuple[Home | None, int]]
) -> list[tuple[Home | None, list[Item]]]:
    """Neighbours that belong in one entry: parts of one in their order; or items from elsewhere."""
    groups: list[tuple[Home | None, list[Item]]] = []
    last: tuple[Home | None, int] | None = None
    for item in items:
        entry, part = home(item)
        if last is not None and last[0] == entry and (entry is None or last[1] < part):
            groups[-1][1].append(item)
        else:
            groups.append((entry, [item]))
        last = (entry, part)
    return groups
