"""What nesting turns into text, what it sends as it is, and that it is the SDK's, not idempotent."""

from __future__ import annotations

from typing import Any

import pytest

from handoffctl.errors import UsageError
from handoffctl.filters.nest_handoff_history import NestHandoffHistory
from handoffctl.item import Item
from handoffctl.model import HandoffInputData, RunItem
from handoffctl.summary import EMPTY, parse_summary
from tests.conversing import assistant, call, handoff_data, item, output, reasoning, run_items, user

nest = NestHandoffHistory()
search = item("web_search_call", id="w")
by_program = item("mcp_call", id="m", caller={"type": "program", "caller_id": "p"})


def shape(data: HandoffInputData) -> list[str]:
    """The types of what is in each summary, and of what is sent as it is."""
    told = [parse_summary(each) for each in data.input_history if isinstance(each, Item)]
    return [
        str(each.get("type") or each.get("role")) if nested is None else f"summary of {len(nested)}"
        for each, nested in zip(data.input_history, told, strict=True)
        if isinstance(each, Item)
    ]


NESTED: dict[str, tuple[HandoffInputData, list[str]]] = {
    "nothing at all": (handoff_data([]), ["summary of 0"]),
    "a string": (handoff_data("Hello"), ["summary of 1"]),
    "every item of the history": (handoff_data([user(), call("a"), output("a"), search]), ["summary of 4"]),
    "replies of earlier turns": (handoff_data([user()], [assistant(), call("a"), output("a")]), ["summary of 4"]),
    "a reply of the new turn is sent": (
        handoff_data([user()], [], [assistant(), call("h"), output("h")]),
        ["summary of 1", "assistant", "summary of 2"],
    ),
    "what follows the last one needs no summary": (
        handoff_data([user()], [], [assistant()]),
        ["summary of 1", "assistant"],
    ),
    "a summary comes first though it be empty": (handoff_data([], [search]), ["summary of 0", "web_search_call"]),
    "hosted calls are sent": (
        handoff_data([user()], [search, reasoning(), search], [search]),
        ["summary of 1", "web_search_call", "summary of 1", "web_search_call", "web_search_call"],
    ),
    "a user message of an earlier turn is sent": (handoff_data([], [user()]), ["summary of 0", "user"]),
    "a program and what it called are told": (
        handoff_data(
            [user()], [item("program", call_id="p"), by_program], [by_program, item("program_output", call_id="p")]
        ),
        ["summary of 5"],
    ),
    "new calls that speak are sent": (
        handoff_data([], [], [call("a", role="assistant")]),
        ["summary of 0", "function_call"],
    ),
}


@pytest.mark.parametrize(("data", "expected"), NESTED.values(), ids=NESTED)
def test_what_is_told_and_what_is_sent(data: HandoffInputData, expected: list[str]) -> None:
    assert shape(nest(data)) == expected


def test_new_items_stay_for_the_session_and_the_model_gets_none() -> None:
    data = handoff_data([user()], [call("a"), output("a")], [call("h"), output("h")])
    nested = nest(data.clone(run_context="context"))
    assert nested.new_items is data.new_items
    assert (nested.pre_handoff_items, nested.input_items, nested.run_context) == ((), (), "context")


def test_input_items_are_not_told() -> None:
    data = handoff_data([user()]).clone(input_items=run_items([assistant("secret")]))
    assert nest(data) == nest(data.clone(input_items=None))


def test_pending_approvals_are_not_told() -> None:
    data = HandoffInputData(
        (user(),), (RunItem("tool_approval_item", call("z")),), (RunItem("tool_approval_item", call("z")),)
    )
    assert shape(nest(data)) == ["summary of 1"]


def test_what_is_sent_as_it_is_stays_the_same_object() -> None:
    data = handoff_data([user()], [], [assistant()])
    assert nest(data).input_history[1] is data.new_items[0].raw_item


def test_earlier_summaries_are_taken_apart() -> None:
    once = nest(handoff_data([user(), assistant()]))
    again = nest(once.clone(input_history=(*once.input_history, user("and now?"))))
    assert shape(again) == ["summary of 3"]


def test_twice_tells_the_new_items_twice() -> None:
    data = handoff_data([user()], [], [call("h"), output("h")])
    assert not nest.idempotent
    assert (shape(nest(data)), shape(nest(nest(data)))) == (["summary of 3"], ["summary of 5"])


def test_single_mapper_tells_everything_in_one_summary() -> None:
    data = handoff_data([user()], [search, by_program], [assistant(), call("h")])
    assert shape(NestHandoffHistory(mapper="single")(data)) == ["summary of 5"]


def test_markers_of_ones_own() -> None:
    marked = NestHandoffHistory(start="<<", end=">>")
    summary = marked(handoff_data([])).input_history[0]
    assert isinstance(summary, Item)
    assert summary["content"].split("\n")[1:] == ["<<", EMPTY, ">>"]


def test_summary_with_other_markers_is_told_as_text() -> None:
    once = NestHandoffHistory(start="<<", end=">>")(handoff_data([user(), assistant()]))
    assert shape(nest(once)) == ["summary of 1"]


@pytest.mark.parametrize("option", ["start", "end"])
def test_empty_markers_are_refused(option: str) -> None:
    make: Any = NestHandoffHistory
    with pytest.raises(UsageError, match=f"nest_handoff_history: {option} can't be empty"):
        make(**{option: ""})
