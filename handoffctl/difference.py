"""What a chain makes of one conversation, as a value that shows itself."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from functools import cached_property
from html import escape

from handoffctl.align import align
from handoffctl.model import Change, Step, Transcript
from handoffctl.renderers.human import Human
from handoffctl.renderers.paper import Paper
from handoffctl.report import DiffReport
from handoffctl.reports.comparing import compare_steps
from handoffctl.reports.shown import Eye

_WIDTH = 100


class Difference:
    """The steps of a chain over one conversation. `str()` is what `handoffctl diff` prints; a notebook shows it.

    `steps` is empty for a chain without filters: nothing differs then.
    """

    def __init__(self, transcript: Transcript, steps: Sequence[Step]) -> None:
        self.transcript = transcript
        self.steps = tuple(steps)

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """What became of every item, in order."""
        return align(self.steps)

    @cached_property
    def report(self) -> DiffReport:
        """The same as plain values: what a renderer gets."""
        data = self.transcript.data
        steps = self.steps or (Step("no filter", data, data),)
        return compare_steps(self.transcript, steps, Eye().on(data, steps[-1].after))

    def __str__(self) -> str:
        return self._drawn(shutil.get_terminal_size((80, 0)).columns)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self._drawn(_WIDTH))}</pre>"

    def _drawn(self, width: int) -> str:
        return "".join(Human().render([self.report], Paper(width))).rstrip("\n")
