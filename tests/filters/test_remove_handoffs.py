"""Handoffs, taken out with their outputs."""

from __future__ import annotations

from typing import Any

import pytest

from handoffctl.filters.remove_handoffs import RemoveHandoffs
from handoffctl.model import history_items
from handoffctl.transfers import IGNORED
from tests.conversing import assistant, call, handoff_data, output, reasoning, run_items, user

TO_B = [call("h1", "transfer_to_b"), output("h1", '{"assistant": "B"}')]
BACK = [call("h2", "transfer_to_a"), output("h2", '{"assistant": "A"}')]
LOST = [call("h3", "transfer_to_c"), output("h3", IGNORED)]
BESIDE = [user(), reasoning(), call("s", "search"), TO_B[0], output("s"), TO_B[1]]
TWO = [user(), LOST[0], TO_B[0], LOST[1], TO_B[1]]

LEFT: dict[str, tuple[list[Any], str, list[int]]] = {
    "the handoff, not the search beside it": (BESIDE, "all", [0, 1, 2, 4]),
    "both of a turn": (TWO, "all", [0]),
    "only the one that lost": (TWO, "ignored", [0, 2, 4]),
    "a pending one": ([user(), TO_B[0]], "all", [0]),
    "none": ([user(), assistant()], "all", [0, 1]),
    "an output that only mentions an agent": ([user(), call("x"), output("x", '{"a": "B"}')], "all", [0, 1, 2]),
}


@pytest.mark.parametrize(("items", "which", "left"), LEFT.values(), ids=LEFT)
def test_what_is_left(items: list[Any], which: Any, left: list[int]) -> None:
    data = handoff_data(items)
    after = RemoveHandoffs(which=which)(data)
    assert [items.index(each) for each in history_items(after)] == left
    assert (after is data) == (len(left) == len(items))


def test_those_that_go_back_are_those_to_an_agent_that_handed_over() -> None:
    data = handoff_data([user(), *TO_B, assistant(), *BACK])
    assert RemoveHandoffs(which="back")(data) is data  # a history doesn't say who handed over first
    named = handoff_data([user()]).clone(
        new_items=tuple(
            type(each)(each.type, each.raw_item, agent)
            for each, agent in zip(run_items([*TO_B, *BACK]), ["A", "A", "B", "B"], strict=True)
        )
    )
    after = RemoveHandoffs(which="back")(named)
    assert [each.raw_item for each in after.new_items] == TO_B
