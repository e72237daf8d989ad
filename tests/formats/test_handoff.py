"""Dumps of handoff data and records of handoffs: the parts as they are, the wrappers as they came."""

from __future__ import annotations

import json
from typing import Any

import pytest

from handoffctl.item import Item, edit
from handoffctl.model import HandoffInputData, RunItem, history_items
from tests.conftest import SAMPLES
from tests.reading import filter_bytes, filter_file, load_bytes

USER: dict[str, Any] = {"role": "user", "content": "hi"}
CALL: dict[str, Any] = {"type": "function_call", "call_id": "WORD1", "name": "WORD2", "arguments": "WORD3"}
OUTPUT: dict[str, Any] = {"type": "function_call_output", "call_id": "WORD1", "output": "WORD4"}
SAID: dict[str, Any] = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "so"}]}
TRANSFER = [
    {"type": "function_call", "call_id": "t", "name": "transfer_to_b", "arguments": "{}"},
    {"type": "function_call_output", "call_id": "t", "output": '{"assistant": "B"}'},
]


def wrapped(type_: str, raw_item: Any, agent: Any = "A", **more: Any) -> dict[str, Any]:
    return {"type": type_, "agent": agent, "raw_item": raw_item, **more}


def dump(**parts: Any) -> dict[str, Any]:
    return {"input_history": [USER], "pre_handoff_items": [], "new_items": [], "input_items": None, **parts}


def only(value: Any) -> HandoffInputData:
    [transcript] = load_bytes(json.dumps(value).encode())
    assert transcript.format == "handoff"
    return transcript.data


def test_wrapped_items() -> None:
    data = only(
        dump(
            pre_handoff_items=[wrapped("tool_call_item", CALL), wrapped("message_output_item", SAID, {"name": "B"})],
            new_items=[wrapped("handoff_output_item", TRANSFER[1], None, source_agent="A", target_agent={"name": "B"})],
            input_items=[],
        )
    )
    assert [each.agent for each in data.pre_handoff_items] == ["A", "B"]
    assert [each.raw_item for each in data.pre_handoff_items] == [CALL, SAID]
    [output] = data.new_items
    assert (output.type, output.agent, output.source_agent, output.target_agent) == (
        "handoff_output_item",
        None,
        "A",
        "B",
    )
    assert data.input_items == ()


def test_bare_items_get_the_class_that_they_mean() -> None:
    data = only(dump(pre_handoff_items=[CALL, OUTPUT, SAID], new_items=[*TRANSFER, wrapped("no_such_item", CALL)]))
    assert [each.type for each in data.pre_handoff_items] == [
        "tool_call_item",
        "tool_call_output_item",
        "message_output_item",
    ]
    assert [each.type for each in data.new_items] == ["handoff_call_item", "handoff_output_item", "no_such_item"]
    assert data.new_items[1].target_agent == "B"


@pytest.mark.parametrize("agent", [None, 5, ["A"], {"title": "A"}, {"name": None}, {"name": ["A"]}])
def test_agent_that_says_nothing(agent: Any) -> None:
    [run_item] = only(dump(new_items=[wrapped("tool_call_item", CALL, agent)])).new_items
    assert run_item.agent is None


def test_parts_that_are_missing_are_empty() -> None:
    data = only({"input_history": "hi"})
    assert data == HandoffInputData("hi")
    assert data.input_items is None


def test_other_members_are_told() -> None:
    [transcript] = load_bytes(json.dumps(dump(previous_response_id="r", conversation_id=None, x=1)).encode())
    assert transcript.about == {"previous_response_id": "r", "conversation_id": None}


ODD = {
    "history of numbers": dump(input_history=[1, 2]),
    "history as an object": dump(input_history={"role": "user"}),
    "history null": dump(input_history=None),
    "items as a string": dump(new_items="none"),
    "items as an object": dump(pre_handoff_items={}),
    "a number among items": dump(new_items=[5]),
    "raw item null": dump(new_items=[wrapped("tool_call_item", None)]),
    "raw item a list": dump(new_items=[wrapped("tool_call_item", [CALL])]),
    "no raw item": dump(new_items=[{"type": "tool_call_item", "agent": "A"}]),
    "before null": {"handoffctl": 1, "before": None},
    "before a list": {"handoffctl": 1, "before": [USER]},
    "after without its parts": {"handoffctl": 1, "before": dump(), "after": []},
}


@pytest.mark.parametrize("value", ODD.values(), ids=ODD)
def test_odd_parts_are_named_and_good_records_are_worked_on(value: Any) -> None:
    good = json.dumps(dump(new_items=[wrapped("tool_call_item", CALL)])).encode() + b"\n"
    done = filter_bytes(good + json.dumps(value).encode() + b"\n" + good, "remove_all_tools")
    assert done.data == json.dumps(dump()).encode() + b"\n" + json.dumps(dump()).encode() + b"\n"
    [fault] = done.faults
    assert fault.place.endswith("dump:2")
    assert "left out" in fault.what


