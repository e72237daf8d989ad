"""Handoff data as JSON members: wrapped or bare, read and written back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from handoffctl.dumps.parts import Parts, agent_name, dumped, members_of, run_items_of, unwrapped, written_as
from handoffctl.entries import Entries
from handoffctl.item import Item
from handoffctl.model import HandoffInputData, RunItem

CALL = b'{"type":"function_call","call_id":"c","name":"n","n":1.00}'
SAID = b'{"type":"message","role":"assistant","content":"\\ud800"}'


@pytest.mark.parametrize(
    ("raw", "members"),
    [
        (b'{"a": 1.00, "b":[ 1 ]}', {"a": b"1.00", "b": b"[ 1 ]"}),
        (b' {"a":1,"a":2} ', {"a": b"2"}),
        (b'{"a":"\\ud800", "n" : 1e999}', {"a": b'"\\ud800"', "n": b"1e999"}),
        (b'{"\\ud800": {"x":1.0}}', {"\ud800": b'{"x":1.0}'}),
        (b"{}", {}),
    ],
)
def test_members_keep_their_bytes(raw: bytes, members: dict[str, bytes]) -> None:
    assert members_of(raw) == members


@pytest.mark.parametrize("raw", [b"[]", b"5", b"null", b'"x"', b"{", b'{"a":1}x', b"", b'{"\\ud800":1}{}'])
def test_what_is_no_object_is_an_error(raw: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        members_of(raw)


def test_agents() -> None:
    assert [agent_name(each) for each in ("A", {"name": "A"}, {"name": 5}, {}, None, 5, ["A"])] == [
        "A", "A", None, None, None, None, None,
    ]  # fmt: skip


def test_wrapper_without_its_item_is_an_error() -> None:
    for raw in (b'{"type":"tool_call_item"}', b'{"raw_item":[]}', b'{"raw_item":null,"type":5}'):
        with pytest.raises(ValueError, match="without a `raw_item`"):
            unwrapped(Item.parse(raw))


def test_raw_item_keeps_its_bytes() -> None:
    for raw in (CALL, SAID):
        assert unwrapped(Item.parse(b'{"type":"x", "agent":"\\udfff", "raw_item" : %s}' % raw)).raw_item.raw == raw


def test_wrapped_and_bare_items_keep_their_order() -> None:
    wrapper = b'{"type":"tool_call_item","raw_item":%s}' % CALL
    entries = Entries(b"[%s,%s,%s]" % (SAID, wrapper, CALL), None)
    got = run_items_of(entries)
    assert [each.type for each in got] == ["message_output_item", "tool_call_item", "tool_call_item"]
    assert [each.wrapper is None for each in got] == [True, False, True]
    assert [written_as(each).raw for each in got] == [SAID, wrapper, CALL]


@pytest.mark.parametrize(
    ("run_item", "bare", "expected"),
    [
        (RunItem("tool_call_item", Item.parse(CALL)), True, CALL),
        (RunItem("tool_call_item", Item.parse(CALL)), False, b'{"type":"tool_call_item","raw_item":%s}' % CALL),
        (
            RunItem("handoff_output_item", Item.parse(SAID), "A", "A", 'B "b"'),
            False,
            b'{"type":"handoff_output_item","raw_item":%s,"agent":{"name":"A"},"source_agent":{"name":"A"},'
            b'"target_agent":{"name":"B \\"b\\""}}' % SAID,
        ),
    ],
    ids=["bare", "made", "with agents"],
)
def test_run_items_as_objects(run_item: RunItem, bare: bool, expected: bytes) -> None:
    assert written_as(run_item, bare=bare).raw == expected


def test_item_of_a_file_is_bare_only_where_that_says_it_all() -> None:
    [item] = Entries(b"[%s]" % CALL, None).items()
    assert written_as(RunItem("tool_call_item", item)) is item
    assert written_as(RunItem("handoff_call_item", item))["type"] == "handoff_call_item"
    assert written_as(RunItem("tool_call_item", item, "A"))["agent"] == {"name": "A"}


def test_a_dump_of_its_own() -> None:
    [item] = Entries(b"[%s]" % SAID, None).items()
    data = HandoffInputData((item,), (), (RunItem("tool_call_item", Item.parse(CALL)),))
    raw = dumped(data)
    assert raw == (
        b'{"input_history":[%s],"pre_handoff_items":[],"new_items":[{"type":"tool_call_item","raw_item":%s}]}'
        % (SAID, CALL)
    )
    assert Parts(raw).data == data
    text = dumped(HandoffInputData("é\n", input_items=()))
    assert json.loads(text) == {"input_history": "é\n", "pre_handoff_items": [], "new_items": [], "input_items": []}


def test_parts_that_are_the_same_keep_every_byte() -> None:
    raw = b'{ "new_items" :[ %s ] ,"input_history":"\\u00e9", "x":1.00 }' % CALL
    parts = Parts(raw)
    assert parts.written(parts.data) is raw
    assert parts.written(parts.data.clone(input_history="ü")) == raw.replace(b'"\\u00e9"', '"ü"'.encode())
    assert parts.written(parts.data.clone(new_items=())) == raw.replace(b"[ %s ]" % CALL, b"[]")


@pytest.mark.parametrize("odd", [{"input_history": {}}, {"input_history": 5}, {"new_items": 5}, {"input_items": "x"}])
def test_parts_of_another_shape_are_an_error(odd: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"`in|`new"):
        Parts(json.dumps(odd).encode())
