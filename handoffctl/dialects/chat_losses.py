"""What gets lost of items that chat messages say: members of theirs that such a message has no place for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from handoffctl.dialects.chat import ChatEntries
from handoffctl.item import Item
from handoffctl.kinds import Kind, kind_of
from handoffctl.model import Loss

_OF_TEXTS = ("annotations", "logprobs")


def members_lost(items: Iterable[Item]) -> Iterator[Loss]:
    """A loss for each member with content that a chat message can't say. Ids, status and phase are no content."""
    for item in items:
        place = item.place
        if place is not None and isinstance(place[0], ChatEntries):
            continue
        if kind_of(item) is Kind.MESSAGE and isinstance(item.get("content"), list):
            yield from (Loss(item, f"{name} of its text") for name in _OF_TEXTS if _has(item["content"], name))


def _has(parts: list[Any], name: str) -> bool:
    return any(isinstance(part, dict) and part.get(name) for part in parts)
