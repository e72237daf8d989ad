"""Reports for a person at a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from handoffctl.renderers.diff_lines import diff_lines
from handoffctl.renderers.inspect_lines import inspect_lines
from handoffctl.renderers.lines import Line, drawn
from handoffctl.renderers.paper import Paper
from handoffctl.renderers.show_lines import show_lines
from handoffctl.report import DiffReport, InspectReport, Report


class Human:
    """Lines that fit the paper's width, coloured where it can be; the signs alone say everything."""

    def render(self, reports: Iterable[Report], paper: Paper) -> Iterator[str]:
        for number, report in enumerate(reports):
            if number and paper.view != "names":
                yield "\n"
            yield drawn(_lines(report, paper), paper)


def _lines(report: Report, paper: Paper) -> Iterator[Line]:
    if isinstance(report, DiffReport):
        return diff_lines(report, paper)
    return inspect_lines(report, paper) if isinstance(report, InspectReport) else show_lines(report, paper)
