"""Chat messages as items: a text and its calls apart, whatever a provider writes there."""

from __future__ import annotations

import json
from typing import Any

import pytest

from handoffctl.dialects.chat import ChatEntries, calls_of, says_something

CALL = {"id": "c1", "type": "function", "function": {"name": "look_up", "arguments": '{"q": 1}'}}
AS_ITEM = {"type": "function_call", "call_id": "c1", "name": "look_up", "arguments": '{"q": 1}'}


def items_of(*entries: Any) -> list[dict[str, Any]]:
    return [item.to_dict() for item in ChatEntries(json.dumps(entries).encode(), None).items()]


CASES: dict[str, tuple[list[Any], list[dict[str, Any]]]] = {
    "a message is itself, with all its keys": (
        [{"role": "user", "content": "hi", "name": "Ann", "weight": 1}],
        [{"role": "user", "content": "hi", "name": "Ann", "weight": 1}],
    ),
    "a text and its call are two items, text first": (
        [{"role": "assistant", "tool_calls": [CALL], "content": "one moment"}],
        [{"role": "assistant", "content": "one moment"}, AS_ITEM],
    ),
    "no content, no text": ([{"role": "assistant", "content": None, "tool_calls": [CALL]}], [AS_ITEM]),
    "no key, no text": ([{"role": "assistant", "tool_calls": [CALL]}], [AS_ITEM]),
    "an empty text beside a call is none": ([{"role": "assistant", "content": "", "tool_calls": [CALL]}], [AS_ITEM]),
    "an empty list beside a call is none": ([{"role": "assistant", "content": [], "tool_calls": [CALL]}], [AS_ITEM]),
    "a blank text beside a call is one": (
        [{"role": "assistant", "content": " ", "tool_calls": [CALL]}],
        [{"role": "assistant", "content": " "}, AS_ITEM],
    ),
    "no calls is a message": (
        [{"role": "assistant", "content": "x", "tool_calls": [], "function_call": None}],
        [{"role": "assistant", "content": "x", "tool_calls": [], "function_call": None}],
    ),
    "an output": (
        [{"role": "tool", "tool_call_id": "c1", "content": "found"}],
        [{"type": "function_call_output", "call_id": "c1", "output": "found"}],
    ),
    "an output in parts": (
        [{"role": "tool", "tool_call_id": "c1", "content": [{"type": "text", "text": "found"}]}],
        [{"type": "function_call_output", "call_id": "c1", "output": [{"type": "text", "text": "found"}]}],
    ),
    "an output without an id or content": (
        [{"role": "tool"}],
        [{"type": "function_call_output", "call_id": None, "output": None}],
    ),
    "an id that is a number": (
        [{"role": "assistant", "tool_calls": [{**CALL, "id": 7}]}, {"role": "tool", "tool_call_id": 7, "content": ""}],
        [{**AS_ITEM, "call_id": 7}, {"type": "function_call_output", "call_id": 7, "output": ""}],
    ),
    "a custom tool's call": (
        [{"role": "assistant", "tool_calls": [{"id": "c", "type": "custom", "custom": {"name": "n", "input": "i"}}]}],
        [{"type": "custom_tool_call", "call_id": "c", "name": "n", "input": "i"}],
    ),
    "arguments that are an object": (
        [{"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "n", "arguments": {"q": [1]}}}]}],
        [{"type": "function_call", "call_id": "c1", "name": "n", "arguments": {"q": [1]}}],
    ),
    "a call of the time before ids gets one, and its output too": (
        [
            {"role": "user", "content": "q"},
            {"role": "assistant", "content": None, "function_call": {"name": "n", "arguments": "{}"}},
            {"role": "function", "name": "n", "content": "r"},
        ],
        [
            {"role": "user", "content": "q"},
            {"type": "function_call", "call_id": "legacy_call_1", "name": "n", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "legacy_call_1", "output": "r"},
        ],
    ),
    "an output of that time without its call": (
        [{"role": "function", "name": "n", "content": "r"}],
        [{"type": "function_call_output", "call_id": "legacy_call", "output": "r"}],
    ),
    "calls written both ways count once": (
        [{"role": "assistant", "tool_calls": [CALL], "function_call": {"name": "look_up", "arguments": ""}}],
        [AS_ITEM],
    ),
    "calls that are no objects": (
        [{"role": "assistant", "tool_calls": [None, 5, "x", {"function": 3, "custom": []}]}],
        [{"type": "function_call", "call_id": None, "name": None, "arguments": None}] * 4,
    ),
    "a custom call without its tool": (
        [{"role": "assistant", "tool_calls": [{"type": "custom", "custom": None}]}],
        [{"type": "custom_tool_call", "call_id": None, "name": None, "input": None}],
    ),
    "calls that are no list are kept in the message": (
        [{"role": "assistant", "tool_calls": {"0": CALL}, "content": []}, {"role": "assistant", "tool_calls": "none"}],
        [{"role": "assistant", "tool_calls": {"0": CALL}, "content": []}, {"role": "assistant", "tool_calls": "none"}],
    ),
    "a Responses item among messages is itself": ([AS_ITEM], [AS_ITEM]),
    "roles and names that are no strings": (
        [{"role": ["tool"], "content": 1}, {"role": None, "name": 3}],
        [{"role": ["tool"], "content": 1}, {"role": None, "name": 3}],
    ),
}


@pytest.mark.parametrize(("entries", "expected"), CASES.values(), ids=CASES)
def test_entries_are_items(entries: list[Any], expected: list[dict[str, Any]]) -> None:
    assert items_of(*entries) == expected


@pytest.mark.parametrize(("entries", "expected"), CASES.values(), ids=CASES)
def test_heads_say_what_the_items_say(entries: list[Any], expected: list[dict[str, Any]]) -> None:
    """The slow and the fast way alike: a lone surrogate sends the whole record through the slow one."""
    for more in ([], [{"role": "user", "content": "\ud800"}]):
        items = ChatEntries(json.dumps([*entries, *more]).encode(), None).items()
        for item, values in zip(items, expected, strict=False):
            heads = {"type": item.type, "role": item.role, "call_id": item.call_id, "name": item.name}
            types = {"type": str, "role": str, "call_id": str | int, "name": str}
            assert heads == {key: values[key] if isinstance(values.get(key), types[key]) else None for key in heads}


def test_every_item_knows_its_place() -> None:
    entries = ChatEntries(b'[{"role":"user"},{"role":"assistant","content":"x","tool_calls":[{},{}]}]', None)
    assert [item.place for item in entries.items()] == [
        (entries, 0, -1),
        (entries, 1, 0),
        (entries, 1, 1),
        (entries, 1, 2),
    ]


def test_messages_of_a_member() -> None:
    [item] = ChatEntries(b'{"tools":[],"messages":[{"role":"user","content":"x"}]}', "messages").items()
    assert item == {"role": "user", "content": "x"}


@pytest.mark.parametrize("record", [b"[1]", b"[null]", b'["x"]', b'[{"role":"user"},[]]', b"{}", b"5"])
def test_what_is_no_message_is_an_error(record: bytes) -> None:
    with pytest.raises(ValueError, match=r"not an object|Expect"):
        ChatEntries(record, None).items()


@pytest.mark.parametrize(
    ("content", "says"),
    [(None, False), ("", False), ([], False), (" ", True), (0, True), (False, True), ({}, True), ([""], True)],
)
def test_what_is_a_text_of_its_own(content: Any, says: bool) -> None:
    assert says_something(content) is says
    raw = json.dumps([{"role": "assistant", "content": content, "tool_calls": [CALL]}]).encode()
    for text in (raw, raw.replace(b"[]", b"[ \n]")):
        assert len(ChatEntries(text, None).items()) == 1 + says


def test_calls_of_an_entry() -> None:
    assert calls_of({"tool_calls": [1]}) == [1]
    assert calls_of({"tool_calls": "x"}) == []
    assert calls_of({}) == []
