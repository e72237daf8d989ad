"""Several agents' runs of one case, for a terminal: who saw what, and who wrote the reply."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from handoffctl.renderers.amounts import counted
from handoffctl.renderers.headings import flow
from handoffctl.renderers.lines import Line
from handoffctl.renderers.paper import Paper
from handoffctl.renderers.tables import natural_width, table
from handoffctl.reports.cases import CaseReport, HandoffCost, RunReport
from handoffctl.wording.escape import visible

_ITEMS, _SAW = 2, 5


def case_lines(case: CaseReport, paper: Paper, unit: str, *, is_only: bool) -> Iterator[Line]:
    """What happened, a table of runs as a tree, and what each handoff adds."""
    if not is_only:
        yield from flow((f"record {case.record}", *story(case)), paper.width)
    rows = [_row(run, tree) for run, tree in zip(case.runs, trees(case.runs), strict=True)]
    header = ("agent", "messages", "items", f"~{unit}", "system prompt", "saw", "wrote the reply")
    kept = _fitting([header, *rows], paper.width)
    cells = [[row[column] for column in kept] for row in (header, *rows)]
    yield from table(cells[0], cells[1:], paper.width, numbers=[kept.index(each) for each in (1, 2, 3) if each in kept])
    if _SAW not in kept:
        saw = [f"{visible(run.agent)}: {run.saw}" for run in case.runs]
        yield from flow(("saw  " + saw[0], *saw[1:]), paper.width, indent="     ")
    for cost in case.costs:
        yield from flow((sentence(cost),), paper.width, "bold")


def _fitting(rows: Sequence[Sequence[str]], columns: int) -> list[int]:
    """The columns of the table that have room: what was seen goes below it first, then the number of items goes."""
    kept = list(range(len(rows[0])))
    for column in (_SAW, _ITEMS):
        if natural_width([[row[each] for each in kept] for row in rows]) > columns:
            kept.remove(column)
    return kept


def story(case: CaseReport) -> Iterator[str]:
    """How many agents, and what they have to do with each other."""
    yield counted(len(case.runs), "agent")
    for run in case.runs:
        if run.relation == "handoff":
            yield f"handoff: {visible(run.parent or '?')} → {visible(run.agent)} (stop reason handoff, empty output)"
    asked = [visible(run.agent) for run in case.runs if run.relation == "agent_as_tool"]
    if asked:
        yield f"used as tools: {', '.join(asked)} (the caller writes the reply)"


def trees(runs: Sequence[RunReport]) -> list[str]:
    """What stands before each agent's name to show from which run it came."""
    drawn = []
    for place, run in enumerate(runs):
        below = next((each for each in runs[place + 1 :] if each.depth <= run.depth), None)
        is_last = below is None or below.depth < run.depth
        branch = ("└" if is_last else "├") + ("▶" if run.relation == "handoff" else "")
        drawn.append(f"{'  ' * (run.depth - 1)}{branch} " if run.depth else "")
    return drawn


def _row(run: RunReport, tree: str) -> list[str]:
    return [
        f"{tree}{visible(run.agent)}",
        f"{run.messages:,}",
        f"{run.items:,}",
        f"{run.tokens:,}",
        prompts(run),
        run.saw,
        reply(run),
    ]


def prompts(run: RunReport) -> str:
    """Whose system prompts the agent got."""
    return " + ".join([each if each == "own" else f"{visible(each)}'s" for each in run.system_prompts]) or "none"


def reply(run: RunReport) -> str:
    """Whether it wrote the reply."""
    if not run.wrote_reply:
        return "no"
    return "yes · last agent" if run.is_last else "yes"


def sentence(cost: HandoffCost) -> str:
    """`a handoff adds 2 messages: 9 alone, 11 here (12 with triage's system prompt)`."""
    giver = visible(cost.from_agent)
    other = ""
    if cost.is_kept:
        other = f" ({cost.without_prompt:,} without {giver}'s system prompt)"
    elif cost.with_prompt is not None:
        other = f" ({cost.with_prompt:,} with {giver}'s system prompt)"
    adds = counted(cost.adds, "message")
    return f"a handoff adds {adds}: {cost.alone:,} alone, {cost.here:,} here{other}"
