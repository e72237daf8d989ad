"""The last message alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from handoffctl.grouping.placed import Placed
from handoffctl.grouping.segment_pick import pick_segments
from handoffctl.kinds import Kind, kind_of
from handoffctl.model import HandoffInputData


@dataclass(frozen=True)
class LastMessage:
    """Keep the last message, whoever said it, and nothing else.

    Calls, outputs and reasoning are no messages here; of a conversation without messages nothing is left.
    Stands for: `last_message` of AutoGen and of LangGraph supervisors.

    Example: user, call, output, reply → reply
    """

    idempotent: ClassVar[bool] = True

    def __call__(self, data: HandoffInputData) -> HandoffInputData:
        return pick_segments(data, _all_but_the_last).result()


def _all_but_the_last(placed: Sequence[Placed]) -> list[bool]:
    messages = [index for index, each in enumerate(placed) if kind_of(each.item) is Kind.MESSAGE]
    return [index != messages[-1] if messages else True for index in range(len(placed))]
