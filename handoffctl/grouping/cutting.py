"""Where a cut falls: items by unit, and no bundle in two."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Literal

from handoffctl.grouping.messages import message_indexes
from handoffctl.groups import Bundle, Pair, bundles
from handoffctl.item import Item
from handoffctl.kinds import Kind, kind_of

Unit = Literal["messages", "items", "bundles", "turns"]


def unit_numbers(items: Sequence[Item], unit: Unit, counted: Sequence[bool]) -> list[int | None]:
    """For each item the number of the unit it is in, counted from 0 over the items that count; None for the rest.

    What counts as no message (reasoning) goes with the message after it; what stands before the first
    user message is in the first turn.
    """
    numbers: dict[Hashable, int] = {}
    labels = zip(_labels(items, unit, counted), counted, strict=True)
    return [numbers.setdefault(label, len(numbers)) if counts else None for label, counts in labels]


def _labels(items: Sequence[Item], unit: Unit, counted: Sequence[bool]) -> Iterable[Hashable]:
    if unit == "messages":
        return _message_labels(items, counted)
    if unit == "turns":
        return _turn_labels(items, counted)
    labels = list(range(len(items)))
    if unit == "bundles":
        for bundle in bundles(items):
            for index in bundle.indexes:
                labels[index] = bundle.indexes[0]
    return labels


def _message_labels(items: Sequence[Item], counted: Sequence[bool]) -> list[int | None]:
    labels = message_indexes(items)
    following = max((label for label in labels if label is not None), default=None)
    for index in reversed(range(len(labels))):
        if labels[index] is None:
            labels[index] = following
        elif counted[index]:
            following = labels[index]
    return labels


def _turn_labels(items: Sequence[Item], counted: Sequence[bool]) -> list[int]:
    labels: list[int] = []
    turn = 0
    for item, counts in zip(items, counted, strict=True):
        turn += counts and kind_of(item) is Kind.MESSAGE and item.role == "user"
        labels.append(max(turn, 1))
    return labels


def whole(kept: Sequence[bool], groups: Iterable[Bundle | Pair]) -> list[bool]:
    """The same choice without the groups of which only a part was kept."""
    chosen = list(kept)
    for group in groups:
        if not all(kept[index] for index in group.indexes):
            for index in group.indexes:
                chosen[index] = False
    return chosen
