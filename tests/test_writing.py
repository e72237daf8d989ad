"""Conversations in other formats, and in the style of the record that they came from."""

from __future__ import annotations

import json

import pytest

from handoffctl.errors import UsageError
from handoffctl.item import Item
from handoffctl.model import HandoffInputData, Loss, RunItem, Source
from handoffctl.records import Record
from handoffctl.writing import TARGETS, Losses, in_style, is_same, one_line, target
from tests.conftest import SAMPLES
from tests.reading import filter_file, load_bytes

USER = Item.of({"role": "user", "content": "hi"})
CALL = Item.of({"type": "function_call", "call_id": "c", "name": "n", "arguments": "{}"})
OUTPUT = Item.of({"type": "function_call_output", "call_id": "c", "output": "x"})
REASONING = Item.of({"type": "reasoning", "id": "r", "summary": []})
DATA = HandoffInputData(
    (USER,),
    (RunItem("tool_call_item", CALL),),
    (RunItem("tool_call_output_item", OUTPUT), RunItem("reasoning_item", REASONING)),
)


def written(name: str, data: HandoffInputData = DATA) -> tuple[object, Losses]:
    losses: Losses = []
    return json.loads(target(name)(data, losses)), losses


def test_items_are_the_parts_one_after_the_other() -> None:
    assert written("items") == ([USER, CALL, OUTPUT, REASONING], [])
    inputs = (RunItem("reasoning_item", REASONING),)
    assert written("items", DATA.clone(input_items=inputs)) == ([USER, CALL, REASONING], [])


def test_next_agent_is_what_its_model_gets() -> None:
    assert written("next-agent", DATA.clone(new_items=())) == ([USER], [])
    assert written("next_agent")[0] == [USER, CALL, OUTPUT, REASONING]


def test_handoff_says_everything() -> None:
    value, losses = written("handoff")
    assert losses == []
    [again] = load_bytes(json.dumps(value).encode())
    assert again.data == DATA


def test_chat_tells_what_it_can_not_say() -> None:
    value, losses = written("chat")
    assert losses == [Loss(REASONING)]
    assert isinstance(value, list)
    assert [each["role"] for each in value] == ["user", "assistant", "tool"]


def test_unknown_target_has_a_suggestion() -> None:
    with pytest.raises(UsageError, match="no such format") as caught:
        target("next-agnet")
    assert caught.value.place == "--to next-agnet"
    assert "next-agent" in caught.value.help


WITHOUT_CONVERSATION = {
    "responses.json": [
        "there is no conversation in it: response spans hold no messages, only the ids of responses",
    ]
}


@pytest.mark.parametrize("to", TARGETS)
def test_every_sample_goes_into_every_format(to: str) -> None:
    for path in sorted(SAMPLES.rglob("*.json*")):
        done = filter_file(path, to=to)
        assert [fault.what for fault in done.faults] == WITHOUT_CONVERSATION.get(path.name, [])
        for line in filter_file(path, to=to, lines=True).data.splitlines():
            json.loads(line)


def test_style_of_the_record() -> None:
    pretty = Record(b'{\n    "a": 1\n}', Source("f"))
    assert in_style(b'[{"a":1.00,"b":"\\u00e9"}]', pretty) == (
        b'[\n    {\n        "a": 1.00,\n        "b": "\\u00e9"\n    }\n]'
    )
    assert in_style(b'["\\ud800"]', pretty) == b'["\\ud800"]'
    line = Record(b'{\n    "a": 1\n}', Source("f"), "line")
    assert in_style(b"[1]", line) == b"[1]"
    assert in_style(b"[1]", Record(b"[1]", Source("f"))) == b"[1]"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b'{"a": 1.00}', b'{"a": 1.00}'),
        (b'{\n  "a": 1.00,\r\n\t"b":\n[1e5,\n"\\u00e9\\n"]\n}', b'{"a": 1.00, "b": [1e5, "\\u00e9\\n"]}'),
        (b'{\n  "a" : "\\ud800  \\n",\r\n\r\n  "b": 1.00\n}', b'{"a" : "\\ud800  \\n","b": 1.00}'),
    ],
)
def test_one_line_keeps_the_spelling_of_values(text: bytes, expected: bytes) -> None:
    done = one_line(text)
    assert done.replace(b" ", b"") == expected.replace(b" ", b"")
    assert b"\n" not in done
    assert json.loads(done) == json.loads(text)


def test_deep_text_is_still_one_line() -> None:
    text = b"[\n" * 2000 + b"]" * 2000
    assert one_line(text) == b"[" * 2000 + b"]" * 2000


SAME = [
    (DATA, DATA, True),
    (DATA, DATA.clone(input_history=(USER,)), True),
    (DATA, HandoffInputData((USER,), (*DATA.pre_handoff_items,), (*DATA.new_items,)), True),
    (DATA, DATA.clone(new_items=()), False),
    (DATA, DATA.clone(new_items=tuple(reversed(DATA.new_items))), False),
    (DATA, DATA.clone(input_items=()), False),
    (DATA, DATA.clone(input_history=(Item.of(USER.to_dict()),)), False),
    (DATA, DATA.clone(input_history="hi"), False),
    (HandoffInputData("hi"), HandoffInputData("hi"), True),
    (HandoffInputData("hi"), HandoffInputData("ho"), False),
    (HandoffInputData(input_items=()), HandoffInputData(input_items=()), True),
]


@pytest.mark.parametrize(("before", "after", "same"), SAME, ids=map(str, range(len(SAME))))
def test_nothing_changed(before: HandoffInputData, after: HandoffInputData, same: bool) -> None:
    assert is_same(before, after) is same
