"""A conversation to read: as it is, after a chain, as its next agent or a named one sees it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from handoffctl.errors import UsageError
from handoffctl.model import HandoffInputData
from handoffctl.report import ShowReport
from tests.conversing import assistant, call, handoff_data, output, system, user
from tests.reporting import run_of, show_of, transcript

TRANSFER = [call("h", "transfer_to_b"), output("h", '{"assistant": "B"}')]
BACK = [call("k", "transfer_to_a"), output("k", '{"assistant": "A"}')]


def made_by_a(data: HandoffInputData) -> HandoffInputData:
    """The data with A as the agent of all run items."""
    pre, new = ([replace(each, agent="A") for each in run] for run in (data.pre_handoff_items, data.new_items))
    return data.clone(pre_handoff_items=tuple(pre), new_items=tuple(new))


def said(report: ShowReport) -> list[str]:
    return [each.text for each in report.items if each.kind == "message"]


def test_all_of_it() -> None:
    report = show_of([user("Hi."), assistant("Hello.")])
    assert (report.seen, report.agent, report.chain, said(report)) == ("all", None, "", ["Hi.", "Hello."])


def test_after_a_chain() -> None:
    report = show_of([user("Hi."), call(), output()], "remove_all_tools")
    assert (len(report.items), report.amount.items, report.chain) == (1, 1, "remove_all_tools")


def test_the_next_agent_is_named_although_the_chain_removes_the_handoff() -> None:
    report = show_of(transcript(handoff_data([user("Hi.")], (), TRANSFER)), "remove_all_tools", agent="next_agent")
    assert (report.seen, report.agent, said(report)) == ("received", "B", ["Hi."])


def test_the_next_agent_gets_no_orphans() -> None:
    data = handoff_data([user("Hi.")], [call("lost")], TRANSFER)
    assert show_of(transcript(data), agent="next-agent").amount.items == 3


def test_a_named_agent_sees_what_the_last_handoff_to_it_gave() -> None:
    items = [user("one"), *TRANSFER, assistant("two"), *BACK, user("three"), *TRANSFER, assistant("four")]
    assert said(show_of(items, agent="B")) == ["one", "two", "three"]
    assert said(show_of(items, agent="A")) == ["one", "two"]


def test_a_run_of_its_own_is_what_an_agent_saw() -> None:
    report = show_of(run_of("A", [system("Rules."), user("Hi."), assistant("Hello.")]), agent="A")
    assert (report.seen, said(report)) == ("run", ["Rules.", "Hi.", "Hello."])


def test_an_unknown_agent_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError) as caught:
        show_of([user(), *TRANSFER], agent="Bb")
    assert str(caught.value) == "--as Bb: no such agent here"
    assert "there are: next-agent, B" in caught.value.help


def test_the_agent_that_hands_over_saw_what_came_before_its_turn() -> None:
    one = transcript(made_by_a(handoff_data([user("Hi.")], [assistant("Hello.")], TRANSFER)))
    report = show_of(one, agent="A")
    assert (report.seen, report.agent, said(report), report.amount.items) == ("turn", "A", ["Hi.", "Hello."], 2)
    with pytest.raises(UsageError, match="its own turn comes before the filter"):
        show_of(one, "noop", agent="A")
    with pytest.raises(UsageError) as caught:
        show_of(one, agent="Aa")
    assert caught.value.help.endswith("there are: next-agent, B, A")


def test_where_no_turns_are_known_the_giver_is_told_so() -> None:
    data = made_by_a(handoff_data([user("Hi.")], TRANSFER))
    with pytest.raises(UsageError, match="hands over here, but the dump does not say what its model received"):
        show_of(transcript(data), agent="A")


def test_runs_have_no_next_agent_unless_they_stand_at_a_handoff() -> None:
    with pytest.raises(UsageError) as caught:
        show_of(run_of("A", [user("Hi.")]), agent="next-agent")
    assert str(caught.value) == "--as next-agent: `runs` has no next agent: it holds each agent's own run"
    assert caught.value.help == "--as NAME shows one's run; there are: A"
    split = transcript(handoff_data([user("Hi.")], [], TRANSFER), format="runs", agent="A")
    assert show_of(split, agent="next-agent").agent == "B"
