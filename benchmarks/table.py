"""What was measured, with its target: as Markdown for the README, as JSON for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

_HEAD = ("", "handoffctl", "the other", "ratio", "target", "met")
_RULE = ("---", "---:", "---:", "---:", "---:", "---")


@dataclass(frozen=True, slots=True)
class Row:
    """One measured number: `value` in `unit` (`×` for a ratio), and its target where it has one.

    `ours` and `theirs` are what a ratio was made of, as text; `note` says why nothing was measured (value None).
    """

    what: str
    value: float | None
    unit: Literal["×", "s", "MB"] = "×"
    ours: str = ""
    theirs: str = ""
    target: float | None = None
    bound: Literal["≥", "≤"] = "≥"
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None where there is none, or nothing was measured."""
        if self.target is None or self.value is None:
            return None
        return self.value >= self.target if self.bound == "≥" else self.value <= self.target

    def cells(self) -> tuple[str, ...]:
        """The row as a person reads it."""
        value = "" if self.value is None else f"{self.value:.2f}"
        ours, ratio = (self.ours, value) if self.unit == "×" else (f"{value} {self.unit}", "")
        target = (
            ""
            if self.target is None
            else f"{self.bound} {self.target:g}" + ("" if self.unit == "×" else f" {self.unit}")
        )
        met = {None: "", True: "yes", False: "**no**"}[self.met]
        return self.what, self.note or ours, self.theirs, ratio, target, met

    def as_json(self) -> dict[str, Any]:
        """The row as a program reads it."""
        names = ("what", "value", "unit", "bound", "target", "met", "ours", "theirs", "note")
        return {name: getattr(self, name) for name in names}


def markdown(rows: Sequence[Row]) -> str:
    """A table with a row for each number."""
    table = [_HEAD, _RULE, *(row.cells() for row in rows)]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in table)
