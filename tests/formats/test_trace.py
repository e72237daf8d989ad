"""Traces of the Agents SDK: spans in start order, conversations where they can be rebuilt, and why where not."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from handoffctl.dumps.timeline import Moment
from handoffctl.loading import Dump
from handoffctl.model import HandoffInputData, Transcript, history_items
from handoffctl.wording.texts import text_of
from tests.conftest import SAMPLES, RunCli
from tests.reading import file_of, filter_bytes, load_bytes, said

TRACE: dict[str, Any] = {"object": "trace", "id": "t", "workflow_name": "Refunds"}
SYSTEM = {"role": "system", "content": "Be brief."}
USER = {"role": "user", "content": "hi"}
REPLY = {"role": "assistant", "content": "hello", "refusal": None, "tool_calls": None}
AGAIN = {"role": "user", "content": "and?"}


def span(kind: str, start: int, *, id: str = "", parent: str | None = None, **data: Any) -> dict[str, Any]:
    more: dict[str, Any] = {
        key: data.pop(key) for key in ("error", "trace_id", "started_at", "ended_at") if key in data
    }
    return {
        "object": "trace.span",
        "id": id or f"{kind}{start}",
        "trace_id": "t",
        "parent_id": parent,
        "started_at": f"2026-01-12T09:30:{start:02}.000000+00:00",
        "ended_at": f"2026-01-12T09:30:{start + 1:02}.500000+00:00",
        "span_data": {"type": kind, **data},
        "error": None,
        **more,
    }


def said_by(start: int, asked: Any, answered: Any, parent: str | None = None) -> dict[str, Any]:
    return span("generation", start, parent=parent, input=asked, output=answered, model="m")


def lines(*values: object) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def load(*values: object) -> list[Transcript]:
    return load_bytes(lines(*values))


def texts(data: HandoffInputData) -> list[str]:
    run_items = (*data.pre_handoff_items, *data.new_items)
    return [text_of(item) for item in (*history_items(data), *(each.raw_item for each in run_items))]


def timeline(transcript: Transcript) -> tuple[Moment, ...]:
    found: tuple[Moment, ...] = transcript.about["timeline"]
    return found


@pytest.mark.parametrize(
    "raw",
    [
        lines(TRACE, span("agent", 1, name="A")),
        lines({"data": [TRACE, span("agent", 1, name="A")]}),
        lines([TRACE, span("agent", 1, name="A")]),
        json.dumps({"data": [TRACE, span("agent", 1, name="A")]}, indent=2).encode(),
        lines(span("agent", 1, name="A")),
    ],
    ids=["lines", "a body", "a list", "a document", "one span"],
)
def test_containers(raw: bytes) -> None:
    [transcript] = load_bytes(raw)
    assert (transcript.format, transcript.source.name) == ("trace", "t")
    assert timeline(transcript) == (Moment("agent", 0, "A", start=0.0, seconds=1.5),)


def test_spans_are_put_in_start_order_one_inside_the_other() -> None:
    rows = [
        span("function", 4, parent="turn", name="f"),
        span("agent", 3, id="a", parent="task", name="A"),
        span("custom", 3, id="turn", parent="a", name="turn", data={"sdk_span_type": "turn"}),
        span("custom", 1, id="task", name="task", data={"sdk_span_type": "task"}),
        span("custom", 5, parent="turn", name="mine", data={}),
        span("guardrail", 2, name="g", error={"message": "no", "data": None}),
        span("handoff", 6, parent="gone", from_agent="A", to_agent=None),
    ]
    found = timeline(load(TRACE, *rows)[0])
    assert [(each.kind, each.depth, each.name, each.start) for each in found] == [
        ("guardrail", 0, "g", 1.0),
        ("agent", 0, "A", 2.0),
        ("function", 1, "f", 3.0),
        ("custom", 1, "mine", 4.0),
        ("handoff", 0, None, 5.0),
    ]
    assert (found[0].error, found[4].from_agent, found[4].to_agent) == ("no", "A", None)


@pytest.mark.parametrize("time", [None, 5, "yesterday", [], "2026-13-01"])
def test_spans_without_a_time_are_at_the_end(time: Any) -> None:
    rows = [span("agent", 1, name="A", started_at=time), span("agent", 2, name="B", ended_at=time)]
    found = timeline(load(TRACE, *rows)[0])
    assert [(each.name, each.start, each.seconds) for each in found] == [("B", 0.0, None), ("A", None, None)]


def test_times_without_a_zone_are_utc() -> None:
    rows = [span("agent", 1, name="A"), span("agent", 2, name="B", started_at="2026-01-12T09:30:03")]
    assert timeline(load(TRACE, *rows)[0])[1].start == 2.0


def test_circles_of_parents_end() -> None:
    rows = [span("agent", 1, id="a", parent="b", name="A"), span("agent", 2, id="b", parent="a", name="B")]
    rows.append(span("agent", 3, id="c", parent="c", name="C"))
    assert [each.name for each in timeline(load(TRACE, *rows)[0])] == ["A", "B", "C"]


def test_generation_spans_that_go_on_are_one_conversation() -> None:
    rows = [
        said_by(3, [SYSTEM, USER, {"role": "assistant", "content": "hello"}, AGAIN], [{**REPLY, "content": "so."}]),
        said_by(1, [SYSTEM, USER], [REPLY]),
    ]
    [transcript] = load(TRACE, *rows)
    assert texts(transcript.data) == ["hi", "hello", "and?", "so."]
    assert dict(transcript.data.new_items[0].raw_item) == {"role": "assistant", "content": "hello"}
    assert transcript.instructions == {"": "Be brief."}
    assert (transcript.missing, transcript.notes) == (None, ())


def test_a_conversation_that_continues_none_stands_alone() -> None:
    parents = [span("agent", 0, id="a", name="A"), span("agent", 0, id="b", name="B")]
    rows = [said_by(1, [USER], [REPLY], "a"), said_by(2, [AGAIN], [REPLY], "b"), said_by(3, [AGAIN], [REPLY], "b")]
    transcripts = load(TRACE, *parents, *rows)
    assert [texts(each.data) for each in transcripts] == [["hi", "hello"], ["and?", "hello"], ["and?", "hello"]]
    assert [each.source.name for each in transcripts] == ["t", "t B", "t B"]
    assert [each.agent for each in transcripts] == ["A", "B", "B"]
    assert ["timeline" in each.about for each in transcripts] == [True, False, False]


def test_outputs_beside_a_handoffs_are_of_its_turn_and_odd_calls_are_no_crash() -> None:
    calls = [call("c1", "transfer_to_b"), call("c2", "look"), 5, {"function": "x"}]
    outputs = [{"role": "tool", "tool_call_id": "c1", "content": '{"assistant": "B"}'}]
    outputs.append({"role": "tool", "tool_call_id": "c2", "content": "x"})
    asking = {"role": "assistant", "content": None, "tool_calls": calls}
    rows = [said_by(1, [USER], [asking]), said_by(2, [USER, asking, *outputs], [REPLY])]
    [transcript] = load(TRACE, *rows)
    [data] = transcript.splits
    assert [each.raw_item.call_id for each in data.new_items][-2:] == ["c1", "c2"]
    assert data.new_items[-2].type == "handoff_output_item"
    assert transcript.whole is not None
    assert texts(transcript.whole)[-1] == "hello"


def test_responses_items_in_generation_spans() -> None:
    call = {"type": "function_call", "call_id": "c", "name": "n", "arguments": "{}"}
    output = {"type": "function_call_output", "call_id": "c", "output": "x"}
    [transcript] = load(TRACE, said_by(1, [USER, call, output], [{"type": "message", **REPLY}]))
    assert [item.type for item in history_items(transcript.data)] == [None, "function_call", "function_call_output"]


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([span("response", 1, response_id="r", usage=None)], "response spans hold no messages, only the ids"),
        ([said_by(1, None, None)], "generation spans hold no messages: sensitive data was off"),
        ([said_by(1, "x... [truncated]", None)], "generation spans hold no messages"),
        ([said_by(1, [5], [REPLY])], "generation spans hold no messages"),
        ([span("agent", 1, name="A")], "no span holds messages"),
        ([], "no span holds messages"),
    ],
    ids=["responses", "sensitive", "cut", "no messages", "agents", "nothing"],
)
def test_why_a_conversation_cannot_be_rebuilt(rows: list[Any], why: str) -> None:
    [transcript] = load(TRACE, *rows)
    assert (transcript.missing or "").startswith(why)
    assert transcript.notes[0].startswith(f"the conversation can't be rebuilt: {why}")
    done = filter_bytes(lines(TRACE, *rows), "remove_all_tools")
    assert done.data == b""
    assert said(done.faults)[0].startswith(f"dump: there is no conversation in it: {why}")


def test_calls_and_handoffs_of_spans_have_their_agents_and_the_spans_ids() -> None:
    rows = [
        span("agent", 1, id="a", name="A"),
        span("function", 2, id="f", parent="a", name="look", input='{"x":1}', output="found"),
        span("handoff", 3, id="h", parent="a", from_agent="A", to_agent="Bee Two"),
        span("function", 4, id="g", name="late", input=None, output=None),
        span("function", 4, id="j", input={"x": 1}, output=[2]),
        span("handoff", 5, id="i", parent="a", from_agent="A", to_agent=None),
    ]
    [transcript] = load(TRACE, *rows)
    found = transcript.data.new_items
    assert [(each.type, each.agent, each.raw_item.call_id, each.raw_item.name) for each in found] == [
        ("tool_call_item", "A", "f", "look"),
        ("tool_call_output_item", "A", "f", None),
        ("handoff_call_item", "A", "h", "transfer_to_bee_two"),
        ("handoff_output_item", "A", "h", None),
        ("tool_call_item", None, "g", "late"),
        ("tool_call_item", None, "j", ""),
        ("tool_call_output_item", None, "j", None),
    ]
    assert (found[5].raw_item["arguments"], found[6].raw_item["output"]) == ('{"x": 1}', "[2]")
    assert (found[3].source_agent, found[3].target_agent) == ("A", "Bee Two")
    assert "1 function spans hold no input: sensitive data was off" in transcript.notes


def test_what_is_not_whole_is_said() -> None:
    error = {"message": "Multiple handoffs requested", "data": {"requested_agents": ["B", "C", 5]}}
    rows = [
        said_by(1, [USER], [{"role": "assistant", "content": "x... [truncated]"}]),
        said_by(2, None, None),
        span("handoff", 3, from_agent="A", to_agent="B", error=error),
        span("handoff", 4, from_agent="A", to_agent="B", error={"message": "x", "data": {"requested_agents": 5}}),
        span("function", 5, name="f", input="x", output="y", error="odd"),
    ]
    [transcript] = load(TRACE, *rows)
    assert transcript.notes == (
        "1 of 2 generation spans hold no messages",
        "1 spans hold texts that the exporter cut short",
        "one turn asked for several handoffs (B, C); B took over",
    )
    assert [each.error for each in timeline(transcript)] == [None, None, "Multiple handoffs requested", "x", "odd"]


def test_a_span_that_was_exported_twice_counts_once() -> None:
    rows = [TRACE, said_by(1, [USER], [REPLY]), span("agent", 2, name="A")]
    [transcript] = load(*rows, *rows)
    assert (texts(transcript.data), len(timeline(transcript))) == (["hi", "hello"], 2)


@pytest.mark.parametrize("answered", [None, [], [REPLY], [{"role": "assistant"}]])
def test_a_system_prompt_alone(answered: Any) -> None:
    [transcript] = load(TRACE, said_by(1, [SYSTEM], answered))
    assert transcript.instructions == {"": "Be brief."}
    assert texts(transcript.data) == (["hello"] if answered == [REPLY] else [""] * len(answered or []))


def test_the_same_question_asked_twice_is_two_conversations_that_go_on() -> None:
    asked = [USER, {"role": "assistant", "content": "hello"}, AGAIN]
    rows = [said_by(1, [USER], [REPLY]), said_by(2, [USER], [REPLY]), said_by(3, asked, [REPLY])]
    transcripts = load(TRACE, *rows, said_by(4, asked, [REPLY]))
    assert [texts(each.data) for each in transcripts] == [["hi", "hello", "and?", "hello"]] * 2


def test_traces_of_one_file_are_told_apart() -> None:
    other = span("agent", 1, name="B", trace_id="u")
    transcripts = load(TRACE, other, span("agent", 2, name="A"), {**TRACE, "id": "v"}, span("agent", 3, name="A"))
    assert [(each.source.name, len(timeline(each))) for each in transcripts] == [("t", 2), ("u", 1), ("v", 0)]


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ({"object": ["trace"]}, "neither a trace nor a span"),
        ({"object": "other"}, "neither a trace nor a span"),
        ({"object": "trace.span", "span_data": 5}, "`span_data` of a span is not an object"),
    ],
)
def test_bad_lines_are_named_and_the_rest_is_read(row: dict[str, Any], what: str) -> None:
    seen = list(Dump(str(file_of(lines(TRACE, row, span("agent", 1, name="A"))))))
    [fault] = [str(each) for each in seen if isinstance(each, Exception)]
    assert "dump:2" in fault
    assert what in fault
    assert len(seen) == 2


def test_inspect_shows_the_timeline_of_a_trace_without_messages(run_cli: RunCli) -> None:
    path = SAMPLES / "trace/responses.json"
    done = run_cli("inspect", path)
    assert done.returncode == 0
    assert "handoff Triage Agent → Refund Agent" in done.stdout.decode()
    assert "can't be rebuilt" in done.stdout.decode()
    filtered = run_cli("filter", path, "-f", "remove_all_tools")
    assert (filtered.returncode, filtered.stdout) == (3, b"")
    report = json.loads(run_cli("inspect", path, "--format", "json").stdout)
    [handoff] = [each for each in report["conversations"][0]["timeline"] if each["kind"] == "handoff"]
    assert (handoff["from_agent"], handoff["to_agent"]) == ("Triage Agent", "Refund Agent")


class Recorder:
    """What a real run of the SDK exports, and what its handoff's input filter got."""

    def __init__(self) -> None:
        self.exported: list[Any] = []
        self.got: list[Any] = []

    def run(self, answers: list[dict[str, Any]], *, is_sensitive: bool, filtered: bool) -> None:
        import agents
        from agents.extensions.handoff_filters import remove_all_tools
        from openai.types.chat import ChatCompletion

        class Completions:
            async def create(self, **_: Any) -> ChatCompletion:
                choice = {"index": 0, "finish_reason": "stop", "message": answers.pop(0)}
                reply = {"id": "x", "created": 0, "model": "m", "object": "chat.completion", "choices": [choice]}
                return ChatCompletion.model_validate(reply)

        def kept(data: Any) -> Any:
            self.got.append(data)
            return remove_all_tools(data) if filtered else data

        chat = SimpleNamespace(completions=Completions())
        client: Any = SimpleNamespace(chat=chat, base_url="https://models.example.com")
        model = agents.OpenAIChatCompletionsModel("m", client)
        tool = agents.function_tool(lookup_order)
        refund = agents.Agent(name="Refund Agent", instructions="Refund.", model=model, tools=[tool])
        handoff = agents.handoff(refund, input_filter=kept)
        triage = agents.Agent(
            name="Triage Agent", instructions="Triage.", model=model, tools=[tool], handoffs=[handoff]
        )
        config = agents.RunConfig(trace_include_sensitive_data=is_sensitive)
        exporter: Any = _Exporter(self.exported)
        agents.set_trace_processors([exporter])
        try:
            asyncio.run(agents.Runner.run(triage, "My order is late", run_config=config))
        finally:
            agents.set_trace_processors([])


