"""What a person sees: signs, who, what, the filter at the right edge; nothing wider than the paper, nothing raw."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from handoffctl.item import edit
from handoffctl.model import HandoffInputData, history_items
from handoffctl.renderers.cells import columns_of
from handoffctl.renderers.human import Human
from handoffctl.renderers.paper import VIEWS, Paper
from tests.conversing import assistant, call, handoff_data, output, reasoning, system, user
from tests.reporting import (
    HOSTILE,
    RAW,
    diff_of,
    hostile_items,
    inspect_of,
    run_of,
    show_of,
    text,
    transcript,
)

CALLED = handoff_data([user("Hi."), call(), output(text="It is 7."), assistant("It is 7.")])
TRANSFER = [call("h", "transfer_to_b"), output("h", '{"assistant": "B"}')]


def squeezed(shown: str) -> list[str]:
    """The lines with single spaces."""
    return [re.sub(" +", " ", each).rstrip() for each in shown.splitlines()]


def shorten(data: HandoffInputData) -> HandoffInputData:
    """A filter that edits the third item."""
    first, second, third, *rest = history_items(data)
    return data.clone(input_history=(first, second, edit(third, output="It is eight."), *rest))


def turn(data: HandoffInputData) -> HandoffInputData:
    """A filter that moves the first item to the end."""
    first, *rest = history_items(data)
    return data.clone(input_history=(*rest, first))


def brief(data: HandoffInputData) -> HandoffInputData:
    """A filter that adds a message."""
    return data.clone(input_history=(system("Be brief."), *history_items(data)))


OWN = "tests.renderers.test_human:"


def test_sign_then_who_then_what_and_the_filter_at_the_edge() -> None:
    lines = squeezed(text(diff_of(transcript(CALLED), "remove_all_tools")))
    assert lines[3:8] == [
        "history 4 → 2 items",
        " 0 user Hi. ~1",
        "- 1 assistant → call look_up {} remove_all_tools",
        "- 2 tool output look_up It is 7. remove_all_tools",
        " 3 assistant It is 7. ~3",
    ]


def test_footer_is_the_summary() -> None:
    assert squeezed(text(diff_of(transcript(CALLED), "remove_all_tools")))[9:] == [
        "4 → 2 items · 4 → 2 messages · ~9 → ~4 tokens (−56 %)",
        "by kind: message 2 → 2 · call 1 → 0 · output 1 → 0",
        "removed by remove_all_tools 2 · same start: ~1 tokens",
    ]


@pytest.mark.parametrize(
    ("filter_", "row", "tally"),
    [
        ("shorten", "~ 2 tool output It is [-7-]{+eight+}. tests.renderers.test_hu…", "edited"),
        ("turn", "> 0 user → history 3 Hi. tests.renderers.test_hu…", "moved"),
        ("brief", "+ 0 system Be brief. tests.renderers.test_hu…", "added"),
    ],
)
def test_every_sign(filter_: str, row: str, tally: str) -> None:
    lines = squeezed(text(diff_of(transcript(CALLED), OWN + filter_)))
    assert row in lines
    assert any(each.startswith(f"{tally} by {OWN}{filter_} 1") for each in lines)


def test_long_runs_of_kept_items_are_folded() -> None:
    items = [user(str(number)) for number in range(9)]
    lines = squeezed(text(diff_of(transcript(handoff_data(items)), "truncate-history:drop_first=1")))
    assert [each for each in lines if each.startswith(("-", " "))] == ["- 0 user 0 truncate-history", " … 8 kept ~8"]


def test_short_runs_are_shown() -> None:
    shown = text(diff_of(transcript(handoff_data([user()] * 6)), "noop"))
    assert "kept" not in shown
    assert "nothing changed" in shown


def test_each_step_is_a_comparison_of_its_own() -> None:
    report = diff_of(transcript(CALLED), "remove_all_tools", "truncate-history:n=1", each_step=True)
    lines = text(report).splitlines()
    assert [each for each in lines if each.startswith("step")] == [
        "step 1 of 2: remove_all_tools",
        "step 2 of 2: truncate-history:n=1",
    ]


def test_handoff_and_split_are_named() -> None:
    data = handoff_data([user("Hi.")], (), TRANSFER)
    lines = text(diff_of(transcript(data, split="as told"), "noop")).splitlines()
    assert lines[:2] == ['dump.json · items · ? → B (handoff output {"assistant": …})', "split: as told"]
    assert squeezed("\n".join(lines))[5:8] == [
        "new 2 → 2 items",
        " 1 assistant → handoff transfer_to_b ~2",
        " 2 handoff output B ~2",
    ]


def test_what_the_runner_drops_besides_is_a_footnote() -> None:
    data = handoff_data([user("Hi.")], [call("x", "lost")], TRANSFER)
    shown = text(diff_of(transcript(data), "noop"))
    assert "the runner drops besides: 1 assistant → call lost (a call without an output)" in shown


def test_many_dropped_items_are_counted() -> None:
    data = handoff_data([user()], [call(str(number)) for number in range(8)], TRANSFER)
    assert "… 3 more" in text(diff_of(transcript(data), "noop"))


def test_names_are_for_programs() -> None:
    report = diff_of(transcript(CALLED), "remove_all_tools")
    assert text(report, view="names", width=40) == (
        "-\t1\tfunction_call\tlook_up\tremove_all_tools\n-\t2\tfunction_call_output\tlook_up\tremove_all_tools\n"
    )


def test_stat_is_segments_and_summary() -> None:
    lines = text(diff_of(transcript(CALLED), "remove_all_tools"), view="stat").splitlines()
    assert [each.split("  ")[0] for each in lines[3:6]] == [
        "history",
        "",
        "4 → 2 items · 4 → 2 messages · ~9 → ~4 tokens (−56 %)",
    ]


def test_split_has_both_sides_from_120_columns_on() -> None:
    report = diff_of(transcript(CALLED), OWN + "shorten", "remove_all_tools")
    lines = squeezed(text(report, view="split", width=130))
    assert " 0 user Hi. 0 user Hi." in lines
    assert " 1 assistant → call look_up {} - remove_all_tools" in lines
    narrow = text(report, view="split", width=119).splitlines()
    assert narrow.pop(2) == "--view split needs 120 columns; this is unified"
    assert narrow == text(report, width=119).splitlines()


def test_split_shows_each_sides_own_words() -> None:
    lines = squeezed(text(diff_of(transcript(CALLED), OWN + "shorten"), view="split", width=130))
    assert " 2 tool output It is [-7-]. ~ 2 tool output It is {+eight+}." in lines
    lines = squeezed(text(diff_of(transcript(CALLED), OWN + "brief"), view="split", width=130))
    assert f"{OWN}brief + 0 system Be brief." in [each.strip() for each in lines]


@pytest.mark.parametrize(
    ("filter_", "lines"),
    [
        ("shorten", ["-2 tool output look_up", "-    It is 7.", "+2 tool output look_up", "+    It is eight."]),
        ("turn", ["-0 user", "-    Hi.", "+3 user: moved to history"]),
        ("brief", ["+0 system", "+    Be brief."]),
    ],
)
def test_patch_has_all_words(filter_: str, lines: list[str]) -> None:
    shown = text(diff_of(transcript(CALLED), OWN + filter_), view="patch").splitlines()
    assert shown[:2] == ["--- dump.json", f"+++ dump.json: {OWN}{filter_}"]
    assert [each for each in shown[3:] if each[0] in "+-"] == lines


def test_patch_of_nothing_is_empty() -> None:
    assert text(diff_of(transcript(CALLED), "noop"), view="patch") == ""


def test_patch_leaves_out_what_is_far_from_any_change() -> None:
    items = [user(str(number)) for number in range(9)]
    shown = text(diff_of(transcript(handoff_data(items)), "truncate-history:drop_first=1"), view="patch")
    assert [each for each in shown.splitlines() if each.startswith(" ")] == [" 1 user", "     1"]


def test_edit_far_inside_a_long_text_is_seen() -> None:
    data = handoff_data([user(), call(), output(text="a word " * 200 + "7" + " and more" * 200), assistant()])
    changed = handoff_data([user(), call(), output(text="a word " * 200 + "8" + " and more" * 200), assistant()])
    row = next(each for each in text(diff_of(transcript(data, after=changed))).splitlines() if each.startswith("~"))
    assert "[-7" in row
    assert "{+8" in row


def test_conversation_is_shown_block_by_block() -> None:
    data = handoff_data([system("Rules."), user("Hi.\nAre you there?"), reasoning(), assistant("")], (), TRANSFER)
    assert squeezed(text(show_of(transcript(data)))) == [
        'dump.json · items · ? → B (handoff output {"assistant": …})',
        "split: all history",
        "",
        "── history ──",
        "",
        " 0 system ~1",
        " Rules.",
        "",
        " 1 user ~4",
        " Hi.",
        " Are you there?",
        "",
        " 2 reasoning ~0",
        " (empty)",
        "",
        " 3 assistant ~0",
        " (empty)",
        "",
        "── new ──",
        "",
        " 4 assistant → handoff transfer_to_b → B ~2",
        "",
        " 5 handoff output transfer_to_b → B ~2",
        ' {"assistant": "B"}',
        "",
        "6 items · 4 messages · ~9 tokens",
    ]


def test_what_the_next_agent_receives_comes_with_its_tokens() -> None:
    shown = text(show_of(transcript(handoff_data([user("Hi.")], (), TRANSFER)), "remove_all_tools", agent="next-agent"))
    assert "after remove_all_tools\nwhat B's model receives · 1 item · 1 message · ~1 tokens\n" in shown


def test_a_run_is_the_agents_own() -> None:
    assert "\nA's own run\n" in text(show_of(run_of("A", [user(), assistant()]), agent="A"))


def test_a_huge_text_is_cut_with_its_length() -> None:
    shown = text(show_of(transcript(handoff_data([user("words " * 50_000)]))))
    assert "… 300,000 characters in all" in shown
    assert len(shown) < 5_000
    assert shown.count("\n") < 60


def test_an_image_is_a_note() -> None:
    image = {"type": "input_image", "image_url": "data:image/png;base64," + "QUJD" * 800}
    shown = text(show_of([{"role": "user", "content": [{"type": "input_text", "text": "What is on it?"}, image]}]))
    assert "[image image/png, 2,400 bytes]" in shown
    assert "QUJD" not in shown


def test_conversations_of_a_file_are_a_table_with_their_sum() -> None:
    lines = squeezed(text(inspect_of(transcript(CALLED), transcript(handoff_data([user()])))))
    assert lines[0] == "dump.json · items · 2 conversations"
    assert lines[3:] == [
        " conversation messages items ~tokens handoffs",
        " 1 line 1 4 4 ~9 0",
        " 2 line 1 1 1 ~1 0",
        "all 5 5 ~10 0",
        "--record N takes one apart",
    ]


def test_many_conversations_are_counted_not_listed() -> None:
    lines = text(inspect_of(*[transcript(CALLED)] * 50)).splitlines()
    assert "… 10 more; --record N shows one, --format json lists all" in lines
    assert len(lines) < 50


def test_one_conversation_is_taken_apart() -> None:
    data = handoff_data([system(), *history_items(CALLED)], [reasoning()], TRANSFER)
    one = transcript(data, instructions={"A": "Be kind."}, notes=("odd",), about={"previous_response_id": "r"})
    shown = squeezed(text(inspect_of(one, notes=["read as UTF-16"])))
    assert shown[1:5] == ["read as items: its shape", "note: read as UTF-16", "split: all history", "note: odd"]
    for part in (
        "note: previous_response_id is set: a server holds earlier items, which no filter",
        "8 items · 6 messages · ~14 tokens · 448 bytes",
        "besides, a system prompt outside the list: A: ~2 tokens",
        "kind items ~tokens share",
        "segment items ~tokens share",
        "biggest items",
        "roles assistant 4 · tool 2 · system 1 · user 1",
        "tools look_up 1 · transfer_to_b 1",
        "answers next: B",
        'handoff 6 → 7 ? → B · transfer_to_b · handoff output {"assistant": …}',
    ):
        assert part in shown
    assert any(each.startswith("growth ▁") for each in shown)


def test_an_agent_as_a_tool_is_told_from_a_handoff() -> None:
    manager = run_of("boss", [user(), call(name="ask"), output(), assistant()], stop_reason="done", output="reply")
    helper = run_of("helper", [user(), assistant()], stop_reason="done", output="found", parent="boss")
    lines = squeezed(text(inspect_of(manager, helper), width=100))
    assert lines[0] == "dump.json · runs · 2 agents · used as tools: helper (the caller writes the reply)"
    assert lines[3:] == [
        "agent messages items ~tokens system prompt saw wrote the reply",
        "boss 4 4 5 none the user's message yes",
        "└ helper 2 2 2 none one task string no",
    ]


def test_a_handoff_adds_two_messages() -> None:
    giver = run_of("A", [system("Be A."), user(), TRANSFER[0]], stop_reason="handoff", output="")
    receiver = run_of("B", [system("Be B."), user(), *TRANSFER, assistant()], stop_reason="done", output="reply")
    lines = squeezed(text(inspect_of(giver, receiver), width=100))
    assert lines[0] == "dump.json · runs · 2 agents · handoff: A → B (stop reason handoff, empty output)"
    assert lines[4:] == [
        "A 3 3 5 own the user's message no",
        "└▶ B 5 5 8 own user + transfer + result yes · last agent",
        "a handoff adds 2 messages: 3 alone, 5 here (6 with A's system prompt)",
    ]


def test_the_table_of_runs_gives_way_in_columns_on_narrow_paper() -> None:
    name = "A rather long name of an agent"
    giver = run_of(name, [system("Be A."), user(), TRANSFER[0]], stop_reason="handoff", output="")
    receiver = run_of("B", [system("Be A."), user(), *TRANSFER, assistant()], stop_reason="done", output="reply")
    narrow = squeezed(text(inspect_of(giver, receiver)))
    assert "agent messages ~tokens system prompt wrote the reply" in narrow
    assert f"saw {name}: the user's message" in narrow


def test_several_cases_are_told_apart() -> None:
    first, second = run_of("A", [user()]), run_of("A", [user()])
    report = inspect_of(first)
    case = report.cases[0]
    both = type(report)(report.file, "runs", "x", (), report.conversations * 2, report.total, (case, case), None)
    assert "record 1 · 1 agent" in text(both)
    assert second.format == "runs"


def test_reports_are_apart_by_an_empty_line() -> None:
    report = diff_of(transcript(CALLED), "noop")
    whole = text(report)
    assert "".join(Human().render([report, report], Paper())) == f"{whole}\n{whole}"


REPORTS: dict[str, Any] = {
    "diff": lambda: diff_of(hostile_items(), "remove_all_tools"),
    "diff with edits": lambda: diff_of(transcript(hostile_items(), after=handoff_data([user(HOSTILE)]))),
    "diff as received": lambda: diff_of(hostile_items(), "noop", next_agent=True),
    "show": lambda: show_of(hostile_items()),
    "show as received": lambda: show_of(hostile_items(), agent="next-agent"),
    "inspect": lambda: inspect_of(transcript(hostile_items(), path=HOSTILE, notes=(HOSTILE,), split=HOSTILE)),
    "inspect several": lambda: inspect_of(*[transcript(hostile_items(), path=HOSTILE)] * 2, notes=[HOSTILE]),
    "inspect runs": lambda: inspect_of(
        run_of(HOSTILE, hostile_items(), stop_reason="handoff", output=""),
        run_of(f"b{HOSTILE}", hostile_items(), parent=HOSTILE, stop_reason=HOSTILE),
    ),
}
every_report = pytest.mark.parametrize("name", REPORTS)
every_renderer = pytest.mark.parametrize("renderer", ["human", "json", "jsonl", "markdown"])


@every_report
@every_renderer
def test_nothing_raw_reaches_the_terminal(name: str, renderer: str) -> None:
    shown = text(REPORTS[name](), renderer)
    assert RAW.isdisjoint(shown)
    shown.encode()
    if renderer.startswith("json"):
        json.loads(shown)


@every_report
@pytest.mark.parametrize("view", VIEWS)
def test_no_view_lets_anything_raw_through(name: str, view: Any) -> None:
    assert RAW.isdisjoint(text(REPORTS[name](), view=view, width=130))


@every_report
@pytest.mark.parametrize("width", [40, 80, 200])
def test_nothing_is_wider_than_the_paper(name: str, width: int) -> None:
    lines = text(REPORTS[name](), width=width).splitlines()
    assert max(map(columns_of, lines)) <= width


@every_report
def test_colour_adds_nothing_but_colour(name: str) -> None:
    plain, colored = text(REPORTS[name]()), text(REPORTS[name](), colored=True)
    assert re.sub(r"\x1b\[\d+m", "", colored) == plain
    assert set(re.findall(r"\x1b\[(\d+)m", colored)) <= {"0", "1", "2", "31", "32", "33", "34", "35", "36"}
