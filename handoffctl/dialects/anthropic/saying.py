"""One item as blocks of a message: its own ones where it came from a message, else new ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from handoffctl.dialects.anthropic.messages import Messages
from handoffctl.dialects.anthropic.sources import block_of
from handoffctl.item import Item
from handoffctl.raw.jsontext import Style, decode, encode
from handoffctl.raw.splice import moved_in, with_members

Blocks = Sequence[bytes | msgspec.Raw]

CALLS = {"function_call": "arguments", "custom_tool_call": "input"}
"""Type of a call that a `tool_use` can say -> the member that holds what the tool is called with."""
OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output"})


def own_blocks(item: Item) -> Blocks | None:
    """The blocks that an item came from and still says; None where it came from elsewhere, or was edited."""
    origin, index, part = item.place or (None, 0, 0)
    if not isinstance(origin, Messages) or item.source is not None:
        return None
    message, texts = origin.message(index), origin.texts(index)
    return [texts[at] for at in message.parts[part]] if message.blocks else None


def content_of(item: Item, style: Style, lost: list[str]) -> str | list[bytes]:
    """The content of a message item: a text, or the blocks of its parts."""
    content = item.get("content")
    if isinstance(content, list):
        blocks = [block_of(part, item.role, lost) for part in content]
        return [encode(block, style) for block in blocks if block is not None]
    return content if isinstance(content, str) else ""


def call_block(item: Item, lost: list[str]) -> dict[str, Any]:
    """A `tool_use` that says a call. Its input is an object: arguments that are none go under their own name."""
    key = CALLS[item.type or "function_call"]
    return {"type": "tool_use", "id": item.get("call_id"), "name": item.get("name"), "input": input_of(item, key, lost)}


def input_of(item: Item, key: str, lost: list[str]) -> dict[str, Any]:
    """What a call is called with, as an object."""
    said = item.get(key)
    try:
        value = decode(said.encode()) if isinstance(said, str) and said else said or {}
    except ValueError:
        value = said
    if isinstance(value, dict) and key != "input":
        return value
    if key != "input":
        lost.append("arguments that are no JSON object")
    return {key: said}


def output_block(item: Item, lost: list[str]) -> dict[str, Any]:
    """A `tool_result` that says an output."""
    return {
        "type": "tool_result",
        "tool_use_id": item.get("call_id"),
        "content": output_content(item.get("output"), lost),
    }


def output_content(output: Any, lost: list[str]) -> Any:
    """What a tool gave: a text, or a list of blocks."""
    if isinstance(output, list):
        blocks = [block_of(part, "user", lost) for part in output]
        return [block for block in blocks if block is not None]
    if isinstance(output, str) or output is None:
        return output or ""
    return encode(output).decode()


def edited_blocks(item: Item) -> Blocks | None:
    """The blocks of an item that a filter edited, with what it changed; None where they can't say that.

    A thought can't be edited: its signature holds for the words that it was given for. The blocks that a thought
    came from are left out.
    """
    origin, index, part = item._place
    message, texts = origin.message(index), origin.texts(index)
    places = message.parts[part]
    stood = Item.parse(origin.item_bytes(index, part))
    if stood.items() == item.items():
        return [texts[at] for at in places]
    if item.type == "reasoning":
        return []
    first = bytes(texts[places[0]])
    if item.type == "function_call":
        return [_changed(first, {"id": "call_id", "name": "name", "input": "arguments"}, stood, item, origin.style)]
    if item.type == "function_call_output":
        return [_changed(first, {"tool_use_id": "call_id", "content": "output"}, stood, item, origin.style)]
    if item.type == "hosted_tool_call":
        return None
    return _changed_words([bytes(texts[at]) for at in places], stood, item, origin.style)


def _changed(raw: bytes, keys: dict[str, str], stood: Item, item: Item, style: Style) -> bytes:
    """The block of a call or an output with the members that differ."""
    changes: dict[str, bytes | None] = {}
    for key, of_item in keys.items():
        value = item.get(of_item)
        if value == stood.get(of_item):
            continue
        if key == "input":
            value = input_of(item, "arguments", [])
        elif key == "content":
            value = output_content(value, [])
        changes[key] = moved_in(encode(value, style), raw)
    return with_members(raw, changes, style)


def _changed_words(texts: Sequence[bytes], stood: Item, item: Item, style: Style) -> list[bytes]:
    """The blocks of a message: those of parts that are still there as they stood, others with their new words."""
    before, after = stood["content"], item.get("content")
    parts = after if isinstance(after, list) else [{"type": "text", "text": after}]
    blocks: list[bytes] = []
    unused = list(range(len(texts)))
    for at, part in enumerate(parts):
        same = next((each for each in unused if before[each] == part), None)
        if same is not None:
            unused.remove(same)
            blocks.append(texts[same])
        elif len(parts) == len(texts) and _are_texts(before[at], part):
            words = {"text": encode(part["text"], style), "citations": None}
            blocks.append(with_members(texts[at], words, style))
        elif (block := block_of(part, item.role, [])) is not None:
            blocks.append(encode(block, style))
    return blocks


def _are_texts(before: Any, after: Any) -> bool:
    return all(isinstance(part, dict) and isinstance(part.get("text"), str) for part in (before, after))
