"""Items back into the messages that they came from, by parts; and into new ones where they came from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from handoffctl.dialects.anthropic.conversation import new_messages
from handoffctl.dialects.anthropic.messages import Messages
from handoffctl.dialects.anthropic.saying import Blocks, content_of, edited_blocks
from handoffctl.dialects.homes import Home, grouped, home_of
from handoffctl.entries import Entries
from handoffctl.item import Item
from handoffctl.model import Loss
from handoffctl.raw.jsontext import Style, encode
from handoffctl.raw.splice import moved_in, with_members


def messages_of(items: Iterable[Item], style: Style) -> tuple[list[bytes | msgspec.Raw], list[Loss]]:
    """The messages that say these items, and what no message can say.

    A message whose items all came through unchanged is that message; any other is rebuilt from the items that are
    left, without the blocks of those that are lost. One that has none left is no message.
    """
    texts: list[bytes | msgspec.Raw] = []
    losses: list[Loss] = []
    for home, group in grouped(items, home_in_message):
        if home is None:
            texts += [message.text(style) for message in new_messages(group, style, losses)]
        elif (text := same_message(*home, group, losses)) is not None:
            texts.append(text)
    return texts, losses


def home_in_message(item: Item) -> tuple[Home | None, int]:
    """The message that an item stands in, and as which part; None for one from elsewhere, or now of another role."""
    home, part = home_of(item, Messages)
    if home is not None and item._source is not None and item.role != _first(item).role:
        return None, -1
    return home, part


def _first(item: Item) -> Item:
    while item._source is not None:
        item = item._source
    return item


def same_message(origin: Messages, index: int, group: Sequence[Item], losses: list[Loss]) -> bytes | None:
    """A message with the items of it that are left, in their order; None where nothing is."""
    raw = bytes(origin.raws[index])
    message = origin.message(index)
    unchanged = all(item._source is None for item in group)
    if unchanged and len(group) == max(1, len(message.parts)):
        return raw
    if not message.blocks:
        return _with_content(raw, group[0], origin.style)
    texts = [text for item in group for text in _blocks_of(item, losses)]
    return Entries(raw, "content").rebuilt(texts) if texts else None


def _with_content(raw: bytes, item: Item, style: Style) -> bytes:
    said = content_of(item, style, [])
    text = encode(said, style) if isinstance(said, str) else b"[" + style.item_separator.encode().join(said) + b"]"
    return with_members(raw, {"content": moved_in(text, raw)}, style)


def _blocks_of(item: Item, losses: list[Loss]) -> Blocks:
    origin, index, part = item._place
    if item._source is None:
        texts = origin.texts(index)
        return [texts[at] for at in origin.message(index).parts[part]]
    blocks = edited_blocks(item)
    if blocks is None:
        losses.append(Loss(item))
        return ()
    return blocks
