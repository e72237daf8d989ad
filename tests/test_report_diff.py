"""What a diff holds: each item's change, by whom, the sums, and what the next agent's model receives."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from handoffctl.chain import Chain, build_chain
from handoffctl.errors import InputError, UsageError
from handoffctl.item import edit
from handoffctl.model import HandoffInputData, history_items
from handoffctl.renderers.human import Human
from handoffctl.renderers.paper import Paper
from handoffctl.reports.diff import DiffReport, Tally
from handoffctl.reports.diffing import Question, answer, compare_files
from tests.conversing import any_data, assistant, call, handoff_data, output, user
from tests.reporting import WORDS, diff_of, transcript

TRANSFER = [call("h", "transfer_to_b"), output("h", '{"assistant": "B"}')]
DATA = handoff_data([user("Hi."), call(), output(), assistant()], [call("x"), output("x")], TRANSFER)


def drop_outputs(data: HandoffInputData) -> HandoffInputData:
    """A filter that leaves the calls of the run without their outputs."""
    kept = tuple(each for each in data.pre_handoff_items if each.raw_item.type != "function_call_output")
    return data.clone(pre_handoff_items=kept)


def edit_first(data: HandoffInputData) -> HandoffInputData:
    """A filter that edits the first item."""
    first, *rest = history_items(data)
    return data.clone(input_history=(edit(first, content="Hello."), *rest))


def summarise(data: HandoffInputData) -> HandoffInputData:
    """A filter that puts one message in the place of the history."""
    return data.clone(input_history=(assistant("What was said."),))


def send_nothing_new(data: HandoffInputData) -> HandoffInputData:
    """A filter that keeps the new items, and sends none of them."""
    return data.clone(input_items=())


OWN = "tests.test_report_diff:"


def signs(report: DiffReport, block: int = 0) -> list[tuple[str, str | None]]:
    return [(each.sign, each.by) for each in report.blocks[block].changes]


def test_segments_are_sized_before_and_after() -> None:
    [block] = diff_of(transcript(DATA), "remove_all_tools").blocks
    assert [(each.segment, each.before, each.after) for each in block.segments] == [
        ("history", 4, 2),
        ("pre-handoff", 2, 0),
        ("new", 2, 0),
    ]


def test_every_filter_has_its_tally() -> None:
    [block] = diff_of(transcript(DATA), "truncate-history:drop_first=1", "remove_all_tools").blocks
    assert block.tallies == (Tally("truncate-history:drop_first=1", removed=1), Tally("remove_all_tools", removed=6))
    assert block.title == "truncate-history:drop_first=1 → remove_all_tools"


def test_a_filters_own_message_is_no_agents() -> None:
    report = diff_of(transcript(DATA), OWN + "summarise")
    added = [each.item for each in report.blocks[0].changes if each.sign == "added"]
    assert [(each.text, each.agent) for each in added] == [("What was said.", None)]


def test_same_start_is_what_both_begin_with() -> None:
    assert diff_of(transcript(DATA), "remove_all_tools").blocks[0].same_start == 1
    assert diff_of(transcript(DATA), OWN + "edit_first").blocks[0].same_start == 0


def test_an_edited_item_has_both_sides_and_their_words() -> None:
    change = diff_of(transcript(DATA), OWN + "edit_first").blocks[0].changes[0]
    assert change.after is not None
    assert (change.sign, change.item.text, change.after.text) == ("edited", "Hi.", "Hello.")
    assert [(each.sign, each.text) for each in change.words] == [("removed", "Hi"), ("added", "Hello"), ("same", ".")]


def test_outputs_have_their_tools_name() -> None:
    names = [each.item.name for each in diff_of(transcript(DATA), "noop").blocks[0].changes]
    assert names == [None, "look_up", "look_up", None, "look_up", "look_up", "transfer_to_b", "transfer_to_b"]


def test_agents_are_those_that_took_over() -> None:
    flat = [user(), assistant("from nobody known"), *TRANSFER, assistant("from B")]
    items = [each.item for each in diff_of(flat, "noop").blocks[0].changes]
    assert [each.agent for each in items] == [None, None, None, None, "B"]
    assert [each.to_agent for each in items] == [None, None, "B", "B", None]


def test_what_the_runner_would_drop_besides_is_named_with_the_reason() -> None:
    [dropped] = diff_of(transcript(DATA), OWN + "drop_outputs").dropped
    assert (dropped.item.call_id, dropped.reason) == ("x", "a call without an output")


def test_as_received_the_runner_is_the_last_step() -> None:
    report = diff_of(transcript(DATA), OWN + "drop_outputs", next_agent=True)
    assert report.blocks[0].title == f"{OWN}drop_outputs → runner"
    assert [each for each in signs(report) if each[0] != "kept"] == [
        ("removed", "runner"),
        ("removed", f"{OWN}drop_outputs"),
    ]
    assert report.dropped == ()


def test_as_received_edits_are_the_filters() -> None:
    report = diff_of(transcript(DATA), OWN + "edit_first", next_agent=True)
    assert signs(report)[0] == ("edited", f"{OWN}edit_first")


def test_as_received_a_string_history_is_changed_by_the_filter() -> None:
    report = diff_of(transcript(DATA.clone(input_history="Hi.")), OWN + "summarise", next_agent=True)
    assert [each for each in signs(report) if each[0] != "kept"] == [
        ("removed", f"{OWN}summarise"),
        ("added", f"{OWN}summarise"),
    ]


def test_as_received_what_input_items_leave_out_is_the_filters() -> None:
    report = diff_of(transcript(DATA), OWN + "send_nothing_new", next_agent=True)
    assert [each for each in signs(report) if each[0] != "kept"] == [("removed", f"{OWN}send_nothing_new")] * 2


def test_as_received_by_steps_the_runner_has_a_step_of_its_own() -> None:
    report = diff_of(transcript(DATA), OWN + "drop_outputs", next_agent=True, each_step=True)
    assert [each.title for each in report.blocks] == [f"{OWN}drop_outputs", "runner"]
    assert [each for each in signs(report, 1) if each[0] != "kept"] == [("removed", "runner")]


def test_what_the_runner_drops_anyway_is_no_difference() -> None:
    data = handoff_data([user()], [call("lost")], TRANSFER)
    assert not diff_of(transcript(data), "noop", next_agent=True).is_changed


def test_a_recorded_handoff_is_compared_with_what_its_filter_gave() -> None:
    one = transcript(DATA, after=DATA.clone(pre_handoff_items=(), new_items=()))
    report = diff_of(one)
    assert report.blocks[0].tallies == (Tally("the recorded filter", removed=4),)


def test_a_chain_without_filters_changes_nothing() -> None:
    report = answer(transcript(DATA), Question(Chain(())), WORDS)
    assert not report.is_changed
    assert report.blocks[0].title == "no filter"


def test_without_anything_to_run_there_is_nothing_to_compare() -> None:
    with pytest.raises(UsageError, match="nothing to compare") as caught:
        diff_of(transcript(DATA))
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("is_received", [False, True])
def test_two_chains_are_compared_by_what_they_leave(is_received: bool) -> None:
    one, other = build_chain(["remove_all_tools"]), build_chain(["truncate-history:n=1"])
    report = answer(transcript(DATA), Question(one, other, next_agent=is_received), WORDS)
    [block] = report.blocks
    assert block.title == "remove_all_tools against truncate-history:n=1"
    assert (block.before.items, block.after.items) == (2, 5)
    assert block.tallies == (Tally(None, removed=1, added=4),)


@pytest.mark.parametrize(
    ("question", "what"),
    [
        ({"against": Chain(())}, "two chains"),
        ({"chain": Chain(()), "against": Chain(()), "each_step": True}, "--steps"),
    ],
)
def test_questions_that_have_no_answer_are_refused(question: dict[str, Any], what: str) -> None:
    with pytest.raises(UsageError, match=what):
        Question(**question)


@pytest.mark.parametrize("is_received", [False, True])
def test_two_files_are_compared_one_by_one(is_received: bool) -> None:
    before = [transcript([user("a"), user("b")]), transcript([user("c")])]
    after = [transcript([user("a")], path="new.json"), transcript([user("c")], path="new.json")]
    first, second = compare_files(before, after, WORDS, next_agent=is_received)
    assert signs(first) == [("kept", None), ("removed", None)]
    assert first.compared == "against new.json"
    assert not second.is_changed


def test_files_of_different_numbers_are_not_guessed_at() -> None:
    with pytest.raises(InputError, match="1 and 2 conversations"):
        compare_files([transcript([])], [transcript([])] * 2, WORDS)
    with pytest.raises(InputError, match="0 and 1"):
        compare_files([], [transcript([])], WORDS)


@given(any_data())
def test_every_item_is_accounted_for_and_can_be_drawn(data: HandoffInputData) -> None:
    for next_agent in (False, True):
        report = diff_of(transcript(data), "remove_all_tools", next_agent=next_agent)
        [block] = report.blocks
        counts = {sign: sum(each.sign == sign for each in block.changes) for sign in ("added", "removed")}
        assert len(block.changes) - counts["added"] == block.before.items
        assert len(block.changes) - counts["removed"] == block.after.items
        assert sum(each.before for each in block.segments) == block.before.items
        assert "".join(Human().render([report], Paper()))
