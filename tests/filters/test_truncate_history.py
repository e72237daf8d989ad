"""The newest part of a conversation, cut between what belongs together."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffctl.errors import UsageError
from handoffctl.filters.remove_all_tools import RemoveAllTools
from handoffctl.filters.truncate_history import TruncateHistory
from handoffctl.grouping.cutting import unit_numbers
from handoffctl.grouping.messages import count_messages
from handoffctl.grouping.notes import noted
from handoffctl.groups import Bundle, Pair, bundles, pairs, protected
from handoffctl.item import Item
from handoffctl.model import HandoffInputData, RunItem, history_items, segment_items
from tests.conversing import (
    any_data,
    any_items,
    assistant,
    call,
    handoff_data,
    item,
    output,
    reasoning,
    run_items,
    said,
    system,
    user,
)

VECTORS = sorted((Path(__file__).parent.parent / "golden" / "vectors").glob("[0-9]*.json"))
DEVELOPER = said("developer", "more rules")

PARCEL = [user(), call(), output(), assistant()]
REUSED = [
    user("one"),
    call("call_0"),
    output("call_0", "1"),
    user("two"),
    call("call_0"),
    output("call_0", "2"),
    assistant(),
]
UNDER_LIMIT = [system(), user(), call(), output()]
NOT_TRIGGERED = [user(), call("w1"), output("w1"), assistant(), user("ok")]
HEADED = [system(), DEVELOPER, user("a"), assistant("b"), user("c")]
SMALL = [system(), user("a"), assistant("b"), user("c"), assistant("d")]
SANITISED = [user("a"), call(), output(), assistant("b"), user("c"), assistant("d")]
PARALLEL = [user(), reasoning(), assistant(), call("a"), call("b"), output("a"), output("b"), assistant()]
TWO_TURNS = [assistant("hello"), user("a"), assistant("b"), user("c"), call(), output(), assistant("d")]

KEPT: dict[str, tuple[list[Item], dict[str, Any], list[int]]] = {
    "the limit falls between a call and its output": (PARCEL, {"n": 2, "unit": "items"}, [3]),
    "the limit isn't reached": (UNDER_LIMIT, {"n": 50}, [0, 1, 2, 3]),
    "the limit is met exactly": (UNDER_LIMIT, {"n": 3}, [0, 1, 2, 3]),
    "reused ids, a whole turn": (REUSED, {"n": 4}, [3, 4, 5, 6]),
    "reused ids, an output without its call": (REUSED, {"n": 2}, [6]),
    "far from the limit": (NOT_TRIGGERED, {"n": 99}, [0, 1, 2, 3, 4]),
    "system and developer messages at the start": (HEADED, {"n": 2}, [0, 1, 3, 4]),
    "they are cut as others": (HEADED, {"n": 2, "keep_system": False}, [3, 4]),
    "one besides what is protected": (SMALL, {"n": 1}, [0, 4]),
    "only what is protected": (SMALL, {"n": 0}, [0]),
    "nothing at all": (PARCEL, {"n": 0}, []),
    "nothing, though nothing counts": ([reasoning()], {"n": 0}, []),
    "a bundle goes as a whole": (SANITISED, {"n": 4, "unit": "items"}, [3, 4, 5]),
    "a parallel turn goes as a whole": (PARALLEL, {"n": 3}, [7]),
    "a parallel turn that fits": (PARALLEL, {"n": 4}, [1, 2, 3, 4, 5, 6, 7]),
    "reasoning goes with the message after it": ([user(), reasoning(), assistant(), user()], {"n": 2}, [1, 2, 3]),
    "an output long after its call": ([call(), user(), assistant(), output(), user()], {"n": 3}, [2, 4]),
    "plain messages of one role are cut apart": ([assistant("a"), assistant("b"), assistant("c")], {"n": 2}, [1, 2]),
    "bundles": (PARALLEL, {"n": 2, "unit": "bundles"}, [1, 2, 3, 4, 5, 6, 7]),
    "turns": (TWO_TURNS, {"n": 1, "unit": "turns"}, [3, 4, 5, 6]),
    "more turns than there are": (TWO_TURNS, {"n": 2, "unit": "turns"}, [0, 1, 2, 3, 4, 5, 6]),
    "no turns": (TWO_TURNS, {"n": 0, "unit": "turns"}, []),
    "the oldest message": (PARCEL, {"drop_first": 1}, [1, 2, 3]),
    "the oldest take a bundle with them": (PARCEL, {"drop_first": 2}, [3]),
    "the oldest two items besides what is protected": (SMALL, {"drop_first": 2, "unit": "items"}, [0, 3, 4]),
    "the oldest turn": (TWO_TURNS, {"drop_first": 1, "unit": "turns"}, [3, 4, 5, 6]),
    "none of the oldest": (SMALL, {"drop_first": 0}, [0, 1, 2, 3, 4]),
    "more of the oldest than there are": (SMALL, {"drop_first": 9}, [0]),
    "the head, and the oldest after it": (SMALL, {"drop_first": 2, "keep_head": 1}, [0, 1, 3, 4]),
    "the head reaches beyond the oldest": (PARALLEL, {"drop_first": 2, "keep_head": 4}, [0, 1, 2, 3, 4, 5, 6, 7]),
    "head and tail": (SMALL, {"n": 2, "keep_head": 1}, [0, 1, 4]),
    "all of it is head": (SMALL, {"n": 2, "keep_head": 2}, [0, 1, 2]),
    "a bundle across the end of the head": (PARALLEL, {"n": 3, "keep_head": 2}, [0, 7]),
    "the first user message": (SMALL, {"n": 2, "keep_user": "first"}, [0, 1, 4]),
    "the last user message": ([user("a"), assistant("b"), assistant("c")], {"n": 1, "keep_user": "last"}, [0]),
    "the last user message is there anyway": (SMALL, {"n": 2, "keep_user": "last"}, [0, 3, 4]),
    "no room for the last user message": (SMALL, {"n": 0, "keep_user": "last"}, [0, 3]),
    "no user message to keep": ([assistant("a"), assistant("b")], {"n": 1, "keep_user": "first"}, [1]),
    "exactly the newest items": (PARCEL, {"n": 2, "unit": "items", "exact": True}, [2, 3]),
    "exactly nothing": (PARCEL, {"n": 0, "unit": "items", "exact": True}, []),
    "exactly without the oldest": (SMALL, {"drop_first": 2, "unit": "items", "exact": True}, [2, 3, 4]),
    "exactly the newest messages": (PARALLEL, {"n": 3, "exact": True}, [5, 6, 7]),
}


@pytest.mark.parametrize(("items", "options", "expected"), KEPT.values(), ids=KEPT)
def test_what_is_kept(items: list[Item], options: dict[str, Any], expected: list[int]) -> None:
    data = handoff_data(items)
    after = TruncateHistory(**options)(data)
    assert [id(each) for each in after.input_history] == [id(items[index]) for index in expected]
    assert (after is data) == (len(expected) == len(items))


STRINGS: dict[str, tuple[dict[str, Any], Any]] = {
    "the newest": ({"n": 2}, "Find me a hotel"),
    "the newest items exactly": ({"n": 1, "unit": "items", "exact": True}, "Find me a hotel"),
    "none": ({"n": 0}, ()),
    "none exactly": ({"n": 0, "exact": True}, ()),
    "all but the oldest": ({"drop_first": 1}, ()),
    "exactly without the oldest, as the SDK's example": (
        {"drop_first": 2, "unit": "items", "exact": True},
        "Find me a hotel",
    ),
    "none, but the user's": ({"n": 0, "keep_user": "last"}, "Find me a hotel"),
}


@pytest.mark.parametrize(("options", "expected"), STRINGS.values(), ids=STRINGS)
def test_a_string_is_one_user_message_and_is_never_sliced(options: dict[str, Any], expected: Any) -> None:
    data = handoff_data("Find me a hotel", [assistant()], [call("h1"), output("h1")])
    after = TruncateHistory(**options)(data)
    assert after.input_history == expected
    assert (after.pre_handoff_items, after.new_items) == (data.pre_handoff_items, data.new_items)


def raw(run: Sequence[RunItem] | None) -> list[Item]:
    return [each.raw_item for each in run or ()]


def test_all_segments_are_cut_as_one_list() -> None:
    data = handoff_data([user("a"), user("b")], [call("a"), output("a")], [call("h"), output("h")])
    after = TruncateHistory(n=3, scope="all")(data)
    assert after.input_history == ()
    assert after.pre_handoff_items == ()
    assert after.new_items is data.new_items


def test_a_string_history_goes_when_all_segments_are_cut() -> None:
    data = handoff_data("go", [assistant()], [user("b")])
    assert TruncateHistory(n=2, scope="all")(data).input_history == ()
    assert TruncateHistory(n=3, scope="all")(data) is data


def test_input_items_are_cut_too_and_no_list_is_torn() -> None:
    data = handoff_data([user()], [call("a")], [output("a"), user("b")])
    data = data.clone(input_items=run_items([output("a"), user("b"), user("c")]))
    after = TruncateHistory(n=3, scope="all")(data)
    assert after.input_history == ()
    assert after.pre_handoff_items == ()
    assert raw(after.new_items) == [user("b")]
    assert raw(after.input_items) == [user("b"), user("c")]


def test_a_pair_that_reaches_into_the_run_goes_as_a_whole() -> None:
    data = handoff_data([call("a"), user()], [], [output("a"), assistant()])
    after = TruncateHistory(n=1)(data)
    assert after.input_history == (user(),)
    assert raw(after.new_items) == [assistant()]


NOTES: dict[str, tuple[list[Item], dict[str, Any], list[str]]] = {
    "in place of what was left out": (
        [system(), user("a" * 90), assistant("b"), user("c")],
        {"n": 1, "note": "developer"},
        ["rules", "[handoffctl: 2 earlier messages left out]", "c"],
    ),
    "of one message": (
        [user("a" * 90), user("c")],
        {"n": 1, "note": "user"},
        ["[handoffctl: 1 earlier message left out]", "c"],
    ),
    "after the head": (
        [user("a"), user("b" * 90), user("c")],
        {"n": 2, "keep_head": 1, "note": "user"},
        ["a", "[handoffctl: 1 earlier message left out]", "c"],
    ),
    "an earlier note counts": (
        [user("[handoffctl: 9 earlier messages left out]"), user("b"), user("c")],
        {"n": 1, "note": "user"},
        ["[handoffctl: 10 earlier messages left out]", "c"],
    ),
    "never longer than what it replaces": ([user("a"), user("c")], {"n": 1, "note": "developer"}, ["c"]),
    "nothing is left but the note": (
        [user("a" * 90)],
        {"n": 0, "note": "user"},
        ["[handoffctl: 1 earlier message left out]"],
    ),
}


@pytest.mark.parametrize(("items", "options", "expected"), NOTES.values(), ids=NOTES)
def test_notes(items: list[Item], options: dict[str, Any], expected: list[str]) -> None:
    data = handoff_data(items)
    once = TruncateHistory(**options)(data)
    assert [each["content"] for each in history_items(once)] == expected
    assert TruncateHistory(**options)(once) is once


def test_a_note_stands_where_a_string_was_and_where_only_the_run_was_cut() -> None:
    note = "[handoffctl: 2 earlier messages left out]"
    data = handoff_data("go" * 50, [assistant("x" * 90)], [user("b")])
    assert [each["content"] for each in history_items(TruncateHistory(n=1, scope="all", note="user")(data))] == [note]
    kept = TruncateHistory(n=2, keep_user="first", scope="all", note="user")(data)
    assert kept.input_history is data.input_history
    assert [(each.type, each.raw_item["content"]) for each in kept.pre_handoff_items] == [
        ("input_item", "[handoffctl: 1 earlier message left out]")
    ]
    assert TruncateHistory(n=1, scope="all", note="user")(kept).pre_handoff_items == ()


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "neither": ({}, "n or drop_first is needed"),
    "both": ({"n": 1, "drop_first": 1}, "exclude each other"),
    "a negative limit": ({"n": -1}, "n can't be negative"),
    "a negative number to drop": ({"drop_first": -1}, "drop_first can't be negative"),
    "a negative head": ({"n": 1, "keep_head": -1}, "keep_head can't be negative"),
    "a head beyond the limit": ({"n": 1, "keep_head": 2}, "more than n=1"),
    "an exact cut with a note": ({"n": 1, "exact": True, "note": "user"}, "exact excludes"),
    "an exact cut with a head": ({"n": 1, "exact": True, "keep_head": 1}, "exact excludes"),
}


@pytest.mark.parametrize(("options", "message"), REFUSED.values(), ids=REFUSED)
def test_options_that_make_no_sense(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        TruncateHistory(**options)
    assert caught.value.place == "truncate-history"
    assert caught.value.help


def test_only_dropping_the_oldest_changes_more_each_time() -> None:
    assert TruncateHistory.idempotent
    assert TruncateHistory(n=2).idempotent
    assert not TruncateHistory(drop_first=2).idempotent
    assert TruncateHistory(drop_first=0).idempotent


@pytest.mark.parametrize("path", VECTORS, ids=[path.stem for path in VECTORS])
def test_the_message_filter_example_of_the_sdk(path: Path) -> None:
    vector = json.loads(path.read_bytes())
    before, expected = vector["input"], vector["message_filter"]["data"]
    history = before["input_history"]
    data = HandoffInputData(
        history if isinstance(history, str) else tuple(Item.of(each) for each in history),
        *(wrapped(before[key]) for key in ("pre_handoff_items", "new_items")),
    )
    after = TruncateHistory(drop_first=2, unit="items", exact=True)(RemoveAllTools()(data))
    assert after.input_history == unlisted(expected["input_history"])
    assert raw(after.pre_handoff_items) == [each["raw_item"] for each in expected["pre_handoff_items"]]
    assert raw(after.new_items) == [each["raw_item"] for each in expected["new_items"]]


def wrapped(entries: list[dict[str, Any]]) -> tuple[RunItem, ...]:
    return tuple(RunItem(each["type"], Item.of(each["raw_item"])) for each in entries)


def unlisted(history: Any) -> Any:
    return history if isinstance(history, str) else tuple(history)


UNITS: list[Literal["messages", "items", "bundles", "turns"]] = ["messages", "items", "bundles", "turns"]


@st.composite
def any_truncation(draw: st.DrawFn) -> TruncateHistory:
    limit = draw(st.integers(0, 8))
    by_n = draw(st.booleans())
    return TruncateHistory(
        n=limit if by_n else None,
        drop_first=None if by_n else limit,
        unit=draw(st.sampled_from(UNITS)),
        keep_system=draw(st.booleans()),
        keep_user=draw(st.sampled_from(["none", "first", "last"])),
        keep_head=draw(st.integers(0, limit)),
        note=draw(st.sampled_from(["none", "none", "user", "developer"])),
        scope=draw(st.sampled_from(["history", "all"])),
    )


def views(data: HandoffInputData) -> list[list[Item]]:
    """What stands in the dump, and what the next model gets where input items say otherwise."""
    shared = [*history_items(data), *raw(data.pre_handoff_items)]
    return [[*shared, *raw(each)] for each in (data.new_items, data.input_items) if each is not None]


@given(any_data(), any_truncation())
def test_no_pair_and_no_bundle_is_torn(data: HandoffInputData, truncate: TruncateHistory) -> None:
    after = truncate(data)
    for before, left in zip(views(data), views(after), strict=True):
        kept = {id(each) for each in left}
        items = before if isinstance(data.input_history, tuple) else before[1:]
        groups: list[Pair | Bundle] = [*pairs(items), *(bundles(items) if truncate.scope == "all" else ())]
        for group in groups:
            assert len({id(items[index]) in kept for index in group.indexes}) == 1


@given(any_items, st.integers(0, 8), st.sampled_from(UNITS))
def test_no_bundle_of_the_history_is_torn_and_never_more_than_n_stay(
    items: list[Item], n: int, unit: Literal["messages", "items", "bundles", "turns"]
) -> None:
    after = TruncateHistory(n=n, unit=unit)(handoff_data(items)).input_history
    kept = {id(each) for each in after}
    for bundle in bundles(items):
        assert len({id(items[index]) in kept for index in bundle.indexes}) == 1
    rest = [each for each in after[protected(items) :] if isinstance(each, Item)]
    assert len(set(unit_numbers(rest, unit, [True] * len(rest)))) <= n


@given(any_data(), any_truncation())
def test_twice_is_once_and_nothing_is_mutated(data: HandoffInputData, truncate: TruncateHistory) -> None:
    before = [each.to_dict() for _, each in segment_items(data)]
    once = truncate(data)
    assert [each for _, each in segment_items(data)] == before
    if truncate.idempotent:
        assert truncate(once) is once


@given(any_data(), any_truncation())
def test_what_is_kept_is_the_same_in_the_same_order(data: HandoffInputData, truncate: TruncateHistory) -> None:
    after = truncate(data)
    if isinstance(data.input_history, tuple):
        assert isinstance(after.input_history, tuple)
        known = {id(each) for each in data.input_history}
        left = [each for each in after.input_history if id(each) in known]
        assert in_order(left, data.input_history)
        assert all(noted(each) for each in after.input_history if id(each) not in known)
    assert in_order(without_notes(after.pre_handoff_items), data.pre_handoff_items)
    assert in_order(without_notes(after.new_items), data.new_items)


def without_notes(run: Sequence[RunItem]) -> list[RunItem]:
    return [each for each in run if not noted(each.raw_item)]


def in_order(left: Sequence[object], before: Sequence[object]) -> bool:
    """Whether the first are some of the second, the same objects in the same order."""
    rest = iter(before)
    return all(any(each is other for other in rest) for each in left)


@given(any_items)
def test_a_limit_that_is_not_reached_changes_nothing(items: list[Item]) -> None:
    data = handoff_data(items)
    for unit, count in (("messages", count_messages(items)), ("items", len(items)), ("bundles", len(bundles(items)))):
        assert TruncateHistory(n=max(count, 1), unit=unit)(data) is data  # type: ignore[arg-type]


def test_hosted_items_count_as_one_message() -> None:
    items = [user(), item("web_search_call", id="ws"), assistant(), user()]
    assert TruncateHistory(n=2)(handoff_data(items)).input_history == (items[3],)
    assert TruncateHistory(n=3)(handoff_data(items)).input_history == tuple(items[1:])
