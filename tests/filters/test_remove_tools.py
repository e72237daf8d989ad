"""Chosen tool calls, taken out with their outputs."""

from __future__ import annotations

from typing import Any

import pytest

from handoffctl.chain import build_chain
from handoffctl.errors import UsageError
from handoffctl.filters.remove_tools import RemoveTools
from handoffctl.grouping.failures import is_failure
from handoffctl.model import history_items
from tests.conversing import assistant, call, handoff_data, item, output, reasoning, run_items, user

FAILED = "An error occurred while running the tool. Please try again. Error: no such order"
PARALLEL = [
    user(),
    reasoning("rs_1"),
    call("a", "search"),
    reasoning("rs_2"),
    call("b", "fetch"),
    output("a"),
    output("b", FAILED),
    assistant(),
]
LATER = [user(), call("a", "search"), output("a"), call("c", "search"), output("c"), item("web_search_call", id="ws")]

LEFT: dict[str, tuple[list[Any], dict[str, Any], list[int]]] = {
    "all, reasoning included": (PARALLEL, {}, [0, 7]),
    "one of a parallel turn": (PARALLEL, {"include": ("sea*",)}, [0, 3, 4, 6, 7]),
    "all but one": (PARALLEL, {"exclude": ("search",)}, [0, 1, 2, 5, 7]),
    "exclude wins": (PARALLEL, {"include": ("search",), "exclude": ("*",)}, list(range(8))),
    "only the failed": (PARALLEL, {"errors_only": True}, [0, 1, 2, 5, 7]),
    "the newest stays": (LATER, {"include": ("search",), "keep_last": 1}, [0, 3, 4, 5]),
    "no more than keep_last": (LATER, {"keep_last": 3}, [0, 1, 2, 3, 4, 5]),
    "a hosted call by its type": (LATER, {"include": ("web_search_call",)}, [0, 1, 2, 3, 4]),
    "an output alone": ([user(), output("x")], {}, [0, 1]),
    "no such tool": (PARALLEL, {"include": ("no_such",)}, list(range(8))),
}


@pytest.mark.parametrize(("items", "options", "left"), LEFT.values(), ids=LEFT)
def test_what_is_left(items: list[Any], options: dict[str, Any], left: list[int]) -> None:
    data = handoff_data(items)
    after = RemoveTools(**options)(data)
    assert [items.index(each) for each in history_items(after)] == left
    assert (after is data) == (len(left) == len(items))


def test_pair_across_segments_goes_whole_and_a_scope_is_kept() -> None:
    data = handoff_data([user(), call("a", "search")], [output("a")], [call("b", "search"), output("b")])
    after = RemoveTools(scope="history")(data)
    assert (len(history_items(after)), len(after.pre_handoff_items), len(after.new_items)) == (1, 0, 2)
    inputs = data.clone(input_items=run_items([call("b", "search"), output("b")]))
    assert RemoveTools(scope="new")(inputs).input_items == ()


def test_string_history_stays() -> None:
    data = handoff_data("hello", [call("a")], [output("a")])
    after = RemoveTools()(data)
    assert (after.input_history, after.pre_handoff_items, after.new_items) == ("hello", (), ())


def test_options_of_a_spec() -> None:
    [step] = build_chain(["remove-tools:include=a*+b*,errors_only=true"]).steps
    assert step.filter == RemoveTools(include=("a*", "b*"), errors_only=True)
    with pytest.raises(UsageError, match="keep_last"):
        RemoveTools(keep_last=-1)


@pytest.mark.parametrize(
    ("more", "failed"),
    [
        ({"output": FAILED}, True),
        ({"output": "Traceback (most recent call last):\n  File"}, True),
        ({"output": "error: not found"}, True),
        ({"output": '{"error": "no such order"}'}, True),
        ({"output": [{"type": "input_text", "text": "Error: x"}]}, True),
        ({"output": "ok", "status": "failed"}, True),
        ({"output": "ok", "is_error": True}, True),
        ({"output": "", "error": {"code": 1}}, True),
        ({"output": '{"error": null, "rows": 1}'}, False),
        ({"output": '{"error": '}, False),
        ({"output": "errors were found in 0 files"}, False),
        ({"output": '["error"]'}, False),
        ({"output": None}, False),
        ({"output": [5]}, False),
    ],
)
def test_failures(more: dict[str, Any], failed: bool) -> None:
    assert is_failure(item("function_call_output", call_id="a", **more)) is failed
