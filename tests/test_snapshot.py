"""One run state: its turns, what waits, and what was rewritten."""

from __future__ import annotations

import json
from typing import Any

import pytest

from handoffctl.dumps.snapshot import REWRITTEN, Snapshot


def call(id_: str, name: str = "look_up") -> dict[str, Any]:
    return {"type": "function_call", "call_id": id_, "name": name, "arguments": "{}", "id": f"fc_{id_}"}


def output(id_: str, text: str = "found") -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": id_, "output": text}


SAID = {"type": "message", "id": "msg_1", "role": "assistant", "content": []}
TRANSFER, TRANSFERRED = call("t", "transfer_to_b"), output("t", '{"assistant": "B"}')
CLASSES = {
    "message": "message_output_item",
    "function_call": "tool_call_item",
    "function_call_output": "tool_call_output_item",
}


def items(*raw: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"type": class_of(each), "raw_item": each, "agent": {"name": "A"}} for each in raw]


def class_of(raw: dict[str, Any]) -> str:
    if raw == TRANSFER:
        return "handoff_call_item"
    return "handoff_output_item" if raw == TRANSFERRED else CLASSES[raw["type"]]


def snapshot(generated: list[dict[str, Any]], *responses: list[dict[str, Any]], **more: Any) -> Snapshot:
    state = {
        "original_input": "hi",
        "generated_items": generated,
        "model_responses": [{"output": response} for response in responses],
        **more,
    }
    return Snapshot(json.dumps(state).encode())


def sizes(taken: Snapshot) -> list[tuple[int, int]]:
    return [(len(each.pre_handoff_items), len(each.new_items)) for each in taken.splits()]


def test_turn_begins_with_the_first_item_of_its_response() -> None:
    generated = items(call("1"), output("1"), SAID, TRANSFER, TRANSFERRED, SAID)
    assert sizes(snapshot(generated, [call("1")], [SAID, TRANSFER])) == [(2, 3)]


def test_text_without_an_id_is_found_by_its_calls() -> None:
    said = {"type": "message", "role": "assistant", "content": []}
    generated = items(call("1"), output("1"), TRANSFER, TRANSFERRED)
    assert sizes(snapshot(generated, [call("1")], [said, TRANSFER])) == [(2, 2)]


def test_ids_used_twice_go_by_the_latest_response() -> None:
    generated = items(call("1"), output("1"), call("1"), TRANSFER, TRANSFERRED)
    assert sizes(snapshot(generated, [call("1")], [TRANSFER])) == [(3, 2)]


def test_what_waits_for_an_approval_is_no_part_of_the_turn() -> None:
    approval = {"type": "tool_approval_item", "raw_item": call("1"), "agent": "A"}
    taken = snapshot(
        [*items(SAID, call("1"), TRANSFER), approval],
        [SAID, call("1"), TRANSFER],
        current_step={"type": "next_step_interruption"},
        last_processed_response={"handoffs": [{"tool_call": TRANSFER}], "new_items": [{}, {}]},
    )
    [waiting] = taken.splits()
    assert [each.type for each in waiting.pre_handoff_items] == ["message_output_item"]
    assert [each.type for each in waiting.new_items] == ["tool_call_item", "handoff_call_item", "handoff_output_item"]
    assert waiting.new_items[-1].raw_item == output("t", '{"assistant": "b"}')
    assert waiting.new_items[-1].source_agent == "A"
    assert taken.is_interrupted


def test_recorded_beginning_of_the_turn_goes_first() -> None:
    taken = snapshot(
        items(call("1"), output("1"), TRANSFER),
        [TRANSFER],
        current_step={},
        last_processed_response={"handoffs": [{"tool_call": TRANSFER}], "new_items": []},
        current_response_generated_item_ownership={"start": 1},
    )
    assert sizes(taken) == [(1, 3)]


def test_a_finished_run_waits_for_nothing() -> None:
    taken = snapshot(items(SAID), [SAID], last_processed_response={"handoffs": [{"tool_call": TRANSFER}]})
    assert (taken.splits(), taken.is_interrupted) == ((), False)
    assert taken.whole().pre_handoff_items == taken.generated


REWRITES = {
    "the transfer is gone": (items(SAID), items(SAID, TRANSFER, TRANSFERRED), [[TRANSFER]], True),
    "the call alone is gone": (items(TRANSFERRED), [], [[TRANSFER]], True),
    "an output is gone": (items(call("1")), items(call("1"), output("1")), [[call("1")]], True),
    "nothing is gone": (items(TRANSFER, TRANSFERRED), items(TRANSFER, TRANSFERRED), [[TRANSFER]], False),
    "another tool's call is not there yet": (items(SAID), items(SAID), [[SAID, call("1")]], False),
    "odd names": (items(SAID), [], [[{"type": "function_call", "name": ["transfer_to_"]}, {"type": 5}]], False),
}


@pytest.mark.parametrize(("generated", "session", "responses", "rewritten"), REWRITES.values(), ids=REWRITES)
def test_what_was_rewritten_is_said(
    generated: list[Any], session: list[Any], responses: list[list[Any]], rewritten: bool
) -> None:
    taken = snapshot(generated, *responses, session_items=session)
    assert taken.notes() == ((REWRITTEN,) if rewritten else ())


def test_values_of_members() -> None:
    taken = snapshot([], x={"y": 1})
    assert (taken.value("x"), taken.value("z"), taken.history) == ({"y": 1}, None, "hi")


@pytest.mark.parametrize("raw", [b"{}", b"[]", b'{"input_history":"x"}'])
def test_what_is_no_state_is_an_error(raw: bytes) -> None:
    with pytest.raises(ValueError, match=r"original_input|object"):
        Snapshot(raw)
