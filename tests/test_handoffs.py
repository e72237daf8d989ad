"""Where a conversation moves from one agent to another, and by what that is recognised."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffctl.handoffs import classify_bare, find_handoffs, last_agent, transfer_output
from handoffctl.item import Item
from handoffctl.model import Handoff, HandoffInputData, RunItem
from handoffctl.transfers import IGNORED, agent_of_tool, read_transfer, transfer_text, transfer_tool_name
from tests.conversing import any_data, assistant, call, handoff_data, item, output, run_items, user

GOLDEN = Path(__file__).parent / "golden"


def one(data: HandoffInputData, **options: Any) -> Handoff:
    found = find_handoffs(data, **options)
    assert len(found) == 1
    return found[0]


SAID = {
    "as the SDK says it": ('{"assistant": "Refund Agent"}', "Refund Agent"),
    "without a space": ('{"assistant":"Bob"}', "Bob"),
    "with all the space that JSON allows": (' {\n\t"assistant" :\r"Bob" } ', "Bob"),
    "with escapes": (r'{"assistant": "caf\u00e9 \"x\""}', 'café "x"'),
    "as CAI says it": ("{'assistant': 'Math Tutor'}", "Math Tutor"),
    "as CAI says it, with quotes in the name": ("""{'assistant': 'Bob's "best"'}""", """Bob's "best\""""),
    "in a list of one text": ([{"type": "input_text", "text": '{"assistant": "Bob"}'}], "Bob"),
}


@pytest.mark.parametrize(("text", "name"), SAID.values(), ids=SAID)
def test_outputs_that_say_who_takes_over(text: Any, name: str) -> None:
    transfer = read_transfer(output(text=text))
    assert transfer is not None
    assert transfer.to_agent == name
    assert transfer.evidence.startswith("handoff output {")


NOT_SAID: dict[str, Any] = {
    "another key besides": '{"assistant": "Bob", "reason": "x"}',
    "another key first": '{"reason": "x", "assistant": "Bob"}',
    "another key besides, in Python's spelling": "{'assistant': 'Bob', 'reason': 'x'}",
    "words around it": 'ok {"assistant": "Bob"}',
    "no string": '{"assistant": 7}',
    "a broken escape": r'{"assistant": "\x"}',
    "cut off": '{"assistant": "Bob',
    "an ignored handoff": IGNORED,
    "a list of two": [{"text": '{"assistant": "Bob"}'}, {"text": "assistant"}],
    "an object": {"assistant": {"name": "Bob"}},
    "nothing": None,
    "a tool's result": "assistants: 3",
}


@pytest.mark.parametrize("text", NOT_SAID.values(), ids=NOT_SAID)
def test_outputs_that_only_look_so(text: Any) -> None:
    assert read_transfer(output(text=text)) is None


@given(st.text())
def test_what_is_written_is_read(name: str) -> None:
    transfer = read_transfer(output(text=transfer_text(name)))
    assert transfer is not None
    assert transfer.to_agent == name


@pytest.mark.parametrize(
    "row", json.loads((GOLDEN / "names.json").read_bytes()), ids=lambda row: ascii(row["agent_name"])
)
def test_names_and_words_that_the_sdk_and_cai_wrote(row: dict[str, str]) -> None:
    name = row["agent_name"]
    assert transfer_tool_name(name) == row["sdk_tool_name"] == row["cai_tool_name"]
    assert transfer_text(name) == row["sdk_transfer_message"]
    for key in ("sdk_transfer_message", "cai_transfer_message"):
        transfer = read_transfer(output(text=row[key]))
        assert transfer is not None
        assert transfer.to_agent == name


def test_what_a_tool_s_name_tells() -> None:
    assert agent_of_tool("transfer_to_refunds") == "refunds"
    assert agent_of_tool("transfer_to_") is None
    assert agent_of_tool("refunds") is None


