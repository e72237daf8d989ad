"""A conversation to read: as it is, after a chain, as its next agent or a named one sees it."""

from __future__ import annotations

import pytest

from handoffctl.errors import UsageError
from handoffctl.report import ShowReport
from tests.conversing import assistant, call, handoff_data, output, system, user
from tests.reporting import run_of, show_of, transcript

TRANSFER = [call("h", "transfer_to_b"), output("h", '{"assistant": "B"}')]
BACK = [call("k", "transfer_to_a"), output("k", '{"assistant": "A"}')]


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
