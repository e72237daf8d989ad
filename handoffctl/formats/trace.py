"""Traces of the Agents SDK, as its processors export them.

**Source**: `agents.tracing` of openai-agents 0.24.0: `Trace.export()`, `Span.export()`, and the body that its exporter
sends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from msgspec.structs import replace

from handoffctl.dumps.detection import Evidence, Sample
from handoffctl.dumps.traces.generations import Exchange, exchanges
from handoffctl.dumps.traces.order import Trace as SpanTrace
from handoffctl.dumps.traces.order import traces_of
from handoffctl.dumps.traces.runs import calls_of_spans, run_of
from handoffctl.entries import Entries
from handoffctl.model import HandoffInputData, Source, Transcript
from handoffctl.records import Record

_OBJECTS = ("trace", "trace.span")
_CUT = (b"... [truncated]", b'"truncated":true', b'"truncated": true')
_IDS_ONLY = "response spans hold no messages, only the ids of responses"
_SENSITIVE_OFF = "generation spans hold no messages: sensitive data was off"
_NOTHING = "no span holds messages"


class Trace:
    """A trace of the Agents SDK: the agents and handoffs of a run on a timeline; its messages where spans carry them.

    Read: `{"object": "trace"}` and `{"object": "trace.span"}`, one a line, in a list, or as `{"data": […]}`, each trace
    by itself, its spans put in the order of their start. Generation spans (of Chat Completions models) hold messages:
    each continues the one that it repeats, and one that continues none begins a conversation of its own. Response
    spans hold ids alone, so that a conversation can't be rebuilt: its calls and handoffs are shown, with the spans'
    ids, and `filter` refuses it. What was cut, left out as sensitive, or asked for at once is said. Not written: a
    filtered conversation comes out as `handoff`. A handoff shows as a handoff output item with both agents' names,
    and on the timeline.
    """

    name: ClassVar[str] = "trace"
    writes: ClassVar[bool] = False

    def sniff(self, sample: Sample) -> Evidence | None:
        why = "`object` is trace or trace.span"
        if any(map(_is_of_a_trace, sample.values)):
            return Evidence(why, 3, "entries")
        for value in sample.values:
            if isinstance(value, list) and any(map(_is_of_a_trace, value)):
                return Evidence(why, 3)
            held = value.get("data") if isinstance(value, dict) else None
            if isinstance(held, list) and any(map(_is_of_a_trace, held)):
                return Evidence(f"`data`, in which {why}", 3, key="data")
        return None

    def read(self, record: Record, evidence: Evidence) -> Sequence[Transcript]:
        raws = Entries(record.raw, evidence.key).raws
        return tuple([each for trace in traces_of(raws) for each in _transcripts(trace, record.source)])

    def write(self, record: Record, results: Sequence[tuple[Transcript, HandoffInputData]]) -> bytes:
        raise NotImplementedError  # `writes` is False: nobody asks


def _is_of_a_trace(value: object) -> bool:
    return isinstance(value, dict) and value.get("object") in _OBJECTS


def _transcripts(trace: SpanTrace, source: Source) -> Iterator[Transcript]:
    """The conversations of a trace, the first with its timeline and its notes."""
    found = exchanges(trace.of_kind("generation"))
    first, *others = [_conversation(each, trace, source) for each in found] or [_without_messages(trace, source)]
    about = {"timeline": trace.timeline(), "workflow": trace.value.get("workflow_name")}
    yield replace(first, about=about, notes=(*first.notes, *_notes(trace, found)))
    for other in others:
        name = f"{other.source.name} {other.agent or 'another conversation'}"
        yield replace(other, source=Source(source.path, source.record, source.line, name))


def _conversation(exchange: Exchange, trace: SpanTrace, source: Source) -> Transcript:
    whole, splits = run_of(exchange)
    return Transcript(
        splits[-1] if splits else whole,
        Source(source.path, source.record, source.line, trace.id),
        Trace.name,
        instructions=exchange.instructions,
        agent=exchange.agent,
        splits=splits,
        whole=whole if splits else None,
        split=f"handoff {len(splits)} of {len(splits)}, by its turn's generation span"
        if splits
        else "no handoff: the first generation span's input, then all items of the run",
    )


def _without_messages(trace: SpanTrace, source: Source) -> Transcript:
    why = _why(trace)
    return Transcript(
        HandoffInputData((), (), calls_of_spans(trace.of_kind("function", "handoff"))),
        Source(source.path, source.record, source.line, trace.id),
        Trace.name,
        split="calls and handoffs alone, by their spans",
        missing=why,
        notes=(f"the conversation can't be rebuilt: {why}",),
    )


def _why(trace: SpanTrace) -> str:
    if trace.of_kind("generation"):
        return _SENSITIVE_OFF
    return _IDS_ONLY if trace.of_kind("response") else _NOTHING


def _notes(trace: SpanTrace, found: Sequence[Exchange]) -> Iterator[str]:
    count, held = len(trace.of_kind("generation")), sum(len(each.turns) for each in found)
    if 0 < held < count:
        yield f"{count - held:,} of {count:,} generation spans hold no messages"
    if cut := sum(any(mark in bytes(span.raw) for mark in _CUT) for span in trace.spans):
        yield f"{cut:,} spans hold texts that the exporter cut short"
    hidden = [span for span in trace.of_kind("function") if span.said("input") == b"null"]
    if hidden:
        yield f"{len(hidden):,} function spans hold no input: sensitive data was off"
    for span in trace.spans:
        if span.requested_agents:
            asked = ", ".join(span.requested_agents)
            yield f"one turn asked for several handoffs ({asked}); {span.text('to_agent') or 'none'} took over"
