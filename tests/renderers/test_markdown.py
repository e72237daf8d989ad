"""Reports as Markdown: what a transcript says is text there, whatever it says."""

from __future__ import annotations

import re

import pytest

from handoffctl.renderers.markdown import Markdown
from handoffctl.renderers.marked import code, fenced, plain
from handoffctl.renderers.paper import Paper
from tests.conversing import assistant, call, handoff_data, output, system, user
from tests.reporting import HOSTILE, diff_of, hostile_items, inspect_of, run_of, show_of, text, transcript

ITEMS = [user("Hi."), call(), output(text="It is 7.")]
TRANSFER = [call("h", "transfer_to_b"), output("h", '{"assistant": "B"}')]


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("plain words", "plain words"),
        ("a|b", "a&#124;b"),
        ("`code`", "&#96;code&#96;"),
        ("<img>&amp;", "&#60;img&#62;&#38;amp;"),
        ("*b* _i_ ~s~ # h", "&#42;b&#42; &#95;i&#95; &#126;s&#126; &#35; h"),
        ("[t](u) ![i]", "&#91;t&#93;(u) &#33;&#91;i&#93;"),
        ("@you http://e www.e", "&#64;you http&#58;//e www&#46;e"),
        ("two\nlines", "two&#92;nlines"),
    ],
)
def test_text_has_no_meaning(said: str, written: str) -> None:
    assert plain(said) == written


def test_code_of_nothing_is_nothing() -> None:
    assert (code("a`b"), code("")) == ("<code>a&#96;b</code>", "")


@pytest.mark.parametrize(("said", "fence"), [("words", "```"), ("``` ```` x", "`````")])
def test_a_fence_is_longer_than_any_in_the_text(said: str, fence: str) -> None:
    assert fenced(said) == f"{fence}\n{said}\n{fence}\n"


def test_diff_is_a_table_and_a_block_of_lines() -> None:
    shown = text(diff_of(ITEMS, "remove_all_tools"), "markdown")
    assert "| items | 3 | 1 |\n| messages | 3 | 1 |\n| tokens, estimated | ~6 | ~1 (−83 %) |\n" in shown
    assert "| of kind call | 1 | 0 |" in shown
    assert "removed by remove&#95;all&#95;tools 2 · same start: &#126;1 tokens" in shown
    assert re.search(r"```diff\nhistory .*\n   0  user .*\n-  1  assistant → call ", shown)


def test_stat_has_no_block() -> None:
    assert "```" not in text(diff_of(ITEMS, "remove_all_tools"), "markdown", view="stat")


def test_steps_handoff_notes_and_what_the_runner_drops() -> None:
    data = handoff_data([user()], [call("x", "lost")], TRANSFER)
    shown = text(diff_of(transcript(data, notes=("odd_note",)), "noop", "noop", each_step=True), "markdown")
    assert "### <code>dump.json</code>, ? → B" in shown
    assert "> odd&#95;note" in shown
    assert "**step 2 of 2: noop**" in shown
    assert "The runner drops besides: 1 assistant → call lost (a call without an output)" in shown


def test_inspected_conversations_are_a_table() -> None:
    shown = text(inspect_of(transcript(ITEMS), transcript(ITEMS)), "markdown")
    assert shown.count("| line 1 | 3 | 3 | ~6 | 0 |") == 2


def test_one_conversation_is_tables_of_its_parts() -> None:
    shown = text(inspect_of(transcript([*ITEMS, *TRANSFER])), "markdown")
    assert "| kind | items | tokens | share |" in shown
    assert '| ? → B | <code>transfer&#95;to&#95;b</code> | handoff output {"assistant": …} |' in shown


def test_runs_are_a_table_and_a_sentence() -> None:
    giver = run_of("Agent A", [system("Be A."), user(), TRANSFER[0]], stop_reason="handoff", output="")
    receiver = run_of("B", [system("Be A."), user(), *TRANSFER, assistant()], output="reply")
    shown = text(inspect_of(giver, receiver), "markdown")
    assert "| └▶ B | 5 | 5 | ~8 | Agent A's | user + transfer + result | yes · last agent |" in shown
    assert "a handoff adds 2 messages: 2 alone, 5 here (4 without Agent A's system prompt)" in shown


def test_shown_items_are_blocks() -> None:
    shown = text(show_of([*ITEMS, user("")], "noop", agent="next-agent"), "markdown")
    assert "what the next agent's model receives: 4 items · 4 messages · ~6 tokens, after noop" in shown
    assert "**2 tool output** <code>look&#95;up</code> · ~3 tokens\n\n```\nIt is 7.\n```\n" in shown


def test_a_huge_text_is_cut_with_its_length() -> None:
    shown = text(show_of([user("x" * 20_000)]), "markdown")
    assert "… 20,000 characters in all" in shown
    assert len(shown) < 11_000


def test_hostile_text_stays_in_its_block_or_cell() -> None:
    shown = text(diff_of(hostile_items(), "remove_all_tools"), "markdown")
    shown += text(show_of(hostile_items()), "markdown") + text(inspect_of(transcript(hostile_items())), "markdown")
    outside = re.sub(r"^(`{3,})\w*\n.*?^\1$", "", shown, flags=re.MULTILINE | re.DOTALL)
    assert not re.search(r"<img|\[link|http://|@you|www\.|`tick", outside)
    assert plain(HOSTILE)[:20] in outside


def test_reports_are_apart() -> None:
    report = show_of(ITEMS)
    assert "".join(Markdown().render([report, report], Paper())).count("### ") == 2
