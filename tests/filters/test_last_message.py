"""The last message alone."""

from __future__ import annotations

from handoffctl.filters.last_message import LastMessage
from handoffctl.model import history_items
from tests.conversing import assistant, call, handoff_data, output, reasoning, run_items, user


def test_only_the_last_message_stays_wherever_it_stands() -> None:
    after = LastMessage()(handoff_data([user(), call(), output(), assistant("bye")]))
    assert history_items(after) == (assistant("bye"),)
    data = handoff_data([user(), assistant()], [assistant("late")], [call("h"), output("h")])
    after = LastMessage()(data)
    assert (history_items(after), after.new_items) == ((), ())
    assert [each.raw_item for each in after.pre_handoff_items] == [assistant("late")]


def test_nothing_is_left_without_messages_and_all_where_it_is_the_only_one() -> None:
    assert history_items(LastMessage()(handoff_data([reasoning(), call(), output()]))) == ()
    for alone in (handoff_data([user()]), handoff_data("hello")):
        assert LastMessage()(alone) is alone
    assert LastMessage()(handoff_data("hello", [assistant()])).input_history == ()


def test_input_items_are_another_end_of_the_conversation() -> None:
    data = handoff_data([user()], [], [assistant("a")]).clone(input_items=run_items([assistant("b")]))
    after = LastMessage()(data)
    assert [each.raw_item for each in after.new_items] == [assistant("a")]
    assert [each.raw_item for each in after.input_items or ()] == [assistant("b")]