@pytest.mark.parametrize("indent", [None, 2], ids=["one line", "indented"])
def test_nothing_of_a_removed_run_item_is_left(indent: int | None) -> None:
    value = dump(
        input_history=[USER, CALL, OUTPUT],
        pre_handoff_items=[
            wrapped("tool_call_item", CALL, title="WORD5", description="WORD6"),
            wrapped("tool_call_output_item", OUTPUT, output="WORD4", custom_data={"x": "WORD7"}),
            wrapped("message_output_item", SAID, n=1.50),
        ],
        new_items=[CALL, SAID, OUTPUT],
        input_items=[wrapped("tool_call_item", CALL), SAID],
        extra={"kept": True},
    )
    done = filter_bytes(json.dumps(value, indent=indent).encode(), "remove_all_tools").data
    assert b"WORD" not in done
    expected = dump(
        pre_handoff_items=[wrapped("message_output_item", SAID, n=1.50)],
        new_items=[SAID],
        input_items=[SAID],
        extra={"kept": True},
    )
    assert done.decode() == json.dumps(expected, indent=indent)


def recorded(**more: Any) -> dict[str, Any]:
    before = dump(input_history=[USER, CALL])
    names = {"from": "A", "to": "B", "tool": "transfer_to_b", "at": "2026-01-01T00:00:00Z"}
    return {"handoffctl": 1, **names, "before": before, "after": dump(input_history=[CALL]), **more}


@pytest.mark.parametrize("indent", [None, 2], ids=["one line", "indented"])
def test_recorded_handoff_that_a_filter_changes_loses_its_after(indent: int | None) -> None:
    raw = json.dumps(recorded(note="x"), indent=indent).encode()
    assert filter_bytes(raw).data == raw
    done = filter_bytes(raw, "remove_all_tools").data
    expected = {**recorded(note="x"), "before": dump()}
    del expected["after"]
    assert done.decode() == json.dumps(expected, indent=indent)
    assert b"WORD" not in done


def test_recorded_handoff_tells_both_sides() -> None:
    [transcript] = load_bytes(json.dumps(recorded()).encode())
    assert transcript.agent == "B"
    assert transcript.about == {"from": "A", "to": "B", "tool": "transfer_to_b", "at": "2026-01-01T00:00:00Z"}
    assert transcript.after == HandoffInputData((Item.of(CALL),))
    [without] = load_bytes(json.dumps(recorded(after=None, to={"name": "C"})).encode())
    assert (without.after, without.agent) == (None, "C")


def test_lines_of_both_shapes() -> None:
    for path in (SAMPLES / "handoff").iterdir():
        assert filter_file(path).faults == []
    raw = json.dumps(recorded()).encode() + b"\n" + json.dumps(dump()).encode()
    assert [each.split for each in load_bytes(raw)] == ["the recorded handoff's own parts", "the dump's own parts"]


def test_edits_go_into_their_wrappers() -> None:
    def mask(data: HandoffInputData) -> HandoffInputData:
        [one] = data.pre_handoff_items
        return data.clone(pre_handoff_items=(one.with_raw_item(edit(one.raw_item, output="***")),))

    value = dump(pre_handoff_items=[wrapped("tool_call_output_item", OUTPUT, output="WORD4", z=1)])
    done = filter_bytes(json.dumps(value).encode(), mask).data
    expected = wrapped("tool_call_output_item", {**OUTPUT, "output": "***"}, output="***", z=1)
    assert done.decode() == json.dumps(dump(pre_handoff_items=[expected]))


def test_parts_that_a_filter_moves_adds_and_empties() -> None:
    def shuffle(data: HandoffInputData) -> HandoffInputData:
        made = RunItem("message_output_item", Item.of(SAID), "A", wrapper=None)
        history = history_items(data)
        return HandoffInputData("all of it", data.new_items, (made,), None, (RunItem("input_item", history[0]),))

    value = dump(new_items=[wrapped("tool_call_item", CALL)])
    done = json.loads(filter_bytes(json.dumps(value).encode(), shuffle).data)
    assert done == dump(
        input_history="all of it",
        pre_handoff_items=value["new_items"],
        new_items=[{"type": "message_output_item", "raw_item": SAID, "agent": {"name": "A"}}],
        input_items=[USER],
    )
    bare = json.loads(filter_bytes(json.dumps(dump(new_items=[CALL])).encode(), shuffle).data)
    assert bare["new_items"] == [SAID]
    emptied = filter_bytes(
        json.dumps(dump(input_items=[CALL])).encode(), lambda data: data.clone(input_items=None, input_history="")
    ).data
    assert json.loads(emptied) == dump(input_history="")


def test_members_that_a_dump_lacks_are_added_when_they_are_needed() -> None:
    def make(data: HandoffInputData) -> HandoffInputData:
        return data.clone(new_items=(RunItem("tool_call_item", Item.of(CALL)),), input_history=())

    assert filter_bytes(b'{"input_history":"hi"}', make).data == (
        b'{"input_history":[],"new_items":[{"type":"tool_call_item","raw_item":%s}]}'
        % json.dumps(CALL, separators=(",", ":")).encode()
    )
