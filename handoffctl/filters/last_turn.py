"""The last turn alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from handoffctl.grouping.placed import Placed
from handoffctl.grouping.segment_pick import pick_segments
from handoffctl.groups import protected
from handoffctl.kinds import Kind, kind_of
from handoffctl.model import HandoffInputData


@dataclass(frozen=True)
class LastTurn:
    """Keep the last user message and all after it.

    A conversation without a user message is one turn: it stays as it is. A call before that message goes, even if its
    output comes after it, since a pair is never torn. Stands for: "latest turn" context of agent frameworks.

    Example: user, reply, user, call, output → user, call, output
    """

    idempotent: ClassVar[bool] = True

    keep_system: Annotated[bool, "keep system and developer messages at the start too"] = True

    def __call__(self, data: HandoffInputData) -> HandoffInputData:
        return pick_segments(data, self._earlier).result()

    def _earlier(self, placed: Sequence[Placed]) -> list[bool]:
        items = [each.item for each in placed]
        users = [index for index, item in enumerate(items) if kind_of(item) is Kind.MESSAGE and item.role == "user"]
        start = users[-1] if users else 0
        head = protected(items) if self.keep_system else 0
        return [head <= index < start for index in range(len(items))]
