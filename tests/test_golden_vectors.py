"""Every vector that the SDK was recorded on, through every chain, and what every version of its filter keeps."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from handoffctl.filters.nest_handoff_history import NestHandoffHistory
from handoffctl.filters.remove_all_tools import RemoveAllTools
from handoffctl.filters.truncate_history import TruncateHistory
from handoffctl.model import Filter, HandoffInputData
from handoffctl.view import model_input
from tests.dumps import GOLDEN, dump_data, dump_items, load_data, load_json

VECTORS = sorted(path.stem for path in (GOLDEN / "vectors").glob("[0-9]*.json"))

remove, nest = RemoveAllTools(), NestHandoffHistory()
CHAINS: dict[str, tuple[Filter, ...]] = {
    "no_filter": (),
    "remove_all_tools": (remove,),
    "nest_handoff_history": (nest,),
    "nest_then_remove": (nest, remove),
    "remove_then_nest": (remove, nest),
    "nest_default_mapper_explicit": (NestHandoffHistory(mapper="single"),),
    "nest_twice": (nest, nest),
    "message_filter": (remove, TruncateHistory(drop_first=2, unit="items", exact=True)),
}
TAGS = ["v0.0.1", "v0.2.5", "v0.3.1", "v0.6.0", "v0.11.0", "v0.13.0", "v0.14.2", "v0.15.2", "v0.17.1", "v0.17.3"]
PROFILES = {**{tag: tag for tag in [*TAGS, "v0.19.0", "v0.22.0"]}, "cai@HEAD": "cai"}

every_vector = pytest.mark.parametrize("vector", VECTORS)
every_chain = pytest.mark.parametrize("chain", CHAINS)


@cache
def vector_of(name: str) -> Any:
    return load_json(f"vectors/{name}.json")


def result_of(vector: str, chain: str) -> HandoffInputData:
    data = load_data(vector_of(vector)["input"])
    if chain == "message_filter":  # the SDK's example makes its result by hand and so loses the input items
        data = data.clone(input_items=None)
    for each in CHAINS[chain]:
        data = each(data)
    return data


@every_chain
@every_vector
def test_data_after_a_chain(vector: str, chain: str) -> None:
    recorded = vector_of(vector)[chain]
    expected = vector_of(vector)["input"] if chain == "no_filter" else recorded["data"]
    assert dump_data(result_of(vector, chain)) == expected


@every_chain
@every_vector
def test_model_input_after_a_chain(vector: str, chain: str) -> None:
    assert dump_items(model_input(result_of(vector, chain))) == vector_of(vector)[chain]["model_input"]


@pytest.mark.parametrize(("vector", "kept"), [("027_input_items_set", 1), ("028_input_items_empty", 0)])
def test_message_filter_of_ours_keeps_the_input_items(vector: str, kept: int) -> None:
    data = load_data(vector_of(vector)["input"])
    for each in CHAINS["message_filter"]:
        data = each(data)
    assert data.input_items is not None
    assert len(data.input_items) == kept


@pytest.mark.parametrize("tag", PROFILES)
@every_vector
def test_what_a_version_keeps(vector: str, tag: str) -> None:
    before = load_data(vector_of(vector)["input"])
    expected = vector_of(vector)["remove_all_tools_kept_indexes_by_version"][tag]
    after = RemoveAllTools(profile=PROFILES[tag])(before)
    kept = {
        name: _indexes(getattr(before, name), getattr(after, name))
        for name in ("input_history", "pre_handoff_items", "new_items", "input_items")
    }
    lost = before.input_items is not None and after.input_items is None
    assert kept | {"input_items_dropped": lost} == expected


def _indexes(before: Any, after: Any) -> Any:
    """Where the kept objects stood; a string or None as it is."""
    if after is None or isinstance(after, str):
        return after
    places = {id(each): index for index, each in enumerate(before)}
    return [places[id(each)] for each in after]


@every_vector
def test_chains_and_versions_are_all_recorded_ones(vector: str) -> None:
    about = {"id", "title", "sdk_version", "input", "remove_all_tools_kept_indexes_by_version"}
    assert set(vector_of(vector)) - about == set(CHAINS)
    assert set(vector_of(vector)["remove_all_tools_kept_indexes_by_version"]) == set(PROFILES)


def test_markers_of_ones_own() -> None:
    extra = next(each for each in load_json("vectors/extra.json") if each["id"] == "x2_custom_wrappers")
    nest_marked = NestHandoffHistory(start="<<START>>", end="<<END>>")
    once = nest_marked(load_data(extra["input"]))
    assert dump_data(once) == extra["after"]
    assert dump_data(nest_marked(once)) == extra["after_twice"]
