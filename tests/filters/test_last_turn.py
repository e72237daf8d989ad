"""The last turn alone."""

from __future__ import annotations

from typing import Any

import pytest

from handoffctl.filters.last_turn import LastTurn
from handoffctl.model import history_items
from tests.conversing import assistant, call, handoff_data, output, reasoning, system, user

LEFT: dict[str, tuple[list[Any], dict[str, Any], list[int]]] = {
    "the last user message and all after it": ([user("a"), assistant(), user("b"), call(), output()], {}, [2, 3, 4]),
    "system messages at the start stay": ([system(), user("a"), assistant(), user("b")], {}, [0, 3]),
    "unless they needn't": ([system(), user("a"), assistant(), user("b")], {"keep_system": False}, [3]),
    "one turn": ([system(), user("a"), reasoning(), call(), output()], {}, [0, 1, 2, 3, 4]),
    "no user message": ([assistant(), call(), output()], {}, [0, 1, 2]),
    "a pair over the line goes": ([user("a"), call(), user("b"), output(), assistant()], {}, [2, 4]),
}


@pytest.mark.parametrize(("items", "options", "left"), LEFT.values(), ids=LEFT)
def test_what_is_left(items: list[Any], options: dict[str, Any], left: list[int]) -> None:
    data = handoff_data(items)
    after = LastTurn(**options)(data)
    assert [items.index(each) for each in history_items(after)] == left
    assert (after is data) == (len(left) == len(items))


def test_turn_goes_on_in_the_run() -> None:
    data = handoff_data([user("a"), assistant(), user("b")], [call()], [output()])
    after = LastTurn()(data)
    assert (len(history_items(after)), len(after.pre_handoff_items), len(after.new_items)) == (1, 1, 1)
