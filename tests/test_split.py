"""The three segments of a handoff, taken from a conversation that is one list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import pytest

from handoffctl.errors import UsageError
from handoffctl.handoffs import find_handoffs
from handoffctl.item import Item
from handoffctl.model import HandoffInputData, RunItem
from handoffctl.split import split_at, with_pending_handoff
from tests.conversing import assistant, call, handoff_data, item, output, reasoning, said, system, user

TO_BOB = call("h1", "transfer_to_bob")
IS_BOB = output("h1", '{"assistant": "Bob"}')
TO_ANN = call("h2", "transfer_to_ann")
IS_ANN = output("h2", '{"assistant": "Ann"}')

SPLITS: dict[str, tuple[list[Item], int | Literal["last"], tuple[int, int, int]]] = {
    "right after the user": ([system(), user(), TO_BOB, IS_BOB, assistant()], 1, (2, 2, 4)),
    "after a turn with a tool": ([user(), call(), output(), TO_BOB, IS_BOB, assistant(), user()], "last", (1, 3, 5)),
    "text, reasoning and a tool in the turn": (
        [user(), call(), output(), reasoning(), assistant(), call("c2"), TO_BOB, output("c2"), IS_BOB],
        1,
        (1, 3, 9),
    ),
    "no message before it": ([TO_BOB, IS_BOB], 1, (0, 0, 2)),
    "a developer message before it": ([user(), said("developer"), TO_BOB, IS_BOB], 1, (2, 2, 4)),
    "the first of two": ([user(), TO_BOB, IS_BOB, TO_ANN, IS_ANN], 1, (1, 1, 3)),
    "the second of two in one run": ([user(), TO_BOB, IS_BOB, TO_ANN, IS_ANN, assistant()], 2, (1, 3, 5)),
    "the second of two in two runs": ([user(), TO_BOB, IS_BOB, assistant(), user(), TO_ANN, IS_ANN], "last", (5, 5, 7)),
    "still without its output": ([user(), call(), output(), call("c2"), TO_BOB, output("c2"), user()], 1, (1, 3, 6)),
    "its call was cut away": ([user(), IS_BOB, assistant()], 1, (1, 1, 2)),
    "an unknown item before it": ([user(), item("no_such_type"), TO_BOB, IS_BOB], 1, (1, 2, 4)),
}


def raw(run: Sequence[RunItem]) -> list[Item]:
    return [each.raw_item for each in run]


def split(items: Any, which: int | Literal["last"] = "last") -> HandoffInputData:
    data = items if isinstance(items, HandoffInputData) else handoff_data(items)
    return split_at(data, find_handoffs(data), which)


@pytest.mark.parametrize(("items", "which", "lines"), SPLITS.values(), ids=SPLITS)
def test_split(items: list[Item], which: int | Literal["last"], lines: tuple[int, int, int]) -> None:
    run, turn, end = lines
    after = split(items, which)
    assert [id(each) for each in after.input_history] == [id(each) for each in items[:run]]
    assert [id(each) for each in raw(after.pre_handoff_items)] == [id(each) for each in items[run:turn]]
    assert [id(each) for each in raw(after.new_items)] == [id(each) for each in items[turn:end]]
    assert after.input_items is None


def test_items_get_the_classes_and_agents_that_they_had() -> None:
    after = split([user(), TO_BOB, IS_BOB, call(), output(), reasoning(), TO_ANN, IS_ANN])
    assert [(each.type, each.agent) for each in after.pre_handoff_items] == [
        ("handoff_call_item", None),
        ("handoff_output_item", None),
        ("tool_call_item", "Bob"),
        ("tool_call_output_item", "Bob"),
    ]
    assert [each.type for each in after.new_items] == ["reasoning_item", "handoff_call_item", "handoff_output_item"]
    last = after.new_items[-1]
    assert (last.agent, last.source_agent, last.target_agent) == ("Bob", "Bob", "Ann")


def test_a_guessed_handoff_gets_the_classes_of_one() -> None:
    after = split([user(), TO_BOB, output("h1", "Transferred to Bob.")])
    assert [each.type for each in after.new_items] == ["handoff_call_item", "handoff_output_item"]
    assert after.new_items[1].target_agent == "bob"


def test_data_that_stands_in_a_run_already_stays() -> None:
    data = handoff_data([user()], [assistant()], [TO_BOB, IS_BOB])
    assert split(data) is data


def test_an_earlier_handoff_of_a_run_keeps_its_wrappers_and_a_string_its_form() -> None:
    pre = (
        RunItem("handoff_call_item", TO_BOB, "Triage"),
        RunItem("handoff_output_item", IS_BOB, "Triage", "Triage", "Bob"),
    )
    data = HandoffInputData("go", pre, (RunItem("handoff_call_item", TO_ANN, "Bob"),))
    after = split(data, 1)
    assert after.input_history == "go"
    assert after.pre_handoff_items == ()
    assert [id(each) for each in after.new_items] == [id(each) for each in pre]


ABSENT: dict[str, tuple[list[Item], int | Literal["last"], str]] = {
    "none at all": ([user()], "last", "no handoff in this conversation"),
    "one too many": ([TO_BOB, IS_BOB], 2, "no handoff 2: the conversation has 1"),
    "counted from nought": ([TO_BOB, IS_BOB], 0, "no handoff 0: the conversation has 1"),
}


@pytest.mark.parametrize(("items", "which", "message"), ABSENT.values(), ids=ABSENT)
def test_a_handoff_that_is_not_there(items: list[Item], which: int | Literal["last"], message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        split(items, which)
    assert caught.value.help


def test_a_pending_handoff_is_the_new_turn() -> None:
    data = handoff_data([user()])
    after = with_pending_handoff(data, "Refund Agent!")
    assert after.input_history is data.input_history
    assert [each.type for each in after.new_items] == ["handoff_call_item", "handoff_output_item"]
    made, taken = after.new_items
    assert made.raw_item == call("call_pending_1", "transfer_to_refund_agent_")
    assert taken.raw_item == output("call_pending_1", '{"assistant": "Refund Agent!"}')
    assert (taken.target_agent, taken.source_agent) == ("Refund Agent!", None)
    assert [each.to_agent for each in find_handoffs(after)] == ["Refund Agent!"]


def test_a_pending_handoff_leaves_a_string_and_comes_from_the_last_agent() -> None:
    data = handoff_data("go", [], [TO_BOB, IS_BOB, call("call_pending_1")])
    after = with_pending_handoff(data, "Ann")
    assert after.input_history == "go"
    assert raw(after.pre_handoff_items) == raw(data.new_items)
    assert after.new_items[0].agent == "Bob"
    assert after.new_items[0].raw_item.call_id == "call_pending_2"


def test_a_pending_handoff_builds_on_what_the_model_was_shown() -> None:
    shown = handoff_data((), [], [assistant("shown"), call("call_pending_1")]).new_items
    data = handoff_data([user()], [], [assistant("hidden")]).clone(input_items=shown)
    after = with_pending_handoff(data, "Ann")
    assert after.pre_handoff_items == shown
    assert after.input_items is None
    assert after.new_items[0].raw_item.call_id == "call_pending_2"
