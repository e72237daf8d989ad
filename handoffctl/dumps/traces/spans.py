"""Spans of a trace: put in start order, each with its depth and the agent that it is of.

**Source**: `agents.tracing` of openai-agents 0.24.0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
        return _text(self.data.get(key))

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
        return _text(error.get("message")) if isinstance(error, dict) else _text(error)

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


class Trace:
    """One trace with its spans, oldest first."""

    def __init__(self, id: str, value: Mapping[str, Any], spans: Sequence[Span]) -> None:
        self.id = id
        self.value = value
        self.spans = _ordered(spans)

    def of_kind(self, *kinds: str) -> list[Span]:
        """The spans of these kinds, oldest first."""
        return [span for span in self.spans if span.kind in kinds]

    def timeline(self) -> tuple[Moment, ...]:
        """What happened, oldest first, without the runner's own tasks and turns."""
        zero = min((span.start for span in self.spans if span.start is not None), default=None)
        return tuple([span.moment(zero) for span in self.spans if not span.is_plumbing])


def traces_of(raws: Iterable[bytes | msgspec.Raw]) -> Iterator[Trace]:
    """The traces of an export, in its order; spans of one that the export does not name make one too.

    Raises ValueError for an entry that is neither a trace nor a span.
    """
    found: dict[str, tuple[dict[str, Any], list[Span]]] = {}
    for index, raw in enumerate(raws):
        kind, id_ = _kind_and_trace(bytes(raw), index)
        value, spans = found.setdefault(id_, ({}, []))
        if kind == "trace":
            value.update(decode(raw))
        else:
            spans.append(_span(raw, index))
    for id_, (value, spans) in found.items():
        yield Trace(id_, value, spans)


def _kind_and_trace(raw: bytes, index: int) -> tuple[str, str]:
    members = members_of(raw) if raw.lstrip()[:1] == b"{" else {}
    kind = decode(members.get("object", b"null"))
    if kind not in ("trace", "trace.span"):
        raise ValueError(f"entry {index} is neither a trace nor a span")
    return kind, _text(decode(members.get("id" if kind == "trace" else "trace_id", b"null"))) or ""


def _span(raw: bytes | msgspec.Raw, index: int) -> Span:
    try:
        return Span(raw)
    except ValueError as error:
        raise ValueError(f"entry {index}: {error}") from error


def _ordered(spans: Sequence[Span]) -> list[Span]:
    """Spans by their start, what holds others before them; those without a start at the end.

    One that was exported twice counts once.
    """
    once = list({_text(span.value.get("id")) or index: span for index, span in enumerate(spans)}.values())
    _place(once)
    return sorted(once, key=lambda span: (span.start is None, span.start or 0, span.depth))


def _place(spans: Sequence[Span]) -> None:
    """Give each span its depth and its agent, by the spans that it is in."""
    by_id = {id_: span for span in spans if (id_ := _text(span.value.get("id")))}
    placed: set[int] = set()
    for span in spans:
        chain: list[Span] = []
        each: Span | None = span
        while each is not None and id(each) not in placed:
            placed.add(id(each))  # at once, so that a circle of parents ends
            chain.append(each)
            each = by_id.get(_text(each.value.get("parent_id")) or "")
        for inner in reversed(chain):
            _put(inner, by_id.get(_text(inner.value.get("parent_id")) or ""))


def _put(span: Span, parent: Span | None) -> None:
    if parent is not None and parent is not span:
        span.depth = parent.depth + (not parent.is_plumbing)
        span.agent = parent.agent
    if span.kind == "agent":
        span.agent = span.text("name")


def _seconds(value: Any) -> float | None:
    """A time of ISO 8601 in seconds; None for anything else. Times without a zone are taken as UTC."""
    if not isinstance(value, str):
        return None
    try:
        time = datetime.fromisoformat(value)
    except ValueError:
        return None
    return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
