"""Reports as JSON: one document for one, lines for several; they say all, and mask secrets."""

from __future__ import annotations

import json

from handoffctl.renderers.json import Json
from handoffctl.renderers.paper import Paper
from handoffctl.reports.shown import Eye
from tests.conversing import call, output, user
from tests.reporting import HOSTILE, diff_of, inspect_of, show_of, text, transcript

ITEMS = [user("Hi."), call(), output(text="It is 7.")]


def test_one_report_is_one_indented_document() -> None:
    shown = text(diff_of(ITEMS, "remove_all_tools"), "json")
    assert shown.startswith('{\n  "report": "diff",\n')
    assert shown.endswith("}\n")


def test_several_reports_are_lines() -> None:
    reports = [show_of(ITEMS), show_of(ITEMS), show_of(ITEMS)]
    lines = "".join(Json().render(reports, Paper())).splitlines()
    assert [json.loads(line)["report"] for line in lines] == ["show"] * 3


def test_none_is_nothing() -> None:
    assert list(Json().render([], Paper())) == []


def test_change_says_what_became_of_an_item_and_who_did_it() -> None:
    shown = json.loads(text(diff_of(ITEMS, "remove_all_tools"), "json"))
    [block] = shown["blocks"]
    assert [(each["sign"], each["by"], each["item"]["text"]) for each in block["changes"]] == [
        ("kept", None, "Hi."),
        ("removed", "remove_all_tools", "{}"),
        ("removed", "remove_all_tools", "It is 7."),
    ]
    assert block["before"] == {
        "items": 3,
        "messages": 3,
        "tokens": 6,
        "bytes": sum(len(each.raw) for each in ITEMS),
        "media": 0,
        "kinds": {"message": 1, "call": 1, "output": 1},
        "unit": "tokens",
    }
    assert block["tallies"] == [{"by": "remove_all_tools", "removed": 2, "edited": 0, "added": 0, "moved": 0}]


def test_hostile_text_comes_back_as_it_was() -> None:
    shown = json.loads(text(show_of([{"role": "user", "content": HOSTILE}]), "json"))
    assert shown["items"][0]["text"] == HOSTILE


def test_secrets_are_masked_wherever_they_are_repeated() -> None:
    items = [user("password=correct-horse-1"), user("It is correct-horse-1.")]
    shown = text(inspect_of(transcript(items)), "json") + text(show_of(items), "json")
    assert "correct-horse-1" not in shown
    assert "It is [masked]." in shown


def test_revealed_they_are_shown() -> None:
    report = diff_of([user("password=correct-horse-1")], "noop", eye=Eye(mask=str))
    assert "password=correct-horse-1" in text(report, "json")
