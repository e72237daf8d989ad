"""One line of a rollout: what it is, and the items in it.

**Source**: `RolloutLine` of `codex-rs/protocol` at 001cb8e; rollouts of the first half of 2025 have bare items.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

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


class RolloutLine:
    """One line; its members are decoded when they are asked for. Raises ValueError where it is no rollout's."""

    __slots__ = ("kind", "members", "raw")

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        self.members: Mapping[str, bytes] = members_of(raw)
        self.kind: LineKind = self._kind()

    def value(self, key: str) -> Any:
        """The value of a member; None where it is missing."""
        return decode(self.members[key]) if key in self.members else None

    @property
    def payload(self) -> dict[str, Any]:
        """The payload of a line; empty where it has none, or one that is no object."""
        payload = self.value("payload")
        return payload if isinstance(payload, dict) else {}

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

    def _kind(self) -> LineKind:
        name = self.value("type")
        if isinstance(name, str) and "payload" in self.members:
            return self._kind_of_payload(name)
        if isinstance(name, str) or ("role" in self.members and "content" in self.members):
            return "bare"
        if "record_type" in self.members:
            return "meta"
        if "id" in self.members and "timestamp" in self.members:
            return "session"
        raise ValueError("not a line of a Codex rollout: it has neither a payload nor an item's type")

    def _kind_of_payload(self, name: str) -> LineKind:
        if name == "response_item":
            if self.members["payload"].lstrip()[:1] != b"{":
                raise ValueError("the `payload` of a response_item is not an object")
            return "meta" if _UNSENT in self.raw and self.payload.get("type") == _UNSENT.decode() else "item"
        if name == "compacted":
            return "compacted"
        if name == "session_meta":
            return "session"
        return "event" if name == "event_msg" else "meta"

    def replacement(self) -> list[Item] | None:
        """The items that stand for all before this line; None where a message alone does.

        Raises ValueError where they are no list of objects.
        """
        if self.payload.get("replacement_history") is None:
            return None
        return [Item.parse(raw) for raw in Entries(self.members["payload"], "replacement_history").raws]

    def summary(self) -> Item:
        """The message of a compaction that has nothing else, as the assistant's text."""
        message = self.payload.get("message")
        text = message if isinstance(message, str) else ""
        return Item.of({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]})


def is_silent(payload: Any) -> bool:
    """Whether an event of this payload holds no words of the conversation."""
    name = payload.get("type") if isinstance(payload, dict) else None
    return isinstance(name, str) and name in _SILENT_EVENTS


def begins_a_turn(item: Item) -> bool:
    """Whether a user wrote this message; what Codex adds in the user's name begins no turn."""
    return item.role == "user" and not text_of(item).lstrip().startswith(_INJECTED)
