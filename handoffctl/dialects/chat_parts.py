"""New chat messages for items from elsewhere, and Responses items for what came from chat messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from handoffctl.dialects.chat import ChatEntries
from handoffctl.item import Item, edit
from handoffctl.kinds import Kind, kind_of
from handoffctl.raw.jsontext import Style, encode

CONTENT_OF_CALL = {"function_call": ("function", "arguments"), "custom_tool_call": ("custom", "input")}
"""Call type -> the member of a tool call that says it, and the member of that which holds what it is called with."""

_RESPONSES_KEYS = frozenset({"type", "id", "status", "phase"})
_CONTENT_OF_OUTPUT = frozenset({"function_call_output", "custom_tool_call_output"})


def new_entries(items: Sequence[Item], unsaid: list[Item], style: Style) -> list[bytes]:
    """New messages for items from elsewhere; calls join the assistant message before them."""
    entries: list[dict[str, Any]] = []
    open_entry: dict[str, Any] | None = None
    for item in items:
        kind = kind_of(item)
        if kind is Kind.MESSAGE:
            entries.append(_message(item))
            open_entry = entries[-1] if item.role == "assistant" else None
        elif item.type in CONTENT_OF_CALL:
            if open_entry is None:
                open_entry = {"role": "assistant", "content": None}
                entries.append(open_entry)
            open_entry.setdefault("tool_calls", []).append(new_call(item))
        elif item.type in _CONTENT_OF_OUTPUT:
            content = _chat_text(item.get("output"))
            entries.append({"role": "tool", "tool_call_id": item.get("call_id"), "content": content})
            open_entry = None
        elif kind is Kind.UNKNOWN and item.role is not None:
            entries.append(item.to_dict())
            open_entry = None
        else:
            unsaid.append(item)
    return [encode(entry, style) for entry in entries]


def new_call(item: Item) -> dict[str, Any]:
    """A tool call that says a call item."""
    holder, content = CONTENT_OF_CALL[item.type or "function_call"]
    function = {"name": item.get("name"), content: item.get(content)}
    return {"id": item.get("call_id"), "type": holder, holder: function}


def _message(item: Item) -> dict[str, Any]:
    """A message that says a message item: the words of an assistant as one text, a refusal under its own key."""
    entry = {key: value for key, value in item.items() if key not in _RESPONSES_KEYS}
    parts = item.get("content")
    if not isinstance(parts, list):
        return entry
    refusals = [part["refusal"] for part in parts if isinstance(part, dict) and isinstance(part.get("refusal"), str)]
    others = [part for part in parts if not (isinstance(part, dict) and isinstance(part.get("refusal"), str))]
    words = [part["text"] for part in others if isinstance(part, dict) and isinstance(part.get("text"), str)]
    if item.role == "assistant" and len(words) == len(others):
        entry["content"] = "".join(words) if words or not refusals else None
    else:
        entry["content"] = [_chat_part(part) for part in others]
    return {**entry, "refusal": "".join(refusals)} if refusals else entry


def _chat_part(part: Any) -> Any:
    kind = part.get("type") if isinstance(part, dict) else None
    if kind in ("input_text", "output_text"):
        return {"type": "text", "text": part.get("text")}
    if kind == "input_image":
        return {
            "type": "image_url",
            "image_url": {"url": part.get("image_url"), "detail": part.get("detail") or "auto"},
        }
    if kind == "input_file":
        return {
            "type": "file",
            "file": {key: part[key] for key in ("file_id", "file_data", "filename") if part.get(key)},
        }
    return part


def _chat_text(output: Any) -> Any:
    if isinstance(output, str) or output is None:
        return output or ""
    if isinstance(output, list):
        return [_chat_part(part) for part in output]
    return encode(output).decode()


def responses_item(item: Item) -> Item:
    """The same item with the parts of its content as the Responses API says them; the same object where it has none.

    Only what came from a chat message is changed: parts of any other list are in their own dialect already.
    """
    place = item.place
    if place is None or not isinstance(place[0], ChatEntries):
        return item
    for key in ("content", "output"):
        parts = item.get(key)
        if isinstance(parts, list):
            said = [_responses_part(part, item.role) for part in parts]
            return edit(item, **{key: said}) if said != parts else item
    return item


def _responses_part(part: Any, role: str | None) -> Any:
    kind = part.get("type") if isinstance(part, dict) else None
    if kind == "text":
        text = {key: value for key, value in part.items() if key not in ("type", "annotations")}
        if role == "assistant":
            return {"type": "output_text", **text, "annotations": part.get("annotations") or []}
        return {"type": "input_text", **text}
    if kind == "image_url":
        image = part.get("image_url")
        image = image if isinstance(image, dict) else {"url": image}
        return {"type": "input_image", "image_url": image.get("url"), "detail": image.get("detail") or "auto"}
    if kind == "file" and isinstance(part.get("file"), dict):
        return {"type": "input_file", **part["file"]}
    return part
