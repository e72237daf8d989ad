"""Every recorded run whose filter's input was recorded: our filter's result, and what the next model received."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from handoffctl.filters.nest_handoff_history import NestHandoffHistory
from handoffctl.filters.noop import Noop
from handoffctl.filters.remove_all_tools import RemoveAllTools
from handoffctl.filters.truncate_history import TruncateHistory
from handoffctl.model import Filter
from handoffctl.running.replay import ReasoningIds
from handoffctl.view import model_input
from tests.dumps import GOLDEN, dump_data, dump_items, load_data, load_json

FILES = sorted(path.name for path in (GOLDEN / "runs").iterdir())

remove, nest = RemoveAllTools(), NestHandoffHistory()
message_filter = (remove, TruncateHistory(drop_first=2, unit="items", exact=True))

CHAIN_OF: dict[str, tuple[Filter, ...]] = {
    **dict.fromkeys(("m_list_identity_plain", "m_str_identity_plain", "s02_multiple_handoffs_none"), (Noop(),)),
    **dict.fromkeys(("s03_chain_identity", "s04_session_none", "s06_hosted_none"), (Noop(),)),
    **dict.fromkeys(("s07_interrupted_handoff", "s14_duplicate_call_ids"), (Noop(),)),
    **{f"m_{kind}_nest_filter_plain": (nest,) for kind in ("list", "str")},
    **{f"m_{kind}_nest_then_remove_plain": (nest, remove) for kind in ("list", "str")},
    **{f"m_{kind}_remove_then_nest_plain": (remove, nest) for kind in ("list", "str")},
    **{f"m_{kind}_message_filter_plain": message_filter for kind in ("list", "str")},
    **{
        f"m_{kind}_remove_all_tools_{nesting}{streamed}": (remove,)
        for kind in ("list", "str")
        for nesting in ("plain", "nest")
        for streamed in ("", "_streamed")
    },
    "s01_message_filter_example": message_filter,
    "s02_multiple_handoffs_remove_all_tools": (remove,),
    "s03_chain_remove_all_tools": (remove,),
    "s04_session_remove_all_tools": (remove,),
    "s06_hosted_nest_then_remove": (nest, remove),
    "s06_hosted_remove_all_tools": (remove,),
}
"""Runs whose filter is one of ours."""

FOREIGN = {
    *(f"m_{kind}_{name}_plain" for kind in ("list", "str") for name in ("drop_calls", "drop_outputs")),
    *(f"m_{kind}_{name}_plain" for kind in ("list", "str") for name in ("only_last_user", "input_items_messages")),
    *(f"m_{kind}_input_items_messages_plain_streamed" for kind in ("list", "str")),
    "s11_global_filter",
}
"""Runs whose filter was written for them: what its result becomes is still to be predicted."""

RECORDED_BY_A_TWIN: dict[str, tuple[str, Filter]] = {
    "m_list_none_nest": ("m_list_identity_plain", nest),
    "m_list_none_nest_streamed": ("m_list_identity_plain", nest),
    "m_str_none_nest": ("m_str_identity_plain", nest),
    "m_str_none_nest_streamed": ("m_str_input_items_messages_plain_streamed", nest),
    "s06_hosted_nest": ("s06_hosted_none", nest),
    "s09_mapper_default_explicit": ("m_list_identity_plain", NestHandoffHistory(mapper="single")),
    "m_list_none_plain": ("m_list_identity_plain", Noop()),
    "m_list_none_plain_streamed": ("m_list_identity_plain", Noop()),
    "m_str_none_plain": ("m_str_identity_plain", Noop()),
    "m_str_none_plain_streamed": ("m_str_input_items_messages_plain_streamed", Noop()),
    "s03_chain_none": ("s03_chain_identity", Noop()),
    "s03_chain_nest": ("s03_chain_identity", nest),
    "s11_handoff_filter_beats_global": ("m_list_identity_plain", Noop()),
}
"""Runs without a filter of their own, so without its input; but a run of the same conversation recorded it."""

UNFILTERED: dict[str, ReasoningIds] = {
    "s08_input_type": "preserve",
    "s10_nest_override_false": "preserve",
    "s13_reasoning_omit_async_filter": "omit",
}
"""Runs that nothing was taken from, so that their result still holds all that the handoff's data was."""

LEFT_OUT = {
    "s05_advanced_sqlite.json": "a session alone, without a handoff's data",
    "s07_interrupted_handoff.runstate.json": "a state alone, without the model's input",
    "s09_mapper_custom.json": "a mapper of its own",
    "s10_nest_override_true.json": "no filter ran, so its input was not recorded",
    "s12_errors_and_server_managed.json": "errors, and conversations that the server holds",
    "s15_runstate_to_string.json": "a state alone, without the model's input",
    "s16_trace_export.jsonl": "a trace, without a handoff's data",
}


def filter_calls(name: str) -> list[Any]:
    calls: list[Any] = load_json(f"runs/{name}.json")["filter_calls"]
    return calls


def calls_of(names: Iterable[str]) -> pytest.MarkDecorator:
    calls = [(name, number) for name in sorted(names) for number in range(len(filter_calls(name)))]
    return pytest.mark.parametrize(("name", "number"), calls, ids=[f"{name}-{number + 1}" for name, number in calls])


def received_by_target(name: str, before: Any) -> Any:
    """What the model of the agent that takes over got first. A run's models are named after agents, or in short."""
    outputs = [each for each in before["new_items"] if each["type"] == "handoff_output_item"]
    target = outputs[-1]["target_agent"]["name"].casefold()
    by_agent = load_json(f"runs/{name}.json")["model_calls"]
    spellings = (target, *reversed(target.split()), target[0])
    agent = next(each for spelling in spellings for each in by_agent if each.casefold() == spelling)
    return by_agent[agent][0]["input"]


@calls_of(CHAIN_OF)
def test_result_of_our_filter(name: str, number: int) -> None:
    recorded = filter_calls(name)[number]
    data = load_data(recorded["before"])
    for each in CHAIN_OF[name]:
        data = each(data)
    assert dump_data(data) == recorded["after"]


@calls_of([*CHAIN_OF, *FOREIGN])
def test_next_model_received_what_we_predict(name: str, number: int) -> None:
    recorded = filter_calls(name)[number]
    predicted = dump_items(model_input(load_data(recorded["after"])))
    assert predicted == received_by_target(name, recorded["before"])


@pytest.mark.parametrize("name", RECORDED_BY_A_TWIN)
def test_next_model_received_what_we_predict_from_the_same_conversation(name: str) -> None:
    twin, step = RECORDED_BY_A_TWIN[name]
    before = filter_calls(twin)[0]["before"]
    predicted = dump_items(model_input(step(load_data(before))))
    assert predicted == received_by_target(name, before)


@pytest.mark.parametrize("name", UNFILTERED)
def test_next_model_received_what_we_predict_from_the_whole_run(name: str) -> None:
    run = load_json(f"runs/{name}.json")
    end = max(index for index, each in enumerate(run["new_items"]) if each["type"] == "handoff_output_item")
    before = {
        "input_history": run["result_input"],
        "pre_handoff_items": [],
        "new_items": run["new_items"][: end + 1],
    }
    predicted = model_input(load_data(before), reasoning_item_id_policy=UNFILTERED[name])
    assert dump_items(predicted) == received_by_target(name, before)


def test_every_recorded_run_is_tested_or_left_out_for_a_reason() -> None:
    tested = [f"{name}.json" for name in (*CHAIN_OF, *FOREIGN, *RECORDED_BY_A_TWIN, *UNFILTERED)]
    assert sorted([*tested, *LEFT_OUT]) == FILES