def test_a_handoff_in_a_flat_list() -> None:
    history = [user(), call("h", "transfer_to_bob"), output("h", '{"assistant": "Bob"}')]
    expected = Handoff("handoff", "transfer_to_bob", 1, 2, "Bob", None, 'handoff output {"assistant": …}')
    assert one(handoff_data(history)) == expected


def test_a_tool_beside_a_handoff_is_none() -> None:
    history = [user(), call("c1", "add"), call("c2", "transfer_to_bob"), output("c2", '{"assistant": "Bob"}')]
    handoff = one(handoff_data(history))
    assert (handoff.call, handoff.output, handoff.to_agent) == (2, 3, "Bob")


def test_an_agent_used_as_a_tool_is_none() -> None:
    history = [
        user("translate, then bill me"),
        call("a1", "translate_agent"),
        output("a1", "ciao"),
        call("h1", "transfer_to_billing"),
        output("h1", '{"assistant": "Billing"}'),
    ]
    assert one(handoff_data(history)).to_agent == "Billing"


def test_a_handoff_without_its_output_is_a_guess_by_name() -> None:
    handoff = one(handoff_data([user(), call("h1", "transfer_to_refunds"), user("hello?")]))
    assert (handoff.to_agent, handoff.output, handoff.certain) == ("refunds", None, False)
    assert handoff.evidence == "tool name begins with transfer_to_"


def test_another_answer_makes_it_no_more_than_a_guess() -> None:
    handoff = one(handoff_data([call("h1", "transfer_to_refunds"), output("h1", "Transferred.")]))
    assert (handoff.output, handoff.certain) == (1, False)
    hosted = item("mcp_call", name="transfer_to_refunds")
    assert find_handoffs(handoff_data([hosted])) == ()


def test_tools_that_the_user_names() -> None:
    data = handoff_data([call("h1", "escalate_to_tier2"), output("h1", "ok"), call("h2", "escort")])
    assert find_handoffs(data) == ()
    handoff = one(data, tool_globs=["escalate_*"])
    assert (handoff.evidence, handoff.certain, handoff.to_agent) == ("tool name matches escalate_*", True, None)


def test_an_output_whose_call_was_cut_away() -> None:
    handoff = one(handoff_data([user(), output("h", '{"assistant": "Bob"}'), assistant()]))
    assert (handoff.call, handoff.output, handoff.tool_name, handoff.to_agent) == (None, 1, "", "Bob")


def test_a_string_history_counts_as_one_item() -> None:
    data = handoff_data(
        "Find me a hotel",
        [assistant("Sure.")],
        [call("h1", "transfer_to_hotels"), output("h1", '{"assistant": "Hotels"}')],
    )
    handoff = one(data)
    assert (handoff.call, handoff.output, handoff.to_agent) == (2, 3, "Hotels")


def test_agents_follow_from_one_handoff_to_the_next() -> None:
    history = [
        call("h1", "transfer_to_bob"),
        output("h1", '{"assistant": "Bob"}'),
        user(),
        call("h2", "transfer_to_r2_d2"),
        output("h2", '{"assistant": "R2-D2"}'),
        call("h3", "transfer_to_bob"),
    ]
    found = find_handoffs(handoff_data(history))
    assert [(each.from_agent, each.to_agent) for each in found] == [(None, "Bob"), ("Bob", "R2-D2"), ("R2-D2", "Bob")]


def test_run_items_say_it_themselves() -> None:
    handed = RunItem("handoff_call_item", call("h", "over"), "Triage")
    taken = RunItem("handoff_output_item", output("h", "ok"), "Triage", "Triage", "Bob")
    found = one(HandoffInputData("q", (), (handed, taken)))
    assert (found.from_agent, found.to_agent, found.evidence) == ("Triage", "Bob", "run item handoff_output_item")
    pending = one(HandoffInputData("q", (), (handed,)))
    assert (pending.output, pending.to_agent, pending.certain) == (None, None, True)
    assert pending.evidence == "run item handoff_call_item"
    assert pending.from_agent == "Triage"


