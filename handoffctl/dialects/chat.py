"""Chat Completions messages as items: an entry may hold several, a text and its tool calls.

**Source**: `types/chat` of openai 3.57.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from handoffctl.entries import Entries
from handoffctl.item import Item, derive
from handoffctl.raw.jsontext import decode, encode

_NO_TEXT = re.compile(rb'(?:null|""|\[[ \t\n\r]*\])?')
LEGACY_CALL = "function_call"
_OUTPUT_ROLES = frozenset({"tool", "function"})
_CALL = "function_call"
OUTPUT, WHOLE, TEXT = -2, -1, 0
"""The parts of an entry: itself, where it says one item (below 0); else its text, and its calls from 1."""


class _Function(msgspec.Struct, gc=False):
    name: str | None = None


class _Call(msgspec.Struct, gc=False):
    id: str | int | None = None
    type: str | None = None
    function: _Function | None = None
    custom: _Function | None = None


class _Entry(msgspec.Struct, gc=False):
    role: str | None = None
    type: str | None = None
    content: msgspec.Raw = msgspec.Raw(b"")
    tool_calls: list[_Call] | None = None
    function_call: _Function | None = None
    tool_call_id: str | int | None = None
    call_id: str | int | None = None
    id: str | int | None = None
    name: str | None = None


class ChatEntries(Entries):
    """Chat messages as an `Origin` of items: makes the bytes of an entry's part when they are asked for."""

    __slots__ = ("_last", "legacy_ids", "part_counts")

    def __init__(self, record: bytes, key: str | None) -> None:
        super().__init__(record, key)
        self._last: tuple[int, Any] = (-1, None)
        self.legacy_ids: dict[int, str] = {}
        self.part_counts: dict[int, int] = {}

    def items(self) -> tuple[Item, ...]:
        """Every part of every entry as an item. Raises ValueError where the record holds no such list."""
        return tuple(_parts(self, self._heads()))

    def _heads(self) -> list[_Entry]:
        try:
            heads: list[_Entry] = self.decoded(_Entry)
        except (msgspec.DecodeError, UnicodeDecodeError):
            heads = [_read_exactly(bytes(raw), index) for index, raw in enumerate(self.raws)]
        return heads

    def item_bytes(self, index: int, part: int) -> bytes:
        if part == WHOLE:
            return bytes(self.raws[index])
        return encode(item_of_part(self.entry(index), part, self.legacy_ids.get(index)))

    def entry(self, index: int) -> dict[str, Any]:
        """The values of one entry."""
        if self._last[0] != index:
            self._last = (index, decode(self.raws[index]))
        value: dict[str, Any] = self._last[1]
        return value


def _parts(origin: ChatEntries, heads: list[_Entry]) -> list[Item]:
    items: list[Item] = []
    add = items.append
    for index, head in enumerate(heads):
        if head.role in _OUTPUT_ROLES:
            call_id = head.tool_call_id if head.role == "tool" else _answered(origin.legacy_ids, index)
            add(Item("function_call_output", None, None, call_id, None, None, None, (origin, index, OUTPUT)))
        elif not head.tool_calls and head.function_call is None:
            add(Item(head.type, head.role, head.id, head.call_id, head.name, None, None, (origin, index, WHOLE)))
        else:
            before = len(items)
            items += _split(origin, index, head)
            origin.part_counts[index] = len(items) - before
    return items


def _split(origin: ChatEntries, index: int, head: _Entry) -> Iterator[Item]:
    """The items of a message that calls: its text, where it has one, and its calls."""
    if not _NO_TEXT.fullmatch(head.content):
        yield derive(Item(None, head.role), origin, index, TEXT)
    for part, call in enumerate(head.tool_calls or (), 1):
        kind, function = ("custom_tool_call", call.custom) if call.type == "custom" else (_CALL, call.function)
        yield derive(Item(kind, None, None, call.id, function.name if function else None), origin, index, part)
    if head.function_call is not None and not head.tool_calls:
        legacy_id = origin.legacy_ids[index] = f"legacy_call_{index}"
        yield derive(Item(_CALL, None, None, legacy_id, head.function_call.name), origin, index, 1)


def _answered(legacy_ids: dict[int, str], index: int) -> str:
    """The id made up for the latest call of the time before calls had ids, for the output that answers it."""
    legacy_ids[index] = next(reversed(legacy_ids.values()), "legacy_call")
    return legacy_ids[index]


def says_something(content: Any) -> bool:
    """Whether the content of a message that calls is a text of its own. Blank is not empty; odd values are kept."""
    return content is not None and content not in ("", [])


def calls_of(entry: dict[str, Any]) -> list[Any]:
    """The calls of a message, in order; empty where it has none, or only one of the time before `tool_calls`."""
    calls = entry.get("tool_calls")
    return calls if isinstance(calls, list) else []


def item_of_part(entry: dict[str, Any], part: int, legacy_id: str | None = None) -> dict[str, Any]:
    """The item that a part of an entry is: its text, one of its calls, or the output that it is."""
    if part == OUTPUT:
        call_id = entry.get("tool_call_id") if entry["role"] == "tool" else legacy_id
        return {"type": "function_call_output", "call_id": call_id, "output": entry.get("content")}
    if part == TEXT:
        return {"role": entry.get("role"), "content": entry.get("content")}
    calls = calls_of(entry)
    if not calls:
        return {"type": _CALL, "call_id": legacy_id, **_named(entry[LEGACY_CALL], "arguments")}
    call = calls[part - 1] if isinstance(calls[part - 1], dict) else {}
    if call.get("type") == "custom":
        return {"type": "custom_tool_call", "call_id": call.get("id"), **_named(call.get("custom"), "input")}
    return {"type": _CALL, "call_id": call.get("id"), **_named(call.get("function"), "arguments")}


def _named(function: Any, content: str) -> dict[str, Any]:
    function = function if isinstance(function, dict) else {}
    return {"name": function.get("name"), content: function.get(content)}


def _read_exactly(raw: bytes, index: int) -> _Entry:
    value = decode(raw)
    if not isinstance(value, dict):
        raise ValueError(f"entry {index} is not an object")
    calls = [_read_call(call) for call in calls_of(value)]
    function = value.get(LEGACY_CALL)
    content = msgspec.Raw(b"{}" if says_something(value.get("content")) else b"")  # whether there is one counts
    return _Entry(
        role=_string(value.get("role")),
        type=_string(value.get("type")),
        content=content,
        tool_calls=calls or None,
        function_call=_Function(_string(function.get("name"))) if isinstance(function, dict) else None,
        tool_call_id=_id(value.get("tool_call_id")),
        call_id=_id(value.get("call_id")),
        id=_id(value.get("id")),
        name=_string(value.get("name")),
    )


def _read_call(call: Any) -> _Call:
    if not isinstance(call, dict):
        return _Call()
    function, custom = call.get("function"), call.get("custom")
    return _Call(
        _id(call.get("id")),
        _string(call.get("type")),
        _Function(_string(function.get("name"))) if isinstance(function, dict) else None,
        _Function(_string(custom.get("name"))) if isinstance(custom, dict) else None,
    )


def _string(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _id(value: Any) -> str | int | None:
    return value if isinstance(value, str | int) and not isinstance(value, bool) else None
