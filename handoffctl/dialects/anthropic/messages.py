"""Messages of the Anthropic API as items: one message may hold texts, calls and outputs, each an item.

**Source**: `MessageParam` and `Message` of anthropic 2.17.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from handoffctl.dialects.anthropic.blocks import Part, head_of, parts_of, value_of
from handoffctl.dialects.anthropic.words import type_of
from handoffctl.entries import Entries
from handoffctl.item import Item, derive
from handoffctl.raw.jsontext import Style, decode, encode

_KNOWN = {
    "text": {"text"},
    "image": {"source"},
    "document": {"source", "title"},
    "tool_use": {"id", "name", "input"},
    "tool_result": {"tool_use_id", "content"},
    "thinking": {"thinking", "signature"},
    "redacted_thinking": {"data"},
}
"""Type of a block -> the members of it that its item says. Of other blocks the item says all."""
_ROLES = frozenset({"user", "assistant", "system", "developer"})
_DIRECT = {"type": "direct"}


class Message(NamedTuple):
    """One message, decoded. `blocks` is empty where the content is one text, which then is the only item."""

    value: dict[str, Any]
    blocks: list[Any]
    parts: list[Part]


class Messages:
    """The messages of a record, as an `Origin` of items. A part of an entry counts its items, from 0."""

    __slots__ = ("_last", "_style", "raws")

    def __init__(self, raws: Sequence[bytes | msgspec.Raw], style: Style) -> None:
        self.raws = raws
        self._style = style
        self._last: tuple[int, Message | None] = (-1, None)

    @property
    def style(self) -> Style:
        """How the record writes JSON."""
        return self._style

    def items(self) -> tuple[Item, ...]:
        """Every part of every message as an item. Raises ValueError where an entry is no message."""
        return tuple(item for index in range(len(self.raws)) for item in self.items_of(index))

    def items_of(self, index: int) -> Iterator[Item]:
        """The items that one message says: one where its content is a text, or a list without blocks."""
        message = self.message(index)
        role = role_of(message.value, index)
        if not message.blocks:
            yield derive(Item(None, role), self, index, 0)
        for part, places in enumerate(message.parts):
            yield derive(head_of([message.blocks[at] for at in places], role), self, index, part)

    def message(self, index: int) -> Message:
        """One message. Raises ValueError where the entry is none."""
        last, message = self._last
        if last != index or message is None:
            message = read_message(self.raws[index], index)
            self._last = (index, message)
        return message

    def texts(self, index: int) -> Sequence[bytes | msgspec.Raw]:
        """The JSON of each block of a message, as it stands there; empty where its content is one text."""
        return Entries(bytes(self.raws[index]), "content").raws if self.message(index).blocks else ()

    def item_bytes(self, index: int, part: int) -> bytes:
        message = self.message(index)
        if not message.blocks:
            is_plain = set(message.value) == {"role", "content"}
            raw = bytes(self.raws[index])
            return raw if is_plain else encode({key: message.value.get(key) for key in ("role", "content")})
        places, texts = message.parts[part], self.texts(index)
        blocks = [message.blocks[at] for at in places]
        return encode(value_of(blocks, [bytes(texts[at]) for at in places], message.value.get("role")))

    def lost_members(self, index: int, part: int) -> list[str]:
        """The members of a part's blocks that its item doesn't say, such as `cache_control`; no empty ones."""
        message = self.message(index)
        blocks = [message.blocks[at] for at in message.parts[part]] if message.blocks else []
        return list(dict.fromkeys(key for block in blocks for key in _unsaid_keys(block)))


def _unsaid_keys(block: Any) -> Iterator[str]:
    known = _KNOWN.get(type_of(block))
    if known is not None:
        yield from (
            key for key, value in block.items() if key not in known and key != "type" and value and value != _DIRECT
        )


def role_of(value: Mapping[str, Any], index: int) -> str | None:
    """The role of a message; None where it has none. Raises ValueError where it is one of another dialect."""
    role = value.get("role")
    if value.get("tool_calls") or (isinstance(role, str) and role not in _ROLES):
        found = "`tool_calls`" if value.get("tool_calls") else "a role of another dialect"
        raise ValueError(f"entry {index} is no Anthropic message: it has {found}")
    return role if isinstance(role, str) else None


def read_message(raw: bytes | msgspec.Raw, index: int) -> Message:
    """The message that an entry is. Raises ValueError where it is none."""
    value = decode(raw)
    if not isinstance(value, dict):
        raise ValueError(f"entry {index} is not an object")
    content = value.get("content")
    blocks = content if isinstance(content, list) else []
    return Message(value, blocks, parts_of(blocks))
