"""What stands or falls together, and how many messages it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given

from handoffctl.grouping.answers import find_answers
from handoffctl.grouping.messages import count_messages, message_indexes
from handoffctl.groups import bundles, pairs, pending_calls, protected
from handoffctl.item import Item
from tests.conversing import any_items, assistant, call, item, output, reasoning, said, system, user

A_REQUEST = item("mcp_approval_request", id="apr_1")
A_RESPONSE = item("mcp_approval_response", approval_request_id="apr_1", approve=True)
BY_PROGRAM: dict[str, Any] = {"caller": {"type": "program", "caller_id": "p"}}

PAIRS = {
    "a call and its output": ([user(), call(), output()], [(1, 2)]),
    "a call with two outputs, the second late": ([call(), output(), user(), output()], [(0, 1, 3)]),
    "parallel calls, outputs crossed": ([call("a"), call("b"), output("b"), output("a")], [(0, 3), (1, 2)]),
    "an id used again": ([call(), output(), user(), call(), output()], [(0, 1), (3, 4)]),
    "an id used again, the first unanswered": ([call(), user(), call(), output()], [(0,), (2, 3)]),
    "an id open twice: the latest is answered first": (
        [call(name="one"), call(name="two"), output(text="x"), output(text="y")],
        [(0, 3), (1, 2)],
    ),
    "an output without its call": ([output(), user()], []),
    "an output before its call": ([output(), call()], [(1,)]),
    "an output of another type": ([call(), item("custom_tool_call_output", call_id="c1")], [(0,)]),
    "a hosted call": ([item("web_search_call", id="ws_1"), item("file_search_call")], [(0,), (1,)]),
    "a shell's output that names its call by id": (
        [item("local_shell_call", id="ls_1", call_id="c1"), item("local_shell_call_output", id="c1")],
        [(0, 1)],
    ),
    "a shell's output with the id of the item": (
        [item("local_shell_call", id="ls_1", call_id="c1"), item("local_shell_call_output", id="ls_1")],
        [(0, 1)],
    ),
    "a shell's output with no id at all": ([item("local_shell_call"), item("local_shell_call_output")], [(0,)]),
    "tool searches without ids": (
        [item("tool_search_call"), item("tool_search_output"), item("tool_search_call"), item("tool_search_output")],
        [(0, 1), (2, 3)],
    ),
    "function calls without ids are no pair": ([call(None), output(None)], [(0,)]),
    "an approval with its server's call": (
        [A_REQUEST, A_RESPONSE, item("mcp_call", id="mc", approval_request_id="apr_1")],
        [(0, 1, 2)],
    ),
    "an approval that was refused": ([A_REQUEST, A_RESPONSE], [(0, 1)]),
    "a response without its request": ([A_RESPONSE, A_REQUEST], []),
    "the placeholder of an approval": ([call("a"), call("b"), call("a"), output("b")], [(0, 2), (1, 3)]),
    "a program with what it called": (
        [
            item("program", call_id="p"),
            call("a", **BY_PROGRAM),
            output("a", **BY_PROGRAM),
            item("program_output", call_id="p"),
        ],
        [(0, 1, 2, 3)],
    ),
    "called by a program that isn't there": ([item("program", call_id="q"), call("a", **BY_PROGRAM)], [(0,), (1,)]),
}


@pytest.mark.parametrize(("items", "expected"), PAIRS.values(), ids=PAIRS)
def test_pairs(items: list[Item], expected: list[tuple[int, ...]]) -> None:
    assert [pair.indexes for pair in pairs(items)] == expected


def test_pair_names_its_parts() -> None:
    items = [call("a"), call("b"), call("a"), output("a"), output("a", "more")]
    first, second = pairs(items)
    assert (first.call, first.outputs, first.others) == (0, (3, 4), (2,))
    assert second == (1, (), ())


def test_answers_have_every_call_and_what_is_left_over() -> None:
    answers = find_answers([output("x"), call("a"), item("web_search_call"), output("a"), call("b"), call("b")])
    assert answers.outputs == {1: [3], 2: [], 4: []}
    assert answers.repeats == {5: 4}
    assert answers.orphans == (0,)


BUNDLES = {
    "nothing": ([], []),
    "messages alone": ([user(), assistant(), assistant(), user()], [(0,), (1,), (2,), (3,)]),
    "reasoning, text and parallel calls": (
        [user(), reasoning(), assistant(), call("a"), call("b"), output("a"), output("b"), assistant()],
        [(0,), (1, 2, 3, 4, 5, 6), (7,)],
    ),
    "an output after a user message": ([call(), user(), output()], [(0, 2), (1,)]),
    "calls of two turns": ([call("a"), output("a"), call("b"), output("b")], [(0, 1), (2, 3)]),
    "reasoning before the reply": ([output("x"), reasoning(), assistant()], [(0,), (1, 2)]),
    "unknown items stand alone and part their neighbours": (
        [reasoning(), item("no_such_type"), assistant()],
        [(0,), (1,), (2,)],
    ),
    "a server's list of tools and its call": (
        [item("mcp_list_tools"), item("mcp_call"), reasoning(), assistant()],
        [(0, 1, 2, 3)],
    ),
    "an approval joins two turns": ([reasoning(), A_REQUEST, A_RESPONSE, reasoning("rs_2")], [(0, 1, 2), (3,)]),
    "additional tools are no model's": ([item("additional_tools", role="developer"), assistant()], [(0,), (1,)]),
}


@pytest.mark.parametrize(("items", "expected"), BUNDLES.values(), ids=BUNDLES)
def test_bundles(items: list[Item], expected: list[tuple[int, ...]]) -> None:
    assert [bundle.indexes for bundle in bundles(items)] == expected


@given(any_items)
def test_bundles_hold_every_item_once_and_no_pair_in_two(items: Sequence[Item]) -> None:
    found = bundles(items)
    assert sorted(index for bundle in found for index in bundle.indexes) == list(range(len(items)))
    for pair in pairs(items):
        assert any(set(pair.indexes) <= set(bundle.indexes) for bundle in found)


@given(any_items)
def test_pairs_share_nothing_and_leave_out_no_call_and_no_answer(items: Sequence[Item]) -> None:
    members = [index for pair in pairs(items) for index in pair.indexes]
    assert len(members) == len(set(members))
    answers = find_answers(items)
    assert set(answers.outputs) | set(answers.repeats) <= set(members)
    assert set(members).isdisjoint(answers.orphans)


PENDING = {
    "nothing": ([], ()),
    "the last call": ([user(), call()], (1,)),
    "all calls of the last turn": ([user(), reasoning(), call("a"), call("b")], (2, 3)),
    "one of two is answered": ([call("a"), call("b"), output("a")], ()),
    "one of two waits for an approval": ([call("a"), call("b"), call("b"), output("a")], (1,)),
    "a user message after it": ([call(), user()], ()),
    "a hosted call": ([user(), item("web_search_call")], ()),
    "an approval that waits": ([user(), call("a"), A_REQUEST], (1,)),
}


@pytest.mark.parametrize(("items", "expected"), PENDING.values(), ids=PENDING)
def test_pending_calls(items: list[Item], expected: tuple[int, ...]) -> None:
    assert pending_calls(items) == expected


def test_protected_are_the_leading_instructions() -> None:
    assert protected([system(), said("developer"), user(), system()]) == 2
    assert protected([user(), system()]) == 0
    assert protected([]) == 0
    assert protected([system()]) == 1


MESSAGES = {
    "text, two calls, two outputs, reply": (
        [assistant(), call("a"), call("b"), output("a"), output("b"), assistant()],
        [0, 0, 0, 1, 2, 3],
    ),
    "calls without text": ([user(), call("a"), item("web_search_call"), user()], [0, 1, 1, 2]),
    "reasoning counts as none and closes nothing": (
        [reasoning(), assistant(), reasoning(), call()],
        [None, 0, None, 0],
    ),
    "approvals and lists of tools": ([A_REQUEST, A_RESPONSE, item("mcp_list_tools")], [None, None, None]),
    "unknown items": ([item("no_such_type"), item("no_such_type"), call()], [0, 1, 2]),
    "two assistant messages": ([assistant(), assistant(), call()], [0, 1, 1]),
    "nothing": ([], []),
}


@pytest.mark.parametrize(("items", "expected"), MESSAGES.values(), ids=MESSAGES)
def test_messages(items: list[Item], expected: list[int | None]) -> None:
    assert message_indexes(items) == expected
    assert count_messages(items) == len({index for index in expected if index is not None})
