"""Reports as Markdown, for pull requests and issues."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from handoffctl.renderers.amounts import amount, counted, percent
from handoffctl.renderers.case_lines import prompts, reply, sentence, story, trees
from handoffctl.renderers.diff_lines import REPLACED_NEW, block_lines, dropped_texts, kinds, same_start, tallies
from handoffctl.renderers.headings import agents, place, served
from handoffctl.renderers.inspect_lines import conversation
from handoffctl.renderers.lines import drawn
from handoffctl.renderers.marked import code, fenced, plain, rows
from handoffctl.renderers.paper import Paper
from handoffctl.renderers.show_lines import title
from handoffctl.renderers.timeline_lines import timeline_cells
from handoffctl.renderers.who import who
from handoffctl.report import DiffReport, InspectReport, Report, ShowReport
from handoffctl.reports.cases import CaseReport
from handoffctl.reports.diff import DiffBlock
from handoffctl.reports.inspection import Anatomy
from handoffctl.reports.shown import ShownItem
from handoffctl.wording.escape import visible_lines

WIDTH = 110
MOST_CHARACTERS = 10_000


class Markdown:
    """Headings, tables, and code blocks for what a transcript says."""

    def render(self, reports: Iterable[Report], paper: Paper) -> Iterator[str]:
        for number, report in enumerate(reports):
            yield ("\n" if number else "") + "\n".join(_parts(report, paper))


def _parts(report: Report, paper: Paper) -> Iterator[str]:
    if isinstance(report, DiffReport):
        return _diff(report, paper)
    return _inspect(report) if isinstance(report, InspectReport) else _show(report)


def _diff(report: DiffReport, paper: Paper) -> Iterator[str]:
    heading = report.heading
    handoff = f", {plain(agents(heading.handoff))}" if heading.handoff else ""
    yield f"### {code(place(heading))}{handoff}\n"
    yield f"{plain(heading.format)}; split: {plain(heading.split)}\n"
    yield from _notes((*heading.notes, *served(heading)))
    for number, block in enumerate(report.blocks, 1):
        step = f"step {number} of {len(report.blocks)}: " if len(report.blocks) > 1 else ""
        yield f"**{step}{plain(block.title)}**\n"
        yield _amounts(block)
        yield f"{plain(' · '.join([*tallies(block.tallies), same_start(block)]).strip(' ·'))}\n"
        if paper.view != "stat":
            yield fenced(drawn(block_lines(block, _unified(paper)), _unified(paper)), "diff")
    if report.replaces_new:
        yield f"{REPLACED_NEW[0].upper()}{plain(REPLACED_NEW[1:])}\n"
    if report.dropped:
        yield f"The runner drops besides: {plain(' · '.join(dropped_texts(report.dropped)))}\n"


def _unified(paper: Paper) -> Paper:
    return replace(paper, width=WIDTH, colored=False, view="unified")


def _amounts(block: DiffBlock) -> str:
    before, after = block.before, block.after
    less = percent(before.tokens, after.tokens)
    cells = [
        ["items", f"{before.items:,}", f"{after.items:,}"],
        ["messages", f"{before.messages:,}", f"{after.messages:,}"],
        [
            "tokens, estimated" if after.unit == "tokens" else after.unit,
            f"~{before.tokens:,}",
            f"~{after.tokens:,}{f' ({less})' if less else ''}",
        ],
    ]
    cells += [[f"{each.segment} items", f"{each.before:,}", f"{each.after:,}"] for each in block.segments]
    for each in kinds(block):
        name, numbers = each.split(" ", 1)
        cells.append([f"of kind {name}", *numbers.split(" → ")])
    return rows(("", "before", "after"), cells, (1, 2))


def _notes(notes: Sequence[str]) -> Iterator[str]:
    for note in notes:
        yield f"> {plain(note)}\n"


def _inspect(report: InspectReport) -> Iterator[str]:
    yield f"### {code(report.file)}\n"
    if report.anatomy is not None and not report.total.items:
        yield f"{plain(report.format)}; {counted(0, 'item')}\n"
        yield from _timelines(report)
        return
    yield f"read as {plain(report.format)}: {plain(report.why)}; {amount(report.total)}\n"
    yield from _notes(report.notes)
    for case in report.cases:
        yield from _case(case, report.total.unit)
    if report.anatomy is not None and not report.cases:
        yield from _anatomy(report.anatomy, report.total.unit)
    elif not report.cases:
        cells = [
            [
                plain(conversation(each.heading)),
                f"{each.amount.messages:,}",
                f"{each.amount.items:,}",
                f"~{each.amount.tokens:,}",
                f"{each.handoffs:,}",
            ]
            for each in report.conversations
        ]
        yield rows(("conversation", "messages", "items", report.total.unit, "handoffs"), cells, (1, 2, 3, 4))
    yield from _timelines(report)


def _timelines(report: InspectReport) -> Iterator[str]:
    """The timeline of each conversation that has one, after its notes."""
    for each in report.conversations:
        if each.timeline:
            yield f"{plain(conversation(each.heading))}\n"
            yield from _notes(each.heading.notes)
            cells = [_indented(timeline_cells(moment)) for moment in each.timeline]
            yield rows(("start", "took", "what"), cells, (0, 1))


def _indented(cells: Sequence[str]) -> list[str]:
    """Cells of a table that keep the white space before their words."""
    said = [cell.lstrip(" ") for cell in cells]
    return ["&nbsp;" * (len(cell) - len(text)) + plain(text) for cell, text in zip(cells, said, strict=True)]


def _case(case: CaseReport, unit: str) -> Iterator[str]:
    yield f"{plain(' · '.join(story(case)))}\n"
    cells = [
        [
            f"{tree}{plain(run.agent)}",
            f"{run.messages:,}",
            f"{run.items:,}",
            f"~{run.tokens:,}",
            *map(plain, (prompts(run), run.saw, reply(run))),
        ]
        for run, tree in zip(case.runs, trees(case.runs), strict=True)
    ]
    yield rows(("agent", "messages", "items", unit, "system prompt", "saw", "wrote the reply"), cells, (1, 2, 3))
    for cost in case.costs:
        yield f"{plain(sentence(cost))}\n"


def _anatomy(anatomy: Anatomy, unit: str) -> Iterator[str]:
    parts = [("kind", anatomy.kinds), ("role", anatomy.roles), ("agent", anatomy.agents), ("tool", anatomy.tools)]
    for name, shares in parts:
        if shares:
            cells = [[plain(each.name), f"{each.items:,}", f"~{each.tokens:,}", f"{each.share:.0%}"] for each in shares]
            yield rows((name, "items", unit, "share"), cells, (1, 2, 3))
    if anatomy.handoffs:
        cells = [
            [plain(agents(each)), code(each.tool), plain(each.evidence + ("" if each.certain else " (a guess)"))]
            for each in anatomy.handoffs
        ]
        yield rows(("handoff", "tool", "evidence"), cells)


def _show(report: ShowReport) -> Iterator[str]:
    yield f"### {code(place(report.heading))}\n"
    seen = f"{plain(title(report))}: " if title(report) else ""
    chain = f", after {plain(report.chain)}" if report.chain else ""
    yield f"{seen}{amount(report.amount)}{chain}\n"
    for item in report.items:
        yield from _item(item, report.amount.unit)


def _item(item: ShownItem, unit: str) -> Iterator[str]:
    name = f" {code(item.name)}" if item.name else ""
    yield f"**{item.index} {plain(who(item))}**{name} · ~{item.tokens:,} {unit}\n"
    text = item.text[:MOST_CHARACTERS]
    if text.strip():
        yield fenced(visible_lines(text))
    if len(item.text) > MOST_CHARACTERS:
        yield f"… {len(item.text):,} characters in all\n"
