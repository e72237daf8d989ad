"""Chat messages in every container, filtered and back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from handoffctl.conversations import Selection
from handoffctl.item import Item
from handoffctl.model import HandoffInputData, history_items
from tests.conftest import SAMPLES
from tests.reading import filter_bytes, filter_file, load_bytes
from tests.reading import said as said_of

USER: dict[str, Any] = {"role": "user", "content": "hi", "name": "Ann"}
CALL: dict[str, Any] = {"id": "c", "type": "function", "function": {"name": "n", "arguments": "{}"}}
SAID: dict[str, Any] = {"role": "assistant", "content": "one moment", "tool_calls": [CALL], "weight": 0}
OUTPUT: dict[str, Any] = {"role": "tool", "tool_call_id": "c", "content": "x"}
LEFT = [USER, {"role": "assistant", "content": "one moment", "weight": 0}]


def lines(*values: object) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


SHAPES: dict[str, tuple[bytes, bytes]] = {
    "a list": (lines([USER, SAID, OUTPUT]), lines(LEFT)),
    "a fine-tuning file": (
        lines(*[{"messages": [USER, SAID, OUTPUT], "tools": [], "parallel_tool_calls": True}] * 2),
        lines(*[{"messages": LEFT, "tools": [], "parallel_tool_calls": True}] * 2),
    ),
    "input": (lines({"input": [USER, SAID, OUTPUT]}), lines({"input": LEFT})),
    "a message a line": (lines(USER, SAID, OUTPUT), lines(*LEFT)),
    "an indented list": (
        json.dumps([USER, SAID, OUTPUT], indent=4).encode(),
        json.dumps(LEFT, indent=4).encode(),
    ),
}


@pytest.mark.parametrize(("raw", "left"), SHAPES.values(), ids=SHAPES)
def test_tools_go_and_the_rest_stays_as_it_was(raw: bytes, left: bytes) -> None:
    assert {each.format for each in load_bytes(raw)} == {"chat"}
    assert filter_bytes(raw).data == raw
    assert filter_bytes(raw, "remove_all_tools").data == left


def test_items_of_a_conversation() -> None:
    [transcript] = load_bytes(SHAPES["a list"][0])
    assert list(transcript.data.input_history) == [
        USER,
        {"role": "assistant", "content": "one moment"},
        {"type": "function_call", "call_id": "c", "name": "n", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c", "output": "x"},
    ]


def test_to_items_and_back_says_the_same() -> None:
    for name in ("parallel-calls.json", "conversations.jsonl"):
        path = SAMPLES / "chat" / name
        for line in path.read_bytes().splitlines() if path.suffix == ".jsonl" else [path.read_bytes()]:
            items = filter_bytes(line, to="items").data
            back = json.loads(filter_bytes(items, to="chat").data)
            value = json.loads(line)
            messages = value if isinstance(value, list) else value["messages"]
            assert [said(each) for each in back] == [said(each) for each in messages]


def said(message: dict[str, Any]) -> dict[str, Any]:
    """What items can say of a message: nothing and an empty text are the same to them."""
    return {key: message.get(key) or None for key in ("role", "content", "tool_call_id", "tool_calls")}


def test_a_split_conversation_goes_back_into_its_own_messages() -> None:
    """Written as chat from another moment, messages keep what items can't say: names, weights, odd calls."""
    raw = json.dumps([USER, {**SAID, "tool_calls": [{**CALL, "index": 0}]}, OUTPUT]).encode()
    done = filter_file_at(raw, Selection(pending="Billing"))
    assert done[:3] == json.loads(raw)
    assert [each["role"] for each in done[3:]] == ["assistant", "tool"]


def filter_file_at(raw: bytes, selection: Selection) -> list[Any]:
    messages = json.loads(filter_bytes(raw, selection=selection, to="chat").data)
    assert isinstance(messages, list)
    return messages


def test_sample_without_tools_has_no_word_of_them() -> None:
    done = filter_file(SAMPLES / "chat" / "parallel-calls.json", "remove_all_tools").data
    assert b"tool" not in done
    assert b"call_" not in done


def test_items_that_no_message_can_say_are_named() -> None:
    def think(data: HandoffInputData) -> HandoffInputData:
        items = history_items(data)
        more = Item.of({"type": "reasoning", "id": "r", "summary": []})
        return data.clone(input_history=(*items, more)) if len(items) > 1 else data

    runs = {"runs": [{"agent": "A", "messages": [USER, SAID]}]}
    for bad, good in (([USER, SAID], []), ({"messages": [SAID]}, {"messages": []}), (runs, {"runs": []})):
        done = filter_bytes(lines(bad, good), think)
        assert done.data == lines(good)
        assert said_of(done.faults) == [
            "dump:1: a filter gave items that no chat message can say: reasoning; the record was left out"
        ]
