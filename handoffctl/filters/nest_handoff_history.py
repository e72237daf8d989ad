"""The SDK's own filter: the conversation so far becomes the text of a message."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from annotated_types import MinLen

from handoffctl.errors import UsageError
from handoffctl.item import Item
from handoffctl.kinds import CALLERS, PROGRAM_TYPES, SUMMARISED
from handoffctl.model import HandoffInputData, RunItem, history_items
from handoffctl.running.replay import to_input_item
from handoffctl.summary import END, START, flattened, summary_message

_NAME = "nest_handoff_history"


@dataclass(frozen=True)
class NestHandoffHistory:
    """Turn the conversation so far into the text of assistant messages, and send nothing else.

    Exactly the SDK's `nest_handoff_history`: what happened goes into a summary, one numbered record an item,
    between the markers; summaries that stand in the history already are taken apart first. Run items that are
    no plain calls, outputs or reasoning (hosted calls, messages of the new turn) are sent as they are, between
    the summaries of what came before and after them. The new items stay for the session, but the model doesn't
    get them. Secrets in arguments and outputs stay readable in the text. Nesting twice tells the new items
    twice. Stands for: the SDK's function, and automatic nesting (`RunConfig.nest_handoff_history`).

    Example: user, call, output, reply → a summary of the four
    """

    idempotent: ClassVar[bool] = False

    start: Annotated[str, MinLen(1), "the line before the records"] = START
    end: Annotated[str, MinLen(1), "the line after the records; only summaries with the same two are taken apart"] = END
    mapper: Annotated[
        Literal["sdk", "single"],
        "`single`: one summary of everything, as the SDK does when its default mapper is passed explicitly",
    ] = "sdk"

    def __post_init__(self) -> None:
        for name in ("start", "end"):
            if not getattr(self, name):
                raise UsageError(f"{name} can't be empty", place=_NAME, help=f"{_NAME}:{name}=MARKER")

    def __call__(self, data: HandoffInputData) -> HandoffInputData:
        earlier = flattened(history_items(data), self.start, self.end)
        pre, new = _converted(data.pre_handoff_items), _converted(data.new_items)
        if self.mapper == "single":
            history = [self._summary([*earlier, *pre, *new])]
        else:
            turns = [(item, not _is_told(item) and item.role != "assistant") for item in pre]
            turns += [(item, not _is_told(item) or _speaks(item)) for item in new]
            history = self._nested(earlier, turns)
        return data.clone(input_history=tuple(history), pre_handoff_items=(), input_items=())

    def _nested(self, earlier: list[Item], items: Iterable[tuple[Item, bool]]) -> list[Item]:
        """Summaries, and between them what is sent as it is. A summary comes first, though nothing be in it."""
        history: list[Item] = []
        pending = list(earlier)
        for item, verbatim in items:
            if not verbatim:
                pending.append(item)
                continue
            if pending or not history:
                history.append(self._summary(pending))
                pending = []
            history.append(item)
        if pending or not history:
            history.append(self._summary(pending))
        return history

    def _summary(self, items: Iterable[Item]) -> Item:
        return summary_message(items, self.start, self.end)


def _converted(run_items: Iterable[RunItem]) -> list[Item]:
    return [item for each in run_items if (item := to_input_item(each)) is not None]


def _is_told(item: Item) -> bool:
    """Whether an item always goes into the summary: plain calls, their outputs, reasoning, a program's work."""
    return item.type in SUMMARISED or _is_of_program(item)


def _speaks(item: Item) -> bool:
    """Whether an item is a message of the turn: sent as it is, were its type what it may."""
    return bool(item.role) and not _is_of_program(item)


def _is_of_program(item: Item) -> bool:
    caller = item.get("caller")
    return item.type in PROGRAM_TYPES or (isinstance(caller, dict) and caller.get("type") in CALLERS)
