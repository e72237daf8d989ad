"""One span of a trace: what it is of, when it was, what went wrong.

**Source**: `agents.tracing` of openai-agents 0.24.0.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec

from handoffctl.dumps.parts import members_of
from handoffctl.dumps.timeline import Moment
from handoffctl.raw.jsontext import decode

_PLUMBING = frozenset({"task", "turn"})
_NAMES = {"generation": "model"}
_KEPT = ("id", "parent_id", "error")
_LONG = frozenset({"input", "output", "model_config", "usage", "mcp_data"})


class Span:
    """One span. What it got and gave is decoded when it is asked for: generations repeat whole conversations.

    Raises ValueError where its data is no object.
    """

    __slots__ = ("agent", "data", "depth", "end", "raw", "start", "value")

    def __init__(self, raw: bytes | msgspec.Raw) -> None:
        members = members_of(bytes(raw))
        if members.get("span_data", b"").lstrip()[:1] != b"{":
            raise ValueError("the `span_data` of a span is not an object")
        said = members_of(members.pop("span_data"))
        self.raw = raw
        self.start, self.end = [_seconds(decode(members.get(key, b"null"))) for key in ("started_at", "ended_at")]
        self.value: Mapping[str, Any] = {key: decode(members[key]) for key in _KEPT if key in members}
        self.data: Mapping[str, Any] = {key: decode(text) for key, text in said.items() if key not in _LONG}
        self.depth = 0
        self.agent: str | None = None

    def said(self, key: str) -> bytes:
        """The JSON text of what the span got (`input`) or gave (`output`)."""
        return members_of(members_of(bytes(self.raw))["span_data"]).get(key, b"null")

    def text(self, key: str) -> str | None:
        """A text of the span's data; None where it has none."""
        return text_of(self.data.get(key))

    @property
    def kind(self) -> str:
        """What the span is of, `custom` ones under the name that the SDK has for them."""
        return self.text("type") or "span"

    @property
    def is_plumbing(self) -> bool:
        """Whether this is a task or a turn of the runner, which only groups others."""
        held = self.data.get("data")
        kind = held.get("sdk_span_type") if isinstance(held, dict) else None
        return self.kind == "custom" and isinstance(kind, str) and kind in _PLUMBING

    @property
    def error(self) -> str | None:
        """What went wrong, None where nothing did."""
        error = self.value.get("error")
        return text_of(error.get("message")) if isinstance(error, dict) else text_of(error)

    @property
    def requested_agents(self) -> list[str]:
        """The agents that one turn asked for at once; empty for a span without such an error."""
        error = self.value.get("error")
        said = error.get("data") if isinstance(error, dict) else None
        names = said.get("requested_agents") if isinstance(said, dict) else None
        return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []

    def moment(self, zero: float | None) -> Moment:
        """This span on a timeline that begins at a time."""
        return Moment(
            self.kind,
            self.depth,
            self.text(_NAMES.get(self.kind, "name")),
            self.text("from_agent"),
            self.text("to_agent"),
            None if self.start is None or zero is None else round(self.start - zero, 3),
            None if self.start is None or self.end is None else round(self.end - self.start, 3),
            self.error,
        )


def _seconds(value: Any) -> float | None:
    """A time of ISO 8601 in seconds; None for anything else. Times without a zone are taken as UTC."""
    if not isinstance(value, str):
        return None
    try:
        time = datetime.fromisoformat(value)
    except ValueError:
        return None
    return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()


def text_of(value: Any) -> str | None:
    """A text; None for any other value."""
    return value if isinstance(value, str) else None
