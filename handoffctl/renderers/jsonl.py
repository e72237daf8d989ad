"""Reports as JSON Lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from handoffctl.renderers.json import json_text
from handoffctl.renderers.paper import Paper
from handoffctl.report import Report


class Jsonl:
    """Each report on one line."""

    def render(self, reports: Iterable[Report], paper: Paper) -> Iterator[str]:  # noqa: ARG002 - JSON has no width
        for report in reports:
            yield json_text(report, is_indented=False)