def load(dump: dict[str, Any]) -> HandoffInputData:
    history = dump["input_history"]
    return HandoffInputData(
        history if isinstance(history, str) else tuple(Item.of(each) for each in history),
        *(tuple(run_item(each) for each in dump[key]) for key in ("pre_handoff_items", "new_items")),
    )


def run_item(entry: dict[str, Any]) -> RunItem:
    agents = [(entry.get(key) or {}).get("name") for key in ("agent", "source_agent", "target_agent")]
    return RunItem(entry["type"], Item.of(entry["raw_item"]), *agents)


def vector(name: str) -> HandoffInputData:
    return load(json.loads((GOLDEN / "vectors" / f"{name}.json").read_bytes())["input"])


def test_of_several_handoffs_in_a_turn_only_the_first_counts() -> None:
    assert one(vector("010_multiple_handoffs")).to_agent == "Refund Agent"
    recorded = json.loads((GOLDEN / "runs" / "s02_multiple_handoffs_none.json").read_bytes())
    found = one(load(recorded["filter_calls"][0]["before"]))
    assert (found.from_agent, found.to_agent, found.call, found.output) == ("Agent A", "Agent C", 2, 7)


@pytest.mark.parametrize("name", ["048_only_outputs_history", "049_cai_transfer_message"])
def test_recorded_handoffs_in_history_and_run(name: str) -> None:
    data = vector(name)
    found = find_handoffs(data)
    assert [each.to_agent for each in found] == ["Math Tutor", "Refund Agent"]
    assert found[1].from_agent == "Triage Agent"
    assert last_agent(data, found) == "Refund Agent"


def test_the_last_agent_is_the_one_that_took_over() -> None:
    new = [
        call("h1", "transfer_to_rental_agent"),
        output("h1", '{"assistant": "Rental Agent"}'),
        assistant("Which city?"),
        user("Rome"),
    ]
    data = handoff_data([user("rent a car")], [], new)
    assert last_agent(data, find_handoffs(data)) == "Rental Agent"


def test_the_last_agent_where_runs_name_theirs() -> None:
    data = HandoffInputData("q", (), (RunItem("message_output_item", assistant(), "Triage"),))
    assert last_agent(data, ()) == "Triage"
    assert last_agent(handoff_data([user(), assistant()]), ()) is None
    pending = handoff_data([user(), call("h", "transfer_to_bob")])
    assert last_agent(pending, find_handoffs(pending)) is None


def test_bare_items_get_the_class_that_they_had() -> None:
    items = [
        assistant(),
        call("h", "over"),
        call("c"),
        call("i", "transfer_to_x"),
        output("c"),
        output("i", IGNORED),
        output("h", '{"assistant": "Bob"}'),
        user(),
        output("lost", '{"assistant": "Ann"}'),
    ]
    classified = classify_bare(items)
    assert [each.type for each in classified] == [
        "message_output_item",
        "handoff_call_item",
        "tool_call_item",
        "handoff_call_item",
        "tool_call_output_item",
        "tool_call_output_item",
        "handoff_output_item",
        "input_item",
        "handoff_output_item",
    ]
    assert [each.raw_item for each in classified] == items
    assert [each.target_agent for each in classified if each.target_agent] == ["Bob", "Ann"]
    assert classify_bare(()) == ()


def test_the_output_that_a_call_will_get() -> None:
    made = transfer_output(call("h", "transfer_to_bob"), "Triage")
    assert (made.type, made.agent, made.source_agent, made.target_agent) == (
        "handoff_output_item",
        "Triage",
        "Triage",
        "bob",
    )
    assert made.raw_item == output("h", '{"assistant": "bob"}')
    assert transfer_output(call("h", "escalate"), None).target_agent == "escalate"
    assert transfer_output(call("h", "escalate"), None, "Bob").target_agent == "Bob"


@given(any_data())
def test_no_conversation_breaks_it(data: HandoffInputData) -> None:
    assert find_handoffs(data) == ()
    assert last_agent(data, ()) is None
    assert run_items([each.raw_item for each in data.new_items]) == data.new_items
