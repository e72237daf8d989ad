"""What the SDK's filter takes out, by version and segment, and what it leaves alone."""

from __future__ import annotations

from typing import Any

import pytest

from handoffctl.errors import UsageError
from handoffctl.filters.remove_all_tools import RemoveAllTools, version_of
from handoffctl.item import Item
from handoffctl.kinds import ITEM_TYPES, RUN_ITEM_CLASSES
from handoffctl.model import HandoffInputData, RunItem
from tests.conversing import assistant, call, handoff_data, item, output, reasoning, run_items, system, user

remove = RemoveAllTools()
KEPT_TYPES = {
    *("message", "compaction", "compaction_trigger", "configuration_update", "item_reference", "additional_tools"),
}
KEPT_CLASSES = {"message_output_item", "compaction_item", "input_item"}


@pytest.mark.parametrize("type_", ITEM_TYPES)
def test_history_goes_by_the_type(type_: str) -> None:
    data = HandoffInputData((user(), item(type_)))
    assert len(remove(data).input_history) == (2 if type_ in KEPT_TYPES else 1)


@pytest.mark.parametrize("class_", RUN_ITEM_CLASSES)
def test_run_items_go_by_their_class(class_: str) -> None:
    run_item = (RunItem(class_, call("a")),)
    after = remove(HandoffInputData((), run_item, run_item, None, run_item))
    kept = run_item if class_ in KEPT_CLASSES else ()
    assert (after.pre_handoff_items, after.new_items, after.input_items) == (kept, kept, kept)


NO_OPS: dict[str, HandoffInputData] = {
    "nothing": HandoffInputData(),
    "a string history": HandoffInputData("call a tool"),
    "messages alone": handoff_data([system(), user(), assistant()], [assistant()], [assistant()]),
    "an unknown type": handoff_data([item("no_such_type"), Item.of({"id": "x"}), Item.of({"type": 5})]),
    "calls and results of a chat": handoff_data(
        [
            Item.of({"role": "assistant", "content": None, "tool_calls": [{"id": "c"}]}),
            Item.of({"role": "tool", "content": "found", "tool_call_id": "c"}),
        ]
    ),
    "a tool's output that a run took in": HandoffInputData((), (RunItem("input_item", output("a")),)),
    "input items that are messages": handoff_data([user()]).clone(input_items=run_items([assistant()])),
    "no input items but an empty list of them": handoff_data([user()]).clone(input_items=()),
}


@pytest.mark.parametrize("data", NO_OPS.values(), ids=NO_OPS)
def test_nothing_to_take_out_is_the_same_object(data: HandoffInputData) -> None:
    assert remove(data) is data


def test_kept_objects_are_the_same_in_the_same_order() -> None:
    first, last = user(), assistant()
    data = handoff_data([first, call("a"), output("a"), reasoning(), last], [], [call("h"), assistant(), output("h")])
    after = remove(data.clone(run_context="context"))
    assert [id(each) for each in after.input_history] == [id(first), id(last)]
    assert [id(each) for each in after.new_items] == [id(data.new_items[1])]
    assert after.run_context == "context"


SEGMENTS = {
    "all": (1, 1, 1, 1),
    "history": (1, 2, 2, 2),
    "pre": (2, 1, 2, 2),
    "new": (2, 2, 1, 1),
}


@pytest.mark.parametrize(("scope", "sizes"), SEGMENTS.items(), ids=SEGMENTS)
def test_scope_limits_it_to_a_segment(scope: Any, sizes: tuple[int, ...]) -> None:
    items = [call("a"), assistant()]
    data = handoff_data(items, items, items).clone(input_items=run_items(items))
    after = RemoveAllTools(scope=scope)(data)
    parts = (after.input_history, after.pre_handoff_items, after.new_items, after.input_items)
    assert tuple(len(part) for part in parts if part is not None) == sizes


VERSIONS: dict[str, tuple[str, int]] = {
    "the six types of the first version": ("0.0.1", 6),
    "tool searches since 0.11": ("v0.11.0", 8),
    "custom tools since 0.15.2": ("0.15.2", 23),
    "a version without its last number": ("0.24", 26),
    "the newest known": ("SDK", 26),
    "a version yet to come": ("1.0.0", 26),
    "those of CAI": ("cai", 6),
}


@pytest.mark.parametrize(("profile", "removed"), VERSIONS.values(), ids=VERSIONS)
def test_version_has_its_own_list(profile: str, removed: int) -> None:
    data = HandoffInputData(tuple(item(type_) for type_ in ITEM_TYPES))
    assert len(ITEM_TYPES) - len(RemoveAllTools(profile=profile)(data).input_history) == removed


@pytest.mark.parametrize(("profile", "kept"), [("0.17.0", None), ("cai", None), ("0.17.1", ()), ("sdk", ())])
def test_older_versions_lose_the_input_items(profile: str, kept: tuple[RunItem, ...] | None) -> None:
    data = handoff_data([user()]).clone(input_items=run_items([call("a")]))
    assert RemoveAllTools(profile=profile)(data).input_items == kept


@pytest.mark.parametrize("profile", ["", "latest", "0", "0.6.7.1", "openai", "v"])
def test_unknown_profile_is_refused(profile: str) -> None:
    with pytest.raises(UsageError, match="no such profile"):
        RemoveAllTools(profile=profile)


def test_version_is_a_tuple_and_none_for_cai() -> None:
    assert (version_of("v0.6.7"), version_of("CAI")) == ((0, 6, 7), None)
