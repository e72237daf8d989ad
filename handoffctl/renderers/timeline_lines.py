"""What happened when, for a terminal: agents with what they did, one inside the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from handoffctl.dumps.timeline import Moment
from handoffctl.renderers.lines import Line, line
from handoffctl.renderers.paper import Paper
from handoffctl.renderers.tables import table
from handoffctl.wording.escape import visible

MOST_MOMENTS = 40
_DEEPEST = 12


def timeline_lines(timeline: Sequence[Moment], paper: Paper) -> Iterator[Line]:
    """The timeline, the first moments of a long one; nothing where there is none."""
    if not timeline:
        return
    yield line()
    rows = [timeline_cells(moment) for moment in timeline[:MOST_MOMENTS]]
    yield from table(("timeline", "took", ""), rows, paper.width, numbers=(0, 1))
    if len(timeline) > MOST_MOMENTS:
        yield line(f"… {len(timeline) - MOST_MOMENTS:,} more; --format json lists all", "dim")


def timeline_cells(moment: Moment) -> list[str]:
    """When it began, how long it took, what it is and what went wrong, moved in by its depth."""
    indent = "  " * min(moment.depth, _DEEPEST)
    error = f" · error: {moment.error}" if moment.error else ""
    return [_seconds(moment.start, "+"), _seconds(moment.seconds), f"{indent}{visible(_what(moment) + error)}"]


def _what(moment: Moment) -> str:
    if moment.kind == "handoff":
        return f"handoff {moment.from_agent or '?'} → {moment.to_agent or '?'}"
    return " ".join([moment.kind, *([moment.name] if moment.name else [])])


def _seconds(seconds: float | None, sign: str = "") -> str:
    return "" if seconds is None else f"{sign}{seconds:,.3f} s"
