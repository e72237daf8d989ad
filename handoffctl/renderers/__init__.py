"""The renderers, one file each; this table is the one line that a new one adds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from handoffctl.registry import Registry
from handoffctl.renderers.paper import Paper
from handoffctl.report import Report

RENDERERS = Registry(
    "renderer",
    "handoffctl.renderers",
    {
        "human": "handoffctl.renderers.human:Human",
        "json": "handoffctl.renderers.json:Json",
        "jsonl": "handoffctl.renderers.jsonl:Jsonl",
        "markdown": "handoffctl.renderers.markdown:Markdown",
    },
)


class Renderer(Protocol):
    """How reports become text of one medium."""

    def render(self, reports: Iterable[Report], paper: Paper) -> Iterator[str]:
        """The text of these reports in pieces, as they come; safe to show on a terminal, every line with its end."""
