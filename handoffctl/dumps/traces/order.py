"""The traces of an export: the spans of each put in start order, with their depths and agents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from handoffctl.dumps.parts import members_of
from handoffctl.dumps.timeline import Moment
from handoffctl.dumps.traces.spans import Span, text_of
from handoffctl.raw.jsontext import decode


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
    return kind, text_of(decode(members.get("id" if kind == "trace" else "trace_id", b"null"))) or ""


def _span(raw: bytes | msgspec.Raw, index: int) -> Span:
    try:
        return Span(raw)
    except ValueError as error:
        raise ValueError(f"entry {index}: {error}") from error


def _ordered(spans: Sequence[Span]) -> list[Span]:
    """Spans by their start, what holds others before them; those without a start at the end.

    One that was exported twice counts once.
    """
    once = list({text_of(span.value.get("id")) or index: span for index, span in enumerate(spans)}.values())
    _place(once)
    return sorted(once, key=lambda span: (span.start is None, span.start or 0, span.depth))


def _place(spans: Sequence[Span]) -> None:
    """Give each span its depth and its agent, by the spans that it is in."""
    by_id = {id_: span for span in spans if (id_ := text_of(span.value.get("id")))}
    placed: set[int] = set()
    for span in spans:
        chain: list[Span] = []
        each: Span | None = span
        while each is not None and id(each) not in placed:
            placed.add(id(each))  # at once, so that a circle of parents ends
            chain.append(each)
            each = by_id.get(text_of(each.value.get("parent_id")) or "")
        for inner in reversed(chain):
            _put(inner, by_id.get(text_of(inner.value.get("parent_id")) or ""))


def _put(span: Span, parent: Span | None) -> None:
    if parent is not None and parent is not span:
        span.depth = parent.depth + (not parent.is_plumbing)
        span.agent = parent.agent
    if span.kind == "agent":
        span.agent = span.text("name")
