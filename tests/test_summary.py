"""The text of a nested history: records written and read, summaries found and taken apart."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffctl.item import Item
from handoffctl.summary import (
    EMPTY,
    END,
    LEGACY_PREAMBLE,
    PREAMBLE,
    START,
    flattened,
    parse_summary,
    records_of,
    summary_message,
)
from handoffctl.summary_record import parsed, written
from tests.conversing import assistant, call, user


def records(message: Item) -> list[str]:
    return str(message["content"]).split("\n")[2:-1]


def summary(*lines: str, preamble: str = PREAMBLE) -> Item:
    return assistant("\n".join([preamble, START, *lines, END]))


WRITTEN: dict[str, tuple[dict[str, Any], str]] = {
    "a message is its role and content": ({"role": "user", "content": "Hello"}, "user: Hello"),
    "a name stands beside the role": ({"role": "user", "name": "Ann", "content": "Hello"}, "user (Ann): Hello"),
    "an empty name is none": ({"role": "user", "name": "", "content": "Hello"}, "user: Hello"),
    "no content still has its colon": ({"role": "assistant", "content": None}, "assistant: "),
    "content that is missing too": ({"role": "assistant"}, "assistant: "),
    "other keys of a one-line message are lost": (
        {"role": "tool", "tool_call_id": "c1", "content": "found", "type": "message"},
        "tool: found",
    ),
    "several lines are JSON": ({"role": "user", "content": "a\nb"}, '{"role": "user", "content": "a\\nb"}'),
    "a carriage return too": ({"role": "user", "content": "a\rb"}, '{"role": "user", "content": "a\\rb"}'),
    "other line separators stay in the line": ({"role": "user", "content": "a\u2028b"}, "user: a\u2028b"),
    "parts are JSON": ({"role": "user", "content": []}, '{"role": "user", "content": []}'),
    "a call is JSON, letters of any script as they are": (
        {"type": "function_call", "arguments": '{"q": "é"}'},
        '{"type": "function_call", "arguments": "{\\"q\\": \\"é\\"}"}',
    ),
    "metadata and provider data are left out": (
        {
            "type": "x",
            "created_by": "me",
            "provider_data": {},
            "_agents_tool_title": "t",
            "_agents_tool_description": "d",
        },
        '{"type": "x"}',
    ),
}


@pytest.mark.parametrize(("item", "record"), WRITTEN.values(), ids=WRITTEN)
def test_item_is_written(item: dict[str, Any], record: str) -> None:
    assert written(Item.of(item)) == record


@pytest.mark.parametrize(
    "number",
    ["123456789012345678901234567890", "1E5", "1.0", "-0", "-0.0", "1e22", "0.1", "123456789.123456789123", "1e400"],
)
def test_numbers_are_written_as_the_standard_library_does(number: str) -> None:
    raw = f'{{"type":"x", "n":{number}, "n":{number}}}'.encode()
    assert written(Item.parse(raw)) == json.dumps(json.loads(raw), ensure_ascii=False)


PARSED: dict[str, tuple[str, dict[str, Any] | None]] = {
    "role and content": ("1. user: Hello", {"role": "user", "content": "Hello"}),
    "without a number": ("user: Hello", {"role": "user", "content": "Hello"}),
    "a name": ("5. assistant (Bob): Reply", {"role": "assistant", "name": "Bob", "content": "Reply"}),
    "the last bracket holds the name": ("user (a) (b): x", {"role": "user (a)", "name": "b", "content": "x"}),
    "a name alone": ("(Bob): x", {"role": "developer", "name": "Bob", "content": "x"}),
    "empty brackets are no name": ("user (): x", {"role": "user ()", "content": "x"}),
    "content is stripped": ("user:   padded  ", {"role": "user", "content": "padded"}),
    "no content": ("2. assistant: ", {"role": "assistant", "content": ""}),
    "any text before a colon is a role": ("note to self: two", {"role": "note to self", "content": "two"}),
    "JSON after a known role is text": ('user: {"a": 1}', {"role": "user", "content": '{"a": 1}'}),
    "JSON after another role is an item of that type": (
        '3. function_call: {"call_id": "c1", "created_by": "me", "provider_data": 1}',
        {"call_id": "c1", "type": "function_call"},
    ),
    "a JSON list after another role is text": ("reasoning: []", {"role": "reasoning", "content": "[]"}),
    "a JSON object": ('4. {"type": "x", "provider_data": 1, "created_by": "me"}', {"type": "x"}),
    "broken JSON becomes a role": ('{"broken": ', {"role": '{"broken"', "content": ""}),
    "what is no JSON to anybody else": ('{"n": NaN}', {"role": '{"n"', "content": "NaN}"}),
    "nested too deeply": ("x: " + '{"a":' * 9999, {"role": "x", "content": '{"a":' * 9999}),
    "a JSON list is nothing": ("[1, 2]", None),
    "a known role alone": ("2. assistant", {"role": "assistant", "content": ""}),
    "a known role with a name alone": ("user (Ann)", {"role": "user", "name": "Ann", "content": ""}),
    "a known role with empty brackets alone": ("user ()", {"role": "user ()", "content": ""}),
    "prose": ("no colon here", None),
    "a name without a role alone": ("(Ann)", None),
    "no role": ("4. : nothing", None),
    "a number alone": ("6.", None),
    "nothing said yet": (EMPTY, None),
    "blank": ("  ", None),
}


@pytest.mark.parametrize(("record", "item"), PARSED.values(), ids=PARSED)
def test_record_is_parsed(record: str, item: dict[str, Any] | None) -> None:
    result = parsed(record)
    assert result == item
    if result is not None and item is not None:
        assert list(result) == list(item)


def test_lone_surrogates_pass_through_a_summary() -> None:
    items = [Item.parse(rb'{"role":"user","content":"\ud800"}'), Item.parse(rb'{"type":"x","v":"\ud800"}')]
    message = summary_message(items)
    assert parse_summary(message) == items


def test_summary_holds_numbered_records_between_the_markers() -> None:
    message = summary_message([user("a"), call("c1")])
    preamble, start, first, second, end = message["content"].split("\n")
    assert (preamble, start, end) == (PREAMBLE, START, END)
    assert first == "1. user: a"
    assert second.startswith('2. {"type": "function_call"')
    assert message.role == "assistant"


def test_summary_of_nothing_says_so() -> None:
    assert records(summary_message([])) == [EMPTY]


def test_summary_has_the_markers_that_it_is_given() -> None:
    message = summary_message([user("a")], "<<", ">>")
    assert message["content"].split("\n")[1::2] == ["<<", ">>"]
    assert parse_summary(message, "<<", ">>") == [Item.of({"role": "user", "content": "a"})]
    assert parse_summary(message) is None


NO_SUMMARIES: dict[str, Item] = {
    "from a user": user(summary_message([user("a")])["content"]),
    "something before it": assistant("Well. " + summary_message([])["content"]),
    "something after it": assistant(summary_message([])["content"] + "\n"),
    "another preamble": summary(preamble="For context:"),
    "no end": assistant(f"{PREAMBLE}\n{START}\n1. user: a"),
    "no start": assistant(f"{PREAMBLE}\n1. user: a\n{END}"),
    "a preamble alone": assistant(PREAMBLE),
    "parts": Item.of({"role": "assistant", "content": [{"type": "output_text", "text": "x"}]}),
    "no content": Item.of({"role": "assistant"}),
}


@pytest.mark.parametrize("message", NO_SUMMARIES.values(), ids=NO_SUMMARIES)
def test_other_messages_are_no_summaries(message: Item) -> None:
    assert parse_summary(message) is None
    assert flattened([message])[0] is message


def test_older_preamble_is_read() -> None:
    assert parse_summary(summary("1. user: a", preamble=LEGACY_PREAMBLE)) == [Item.of({"role": "user", "content": "a"})]


def test_summary_of_nothing_is_nothing() -> None:
    assert parse_summary(summary_message([])) == []
    assert parse_summary(assistant(f"{PREAMBLE}\n{START}\n{END}")) == []


LINES: dict[str, tuple[list[str], list[str]]] = {
    "a record a line": (["1. a", "2. b"], ["1. a", "2. b"]),
    "a numbered record goes on": (["1. a", "  b  ", "c", "2. d"], ["1. a\n  b\nc", "2. d"]),
    "one without a number doesn't": (["a", "b", "1. c", "d"], ["a", "b", "1. c\nd"]),
    "blank lines are nothing": (["", "1. a", " \t", "b"], ["1. a\nb"]),
    "a number may be indented": (["  12. a", " 3 . b"], ["12. a\n 3 . b"]),
    "nothing": ([], []),
}


@pytest.mark.parametrize(("lines", "expected"), LINES.values(), ids=LINES)
def test_lines_make_records(lines: list[str], expected: list[str]) -> None:
    assert records_of(lines) == expected


SEPARATORS = ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e"]


@pytest.mark.parametrize("separator", SEPARATORS, ids=ascii)
def test_the_sdk_reads_other_line_separators_wrongly(separator: str) -> None:
    text = f"a{separator}b"
    message = summary_message([user(text)])
    assert parse_summary(message) == [Item.of({"role": "user", "content": "a\nb"})]
    assert parse_summary(message, correct=True) == [Item.of({"role": "user", "content": text})]


def test_json_broken_by_a_line_separator_becomes_a_role() -> None:
    item = Item.of({"id": "m", "content": "a\u2028b"})
    (broken,) = parse_summary(summary_message([item])) or []
    assert broken["role"] == '{"id"'
    assert parse_summary(summary_message([item]), correct=True) == [item]


def test_summaries_are_taken_apart_where_they_stand() -> None:
    items = [user("a"), summary_message([user("b"), call("c1")]), Item.of({"type": "x", "created_by": "me"})]
    assert flattened(items) == [user("a"), user("b"), call("c1"), {"type": "x"}]


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
said = st.builds(
    lambda role, text: Item.of({"role": role, "content": text}),
    st.sampled_from(["user", "assistant", "system"]),
    texts.map(str.strip),
)
calls = st.builds(lambda text: call("c1", arguments=text), texts)


@given(st.lists(st.one_of(said, calls), min_size=1, max_size=6))
def test_what_is_written_is_read_back(items: list[Item]) -> None:
    assert parse_summary(summary_message(items), correct=True) == items


@given(st.text(max_size=60))
def test_any_text_between_the_markers_is_read_without_an_error(text: str) -> None:
    for correct in (False, True):
        assert parse_summary(summary(text), correct=correct) is not None
