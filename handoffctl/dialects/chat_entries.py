"""Items back into the chat messages that they came from, by parts; and into new ones where they came from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from handoffctl.dialects.chat import LEGACY_CALL, OUTPUT, TEXT, WHOLE, ChatEntries, calls_of, says_something
from handoffctl.dialects.chat_parts import CONTENT_OF_CALL, new_call, new_entries
from handoffctl.dialects.homes import Home, grouped, home_of
from handoffctl.entries import Entries
from handoffctl.item import Item
from handoffctl.raw.jsontext import COMPACT, Style, decode, encode
from handoffctl.raw.splice import moved_in, with_members

_ABOUT_TEXT = ("annotations", "audio", "refusal")


_NO_CALLS: dict[str, bytes | None] = {"tool_calls": None, LEGACY_CALL: None}


def entries_of(
    items: Iterable[Item], origin: ChatEntries | None = None
) -> tuple[list[bytes | msgspec.Raw], list[Item]]:
    """The messages that say these items, and the items that no chat message can say.

    An entry whose parts all came through unchanged is that entry; any other is rebuilt from the parts that are
    left, without the keys of those that are lost. New messages are written as those of `origin` are.
    """
    texts: list[bytes | msgspec.Raw] = []
    unsaid: list[Item] = []
    parts: list[Item] = []
    home: ChatEntries | None = None
    raws: Sequence[bytes | msgspec.Raw] = ()
    for item in items:
        place = item._place
        if place is None or place[2] >= TEXT or item._source is not None:
            parts.append(item)
            continue
        if parts:
            texts += _said(parts, unsaid, origin)
            parts = []
        if place[0] is not home:
            home = place[0]
            raws = home.raws
        texts.append(raws[place[1]])  # an item that is all its entry says, untouched: the entry's own bytes
    return texts + _said(parts, unsaid, origin), unsaid


def _said(items: Sequence[Item], unsaid: list[Item], origin: ChatEntries | None) -> list[bytes | msgspec.Raw]:
    """The messages that say parts of entries, edited items, and items from elsewhere."""
    texts: list[bytes | msgspec.Raw] = []
    for entry, group in grouped(items, _home):
        if entry is not None:
            texts.append(_same_entry(*entry, group))
        else:
            texts += new_entries(group, unsaid, origin.style if origin else COMPACT)
    return texts


def no_message_says(unsaid: Sequence[Item]) -> tuple[str, str]:
    """What is wrong with items that no chat message can say, and what to do."""
    kinds = ", ".join(dict.fromkeys(str(item.type) for item in unsaid))
    return f"a filter gave items that no chat message can say: {kinds}", "--to items or --to handoff can say them"


def _home(item: Item) -> tuple[Home | None, int]:
    return home_of(item, ChatEntries)


def _same_entry(origin: ChatEntries, index: int, group: Sequence[Item]) -> bytes:
    raw = bytes(origin.raws[index])
    first = group[0]
    unchanged = all(item._source is None for item in group)
    if first._place[2] == WHOLE:
        return raw if unchanged else first.raw
    if first._place[2] == OUTPUT:
        return (
            raw
            if unchanged
            else with_members(raw, _changed_output(raw, origin.entry(index), first, origin.style), origin.style)
        )
    if unchanged and len(group) == origin.part_counts[index]:
        return raw
    if unchanged and len(group) == 1 and first._place[2] == TEXT:
        return with_members(raw, _NO_CALLS, COMPACT)
    return with_members(raw, _changed_members(raw, origin.entry(index), group, origin.style), origin.style)


def _changed_output(raw: bytes, entry: dict[str, Any], item: Item, style: Style) -> dict[str, bytes | None]:
    """The members of a tool message that an edit changed. Those of the time before ids have none."""
    said = {"content": item.get("output")}
    if entry["role"] == "tool":
        said["tool_call_id"] = item.get("call_id")
    return {key: _text(value, raw, style) for key, value in said.items() if value != entry.get(key)}


def _changed_members(raw: bytes, entry: dict[str, Any], group: Sequence[Item], style: Style) -> dict[str, bytes | None]:
    """The members of a message that calls which differ, now that it holds these parts; None for those to take out."""
    by_part = {item._place[2]: item for item in group}
    changes = _changed_text(raw, entry, by_part.pop(TEXT, None), style)
    calls = calls_of(entry)
    if not by_part:
        lost = [key for key in ("tool_calls", LEGACY_CALL) if key in entry]
        return {**changes, **dict.fromkeys(lost)}
    if not calls:
        return {**changes, **_changed_legacy(raw, entry, by_part[1], style)}
    if len(by_part) == len(calls) and all(item._source is None for item in by_part.values()):
        return changes
    stood = Entries(raw, "tool_calls")
    texts = [_call_text(bytes(stood.raws[part - 1]), item, style) for part, item in sorted(by_part.items())]
    _, changes["tool_calls"] = stood.replaced(texts)
    if entry.get(LEGACY_CALL):  # says one of the calls once more
        changes[LEGACY_CALL] = None
    return changes


def _changed_text(raw: bytes, entry: dict[str, Any], text: Item | None, style: Style) -> dict[str, bytes | None]:
    if text is not None:
        said = {"role": text.get("role"), "content": text.get("content")} if text._source is not None else {}
        return {key: _text(value, raw, style) for key, value in said.items() if value != entry.get(key)}
    if not says_something(entry.get("content")):
        return {}
    return {"content": b"null", **{key: None for key in _ABOUT_TEXT if entry.get(key)}}


def _changed_legacy(raw: bytes, entry: dict[str, Any], call: Item, style: Style) -> dict[str, bytes | None]:
    if call._source is None:
        return {}
    function = {**entry[LEGACY_CALL], "name": call.get("name"), "arguments": call.get("arguments")}
    return {LEGACY_CALL: _text(function, raw, style)}


def _call_text(raw: bytes, item: Item, style: Style) -> bytes:
    if item._source is None:
        return raw
    call = decode(raw)
    if not isinstance(call, dict):
        return encode(new_call(item), style)
    holder, content = CONTENT_OF_CALL[item.type or "function_call"]
    held: dict[str, Any] = call[holder] if isinstance(call.get(holder), dict) else {}
    said = {"id": item.get("call_id"), holder: {**held, "name": item.get("name"), content: item.get(content)}}
    return with_members(raw, {key: _text(said[key], raw, style) for key in said if said[key] != call.get(key)}, style)


def _text(value: Any, raw: bytes, style: Style) -> bytes:
    """The text of a new value that goes into an object."""
    return moved_in(encode(value, style), raw)
