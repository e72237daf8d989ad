"""Chosen tool calls, taken out with their outputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Annotated, ClassVar

from annotated_types import Ge

from handoffctl.errors import UsageError
from handoffctl.grouping.answers import find_answers
from handoffctl.grouping.failures import is_failure
from handoffctl.grouping.placed import Placed, Scope, in_scope
from handoffctl.grouping.segment_pick import pick_segments
from handoffctl.item import Item
from handoffctl.model import HandoffInputData
from handoffctl.wording.texts import label_of

_NAME = "remove-tools"


@dataclass(frozen=True)
class RemoveTools:
    """Take out the calls of tools that match, with their outputs; other calls of a parallel turn stay.

    A tool goes by its name; one without a name (a web search, a shell) by its type, such as `web_search_call`. Handoffs
    are calls too: `exclude=transfer_to_*` keeps them. Reasoning goes with the last call that it led to. Outputs whose
    call isn't there stay: nobody knows whose they are. Stands for: tool filters of CAI and LangGraph supervisors.

    Example: include=search*: user, search, its output, fetch, its output → user, fetch, its output
    """

    idempotent: ClassVar[bool] = True

    include: Annotated[tuple[str, ...], "only tools whose name matches one of these patterns"] = ("*",)
    exclude: Annotated[tuple[str, ...], "never tools whose name matches one of these"] = ()
    keep_last: Annotated[int, Ge(0), "how many of the matching calls stay, the newest"] = 0
    errors_only: Annotated[bool, "only calls whose output says that they failed"] = False
    scope: Annotated[Scope, "the segments to work on; `new` includes the input items"] = "all"

    def __post_init__(self) -> None:
        if self.keep_last < 0:
            raise UsageError("keep_last can't be negative", place=_NAME, help="keep_last=0 or more")

    def __call__(self, data: HandoffInputData) -> HandoffInputData:
        return pick_segments(data, self._unwanted, scope=self.scope).result()

    def _unwanted(self, placed: Sequence[Placed]) -> list[bool]:
        items = [each.item for each in placed]
        outputs = find_answers(items).outputs
        matching = [
            call
            for call in outputs
            if in_scope(placed[call], self.scope)
            and self._matches(items[call])
            and (not self.errors_only or any(is_failure(items[output]) for output in outputs[call]))
        ]
        gone = set(matching[: len(matching) - self.keep_last])
        return [index in gone for index in range(len(items))]

    def _matches(self, call: Item) -> bool:
        name = label_of(call)
        return _any(name, self.include) and not _any(name, self.exclude)


def _any(name: str, globs: Sequence[str]) -> bool:
    return any(fnmatchcase(name, glob) for glob in globs)
