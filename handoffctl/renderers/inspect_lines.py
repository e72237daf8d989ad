"""A file for a terminal: its conversations, or its only one taken apart, or several agents' runs."""

from __future__ import annotations

from collections.abc import Iterator

from handoffctl.renderers.amounts import amount, counted, size, tokens_of
from handoffctl.renderers.anatomy_lines import anatomy_lines, prompt_lines
from handoffctl.renderers.case_lines import case_lines, story
from handoffctl.renderers.headings import SEPARATOR, agents, flow, note_lines, served
from handoffctl.renderers.lines import Line, line
from handoffctl.renderers.paper import Paper
from handoffctl.renderers.tables import table
from handoffctl.renderers.timeline_lines import timeline_lines
from handoffctl.reports.amounts import Amount
from handoffctl.reports.heading import Heading
from handoffctl.reports.inspection import Anatomy, InspectReport
from handoffctl.wording.escape import visible

MOST_ROWS = 40


def inspect_lines(report: InspectReport, paper: Paper) -> Iterator[Line]:
    """The report of one file."""
    count = len(report.conversations)
    several = counted(count, "conversation") if count != 1 and not report.cases else ""
    what = story(report.cases[0]) if len(report.cases) == 1 else (several,)
    yield from flow((visible(report.file), report.format, *what), paper.width, "bold")
    if report.anatomy is not None and not report.total.items:
        yield from _nothing(report, report.anatomy, paper)
        return
    yield from flow((f"read as {report.format}: {visible(report.why)}",), paper.width, "dim")
    yield from note_lines(report.notes, paper.width)
    for case in report.cases:
        yield line()
        yield from case_lines(case, paper, report.total.unit, is_only=len(report.cases) == 1)
    if count == 1 and report.anatomy is not None and not report.cases:
        heading = report.conversations[0].heading
        yield from flow((f"split: {visible(heading.split)}",), paper.width, "dim")
        yield from note_lines((*heading.notes, *served(heading)), paper.width)
        yield line()
        yield from flow((amount(report.total), size(report.total.bytes)), paper.width)
        yield from anatomy_lines(report.anatomy, paper, report.total.unit)
        yield from timeline_lines(report.conversations[0].timeline, paper)
    elif not report.cases:
        yield line()
        yield from _conversations(report, paper)
        yield from _timelines(report, paper)


def _nothing(report: InspectReport, anatomy: Anatomy, paper: Paper) -> Iterator[Line]:
    """What there is to say of a conversation without items."""
    heading = report.conversations[0].heading
    yield from note_lines((*heading.notes, *served(heading)), paper.width)
    yield line(counted(0, "item"))
    yield from prompt_lines(anatomy, report.total.unit)
    yield from timeline_lines(report.conversations[0].timeline, paper)


def _timelines(report: InspectReport, paper: Paper) -> Iterator[Line]:
    """The timeline of each conversation shown that has one, under its name and its notes."""
    for each in report.conversations[:MOST_ROWS]:
        if each.timeline:
            yield line()
            yield from flow((conversation(each.heading),), paper.width, "bold")
            yield from note_lines(each.heading.notes, paper.width)
            yield from list(timeline_lines(each.timeline, paper))[1:]


def _conversations(report: InspectReport, paper: Paper) -> Iterator[Line]:
    """A table of conversations, the first of them where there are many, with the sum of all."""
    shown = report.conversations[:MOST_ROWS]
    rows = [
        [str(number), conversation(each.heading), *_numbers(each.amount), f"{each.handoffs:,}"]
        for number, each in enumerate(shown, 1)
    ]
    rows.append(["all", "", *_numbers(report.total), f"{sum(each.handoffs for each in report.conversations):,}"])
    header = ("", "conversation", "messages", "items", f"~{report.total.unit}", "handoffs")
    lines = list(table(header, rows, paper.width, numbers=(0, 2, 3, 4, 5)))
    yield from lines[:-1]
    if len(report.conversations) > MOST_ROWS:
        more = len(report.conversations) - MOST_ROWS
        yield line(f"… {more:,} more; --record N shows one, --format json lists all", "dim")
    yield lines[-1]
    yield line("--record N takes one apart", "dim")


def conversation(heading: Heading) -> str:
    """Where in its file a conversation is, its name, and the handoff that it is at."""
    at = f"line {heading.line}" if heading.line > 1 or heading.record == 1 else f"record {heading.record}"
    at = "" if heading.line == 0 else at
    handoff = agents(heading.handoff) if heading.handoff else ""
    return SEPARATOR.join([each for each in (at, visible(heading.name or ""), handoff) if each])


def _numbers(each: Amount) -> list[str]:
    return [f"{each.messages:,}", f"{each.items:,}", tokens_of(each.tokens)]
