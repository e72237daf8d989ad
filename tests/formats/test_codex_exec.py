"""The stream of `codex exec --json`: what it tells of the conversation, and what it does not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from handoffctl.model import Transcript, history_items
from tests.conftest import SAMPLES
from tests.reading import filter_bytes, load_bytes, said

START: dict[str, Any] = {"type": "thread.started", "thread_id": "t"}


def told(kind: str = "completed", **item: Any) -> dict[str, Any]:
    return {"type": f"item.{kind}", "item": item}


def lines(*values: object) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def load(*values: object) -> Transcript:
    [transcript] = load_bytes(lines(*values))
    assert transcript.format == "codex-exec"
    return transcript


def items(*values: object) -> list[dict[str, Any]]:
    return [dict(item) for item in history_items(load(START, *values).data)]


def call(name: str, arguments: str) -> dict[str, Any]:
    return {"type": "function_call", "call_id": "i", "name": name, "arguments": arguments}


def output(text: str) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": "i", "output": text}


MESSAGE = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "x"}]}
KINDS: list[tuple[dict[str, Any], list[dict[str, Any]]]] = [
    ({"type": "agent_message", "text": "x"}, [MESSAGE]),
    ({"item_type": "assistant_message", "text": "x"}, [MESSAGE]),
    ({"type": "reasoning", "text": "x"}, [{"type": "reasoning", "summary": [{"type": "summary_text", "text": "x"}]}]),
    (
        {"type": "command_execution", "command": "ls", "aggregated_output": "a", "status": "completed"},
        [call("shell", '{"command":"ls"}'), output("a")],
    ),
    (
        {"type": "file_change", "changes": [{"path": "a", "kind": "add"}], "status": "completed"},
        [call("apply_patch", '{"changes":[{"path":"a","kind":"add"}]}'), output("completed")],
    ),
    (
        {"type": "mcp_tool_call", "server": "s", "tool": "t", "arguments": {"a": 1}, "result": {"b": 2}},
        [call("s__t", '{"a":1}'), output('{"b":2}')],
    ),
    ({"type": "mcp_tool_call", "tool": "t", "error": "no"}, [call("t", "null"), output("no")]),
    ({"type": "command_execution", "command": "ls", "status": "in_progress"}, [call("shell", '{"command":"ls"}')]),
    (
        {"type": "web_search", "query": "q"},
        [{"type": "web_search_call", "id": "i", "status": "completed", "action": {"type": "search", "query": "q"}}],
    ),
    ({"type": "todo_list", "items": []}, []),
]


@pytest.mark.parametrize(("item", "expected"), KINDS, ids=[json.dumps(item)[:40] for item, _ in KINDS])
def test_what_each_item_says(item: dict[str, Any], expected: list[dict[str, Any]]) -> None:
    assert items(told(id="i", **item)) == expected


def test_an_item_counts_once_where_it_began_as_it_was_last_told() -> None:
    running = {"id": "i", "type": "command_execution", "command": "ls", "status": "in_progress"}
    done = {**running, "aggregated_output": "a", "status": "failed"}
    reply = told(id="j", type="agent_message", text="x")
    assert items(told("started", **running), reply, told(**done)) == [*items(told(**done)), MESSAGE]


def test_what_the_stream_does_not_tell_is_said() -> None:
    rows = [
        told(id="a", type="todo_list"),
        told(id="b", type="error", message="x"),
        told(type=5),
        {"type": "error", "message": "first"},
        {"type": "turn.failed", "error": {"message": "last"}},
        {"type": "turn.started"},
        {"type": "item.completed", "item": 5},
    ]
    transcript = load(START, *rows)
    assert transcript.about == {"id": "t"}
    assert transcript.notes[0].startswith("the stream of codex exec holds no user messages")
    assert transcript.notes[1] == "left out, as no part of the conversation: todo_list 1, error 1, unknown 1"
    assert transcript.notes[2] == "the run told of an error: last (the last of 2)"
    assert load({"type": "turn.failed"}).notes[1] == "the run told of an error: turn.failed"
    assert load({"type": "thread.started", "thread_id": 5}).about == {}


def test_lines_that_are_no_events_are_named_and_the_rest_is_read() -> None:
    done = filter_bytes(lines(START, {"x": 1}, told(id="j", type="agent_message", text="x")), to="items")
    assert said(done.faults)[0].startswith("dump:2")
    assert "no event of codex exec" in said(done.faults)[0]
    assert json.loads(done.data) == [MESSAGE]


def test_sample_comes_out_as_a_handoff() -> None:
    raw = (SAMPLES / "codex-exec/late-orders.jsonl").read_bytes()
    dump = json.loads(filter_bytes(raw, "remove_all_tools").data)
    assert [item["type"] for item in dump["input_history"]] == ["message"]
