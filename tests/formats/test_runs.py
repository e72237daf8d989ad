"""Several agents' runs of one case: each a conversation, all of them one record."""

from __future__ import annotations

import json
from typing import Any

import pytest

from handoffctl.item import Item
from handoffctl.model import HandoffInputData, history_items
from tests.conftest import SAMPLES
from tests.reading import filter_bytes, filter_file, load_bytes

SYSTEM: dict[str, Any] = {"role": "system", "content": "rules"}
USER: dict[str, Any] = {"role": "user", "content": "hi"}
CHAT = {"role": "assistant", "content": "x", "tool_calls": [{"id": "WORD", "function": {"name": "WORD"}}]}
CALL = {"type": "function_call", "call_id": "WORD", "name": "WORD", "arguments": "{}"}


def case(*runs: Any, **more: Any) -> bytes:
    return json.dumps({"id": 1.50, "runs": list(runs), **more}).encode()


def run(*messages: Any, **more: Any) -> dict[str, Any]:
    return {"agent": "A", "stop_reason": "done", "output": "bye", "messages": list(messages), **more}


def test_each_run_is_a_conversation() -> None:
    transcripts = load_bytes(case(run(SYSTEM, USER, CHAT), run(USER, CALL, agent="B", parent="A"), run(agent=None)))
    assert [each.agent for each in transcripts] == ["A", "B", None]
    assert [each.source.name for each in transcripts] == ["A", "B", "run 3"]
    assert [len(each.data.input_history) for each in transcripts] == [4, 2, 0]
    assert transcripts[0].instructions == {"A": "rules"}
    assert transcripts[1].about == {"stop_reason": "done", "output": "bye", "parent": "A"}
    assert {each.format for each in transcripts} == {"runs"}


def test_runs_of_chat_and_of_items_are_filtered_each_in_its_own_dialect() -> None:
    raw = case(run(USER, CHAT, CHAT | {"content": None}), run(USER, CALL), run(USER), z=[1e5])
    assert filter_bytes(raw).data == raw
    done = filter_bytes(raw, "remove_all_tools").data
    assert b"WORD" not in done
    assert done == case(run(USER, {"role": "assistant", "content": "x"}), run(USER), run(USER), z=[1e5])


def test_run_that_no_filter_touched_keeps_its_bytes() -> None:
    raw = b'{"runs":[{"messages": [{"role":"user","n":1.00}], "x":1e5},{"messages":[%s]}]}' % json.dumps(CALL).encode()
    expected = raw.replace(json.dumps(CALL).encode(), b"")
    assert filter_bytes(raw, "remove_all_tools").data == expected


def test_new_messages_in_one_run() -> None:
    def greet(data: HandoffInputData) -> HandoffInputData:
        items = history_items(data)
        return data.clone(input_history=(*items, Item.of(USER))) if len(items) == 1 else data

    raw = case(run(SYSTEM), run(SYSTEM, USER))
    assert json.loads(filter_bytes(raw, greet).data)["runs"][0]["messages"] == [SYSTEM, USER]


@pytest.mark.parametrize("indent", [None, 1, 4])
def test_samples_come_back_in_other_styles(indent: int | None) -> None:
    for path in (SAMPLES / "runs").iterdir():
        value = json.loads(path.read_bytes())
        raw = json.dumps(value, indent=indent).encode()
        assert filter_bytes(raw).data == raw
        left = filter_bytes(raw, "remove_all_tools").data
        assert left.decode() == json.dumps(json.loads(left), indent=indent)
        assert json.loads(left) == json.loads(filter_file(path, "remove_all_tools").data)
        assert b"tool_call" not in left


@pytest.mark.parametrize("odd", [5, None, [], "x", {}, {"messages": {}}, {"messages": None}, {"messages": [5]}])
def test_run_that_is_none_is_named(odd: Any) -> None:
    good = case(run(USER, CHAT))
    done = filter_bytes(good + b"\n" + case(run(USER), odd) + b"\n" + good, "remove_all_tools")
    assert done.data.count(b'"x"') == 2
    [fault] = done.faults
    assert fault.place.endswith("dump:2")
    assert "run 1" in fault.what or "entry 0" in fault.what


def test_no_runs_and_lines_of_runs() -> None:
    raw = case(run(USER)) + b"\n" + case() + b"\n" + case(run(USER))
    assert filter_bytes(raw, "remove_all_tools").data == raw
    assert len(load_bytes(raw)) == 2
