"""One line of a rollout: what it is, and the items in it.

**Source**: `RolloutLine` of `codex-rs/protocol` at 001cb8e; rollouts of the first half of 2025 have bare items.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from handoffctl.dumps.parts import members_of
from handoffctl.entries import Entries
from handoffctl.item import Item
from handoffctl.raw.jsontext import decode
from handoffctl.wording.texts import text_of

LineKind = Literal["item", "bare", "compacted", "event", "session", "meta"]

NEW_TYPES = frozenset({"session_meta", "response_item", "compacted", "turn_context", "event_msg"})
ROLLBACK = "thread_rolled_back"
_SILENT_EVENTS = frozenset(
    {"token_count", "task_started", "turn_started", "turn_aborted", "context_compacted", ROLLBACK}
)
_UNSENT = b"ghost_snapshot"
_INJECTED = (
    *("<environment_context>", "<user_instructions>", "# AGENTS.md instructions", "<turn_aborted>", "<skill>"),
    *("<user_shell_command>", "<subagent_notification>"),
)


_read_members = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


class RolloutLine:
    """One line, and views of its bytes. Raises ValueError where it is no rollout's."""

    __slots__ = ("kind", "payload_text", "view")

    def __init__(self, view: bytes | msgspec.Raw) -> None:
        self.view = view
        members = _members(view)
        self.kind: LineKind = _kind_of(members)
        self.payload_text = members.get("payload", b"null")

    @property
    def raw(self) -> bytes:
        """The line's own bytes."""
        return bytes(self.view)

    def member(self, key: str) -> bytes | None:
        """The JSON text of a member; None where it is missing."""
        members = _members(self.view)
        return bytes(members[key]) if key in members else None

    def value(self, key: str) -> Any:
        """The value of a member; None where it is missing."""
        return decode(self.member(key) or b"null")

    @property
    def payload(self) -> dict[str, Any]:
        """The payload of a line; empty where it has none, or one that is no object."""
        return _object(self.payload_text)

    @property
    def repeats_words(self) -> bool:
        """Whether this is an event that may say once more what the conversation says."""
        return self.kind == "event" and not is_silent(self.payload)

    @property
    def rolled_back(self) -> int:
        """How many turns this line takes back."""
        if self.kind != "event" or ROLLBACK.encode() not in self.raw or self.payload.get("type") != ROLLBACK:
            return 0
        turns = self.payload.get("num_turns")
        return turns if isinstance(turns, int) and turns > 0 else 0

    def replacement(self) -> list[Item] | None:
        """The items that stand for all before this line; None where a message alone does.

        Raises ValueError where they are no list of objects.
        """
        if self.payload.get("replacement_history") is None:
            return None
        return [Item.parse(raw) for raw in Entries(bytes(self.payload_text), "replacement_history").raws]

    def summary(self) -> Item | None:
        """The message of a compaction that has nothing else, as the assistant's text; None where it says nothing."""
        text = self.payload.get("message")
        if not isinstance(text, str) or not text:
            return None
        return Item.of({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]})


def _members(view: bytes | msgspec.Raw) -> Mapping[str, bytes | msgspec.Raw]:
    try:
        return _read_members(view)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return members_of(bytes(view))


def _object(text: bytes | msgspec.Raw) -> dict[str, Any]:
    value = decode(text)
    return value if isinstance(value, dict) else {}


def _kind_of(members: Mapping[str, bytes | msgspec.Raw]) -> LineKind:
    name = decode(members.get("type", b"null"))
    if isinstance(name, str) and "payload" in members:
        return _kind_of_payload(name, members["payload"])
    if isinstance(name, str) or ("role" in members and "content" in members):
        return "bare"
    if "record_type" in members:
        return "meta"
    if "id" in members and "timestamp" in members:
        return "session"
    raise ValueError("not a line of a Codex rollout: it has neither a payload nor an item's type")


def _kind_of_payload(name: str, payload: bytes | msgspec.Raw) -> LineKind:
    if name == "response_item":
        text = bytes(payload)
        if text.lstrip()[:1] != b"{":
            raise ValueError("the `payload` of a response_item is not an object")
        return "meta" if _UNSENT in text and _object(text).get("type") == _UNSENT.decode() else "item"
    if name == "compacted":
        return "compacted"
    if name == "session_meta":
        return "session"
    return "event" if name == "event_msg" else "meta"


def is_silent(payload: Any) -> bool:
    """Whether an event of this payload holds no words of the conversation."""
    name = payload.get("type") if isinstance(payload, dict) else None
    return isinstance(name, str) and name in _SILENT_EVENTS


def begins_a_turn(item: Item) -> bool:
    """Whether a user wrote this message; what Codex adds in the user's name begins no turn."""
    return item.role == "user" and not text_of(item).lstrip().startswith(_INJECTED)
