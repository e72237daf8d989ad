"""The note that stands where a cutting filter left something out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from handoffctl.grouping.messages import count_messages
from handoffctl.item import Item

NoteRole = Literal["none", "developer", "user"]
_NOTE = re.compile(r"\[handoffctl: (\d{1,9}) earlier messages? left out\]")


def noted(item: Item) -> int | None:
    """How many messages a note of ours stands for; None for any other item."""
    if item.role not in ("developer", "user"):
        return None
    content = item.get("content")
    match = _NOTE.fullmatch(content) if isinstance(content, str) else None
    return int(match[1]) if match else None


def note_for(left_out: Sequence[Item], role: str) -> Item | None:
    """A note of the messages left out; an earlier note among them counts for what it stands for.

    None where nothing was left out, or where the note would be longer than what it replaces.
    """
    messages = [item for item in left_out if noted(item) is None]
    number = count_messages(messages) + sum(noted(item) or 0 for item in left_out)
    noun = "message" if number == 1 else "messages"
    note = Item.of({"role": role, "content": f"[handoffctl: {number} earlier {noun} left out]"})
    room = sum(len(item.raw) for item in left_out)
    return note if number and len(note.raw) <= room else None
