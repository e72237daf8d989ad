"""The blocks of a message: which of them are one item, and what that item is.

**Source**: `ContentBlockParam` of anthropic 2.17.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, Sequence
from typing import Any

import msgspec

from handoffctl.dialects.anthropic.words import output_of, said, type_of
from handoffctl.dumps.parts import members_of
from handoffctl.item import Item

Part = tuple[int, ...]
"""The places of the blocks that say one item."""

_CALLS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
_THINKING = frozenset({"thinking", "redacted_thinking"})


def is_call(block: Any) -> bool:
    """Whether a block calls a tool, ours or the provider's."""
    return type_of(block) in _CALLS


def is_output(block: Any) -> bool:
    """Whether a block is what a tool gave, ours or the provider's."""
    name = type_of(block)
    return name == "tool_result" or name.endswith("_tool_result")


def is_thinking(block: Any) -> bool:
    """Whether a block is the model's own thought."""
    return type_of(block) in _THINKING


def parts_of(blocks: Sequence[Any]) -> list[Part]:
    """The blocks of one message as items: neighbouring texts and images are one, a provider's call and its output too.

    Empty for a message without blocks.
    """
    answers = {_text(block.get("tool_use_id")): at for at, block in enumerate(blocks) if _is_hosted_output(block)}
    answered = {at: found for at, block in enumerate(blocks) if (found := _answer(block, answers)) is not None}
    parts: list[Part] = []
    is_open = False
    for at, block in enumerate(blocks):
        if at in answered.values():
            continue
        is_words = not (is_call(block) or is_output(block) or is_thinking(block))
        if is_words and is_open:
            parts[-1] = (*parts[-1], at)
        else:
            parts.append((at, answered[at]) if at in answered else (at,))
        is_open = is_words
    return parts


def _is_hosted_output(block: Any) -> bool:
    return is_output(block) and type_of(block) != "tool_result" and bool(_text(block.get("tool_use_id")))


def _answer(block: Any, answers: MutableMapping[str, int]) -> int | None:
    if not is_call(block) or type_of(block) == "tool_use":
        return None
    return answers.pop(_text(block.get("id")), None)


def head_of(blocks: Sequence[Any], role: str | None) -> Item:
    """The head of the item that these blocks say."""
    first = blocks[0]
    if len(blocks) == 2 and is_call(first):
        return Item("hosted_tool_call", None, _id(first.get("id")), None, _text(first.get("name")) or None)
    if is_call(first):
        return Item("function_call", None, None, _id(first.get("id")), _text(first.get("name")) or None)
    if is_output(first):
        return Item("function_call_output", None, None, _id(first.get("tool_use_id")))
    return Item("reasoning") if is_thinking(first) else Item(None, role)


def value_of(blocks: Sequence[Any], texts: Sequence[bytes], role: Any) -> dict[str, Any]:
    """The item that these blocks say; `texts` are their JSON."""
    first = blocks[0]
    if is_call(first):
        return _call(blocks, texts)
    if is_output(first):
        return {
            "type": "function_call_output",
            "call_id": first.get("tool_use_id"),
            "output": output_of(first.get("content", "")),
        }
    if is_thinking(first):
        return _reasoning(first)
    return {"role": role, "content": [said(block, role) for block in blocks]}


def _call(blocks: Sequence[Any], texts: Sequence[bytes]) -> dict[str, Any]:
    call = blocks[0]
    arguments = _member(texts[0], "input")
    if len(blocks) == 1:
        return {"type": "function_call", "call_id": call.get("id"), "name": call.get("name"), "arguments": arguments}
    named = {"id": call.get("id"), "name": call.get("name"), "arguments": arguments}
    return {"type": "hosted_tool_call", **named, "status": "completed", "output": _member(texts[1], "content")}


def _member(text: bytes, key: str) -> str:
    """A member's JSON on one line, each number as it is spelled; that of an empty object where there is none."""
    value = members_of(text).get(key, b"{}")
    try:
        return msgspec.json.format(value, indent=-1).decode()
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):  # a lone surrogate's escape
        return value.decode()


def _reasoning(block: Mapping[str, Any]) -> dict[str, Any]:
    """A thought as a reasoning item: its words, and the signature that proves them to the provider."""
    if block["type"] == "redacted_thinking":
        return {"type": "reasoning", "summary": [], "encrypted_content": block.get("data")}
    content = [{"type": "reasoning_text", "text": block.get("thinking")}]
    return {"type": "reasoning", "summary": [], "content": content, "encrypted_content": block.get("signature")}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _id(value: Any) -> str | int | None:
    return value if isinstance(value, str | int) and not isinstance(value, bool) else None
