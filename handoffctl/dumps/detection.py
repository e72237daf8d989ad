"""What a file looks like: a few of its values, and the evidence that a format finds in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import msgspec

from handoffctl.item import Item
from handoffctl.kinds import ITEM_TYPES
from handoffctl.raw.jsontext import decode

CONTAINERS = ("messages", "input", "items")
"""The members of an object that may hold a list of entries."""

_WHOLE = 1 << 20
_ENTRIES = 200
_SHOWN = 40
_CHAT_KEYS = frozenset({"tool_calls", "tool_call_id", "function_call"})
_ANTHROPIC_PARTS = frozenset({"tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use"})
_FOREIGN_PARTS = frozenset({"tool-call", "tool-result"})
_FOREIGN_KEYS = frozenset({"toolUse", "toolResult", "parts", "callId", "providerData", "lc"})


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why a file is taken for a format.

    `score` is 3 for a marker that only this format has, 2 for a vote of the entries, 1 where nothing speaks against
    it. `form` is `value` where each record is a conversation, `entries` where each record is one entry of one
    conversation. `key` is the member that holds the list; None where the record is the list.
    """

    why: str
    score: int
    form: Literal["value", "entries"] = "value"
    key: str | None = None
    note: str | None = None
    mixed: bool = False
    """Whether entries of another dialect were among the first ones, so that later ones are no surprise."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The first values of a file, decoded; the long lists in them cut.

    `container` is what they were taken out of, None where they are the file's own text.
    """

    values: tuple[Any, ...]
    container: str | None = None

    def containers(self) -> Iterator[tuple[str | None, list[Any]]]:
        """Each list of entries that a value is or holds, with its member's name."""
        for value in self.values:
            container = container_of(value)
            if container is not None:
                yield container

    def lie(self) -> tuple[Literal["value", "entries"], str | None, list[Any]]:
        """How entries lie in the file (the form and the key of `Evidence`), and the entries themselves."""
        containers, loose = list(self.containers()), self.loose_entries()
        if containers and len(containers) >= len(loose):
            return "value", containers[0][0], [entry for _, entries in containers for entry in entries]
        return "entries", None, list(loose)

    def loose_entries(self) -> list[Mapping[str, Any]]:
        """The values that are entries themselves, as in a file with one entry a line."""
        return [value for value in self.values if is_entry(value) and container_of(value) is None]


Dialect = Literal["responses", "chat", "anthropic", "foreign", "plain"]


class Votes(NamedTuple):
    """How many entries speak for each dialect; `foreign` for one that no format here reads."""

    responses: int = 0
    chat: int = 0
    anthropic: int = 0
    foreign: int = 0
    plain: int = 0

    @property
    def readable(self) -> int:
        """The most that any dialect read here has."""
        return max(self.responses, self.chat, self.anthropic)


def look(raw: bytes) -> Any:
    """The value of a record for a sample: whole where it is small, its lists cut where it is not."""
    if len(raw) < _WHOLE:
        return decode(raw)
    if raw.lstrip()[:1] == b"[":
        return _cut(raw)
    members = msgspec.json.decode(raw, type=dict[str, msgspec.Raw])
    return {key: _cut(bytes(value)) if len(bytes(value)) > _WHOLE else decode(value) for key, value in members.items()}


def _cut(raw: bytes) -> Any:
    if raw.lstrip()[:1] != b"[":
        return None
    entries = msgspec.json.decode(raw, type=list[msgspec.Raw])
    return [decode(entry) for entry in [*entries[:_ENTRIES], *entries[_ENTRIES:][-20:]]]


def container_of(value: Any) -> tuple[str | None, list[Any]] | None:
    """The list of entries that a value is or holds, with its member's name; None where it holds none."""
    if isinstance(value, list):
        return (None, value) if not value or any(is_entry(entry) for entry in value) else None
    if isinstance(value, dict) and "type" not in value and "role" not in value:
        for key in CONTAINERS:
            held = value.get(key)
            if isinstance(held, list) and (not held or any(is_entry(entry) for entry in held)):
                return key, held
    return None


def is_entry(value: Any) -> bool:
    """Whether a value can be an entry of a conversation, in any dialect of lists."""
    if not isinstance(value, dict):
        return False
    return isinstance(value.get("role"), str) or _known_type(value.get("type"))


def votes(entries: Iterable[Any]) -> Votes:
    """What the entries speak for; those with role and content alone are `plain`."""
    tally = dict.fromkeys(Votes._fields, 0)
    for entry in entries:
        if isinstance(entry, dict):
            tally[dialect_of(entry)] += 1
    return Votes(**tally)


def dialect_of(entry: Mapping[str, Any] | Item) -> Dialect:
    """The dialect that one entry speaks for."""
    parts = [part for part in _list(entry.get("content")) if isinstance(part, dict)]
    part_types = {part.get("type") for part in parts if isinstance(part.get("type"), str)}
    if part_types & _FOREIGN_PARTS or not _FOREIGN_KEYS.isdisjoint(entry):
        return "foreign"
    if any(not _FOREIGN_KEYS.isdisjoint(part) for part in parts):
        return "foreign"
    if part_types & _ANTHROPIC_PARTS or ("stop_reason" in entry and entry.get("role") == "assistant"):
        return "anthropic"
    if _known_type(entry.get("type")) or part_types & {"input_text", "output_text", "input_image", "input_file"}:
        return "responses"
    if not _CHAT_KEYS.isdisjoint(entry) or entry.get("role") in ("tool", "function"):
        return "chat"
    return "plain"


def shapes(values: Iterable[Any]) -> str:
    """What was seen, for a person: the kind of each value and its first keys."""
    seen: list[str] = []
    for value in values:
        shape = _shape(value)
        if shape not in seen:
            seen.append(shape)
    return "; ".join(seen[:3]) or "no JSON value"


def _shape(value: Any) -> str:
    if isinstance(value, dict):
        keys = ", ".join(key[:_SHOWN] for key in list(value)[:8])
        parts = [str(part.get("type"))[:_SHOWN] for part in _list(value.get("content")) if isinstance(part, dict)]
        parts_said = f" (parts: {', '.join(dict.fromkeys(parts))})" if parts else ""
        return f"an object with {keys}{parts_said}" if keys else "an empty object"
    if isinstance(value, list):
        entries = "; then ".join(
            dict.fromkeys("a list" if isinstance(each, list) else _shape(each) for each in value[:3])
        )
        return f"a list of {len(value)}: {entries}" if value else "an empty list"
    return {str: "a string", bool: "a boolean", type(None): "null"}.get(type(value), "a number")


def _known_type(name: Any) -> bool:
    return isinstance(name, str) and name in ITEM_TYPES


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
