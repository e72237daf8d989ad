"""One conversation taken apart, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from handoffctl.renderers.amounts import tokens_of
from handoffctl.renderers.cells import cut
from handoffctl.renderers.diff_rows import Layout, head
from handoffctl.renderers.headings import agents, flow
from handoffctl.renderers.lines import Line, Piece, line
from handoffctl.renderers.paper import Paper
from handoffctl.renderers.tables import bar, sparkline, table
from handoffctl.renderers.who import what
from handoffctl.reports.inspection import Anatomy, Share
from handoffctl.wording.escape import visible

_LONGEST_NAME = 40


def anatomy_lines(anatomy: Anatomy, paper: Paper, unit: str) -> Iterator[Line]:
    """Prompts, composition, growth, the biggest items, agents and handoffs, as far as there are any.

    `unit` is what texts are counted in.
    """
    yield from prompt_lines(anatomy, unit)
    if anatomy.kinds:
        yield from _parts(anatomy, paper, unit)


def prompt_lines(anatomy: Anatomy, unit: str) -> Iterator[Line]:
    """The system prompts that stand outside the list."""
    for prompt in anatomy.prompts:
        name = f"{visible(prompt.agent)}: " if prompt.agent else ""
        yield line(f"besides, a system prompt outside the list: {name}{tokens_of(prompt.tokens)} {unit}", "dim")


def _parts(anatomy: Anatomy, paper: Paper, unit: str) -> Iterator[Line]:
    for title, shares in (("kind", anatomy.kinds), ("segment", anatomy.segments)):
        if len(shares) > 1 or title == "kind":
            yield from _shares(title, shares, paper, unit)
    yield from _growth(anatomy, paper, unit)
    yield from _biggest(anatomy, paper)
    yield from _names(anatomy, paper)
    yield from _handoffs(anatomy, paper)


def _shares(title: str, shares: Sequence[Share], paper: Paper, unit: str) -> Iterator[Line]:
    yield line()
    rows = [
        [visible(each.name), f"{each.items:,}", f"{each.tokens:,}", f"{each.share:.0%}", bar(each.share)]
        for each in shares
    ]
    yield from table((title, "items", f"~{unit}", "share", ""), rows, paper.width, numbers=(1, 2, 3))


def _growth(anatomy: Anatomy, paper: Paper, unit: str) -> Iterator[Line]:
    if len(anatomy.growth) > 2:
        yield line()
        spark = sparkline(anatomy.growth[:: 1 if paper.width >= 80 else 2])
        total = f"  up to {tokens_of(anatomy.growth[-1])} {unit}"
        yield Line((Piece("growth  ", "dim"), Piece(spark, "added"), Piece(total)))


def _biggest(anatomy: Anatomy, paper: Paper) -> Iterator[Line]:
    yield line()
    yield line("biggest items", "dim")
    layout = Layout.of(anatomy.biggest, paper.width)
    for item in anatomy.biggest:
        right = tokens_of(item.tokens)
        said = Piece(what(item, layout.room(right)))
        yield Line((*head(item, " ", "", layout), said), (Piece(right, "dim"),))


def _names(anatomy: Anatomy, paper: Paper) -> Iterator[Line]:
    lists = [("roles", anatomy.roles), ("agents", anatomy.agents), ("tools", anatomy.tools)]
    if any(shares for _, shares in lists):
        yield line()
    for title, shares in lists:
        if shares:
            named = [f"{cut(visible(each.name), _LONGEST_NAME)} {each.items:,}" for each in shares]
            yield from flow((f"{title:<8}{named[0]}", *named[1:]), paper.width, indent=" " * 8)
    if anatomy.agent:
        yield line(f"answers next: {visible(anatomy.agent)}")


def _handoffs(anatomy: Anatomy, paper: Paper) -> Iterator[Line]:
    if not anatomy.handoffs:
        return
    yield line()
    for each in anatomy.handoffs:
        places = " → ".join([f"{at:,}" if at is not None else "(none)" for at in (each.call, each.output)])
        evidence = visible(each.evidence) + ("" if each.certain else " (a guess)")
        yield from flow(
            (f"handoff  {places}  {agents(each)}", visible(each.tool), evidence), paper.width, indent=" " * 9
        )
