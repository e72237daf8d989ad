"""Items, messages, bytes and tokens, by whatever tells items apart."""

from __future__ import annotations

import pytest

from handoffctl.counts import (
    COUNTERS,
    Comparison,
    Counts,
    biggest,
    common_prefix_tokens,
    count,
    growth,
    load_counter,
    role_of,
)
from handoffctl.errors import UsageError
from handoffctl.item import Item
from handoffctl.kinds import Kind
from handoffctl.model import HandoffInputData, RunItem
from handoffctl.tokens import PER_ITEM, count_words, estimate_tokens, item_tokens

USER = Item.of({"role": "user", "content": "where is my order"})
REASONING = Item.of({"type": "reasoning", "id": "r", "summary": []})
CALLS = [
    Item.of({"type": "function_call", "name": name, "call_id": call_id, "arguments": "{}"})
    for name, call_id in (("lookup", "c1"), ("lookup", "c2"), ("transfer_to_refunds", "c3"))
]
SEARCH = Item.of({"type": "web_search_call", "id": "w"})
OUTPUT = Item.of({"type": "function_call_output", "call_id": "c1", "output": [{"type": "input_image", "file_id": "f"}]})
REPLY = Item.of({"role": "assistant", "content": "it is on its way"})
STRANGE = Item.of({"type": "novelty"})


def by(agent: str | None, item: Item) -> RunItem:
    return RunItem("tool_call_item", item, agent)


DATA = HandoffInputData(
    (USER, REPLY, REASONING),
    (by("Triage", CALLS[0]), by("Triage", OUTPUT)),
    (by("Refunds", CALLS[1]), by(None, CALLS[2]), by("Triage", SEARCH)),
)


def test_counts_of_handoff_input_data() -> None:
    assert count(DATA) == Counts(
        items=8,
        messages=4,
        by_kind={Kind.CALL: 4, Kind.MESSAGE: 2, Kind.REASONING: 1, Kind.OUTPUT: 1},
        by_role={"assistant": 6, "user": 1, "tool": 1},
        by_agent={"Triage": 3, "Refunds": 1},
        by_tool={"lookup": 2, "transfer_to_refunds": 1, "web_search_call": 1},
        by_segment={"history": 3, "new": 3, "pre-handoff": 2},
        media=1,
        bytes=sum(len(item.raw) for item in (USER, REPLY, REASONING, *CALLS, SEARCH, OUTPUT)),
        tokens=None,
    )


def test_names_come_most_frequent_first() -> None:
    assert list(count(DATA).by_kind) == [Kind.CALL, Kind.MESSAGE, Kind.REASONING, Kind.OUTPUT]


def test_input_items_are_a_segment_of_their_own() -> None:
    assert count(DATA.clone(input_items=DATA.new_items[:1])).by_segment["input"] == 1


def test_counts_of_a_list_of_items() -> None:
    found = count(iter([USER, STRANGE]), counter=count_words)
    assert (found.items, found.messages, found.by_segment, found.by_agent) == (2, 2, {}, {})
    assert found.tokens == 4


def test_counts_of_nothing() -> None:
    assert count([]) == Counts(0, 0, {}, {}, {}, {}, {}, 0, 0)


def test_tokens_are_the_sum_over_the_items() -> None:
    items = [USER, REPLY, OUTPUT]
    assert count(items, counter=estimate_tokens).tokens == sum(item_tokens(item) for item in items)
    assert growth(items)[-1] == sum(item_tokens(item) for item in items)


def test_a_comparison_is_two_counts() -> None:
    both = Comparison(count(DATA), count(DATA.clone(new_items=())))
    assert both.before.items - both.after.items == 3


@pytest.mark.parametrize(
    ("item", "role"),
    [
        (USER, "user"),
        (REPLY, "assistant"),
        (REASONING, "assistant"),
        (SEARCH, "assistant"),
        (OUTPUT, "tool"),
        (STRANGE, None),
    ],
    ids=["user", "reply", "reasoning", "call", "output", "unknown"],
)
def test_role_of_an_item(item: Item, role: str | None) -> None:
    assert role_of(item) == role


def test_biggest_items_come_first_and_equal_ones_in_order() -> None:
    assert biggest([USER, REASONING, OUTPUT, USER], 3) == [(2, 765 + PER_ITEM), (0, 4 + PER_ITEM), (3, 4 + PER_ITEM)]
    assert biggest([], 3) == []


def test_growth_is_cumulative() -> None:
    assert growth([USER, USER, REPLY], count_words) == (4, 8, 13)
    assert growth([]) == ()


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ([USER, REPLY], 9),
        ([Item.of(USER.to_dict()), STRANGE], 4),
        ([REPLY, USER], 0),
        ([], 0),
    ],
    ids=["the same", "an equal start", "another start", "nothing"],
)
def test_tokens_of_the_common_start(after: list[Item], expected: int) -> None:
    assert common_prefix_tokens([USER, REPLY], after, count_words) == expected


@pytest.mark.parametrize(("name", "expected"), [("approx", 2), ("chars", 11), ("words", 2)])
def test_built_in_counters(name: str, expected: int) -> None:
    assert load_counter(name)("hello world") == expected


def test_unknown_counter_names_those_there_are() -> None:
    with pytest.raises(UsageError) as caught:
        load_counter("word")
    assert str(caught.value) == "word: no such counter"
    assert caught.value.help == "did you mean words? there are: approx, chars, words"
    assert COUNTERS.names() == ["approx", "chars", "words"]
