"""What the next agent's model receives, what the runner drops, and why."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from handoffctl.item import Item
from handoffctl.model import HandoffInputData, RunItem
from handoffctl.running.runner import NO_FOLLOWER, NO_OUTPUT, NO_PROGRAM
from handoffctl.view import (
    NOT_SENT,
    REPLACED,
    as_next_agent,
    dropped_by_runner,
    model_input,
    runner_step,
    to_input_item,
)
from tests.conversing import any_data, assistant, call, handoff_data, item, output, reasoning, run_items, user


def wrapped(type_: str, **raw: Any) -> RunItem:
    return RunItem(type_, Item.of(raw))


SHELL_OUTPUT = {"type": "shell_call_output", "call_id": "c1"}
CONVERTED: dict[str, tuple[RunItem, dict[str, Any] | None]] = {
    "a null status goes": (
        wrapped("message_output_item", role="assistant", content="x", status=None),
        {"role": "assistant", "content": "x"},
    ),
    "who created it goes": (wrapped("tool_call_item", type="shell_call", created_by="me"), {"type": "shell_call"}),
    "a shell's output loses the book-keeping": (
        wrapped("tool_call_output_item", **SHELL_OUTPUT, output=[], status="x", shell_output=1, provider_data={}),
        {**SHELL_OUTPUT, "output": []},
    ),
    "a shell's output loses its chunks' creators": (
        wrapped("tool_call_output_item", **SHELL_OUTPUT, output=[{"stdout": "a", "created_by": "me"}, "odd"]),
        {**SHELL_OUTPUT, "output": [{"stdout": "a"}, "odd"]},
    ),
    "as an input item it keeps the book-keeping": (
        wrapped("input_item", **SHELL_OUTPUT, output="x", shell_output=1),
        {**SHELL_OUTPUT, "output": "x", "shell_output": 1},
    ),
    "a patch's output keeps its status": (
        wrapped("tool_call_output_item", type="apply_patch_call_output", call_id="c1", status="failed"),
        {"type": "apply_patch_call_output", "call_id": "c1", "status": "failed"},
    ),
    "a compaction keeps its creator until it is sent": (
        wrapped("compaction_item", type="compaction", created_by="me"),
        {"type": "compaction", "created_by": "me"},
    ),
    "a pending approval is none": (wrapped("tool_approval_item", type="function_call", call_id="c1"), None),
}


@pytest.mark.parametrize(("run_item", "expected"), CONVERTED.values(), ids=CONVERTED)
def test_run_item_is_converted(run_item: RunItem, expected: dict[str, Any] | None) -> None:
    assert to_input_item(run_item) == expected


def test_run_item_that_loses_nothing_is_its_raw_item() -> None:
    run_item = wrapped("tool_call_output_item", **SHELL_OUTPUT, output=[{"stdout": "a"}])
    assert to_input_item(run_item) is run_item.raw_item


def test_reasoning_loses_its_id_where_that_is_the_policy() -> None:
    run_item = wrapped("reasoning_item", type="reasoning", id="rs_1", summary=[])
    assert to_input_item(run_item, reasoning_item_id_policy="omit") == {"type": "reasoning", "summary": []}
    assert to_input_item(run_item) is run_item.raw_item


def test_reasoning_in_the_history_keeps_its_id() -> None:
    data = handoff_data([reasoning("rs_1")], [reasoning("rs_2")])
    assert [each.id for each in model_input(data, reasoning_item_id_policy="omit")] == ["rs_1", None]


def test_untouched_items_are_the_same_objects() -> None:
    data = handoff_data([user()], [call("a"), output("a")], [assistant()])
    given_items = [*data.input_history, *(each.raw_item for each in (*data.pre_handoff_items, *data.new_items))]
    assert [id(each) for each in model_input(data)] == [id(each) for each in given_items]


@pytest.mark.parametrize("text", ["Hello", ""])
def test_string_history_is_one_user_message(text: str) -> None:
    assert model_input(HandoffInputData(text)) == (Item.of({"content": text, "role": "user"}),)


@pytest.mark.parametrize("inputs", [(), run_items([assistant("instead")])], ids=["none", "one"])
def test_input_items_stand_for_the_new_ones(inputs: tuple[RunItem, ...]) -> None:
    data = handoff_data([user()], (), [call("a"), output("a")]).clone(input_items=inputs)
    assert model_input(data) == (user(), *(each.raw_item for each in inputs))


def test_metadata_is_never_sent() -> None:
    marked = user().to_dict() | {"created_by": "me", "_agents_tool_title": "t", "_agents_tool_description": "d"}
    data = HandoffInputData((Item.of(marked),), (wrapped("compaction_item", type="compaction", created_by="me"),))
    assert model_input(data) == (user(), item("compaction"))


def of_program(type_: str, program: str = "p", **more: Any) -> Item:
    return item(type_, caller={"type": "program", "caller_id": program}, **more)


found, lost = item("tool_search_output"), item("tool_search_call")
DROPPED: dict[str, tuple[list[Item], list[str | None]]] = {
    "a call without an output": ([call("a")], [NO_OUTPUT]),
    "a call whose output is of another type": ([call("a"), item("shell_call_output", call_id="a")], [NO_OUTPUT, None]),
    "a call without an id": ([call(None)], [NO_OUTPUT]),
    "an output may come first": ([output("a"), call("a")], [None, None]),
    "an output without a call stays": ([output("a")], [None]),
    "hosted calls need no output": ([item("web_search_call", id="w"), item("mcp_call", id="m")], [None, None]),
    "reasoning goes with its call": (
        [reasoning("r"), reasoning("s"), call("a")],
        [NO_FOLLOWER, NO_FOLLOWER, NO_OUTPUT],
    ),
    "reasoning before a message stays": ([reasoning("r"), assistant(), call("a")], [None, None, NO_OUTPUT]),
    "reasoning at the end stays": ([reasoning("r")], [None]),
    "nameless searches go by their order": ([lost, lost, found], [NO_OUTPUT, None, None]),
    "a nameless search after its output": ([found, lost], [None, NO_OUTPUT]),
    "a program without an output, with its calls": (
        [item("program", call_id="p"), of_program("function_call", call_id="a")],
        [NO_OUTPUT, NO_PROGRAM],
    ),
    "a program with an output": ([item("program", call_id="p"), item("program_output", call_id="p")], [None, None]),
    "a program that owns a hosted call": ([item("program", call_id="p"), of_program("mcp_call", id="m")], [None, None]),
    "a program that owns an output": (
        [
            item("program", call_id="p"),
            of_program("function_call", call_id="a"),
            of_program("function_call_output", call_id="a"),
        ],
        [None, None, None],
    ),
    "a program that waits for a hosted shell": (
        [item("program", call_id="p"), of_program("shell_call", call_id="s", status="in_progress")],
        [None, None],
    ),
    "a hosted shell that is done": (
        [item("program", call_id="p"), of_program("shell_call", call_id="s", status="completed")],
        [NO_OUTPUT, NO_PROGRAM],
    ),
    "a program without an id": ([item("program")], [NO_OUTPUT]),
    "a caller without an id": ([of_program("function_call", program=7, call_id="a")], [NO_OUTPUT]),  # type: ignore[arg-type]  # as a file may have it
}


@pytest.mark.parametrize(("items", "reasons"), DROPPED.values(), ids=DROPPED)
def test_runner_drops_orphans_among_what_it_generated(items: list[Item], reasons: list[str | None]) -> None:
    data = HandoffInputData((user(),), tuple(RunItem("tool_call_item", each) for each in items))
    expected = [(each, why) for each, why in zip(items, reasons, strict=True) if why]
    assert [(id(each), why) for each, why in dropped_by_runner(data)] == [(id(each), why) for each, why in expected]
    kept = [id(each) for each, why in zip(items, reasons, strict=True) if not why]
    assert [id(each) for each in model_input(data)[1:]] == kept


def test_runner_never_drops_orphans_of_the_history() -> None:
    data = handoff_data([user(), call("a")])
    assert dropped_by_runner(data) == ()


def test_output_in_the_history_answers_no_generated_call() -> None:
    data = handoff_data([output("a")], [call("a")])
    assert [why for _, why in dropped_by_runner(data)] == [NO_OUTPUT]


REPLACING: dict[str, tuple[list[Item], list[int]]] = {
    "an output keeps its latest place": ([output("a", "old"), user(), output("a", "new")], [1, 2]),
    "a call keeps its earliest place": ([call("a", "old"), user(), call("a", "new"), output("a")], [2, 1, 3]),
    "reasoning keeps its earliest place": ([reasoning("r"), user(), reasoning("r")], [2, 1]),
    "other ids keep their latest place": ([item("mcp_call", id="m"), user(), item("mcp_call", id="m")], [1, 2]),
    "one id with two types": ([item("mcp_call", id="m"), item("web_search_call", id="m")], [0, 1]),
    "messages are never replaced": (
        [item("message", id="m", role="user"), item("message", id="m"), item("message", id="m", role="user")],
        [0, 1, 2],
    ),
    "a role makes a message of anything": ([item("x", id="m", role="user"), item("x", id="m", role=5)], [0, 1]),
    "placeholder ids tell nothing": (
        [item("reasoning", id="__fake_id__"), item("reasoning", id="__fake_id__")],
        [0, 1],
    ),
    "a call id stands for a placeholder": (
        [item("x", id="__fake_id__", call_id="a"), item("x", id="__fake_id__", call_id="a")],
        [1],
    ),
    "answers to one request": (
        [
            item("mcp_approval_response", approval_request_id="q"),
            item("mcp_approval_response", approval_request_id="q"),
        ],
        [1],
    ),
    "no id at all": ([item("compaction"), item("compaction")], [0, 1]),
    "an id that is no string": ([item("x", id=7), item("x", id=7)], [0, 1]),
    "no type": ([Item.of({"id": "m"}), Item.of({"id": "m", "type": None})], [1]),
}


@pytest.mark.parametrize(("items", "order"), REPLACING.values(), ids=REPLACING)
def test_runner_sends_the_latest_of_an_id(items: list[Item], order: list[int]) -> None:
    data = HandoffInputData(tuple(items))
    assert [id(each) for each in model_input(data)] == [id(items[index]) for index in order]
    replaced = [(id(each), REPLACED) for index, each in enumerate(items) if index not in order]
    assert [(id(each), why) for each, why in dropped_by_runner(data)] == replaced


def test_what_is_dropped_is_told_in_order() -> None:
    approval = RunItem("tool_approval_item", call("z"))
    data = handoff_data([output("a", "old")], [call("b"), output("a")], [assistant()])
    data = data.clone(pre_handoff_items=(approval, *data.pre_handoff_items))
    assert [why for _, why in dropped_by_runner(data)] == [REPLACED, NOT_SENT, NO_OUTPUT]


def test_cai_sends_everything_as_it_is() -> None:
    data = handoff_data([call("h")], [call("a"), call("a")], [assistant()])
    data = data.clone(new_items=(*data.new_items, RunItem("tool_approval_item", call("z"))), input_items=())
    assert model_input(data, profile="cai") == (call("h"), call("a"), call("a"), assistant())


def test_next_agent_has_nothing_but_a_history() -> None:
    data = handoff_data("Hello", [call("a")], [assistant()])
    assert as_next_agent(data) == HandoffInputData(model_input(data))


def test_runner_is_a_step_of_its_own() -> None:
    data = handoff_data("Hello", [reasoning("r"), assistant()])
    step = runner_step(data, reasoning_item_id_policy="omit")
    assert (step.name, step.before) == ("runner", data)
    assert step.after == as_next_agent(data, reasoning_item_id_policy="omit")


@given(any_data())
def test_everything_is_sent_or_dropped_for_a_reason(data: HandoffInputData) -> None:
    last = data.new_items if data.input_items is None else data.input_items
    history = 1 if isinstance(data.input_history, str) else len(data.input_history)
    total = history + len(data.pre_handoff_items) + len(last)
    assert len(model_input(data)) + len(dropped_by_runner(data)) == total


@given(any_data())
def test_next_agents_input_is_final(data: HandoffInputData) -> None:
    once = as_next_agent(data)
    assert as_next_agent(once) == once
