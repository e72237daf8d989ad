"""What a report says besides its items: the counter's unit, media, input items, and that there is nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from handoffctl.report import Report
from handoffctl.reports.amounts import amount_of
from handoffctl.reports.shown import Eye, unit_of
from handoffctl.tokens import TextCounter, count_characters, count_words, estimate_tokens
from tests.conversing import assistant, call, handoff_data, output, user
from tests.reporting import diff_of, inspect_of, run_of, show_of, text, transcript

CALLED = [user("Hi."), call(), output(text="It is 7."), assistant("It is 7.")]
TRANSFER = [call("h", "transfer_to_b"), output("h", '{"assistant": "B"}')]
IMAGE = {"type": "input_image", "image_url": "data:image/png;base64,AAAA"}


@pytest.mark.parametrize("renderer", ["human", "markdown"])
def test_a_conversation_without_items_has_no_empty_tables(renderer: str) -> None:
    lines = text(inspect_of(transcript([]), notes=["odd"]), renderer).splitlines()
    assert [each for each in lines if each] == (
        ["dump.json · items", "0 items"] if renderer == "human" else ["### <code>dump.json</code>", "items; 0 items"]
    )


def test_what_is_served_and_prompted_is_told_even_without_items() -> None:
    one = transcript([], instructions={"A": "Be kind."}, about={"conversation_id": "c"})
    lines = text(inspect_of(one)).splitlines()
    assert lines[1].startswith("note: conversation_id is set")
    assert lines[-2:] == ["0 items", "besides, a system prompt outside the list: A: ~2 tokens"]


@pytest.mark.parametrize("renderer", ["human", "markdown"])
@pytest.mark.parametrize("counter", [count_characters, count_words])
def test_the_unit_is_the_counters(renderer: str, counter: TextCounter) -> None:
    eye = Eye(counter, unit=unit_of(counter))
    runs = [run_of("A", CALLED), run_of("B", CALLED)]
    reports: list[Report] = [
        diff_of(transcript(CALLED), "remove_all_tools", eye=eye),
        inspect_of(transcript(CALLED, instructions={"A": "Be kind."}), eye=eye),
        inspect_of(transcript(CALLED), transcript(CALLED), eye=eye),
        inspect_of(*runs, eye=eye),
        replace(show_of(transcript(CALLED)), amount=amount_of(transcript(CALLED).data, eye)),
    ]
    for report in reports:
        shown = text(report, renderer)
        assert eye.unit in shown
        assert "tokens" not in shown


def test_other_counters_count_tokens() -> None:
    assert [unit_of(each) for each in (estimate_tokens, count_characters, count_words, len)] == [
        "tokens",
        "chars",
        "words",
        "tokens",
    ]


@pytest.mark.parametrize("renderer", ["human", "markdown"])
def test_input_items_in_place_of_new_ones_are_told(renderer: str) -> None:
    data = handoff_data(CALLED, [], TRANSFER)
    shown = " ".join(text(diff_of(transcript(data), "nest_handoff_history"), renderer).split())
    assert "he next agent gets the input items in place of the new ones; --as next-agent shows" in shown
    assert "input 0 → 0 items" in shown
    for report in (
        diff_of(transcript(data), "noop"),
        diff_of(transcript(data), "nest_handoff_history", next_agent=True),
    ):
        assert "in place of" not in text(report, renderer)


@pytest.mark.parametrize(
    ("parts", "width", "said"),
    [
        ([{"type": "input_text", "text": "And this?"}, IMAGE], 80, "And this? [image image/png, 3 bytes]"),
        ([IMAGE, {"type": "input_text", "text": "And\nthis?"}, IMAGE], 80, "And … [image image/png, 3 bytes] +1"),
        ([IMAGE], 80, "[image image/png, 3 bytes]"),
        ([{"type": "input_text", "text": "word " * 40}, IMAGE], 60, "word word word word… [image image/png, 3 … ~40"),
        ([{"type": "input_text", "text": "see\n[image 1]"}], 80, "see …"),
    ],
    ids=["behind words", "around them", "alone", "with little room", "only a text that looks like one"],
)
def test_a_line_has_the_media_of_its_item(parts: list[dict[str, str]], width: int, said: str) -> None:
    report = diff_of([{"role": "user", "content": parts}], "noop")
    assert f" 0 user {said}" in " ".join(text(report, width=width).split())
