"""What happened when, as it is shown."""

from __future__ import annotations

import json

from handoffctl.dumps.timeline import Moment
from handoffctl.model import Transcript
from handoffctl.renderers import RENDERERS
from handoffctl.renderers.paper import Paper
from handoffctl.reports.inspection import InspectReport
from tests.reporting import HOSTILE, RAW, inspect_of, transcript

AGENT = Moment("agent", 0, "Triage", start=0.0, seconds=2.5)
HANDOFF = Moment("handoff", 1, None, "Triage", None, 1.25, None, "two at once")
CALL = Moment("function", 1, "look")


def with_timeline(*moments: Moment, items: int = 0) -> Transcript:
    user = {"role": "user", "content": "hi"}
    return transcript([user] * items, format="trace", about={"timeline": moments}, notes=("no messages",))


def drawn(name: str, report: InspectReport, width: int = 100) -> str:
    return "".join(RENDERERS.get(name)().render([report], Paper(width)))


def test_for_a_terminal() -> None:
    text = drawn("human", inspect_of(with_timeline(AGENT, HANDOFF, CALL)))
    assert "note: no messages" in text
    assert [line.rstrip() for line in text.splitlines()[-4:]] == [
        "timeline     took",
        "+0.000 s  2.500 s  agent Triage",
        "+1.250 s             handoff Triage → ? · error: two at once",
        "                     function look",
    ]
    assert "handoff Triage → ?" in drawn("human", inspect_of(with_timeline(AGENT, HANDOFF, items=2)))


def test_a_long_one_is_shown_in_part_and_a_deep_one_on_its_lines() -> None:
    text = drawn("human", inspect_of(with_timeline(*[Moment("agent", n * 9, "A") for n in range(45)])))
    assert "… 5 more; --format json lists all" in text
    assert max(map(len, text.splitlines())) <= 100


def test_of_several_conversations() -> None:
    report = inspect_of(with_timeline(AGENT, items=1), with_timeline(), with_timeline(HANDOFF, items=1))
    text = drawn("human", report)
    assert text.count("timeline") == 2
    assert text.count("note: no messages") == 2


def test_in_markdown_and_json() -> None:
    for items in (0, 1):
        report = inspect_of(with_timeline(AGENT, HANDOFF, items=items))
        text = drawn("markdown", report)
        assert "| start | took | what |" in text
        assert "| +1.250 s |  | &nbsp;&nbsp;handoff Triage → ? · error: two at once |" in text
        assert "> no messages" in text
        [conversation] = json.loads(drawn("json", report))["conversations"]
        assert conversation["timeline"][1]["error"] == "two at once"
        assert "timeline" not in drawn("human", inspect_of(transcript([{"role": "user", "content": "x"}])))


def test_hostile_names_are_text() -> None:
    report = inspect_of(with_timeline(Moment(HOSTILE, 0, HOSTILE, error=HOSTILE), Moment("handoff", 0, None, HOSTILE)))
    for name in ("human", "markdown", "json"):
        assert RAW.isdisjoint(drawn(name, report))
    assert "<img" not in drawn("markdown", report)


def test_secrets_are_masked() -> None:
    secret = "sk-" + "a1B2" * 12
    report = inspect_of(with_timeline(Moment("function", 0, "f", error=f"key {secret}"), Moment(secret, 0, secret)))
    assert secret not in drawn("json", report)
