"""Handoffs, taken out with their outputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from handoffctl.grouping.answers import find_answers
from handoffctl.grouping.placed import Placed, Scope
from handoffctl.grouping.segment_pick import pick_segments
from handoffctl.handoffs import Entry, handoffs_among
from handoffctl.model import Handoff, HandoffInputData
from handoffctl.transfers import is_ignored


@dataclass(frozen=True)
class RemoveHandoffs:
    """Take out handoff calls with their outputs; other calls of the turn stay.

    A handoff is known by its output (`{"assistant": NAME}`), by its run item, or by a tool name that begins with
    `transfer_to_`. `ignored` are those that lost to another handoff of their turn; `back` are those to an agent that
    had handed over before, as a supervisor's workers do. Stands for: `remove_handoff_messages` and
    `add_handoff_back_messages=False` of LangGraph supervisors.

    Example: user, search, its output, transfer, its output → user, search, its output
    """

    idempotent: ClassVar[bool] = True

    which: Annotated[Literal["all", "ignored", "back"], "`all` are done, pending and ignored ones"] = "all"
    scope: Annotated[Scope, "the segments to work on; `new` includes the input items"] = "all"

    def __call__(self, data: HandoffInputData) -> HandoffInputData:
        return pick_segments(data, self._unwanted, scope=self.scope).result()

    def _unwanted(self, placed: Sequence[Placed]) -> list[bool]:
        gone: set[int | None] = set()
        if self.which != "back":
            gone |= _ignored(placed)
        if self.which != "ignored":
            found = handoffs_among([Entry(each.item, each.run_item) for each in placed])
            chosen = _going_back(found) if self.which == "back" else found
            gone |= {position for each in chosen for position in (each.call, each.output)}
        return [index in gone for index in range(len(placed))]


def _ignored(placed: Sequence[Placed]) -> set[int | None]:
    items = [each.item for each in placed]
    calls = find_answers(items).outputs.items()
    return {call for call, outputs in calls if any(is_ignored(items[output]) for output in outputs)}


def _going_back(handoffs: Sequence[Handoff]) -> list[Handoff]:
    """Those to an agent that handed over before."""
    givers: set[str] = set()
    back = []
    for each in handoffs:
        if each.to_agent in givers:
            back.append(each)
        if each.from_agent:
            givers.add(each.from_agent)
    return back
