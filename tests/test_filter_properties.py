"""What holds for every filter; a new one is in these tests by standing in the table."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from handoffctl.chain import build_chain
from handoffctl.filters import FILTERS
from handoffctl.grouping.placed import alternatives
from handoffctl.groups import bundles, pairs
from handoffctl.item import Item
from handoffctl.model import HandoffInputData, RunItem, history_items
from handoffctl.registry import normalised

from .conversing import any_data

# Specs that each filter is tried with; one filter may stand here several times.
SPECS: dict[str, list[str]] = {
    "remove_all_tools": [
        "remove_all_tools",
        "remove_all_tools:profile=cai",
        "remove_all_tools:profile=0.6.7,scope=pre",
    ],
    "nest_handoff_history": ["nest_handoff_history", "nest_handoff_history:mapper=single"],
    "truncate_history": [
        "truncate-history:n=3",
        "truncate-history:n=2,unit=items,note=developer",
        "truncate-history:n=1,unit=turns,keep_user=first,scope=all",
        "truncate-history:drop_first=2,unit=items",
    ],
    "trim_tool_outputs": ["trim-tool-outputs:recent_turns=1,max_output_chars=10,preview_chars=3"],
    "remove_tools": ["remove-tools", "remove-tools:keep_last=1,exclude=x*", "remove-tools:errors_only=true"],
    "remove_handoffs": ["remove-handoffs", "remove-handoffs:which=ignored", "remove-handoffs:which=back"],
    "last_message": ["last-message"],
    "last_turn": ["last-turn", "last-turn:keep_system=false"],
    "drop_empty": ["drop-empty", "drop-empty:blank=true,scope=history"],
    "strip_ids": ["strip-ids"],
    "strip_metadata": ["strip-metadata", "strip-metadata:keys=status"],
    "add_message": ["add-message:text=x", "add-message:text=x,at=end,role=user"],
    "noop": ["noop"],
}
CASES = [(name, spec) for name in FILTERS.builtin for spec in SPECS[normalised(name)]]
PICKING = [
    spec
    for name, spec in CASES
    if name in ("remove-tools", "remove-handoffs", "last-message", "last-turn", "drop-empty")
]
CUTTING = [spec for name, spec in CASES if name == "truncate-history" and "exact" not in spec]
# A limit that no conversation of these tests reaches.
UNREACHED = [
    "truncate-history:n=10000",
    "truncate-history:drop_first=0",
    "trim-tool-outputs:max_output_chars=1000000",
    "remove-tools:keep_last=10000",
    "noop",
]
every_case = pytest.mark.parametrize("spec", [spec for _, spec in CASES])


def snapshot(data: HandoffInputData) -> list[Any]:
    """Everything that the data says, and which objects say it."""
    run_items = [*data.pre_handoff_items, *data.new_items, *(data.input_items or ())]
    items = [*history_items(data)] if isinstance(data.input_history, tuple) else [data.input_history]
    raws = [each.raw if isinstance(each, Item) else each for each in items]
    return [raws, [(each.type, each.agent, each.raw_item.raw) for each in run_items], data.input_items is None]


@every_case
@given(data=any_data())
@settings(max_examples=60)
def test_input_is_never_changed(spec: str, data: HandoffInputData) -> None:
    before = snapshot(data)
    build_chain([spec])(data)
    assert snapshot(data) == before


@every_case
@given(data=any_data())
@settings(max_examples=60)
def test_twice_is_once_where_the_filter_says_so(spec: str, data: HandoffInputData) -> None:
    chain = build_chain([spec])
    once = chain(data)
    if getattr(chain.steps[0].filter, "idempotent", True):
        assert snapshot(chain(once)) == snapshot(once)


@every_case
@given(data=any_data())
@settings(max_examples=60)
def test_kept_items_are_the_same_objects(spec: str, data: HandoffInputData) -> None:
    after = build_chain([spec])(data)
    before_items, after_items = all_items(data), all_items(after)
    same = {id(item) for item in before_items}
    known = {item.raw for item in before_items}
    copies = [item for item in after_items if id(item) not in same and item.source is None and item.raw in known]
    assert copies == [] or after_nest(spec)


def all_items(data: HandoffInputData) -> list[Item]:
    """Every item; a string history has none of its own."""
    history = data.input_history if isinstance(data.input_history, tuple) else ()
    return [*history, *(each.raw_item for each in all_run_items(data))]


def after_nest(spec: str) -> bool:
    """Nesting gives the model's view of run items: copies without what the runner strips."""
    return spec.startswith("nest")


def all_run_items(data: HandoffInputData) -> tuple[RunItem, ...]:
    return (*data.pre_handoff_items, *data.new_items, *(data.input_items or ()))


@pytest.mark.parametrize("spec", UNREACHED)
@given(data=any_data())
@settings(max_examples=40)
def test_limit_not_reached_gives_the_same_object(spec: str, data: HandoffInputData) -> None:
    assert build_chain([spec])(data) is data


@pytest.mark.parametrize("spec", CUTTING)
@given(data=any_data())
@settings(max_examples=60)
def test_cutting_never_cuts_through_a_bundle(spec: str, data: HandoffInputData) -> None:
    if isinstance(data.input_history, str) or "scope=all" in spec:
        return
    left = {id(item) for item in history_items(build_chain([spec])(data))}
    for bundle in bundles(data.input_history):
        assert len({id(data.input_history[index]) in left for index in bundle.indexes}) == 1


@pytest.mark.parametrize("spec", PICKING)
@given(data=any_data())
@settings(max_examples=60)
def test_picking_never_tears_a_pair(spec: str, data: HandoffInputData) -> None:
    after = build_chain([spec])(data)
    left = {id(item) for item in all_items(after)}
    for placed in alternatives(data):
        items = [each.item for each in placed]
        if isinstance(data.input_history, str):
            items = items[1:]
        for pair in pairs(items):
            assert len({id(items[index]) in left for index in pair.indexes}) == 1


@every_case
@given(data=any_data())
@settings(max_examples=60)
def test_input_items_stay_none_where_they_are(spec: str, data: HandoffInputData) -> None:
    after = build_chain([spec])(data.clone(input_items=None))
    assert (after.input_items is None) or after_nest(spec)
