"""A message put before or behind the conversation."""

from __future__ import annotations

import pytest

from handoffctl.errors import UsageError
from handoffctl.filters.add_message import AddMessage
from handoffctl.model import history_items
from tests.conversing import assistant, handoff_data, run_items, said, user


def test_at_the_start_of_a_list_and_of_a_string() -> None:
    added = said("developer", "Be brief.")
    assert history_items(AddMessage("Be brief.")(handoff_data([user()]))) == (added, user())
    assert history_items(AddMessage("Be brief.")(handoff_data("hi"))) == (added, user("hi"))


def test_at_the_end_of_what_the_next_agent_sees() -> None:
    data = handoff_data([user()], [], [assistant()])
    after = AddMessage("x", role="user", at="end")(data)
    assert [each.raw_item for each in after.new_items] == [assistant(), user("x")]
    assert after.new_items[1].type == "input_item"
    assert after.input_history is data.input_history
    inputs = AddMessage("x", role="user", at="end")(data.clone(input_items=run_items([assistant("b")])))
    assert inputs.new_items is data.new_items
    assert [each.raw_item for each in inputs.input_items or ()] == [assistant("b"), user("x")]


def test_text_is_needed() -> None:
    with pytest.raises(UsageError, match="text is needed"):
        AddMessage()
