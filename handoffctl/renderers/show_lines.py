"""A conversation to read on a terminal: one block for each item."""

from __future__ import annotations

from collections.abc import Iterator

from handoffctl.renderers.amounts import amount, tokens_of
from handoffctl.renderers.cells import wrapped
from handoffctl.renderers.headings import flow, heading_lines
from handoffctl.renderers.lines import Line, Piece, line
from handoffctl.renderers.paper import Paper
from handoffctl.renderers.who import EMPTY, who
from handoffctl.reports.show import ShowReport
from handoffctl.reports.shown import ShownItem
from handoffctl.wording.escape import visible, visible_lines

MOST_CHARACTERS, MOST_LINES = 2_000, 40
_INDENT = "    "
_RECEIVED = ("received", "turn")


def show_lines(report: ShowReport, paper: Paper) -> Iterator[Line]:
    """The report's heading, then its items in order, segments apart."""
    yield from heading_lines(report.heading, paper.width)
    if report.chain:
        yield from flow((f"after {visible(report.chain)}",), paper.width, "dim")
    if report.seen in _RECEIVED:
        yield from flow((title(report), amount(report.amount)), paper.width, "bold")
        yield from flow(("its own system prompt and tools come beside this list",), paper.width, "dim")
    elif report.seen == "run":
        yield from flow((title(report),), paper.width, "bold")
    segments = {item.segment for item in report.items}
    last = ""
    for item in report.items:
        if len(segments) > 1 and item.segment != last:
            last = item.segment
            yield line()
            yield line(f"── {last} ──", "dim")
        yield line()
        yield from item_lines(item, paper.width)
    if report.seen not in _RECEIVED:
        yield line()
        yield from flow((amount(report.amount),), paper.width)


def title(report: ShowReport) -> str:
    """What is seen, by whom; empty for all of a conversation."""
    agent = visible(report.agent or "the next agent")
    titles = {
        "received": f"what {agent}'s model receives",
        "turn": f"what {agent}'s model received in the turn that it hands over in",
        "run": f"{agent}'s own run",
        "all": "",
    }
    return titles[report.seen]


def item_lines(item: ShownItem, columns: int) -> Iterator[Line]:
    """Who, the tool and the tokens, and below it all words, up to a limit."""
    left = [Piece(f"{item.index:>3} ", "dim"), Piece(who(item), "handoff" if item.handoff else "who")]
    if item.name:
        left.append(Piece(f"  {visible(item.name)}", "bold"))
    if item.handoff and item.to_agent:
        left.append(Piece(f"  → {visible(item.to_agent)}", "handoff"))
    yield Line(left, (Piece(tokens_of(item.tokens), "dim"),))
    text = item.text.strip("\n")
    if item.handoff and text == "{}":
        return
    yield from _text_lines(text, columns) if text.strip() else [line(f"{_INDENT}{EMPTY}", "dim")]


def _text_lines(text: str, columns: int) -> Iterator[Line]:
    """The words, wrapped; where they are too many, their start and how many there are."""
    shown = text[:MOST_CHARACTERS]
    lines = [part for each in visible_lines(shown).split("\n") for part in wrapped(each, columns - len(_INDENT))]
    for each in lines[:MOST_LINES]:
        yield line(f"{_INDENT}{each}")
    if len(text) > MOST_CHARACTERS or len(lines) > MOST_LINES:
        yield line(f"{_INDENT}… {len(text):,} characters in all; --format json has them", "dim")