class _Exporter:
    """A tracing processor that exports each span when it ends, as the SDK's own does."""

    def __init__(self, exported: list[Any]) -> None:
        self.exported = exported

    def on_trace_start(self, trace: Any) -> None:
        self.exported.append(trace.export())

    def on_span_end(self, span: Any) -> None:
        self.exported.append(span.export())

    def on_trace_end(self, trace: Any) -> None: ...
    def on_span_start(self, span: Any) -> None: ...
    def shutdown(self) -> None: ...
    def force_flush(self) -> None: ...


def lookup_order(order: str) -> str:
    return f"{order} is late"


def call(id: str, name: str, arguments: str = "{}") -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


@pytest.fixture
def answers() -> Iterator[list[dict[str, Any]]]:
    pytest.importorskip("agents")
    scripted: list[dict[str, Any]] = [
        {"role": "assistant", "content": None, "tool_calls": [call("c1", "lookup_order", '{"order":"A1"}')]},
        {"role": "assistant", "content": "One moment.", "tool_calls": [call("c2", "transfer_to_refund_agent")]},
        {"role": "assistant", "content": None, "tool_calls": [call("c3", "lookup_order", '{"order":"A1"}')]},
        {"role": "assistant", "content": "Refunded."},
    ]
    yield scripted
    assert scripted == []


