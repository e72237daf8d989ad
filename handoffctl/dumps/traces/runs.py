"""What a filter would have got at each handoff of a trace: run items with their agents."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace

from handoffctl.dumps.traces.generations import Exchange
from handoffctl.dumps.traces.spans import Span
from handoffctl.handoffs import classify_bare
from handoffctl.item import Item
from handoffctl.kinds import Kind, kind_of
from handoffctl.model import HandoffInputData, RunItem
from handoffctl.raw.jsontext import decode
from handoffctl.transfers import transfer_text, transfer_tool_name

_OUTPUT = "handoff_output_item"


def run_of(exchange: Exchange) -> tuple[HandoffInputData, tuple[HandoffInputData, ...]]:
    """The whole conversation, what the first model got as its history; and the data at each handoff, oldest first."""
    items = exchange.items()
    entries = [item.place[1] if item.place else 0 for item in items]
    first = exchange.turns[0][0]
    start = next((n for n, entry in enumerate(entries) if entry >= first), len(items))
    history, entries = items[:start], entries[start:]
    run_items = tuple(_with_agents(classify_bare(items[start:]), entries, exchange.turns))
    splits = tuple(_splits(history, run_items, entries, [turn for turn, _ in exchange.turns]))
    return HandoffInputData(history, (), run_items), splits


def _with_agents(
    run_items: Sequence[RunItem], entries: Sequence[int], turns: Sequence[tuple[int, str | None]]
) -> Iterator[RunItem]:
    turn = 0
    for run_item, entry in zip(run_items, entries, strict=True):
        while turn + 1 < len(turns) and turns[turn + 1][0] <= entry:
            turn += 1
        agent = turns[turn][1]
        yield replace(run_item, agent=agent, source_agent=agent if run_item.type == _OUTPUT else None)


def _splits(
    history: tuple[Item, ...], run_items: tuple[RunItem, ...], entries: Sequence[int], turns: Sequence[int]
) -> Iterator[HandoffInputData]:
    """The data at each handoff: what the run had made before the turn that called it, and that turn.

    A turn hands over once.
    """
    done: set[int] = set()
    for place, run_item in enumerate(run_items):
        turn = turns[bisect_right(turns, entries[place]) - 1]
        if run_item.type != _OUTPUT or turn in done:
            continue
        done.add(turn)
        start = bisect_left(entries, turn)
        end = place + 1
        while end < len(run_items) and kind_of(run_items[end].raw_item) is Kind.OUTPUT:
            end += 1
        yield HandoffInputData(history, run_items[:start], run_items[start:end])


def calls_of_spans(spans: Sequence[Span]) -> tuple[RunItem, ...]:
    """The calls and handoffs that spans tell of, each with its output; their ids are the spans'."""
    return tuple([run_item for span in spans for run_item in _pair(span)])


def _pair(span: Span) -> Iterator[RunItem]:
    call_id, agent = str(span.value.get("id")), span.agent
    if span.kind == "function":
        yield RunItem("tool_call_item", _call(call_id, span.text("name") or "", _said(span, "input") or ""), agent)
        output = _said(span, "output")
        if output is not None:
            yield RunItem("tool_call_output_item", _answer(call_id, output), agent)
        return
    source, target = span.text("from_agent") or agent, span.text("to_agent")
    if target is not None:
        yield RunItem("handoff_call_item", _call(call_id, transfer_tool_name(target), "{}"), source)
        yield RunItem(_OUTPUT, _answer(call_id, transfer_text(target)), source, source, target)


def _call(call_id: str, name: str, arguments: str) -> Item:
    return Item.of({"type": "function_call", "call_id": call_id, "name": name, "arguments": arguments})


def _answer(call_id: str, output: str) -> Item:
    return Item.of({"type": "function_call_output", "call_id": call_id, "output": output})


def _said(span: Span, key: str) -> str | None:
    """What a function got or gave as a text; the JSON of what is none, None where nothing was recorded."""
    text = span.said(key)
    value = decode(text)
    return value if value is None or isinstance(value, str) else text.decode(errors="surrogatepass")
