"""How many messages a list of items is: entries that a chat list would have."""

from __future__ import annotations

from collections.abc import Iterable

from handoffctl.item import Item
from handoffctl.kinds import Kind, kind_of

_UNCOUNTED = frozenset({Kind.REASONING, Kind.APPROVAL, Kind.TOOLS})


def message_indexes(items: Iterable[Item]) -> list[int | None]:
    """For each item the message that it belongs to, counted from 0; None for an item that counts as none.

    An assistant message opens one, and calls of any kind join it until a message of another role or an
    output closes it. Every output, and everything unknown, is one of its own. Reasoning, approvals and
    lists of tools count as none and close nothing.
    """
    indexes: list[int | None] = []
    count, is_open = 0, False
    for item in items:
        kind = kind_of(item)
        if kind in _UNCOUNTED:
            indexes.append(None)
            continue
        if not (kind is Kind.CALL and is_open):
            count += 1
            is_open = kind is Kind.CALL or (kind is Kind.MESSAGE and item.role == "assistant")
        indexes.append(count - 1)
    return indexes


def count_messages(items: Iterable[Item]) -> int:
    """How many messages these items are; 0 for none."""
    return 1 + max((index for index in message_indexes(items) if index is not None), default=-1)
