"""Reports of invented conversations, and the text that a renderer makes of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from handoffctl.chain import build_chain
from handoffctl.item import Item
from handoffctl.model import HandoffInputData, Source, Transcript
from handoffctl.renderers import RENDERERS
from handoffctl.renderers.paper import Paper, View
from handoffctl.report import DiffReport, InspectReport, Report, ShowReport
from handoffctl.reports.diffing import Question, answer
from handoffctl.reports.inspection import report_file
from handoffctl.reports.showing import showings
from handoffctl.reports.shown import Eye
from handoffctl.tokens import count_words

WORDS = Eye(count_words)
"""Tokens are words here: how they are estimated is tested elsewhere."""

HOSTILE = (
    "\x1b[31mred\x1b]8;;http://evil\x07 [bold]b[/bold] [link=http://evil]l[/link] \u202eevil\u2066 "
    "\x9b\x7f\ud800\u200b\u2028\r"
    " `tick` | <img src=x> @you #1 www.evil.example ````"
)
RAW = frozenset("\x1b\x07\x9b\x7f\u202e\u2066\u200b\u2028\r\ud800")


def transcript(data: HandoffInputData | Sequence[Any], path: str = "dump.json", **more: Any) -> Transcript:
    """A transcript of data, or of items that are all history."""
    whole = data if isinstance(data, HandoffInputData) else HandoffInputData(tuple(map(Item.of, data)))
    return Transcript(whole, Source(path), more.pop("format", "items"), **more)


def run_of(agent: str, items: Sequence[Any], **about: Any) -> Transcript:
    """One agent's run of a case."""
    data = HandoffInputData(tuple(map(Item.of, items)))
    return Transcript(data, Source("case.json", name=agent), "runs", agent=agent, about=about)


def diff_of(what: Transcript | Sequence[Any], *specs: str, eye: Eye | None = None, **asked: Any) -> DiffReport:
    """The diff of a conversation with filters."""
    question = Question(build_chain(specs) if specs else None, **asked)
    return answer(what if isinstance(what, Transcript) else transcript(what), question, eye or WORDS)


def inspect_of(*transcripts: Transcript, eye: Eye | None = None, notes: Sequence[str] = ()) -> InspectReport:
    """The report of a file with these conversations, each a record of its own; runs are of one record."""
    format_ = transcripts[0].format if transcripts else "items"
    records = [transcripts] if format_ == "runs" else [[each] for each in transcripts]
    return report_file("dump.json", format_, "its shape", notes, records, eye or WORDS)


def show_of(what: Transcript | Sequence[Any], *specs: str, agent: str | None = None) -> ShowReport:
    """A conversation to read."""
    one = what if isinstance(what, Transcript) else transcript(what)
    [report] = showings([one], build_chain(specs) if specs else None, agent, WORDS)
    return report


def text(
    report: Report, renderer: str = "human", *, width: int = 80, view: View = "unified", colored: bool = False
) -> str:
    """What a renderer makes of a report."""
    return "".join(RENDERERS.get(renderer)().render([report], Paper(width, colored, view)))


def hostile_items() -> list[Mapping[str, Any]]:
    """A conversation whose every name and text is hostile."""
    return [
        {"role": "user", "content": f"{HOSTILE}\nsecond line {HOSTILE}"},
        {"type": "function_call", "name": f"tool{HOSTILE}", "call_id": f"c{HOSTILE}", "arguments": HOSTILE},
        {"type": "function_call_output", "call_id": f"c{HOSTILE}", "output": HOSTILE},
        {"type": "function_call", "name": f"transfer_to_{HOSTILE}", "call_id": "h", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "h", "output": "{'assistant': '" + HOSTILE + "'}"},
        {"type": f"type{HOSTILE}", "id": f"id{HOSTILE}"},
        {"role": f"role{HOSTILE}", "content": "words"},
        {"role": "assistant", "content": HOSTILE},
    ]