def test_a_real_run_is_what_its_filter_got(answers: list[dict[str, Any]]) -> None:
    recorder = Recorder()
    recorder.run(answers, is_sensitive=True, filtered=False)
    [transcript] = load(*recorder.exported)
    [got] = recorder.got
    assert texts(HandoffInputData(transcript.data.input_history)) == [got.input_history]
    for ours, theirs in (
        (transcript.data.pre_handoff_items, got.pre_handoff_items),
        (transcript.data.new_items, got.new_items),
    ):
        assert [(each.type, each.agent) for each in ours] == [(each.type, each.agent.name) for each in theirs]
        inputs = [each.to_input_item() for each in theirs]
        assert [each.raw_item.call_id for each in ours] == [each.get("call_id") for each in inputs]
        assert [each.raw_item.get("output") for each in ours] == [each.get("output") for each in inputs]
    assert transcript.whole is not None
    assert texts(transcript.whole)[-1] == "Refunded."
    assert transcript.instructions == {"Triage Agent": "Triage.", "Refund Agent": "Refund."}
    assert [(each.name, each.to_agent) for each in timeline(transcript) if each.kind in ("agent", "handoff")] == [
        ("Triage Agent", None),
        (None, "Refund Agent"),
        ("Refund Agent", None),
    ]


def test_a_real_run_after_a_filter_is_a_conversation_of_its_own(answers: list[dict[str, Any]]) -> None:
    recorder = Recorder()
    recorder.run(answers, is_sensitive=True, filtered=True)
    triage, refund = load(*recorder.exported)
    assert [triage.agent, refund.agent] == ["Triage Agent", "Refund Agent"]
    assert texts(refund.data)[:2] == ["My order is late", "One moment."]
    assert texts(refund.data)[-1] == "Refunded."


def test_a_real_run_without_sensitive_data_says_so(answers: list[dict[str, Any]]) -> None:
    recorder = Recorder()
    recorder.run(answers, is_sensitive=False, filtered=False)
    [transcript] = load(*recorder.exported)
    assert transcript.missing == "generation spans hold no messages: sensitive data was off"
    assert [each.kind for each in timeline(transcript)].count("handoff") == 1
