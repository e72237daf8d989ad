"""Reports as JSON; `handoffctl schema report` gives their schema."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict

import orjson

from handoffctl.renderers.paper import Paper
from handoffctl.report import Report
from handoffctl.wording.escape import visible_json


class Json:
    """One indented document for one report; several as JSON Lines, one a line."""

    def render(self, reports: Iterable[Report], paper: Paper) -> Iterator[str]:  # noqa: ARG002 - JSON has no width
        waiting: Report | None = None
        is_only = True
        for report in reports:
            if waiting is not None:
                is_only = False
                yield json_text(waiting, is_indented=False)
            waiting = report
        if waiting is not None:
            yield json_text(waiting, is_indented=is_only)


def json_text(report: Report, *, is_indented: bool) -> str:
    """One report as JSON with its line end. What a terminal would act on is escaped inside of it."""
    try:
        text = orjson.dumps(report, option=orjson.OPT_INDENT_2 if is_indented else None).decode()
    except TypeError:  # a lone surrogate
        text = json.dumps(asdict(report), ensure_ascii=False, indent=2 if is_indented else None)
    return f"{visible_json(text)}\n"
