"""Items back into the chat messages that they came from, by parts; and into new ones where they came from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from handoffctl.dialects.chat import LEGACY_CALL, TEXT, WHOLE, ChatEntries
from handoffctl.item import Item
from handoffctl.jsontext import Style, decode, encode
from handoffctl.kinds import Kind, kind_of
from handoffctl.splice import with_members

_CONTENT_OF_CALL = {"function_call": ("function", "arguments"), "custom_tool_call": ("custom", "input")}
_CONTENT_OF_OUTPUT = frozenset({"function_call_output", "custom_tool_call_output"})


def entries_of(items: Iterable[Item], origin: ChatEntries | None = None) -> tuple[list[bytes], list[Item]]:
    """The messages that say these items, and the items that no chat message can say.

    An entry of `origin` whose parts all came through unchanged is that entry; any other is rebuilt from the parts
    that are left, without the keys of those that are lost.
    """
    texts: list[bytes] = []
    unsaid: list[Item] = []
    for group in _grouped(items, origin):
        index = _entry_index(group[0], origin)
        if index is not None and origin is not None:
            texts.append(_same_entry(origin, index, group))
        else:
            texts += _new_entries(group, unsaid, origin.style if origin else Style())
    return texts, unsaid


def _entry_index(item: Item, origin: ChatEntries | None) -> int | None:
    place = item._place
    return place[1] if place is not None and place[0] is origin else None


def _grouped(items: Iterable[Item], origin: ChatEntries | None) -> list[list[Item]]:
    """Neighbours that belong in one entry: parts of one in their order; or items from elsewhere."""
    groups: list[list[Item]] = []
    last: tuple[int | None, int] | None = None
    for item in items:
        place = item._place
        index, part = (place[1], place[2]) if place is not None and place[0] is origin else (None, WHOLE)
        joins = last is not None and last[0] == index and (index is None or last[1] < part)
        if joins:
            groups[-1].append(item)
        else:
            groups.append([item])
        last = (index, part)
    return groups


def _same_entry(origin: ChatEntries, index: int, group: Sequence[Item]) -> bytes:
    raw = bytes(origin.raws[index])
    first = group[0]
    unchanged = all(item._source is None for item in group)
    if first._place[2] == WHOLE:
        return raw if unchanged else first.raw
    entry = origin.entry(index)
    if entry.get("role") in ("tool", "function"):
        return raw if unchanged else with_members(raw, {"content": encode(first["output"])}, origin.style)
    if unchanged and len(group) == _part_count(entry):
        return raw
    return with_members(raw, _changed_members(raw, entry, group, origin.style), origin.style)


def _part_count(entry: dict[str, Any]) -> int:
    return len(entry.get("tool_calls") or (None,)) + bool(entry.get("content"))


def _changed_members(raw: bytes, entry: dict[str, Any], group: Sequence[Item], style: Style) -> dict[str, bytes | None]:
    changes: dict[str, bytes | None] = {}
    by_part = {item._place[2]: item for item in group}
    text = by_part.pop(TEXT, None)
    if text is None and entry.get("content"):
        changes["content"] = b"null"
    elif text is not None and text._source is not None:
        changes["content"] = encode(text["content"], style)
    if not by_part:
        return {**changes, **{key: None for key in ("tool_calls", LEGACY_CALL) if key in entry}}
    if not entry.get("tool_calls"):
        call = by_part[1]
        if call._source is not None:
            function = {**entry[LEGACY_CALL], "name": call.name, "arguments": call.get("arguments")}
            changes[LEGACY_CALL] = encode(function, style)
        return changes
    raws = decode_list(raw, "tool_calls")
    texts = [_call_text(raws[part - 1], item, style) for part, item in sorted(by_part.items())]
    changes["tool_calls"] = b"[" + style.item_separator.encode().join(texts) + b"]"
    return changes


def decode_list(raw: bytes, key: str) -> list[bytes]:
    """The bytes of each entry of a member that is a list."""
    try:
        members = msgspec.json.decode(raw, type=dict[str, msgspec.Raw])
        return [bytes(each) for each in msgspec.json.decode(members[key], type=list[msgspec.Raw])]
    except msgspec.DecodeError:  # a lone surrogate in it
        return [encode(each) for each in decode(raw)[key]]


def _call_text(raw: bytes, item: Item, style: Style) -> bytes:
    if item._source is None:
        return raw
    holder, content = _CONTENT_OF_CALL[item.type or "function_call"]
    call = decode(raw)
    function = {**(call.get(holder) or {}), "name": item.name, content: item.get(content)}
    return with_members(raw, {"id": encode(item.get("call_id")), holder: encode(function, style)}, style)


def _new_entries(items: Sequence[Item], unsaid: list[Item], style: Style) -> list[bytes]:
    """New messages for items from elsewhere; calls join the assistant message before them."""
    entries: list[dict[str, Any]] = []
    open_entry: dict[str, Any] | None = None
    for item in items:
        kind = kind_of(item)
        if kind is Kind.MESSAGE:
            entries.append({"role": item.role, "content": _chat_content(item)})
            open_entry = entries[-1] if item.role == "assistant" else None
        elif item.type in _CONTENT_OF_CALL:
            if open_entry is None:
                open_entry = {"role": "assistant", "content": None}
                entries.append(open_entry)
            open_entry.setdefault("tool_calls", []).append(_new_call(item))
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


def _new_call(item: Item) -> dict[str, Any]:
    holder, content = _CONTENT_OF_CALL[item.type or "function_call"]
    function = {"name": item.get("name"), content: item.get(content)}
    return {"id": item.get("call_id"), "type": holder, holder: function}


def _chat_content(item: Item) -> Any:
    content = item.get("content")
    if not isinstance(content, list):
        return content
    texts = [part.get("text", part.get("refusal")) for part in content if isinstance(part, dict)]
    words = [text for text in texts if isinstance(text, str)]
    if item.role == "assistant" and len(words) == len(content):
        return "".join(words)
    return [_chat_part(part) for part in content]


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
