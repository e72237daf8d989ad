"""Saved run states: the split at each handoff is what its filter really got; what was rewritten is said to be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from handoffctl.conversations import Selection
from handoffctl.dumps.snapshot import REWRITTEN
from handoffctl.formats.runstate import Runstate
from handoffctl.model import HandoffInputData, Transcript, history_items
from tests.conftest import SAMPLES
from tests.dumps import GOLDEN, dump_data, load_data, load_json
from tests.reading import filter_bytes, filter_file, load_bytes, said

RUNS = [path for path in sorted((GOLDEN / "runs").glob("[ms]*.json")) if "run_state" in load_json(path)]
every_run = pytest.mark.parametrize("path", RUNS, ids=lambda path: path.stem)
CALL: dict[str, Any] = {"type": "function_call", "call_id": "c", "name": "transfer_to_b", "arguments": "{}", "id": "f"}
OUTPUT = {"call_id": "c", "output": '{"assistant": "B"}', "type": "function_call_output"}
VERSIONS = [f"1.{minor}" for minor in range(22)]


def load(state: Any) -> Transcript:
    [transcript] = load_bytes(json.dumps(state, indent=2).encode())
    assert transcript.format == "runstate"
    return transcript


def state(version: str = "1.21", **more: Any) -> dict[str, Any]:
    agent = {"name": "A"}
    return {
        "$schemaVersion": version,
        "current_turn": 2,
        "current_agent": {"name": "B"},
        "original_input": "hi",
        "model_responses": [{"usage": {}, "output": [CALL], "response_id": "r1"}],
        "generated_items": [
            {"type": "handoff_call_item", "raw_item": CALL, "agent": agent},
            {
                "type": "handoff_output_item",
                "raw_item": OUTPUT,
                "agent": agent,
                "source_agent": agent,
                "target_agent": {"name": "B"},
            },
        ],
        "current_step": None,
        "last_processed_response": None,
        **more,
    }


def changed_by_its_filter(run: dict[str, Any]) -> bool:
    return any(call["before"] != call["after"] for call in run.get("filter_calls") or ())


def nested(path: Path) -> bool:
    return path.stem.removesuffix("_streamed").endswith(("_nest", "_override_true")) or path.stem.startswith(
        "s09_mapper"
    )


@every_run
def test_splits_are_what_the_filters_got(path: Path) -> None:
    run = load_json(path)
    transcript = load(run["run_state"])
    if changed_by_its_filter(run) or path.stem.startswith("s07"):
        return
    befores = [load_data(call["before"]) for call in run.get("filter_calls") or ()]
    if befores:
        assert list(transcript.splits) == befores
        assert transcript.data == befores[-1]


def test_so_many_runs_are_compared() -> None:
    compared = [
        path for path in RUNS if load_json(path).get("filter_calls") and not changed_by_its_filter(load_json(path))
    ]
    assert len(compared) == 8  # the seven whose filter changed nothing, and the resumed one


@every_run
def test_what_a_filter_rewrote_is_said_to_be(path: Path) -> None:
    run = load_json(path)
    transcript = load(run["run_state"])
    assert transcript.notes == ((REWRITTEN,) if changed_by_its_filter(run) or nested(path) else ())


def test_pending_handoff_has_its_turn_and_a_made_up_output() -> None:
    [transcript] = load_bytes((GOLDEN / "runs/s07_interrupted_handoff.runstate.json").read_bytes())
    before = load_data(load_json("runs/s07_interrupted_handoff.json")["filter_calls"][0]["before"])
    made = (*before.pre_handoff_items, *before.new_items)
    assert transcript.data.input_history == before.input_history
    assert transcript.data.pre_handoff_items == made[:2]
    assert transcript.data.new_items[:-1] == made[2:5]
    output = transcript.data.new_items[-1]
    assert output.type == "handoff_output_item"
    assert output.raw_item["call_id"] == made[-1].raw_item["call_id"]
    assert output.target_agent == "refund_agent"  # the tool's name is all that tells
    assert "made up" in transcript.split
    assert transcript.about["interrupted"] is True


@pytest.mark.parametrize("version", VERSIONS)
def test_every_schema_version(version: str) -> None:
    transcript = load(state(version))
    assert transcript.about["schema_version"] == version
    assert transcript.agent == "B"
    assert transcript.data.input_history == "hi"
    assert [each.type for each in transcript.data.new_items] == ["handoff_call_item", "handoff_output_item"]
    assert transcript.data.new_items[1].target_agent == "B"
    assert transcript.about["session_items"] == 0


def test_agents_may_be_names() -> None:
    items = [{**each, "agent": "A", "source_agent": "A", "target_agent": "B"} for each in state()["generated_items"]]
    transcript = load(state(generated_items=items, current_agent="B"))
    assert transcript.data.new_items[0].agent == "A"
    assert transcript.data.new_items[1] == load(state()).data.new_items[1]
    assert transcript.agent == "B"


def test_ids_of_a_conversation_that_a_server_holds() -> None:
    about = load(state(previous_response_id="r", conversation_id=None)).about
    assert about["previous_response_id"] == "r"
    assert "conversation_id" not in about


@pytest.mark.parametrize(
    "odd",
    [
        {"original_input": 5},
        {"original_input": None},
        {"original_input": [5]},
        {"original_input": {"role": "user"}},
        {"generated_items": [5]},
        {"generated_items": [{"type": "tool_call_item"}]},
        {"generated_items": [{"type": "tool_call_item", "raw_item": None}]},
        {"session_items": [None]},
    ],
    ids=json.dumps,
)
def test_odd_state_is_named(odd: dict[str, Any]) -> None:
    good = json.dumps(state()).encode() + b"\n"
    done = filter_bytes(good + json.dumps(state(**odd)).encode() + b"\n" + good)
    assert done.data.count(b"\n") == 2
    [fault] = done.faults
    assert fault.place.endswith("dump:2")


@pytest.mark.parametrize(
    "odd",
    [
        {"model_responses": None},
        {"model_responses": [5, {"output": None}, {"output": [5]}, {}]},
        {"generated_items": None},
        {"generated_items": {}},
        {"current_agent": None},
        {"current_agent": {"name": ["A"]}},
        {"session_items": "none"},
        {"last_processed_response": 5, "current_step": 5},
        {"last_processed_response": {"handoffs": [5]}, "current_step": {}},
        {"last_processed_response": {"handoffs": [{"tool_call": 5}], "new_items": 5}, "current_step": {}},
        {
            "last_processed_response": {"handoffs": [{}]},
            "current_step": {},
            "current_response_generated_item_ownership": 5,
        },
        {
            "last_processed_response": {"handoffs": [{"tool_call": CALL}]},
            "current_step": {},
            "current_response_generated_item_ownership": {"start": 99},
        },
        {"current_step": {}, "last_processed_response": {"handoffs": {}}},
    ],
    ids=json.dumps,
)
def test_odd_members_that_are_not_needed_are_passed_over(odd: dict[str, Any]) -> None:
    transcript = load(state(**odd))
    assert transcript.data.input_history == "hi"


def test_state_is_read_with_long_numbers_and_lone_surrogates() -> None:
    raw = json.dumps(state(original_input=[{"role": "user", "content": "\ud800", "n": 2**70}])).encode()
    [transcript] = load_bytes(raw)
    [item] = history_items(transcript.data)
    assert item == {"role": "user", "content": "\ud800", "n": 2**70}


def test_state_comes_out_as_a_handoff() -> None:
    for path in (SAMPLES / "runstate").iterdir():
        done = filter_file(path)
        assert done.faults == []
        [again] = load_bytes(done.data)
        [transcript] = load_bytes(path.read_bytes())
        assert (again.format, again.data) == ("handoff", transcript.data)
        left = json.loads(filter_file(path, "remove_all_tools").data)
        assert [each["type"] for each in left["new_items"]] in ([], ["message_output_item"])
    assert Runstate.writes is False


def test_handoffs_by_number() -> None:
    run = load_json("runs/s03_chain_identity.json")
    raw = json.dumps(run["run_state"]).encode()
    for number, call in enumerate(run["filter_calls"], 1):
        [transcript] = load_bytes(filter_bytes(raw, selection=Selection(handoff=str(number))).data)
        assert transcript.data == load_data(call["before"])
    both = filter_bytes(raw, selection=Selection(handoff="all"), lines=True).data
    assert [each.data for each in load_bytes(both)] == [load_data(call["before"]) for call in run["filter_calls"]]
    last = filter_bytes(raw, selection=Selection(handoff="last")).data
    assert load_bytes(last)[0].data == load_data(run["filter_calls"][1]["before"])
    assert said(filter_bytes(raw, selection=Selection(handoff="3")).faults) == [
        "dump: there is no handoff 3, the conversation has 2"
    ]


def test_whole_conversation_where_nothing_was_handed_over() -> None:
    transcript = load(state(generated_items=[], model_responses=[], original_input=[{"role": "user", "content": "x"}]))
    assert dump_data(transcript.data) == dump_data(HandoffInputData(transcript.data.input_history))
    assert transcript.splits == ()
    assert transcript.split.startswith("no handoff")


def test_handoff_that_no_response_tells_begins_with_its_call() -> None:
    before = {"type": "message_output_item", "raw_item": {"role": "assistant", "content": "x"}, "agent": "A"}
    items = [before, *state()["generated_items"]]
    data = load(state(model_responses=[], generated_items=items)).data
    assert [len(data.pre_handoff_items), len(data.new_items)] == [1, 2]
    alone = load(state(model_responses=[], generated_items=items[2:])).data
    assert [len(alone.pre_handoff_items), len(alone.new_items)] == [0, 1]
