"""Responses items: lists, objects that hold them, a conversation or an item a line."""

from __future__ import annotations

import json
from typing import Any

import pytest

from handoffctl.filters.truncate_history import TruncateHistory
from handoffctl.item import Item, edit
from handoffctl.model import HandoffInputData, RunItem, history_items
from tests.reading import filter_bytes, load_bytes

USER: dict[str, Any] = {"role": "user", "content": "hi"}
CALL: dict[str, Any] = {"type": "function_call", "call_id": "c", "name": "n", "arguments": "{}"}
OUTPUT: dict[str, Any] = {"type": "function_call_output", "call_id": "c", "output": "x"}
REPLY: dict[str, Any] = {"role": "assistant", "content": "bye"}


def lines(*values: object) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


@pytest.mark.parametrize(
    ("raw", "conversations"),
    [
        (lines([USER, CALL]), [[USER, CALL]]),
        (lines([USER, CALL], [CALL]), [[USER, CALL], [CALL]]),
        (lines({"input": [USER, CALL]}, {"input": []}), [[USER, CALL], []]),
        (lines({"x": 1, "items": [CALL]}), [[CALL]]),
        (lines({"messages": [CALL]}), [[CALL]]),
        (lines(USER, CALL, OUTPUT), [[USER, CALL, OUTPUT]]),
        (lines(CALL), [[CALL]]),
    ],
    ids=["a list", "lists", "objects", "items", "messages", "an item a line", "one item"],
)
def test_containers(raw: bytes, conversations: list[list[Any]]) -> None:
    transcripts = load_bytes(raw)
    assert [list(each.data.input_history) for each in transcripts] == conversations
    assert {each.format for each in transcripts} == {"items"}
    assert all(each.data == HandoffInputData(each.data.input_history) for each in transcripts)


def test_conversations_know_their_record_and_line() -> None:
    sources = [each.source for each in load_bytes(lines([CALL]) + b"\n" + lines([CALL]))]
    assert [(each.record, each.line) for each in sources] == [(1, 1), (2, 3)]


def test_items_a_line_are_written_a_line() -> None:
    raw = lines(USER, CALL) + b"\n \n" + lines(OUTPUT, REPLY)
    assert filter_bytes(raw, "remove_all_tools").data == lines(USER, REPLY)
    assert filter_bytes(raw.rstrip(), "remove_all_tools").data == lines(USER, REPLY).rstrip()
    crlf = raw.replace(b"\n", b"\r\n")
    assert filter_bytes(crlf, "remove_all_tools").data == lines(USER, REPLY).replace(b"\n", b"\r\n")


def test_nothing_left() -> None:
    assert filter_bytes(lines(CALL, OUTPUT), "remove_all_tools").data.strip() == b""
    assert filter_bytes(lines([CALL, OUTPUT]), "remove_all_tools").data == b"[]\n"
    assert filter_bytes(lines({"input": [CALL], "x": 1}), "remove_all_tools").data == b'{"input": [], "x": 1}\n'
    assert filter_bytes(b"[\n  %s\n]" % json.dumps(CALL).encode(), "remove_all_tools").data == b"[]"


def test_several_filters_edits_and_new_items() -> None:
    def shout(data: HandoffInputData) -> HandoffInputData:
        first, *others = history_items(data)
        return data.clone(input_history=(edit(first, content="HI"), *others, Item.of({"role": "user", "content": "é"})))

    raw = lines({"input": [USER, CALL, OUTPUT, REPLY]})
    done = filter_bytes(raw, "remove_all_tools", shout, TruncateHistory(n=3)).data
    assert (
        done
        == json.dumps(
            {"input": [{**USER, "content": "HI"}, REPLY, {"role": "user", "content": "é"}]}, ensure_ascii=False
        ).encode()
        + b"\n"
    )


def test_items_keep_their_bytes_in_another_order_and_twice() -> None:
    raw = b'[{"role":"user", "n":1.00},{"type":"reasoning","z" : 1e5}]'

    def turn(data: HandoffInputData) -> HandoffInputData:
        first, second = history_items(data)
        return data.clone(input_history=(second, first, second))

    assert filter_bytes(raw, turn).data == (
        b'[{"type":"reasoning","z" : 1e5},{"role":"user", "n":1.00},{"type":"reasoning","z" : 1e5}]'
    )


def test_parts_are_written_one_after_the_other() -> None:
    def split(data: HandoffInputData) -> HandoffInputData:
        first, *others = history_items(data)
        parts = [RunItem("tool_call_item", each) for each in others]
        return HandoffInputData((first,), (), tuple(parts), None, tuple(parts[:1]))

    raw = lines([USER, CALL, OUTPUT])
    assert filter_bytes(raw, split).data == lines([USER, CALL])
    assert json.loads(filter_bytes(raw, lambda data: data.clone(input_history="hi")).data) == [USER]
