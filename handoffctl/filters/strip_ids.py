"""Item ids and statuses, taken off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from handoffctl.grouping.placed import Scope
from handoffctl.grouping.segment_edit import edit_each
from handoffctl.item import Item, edit
from handoffctl.kinds import ANSWERED_BY, ANSWERS_BY_ITEM_ID, Kind, kind_of
from handoffctl.model import HandoffInputData

_NEEDS_ITS_ID = frozenset(
    {
        "item_reference",
        "mcp_approval_request",
        *(call for call, output in ANSWERED_BY.items() if output in ANSWERS_BY_ITEM_ID),
    }
)


@dataclass(frozen=True)
class StripIds:
    """Take the ids and statuses off items that the provider gave them, so that another one takes the list.

    Call ids stay: they tie outputs to calls. So does every id that says what an item is or answers: of references,
    approvals, local shells, hosted calls and reasoning (an encrypted one is refused without its own).

    Example: {"id": "msg_1", "status": "completed", "role": "assistant", …} → {"role": "assistant", …}
    """

    idempotent: ClassVar[bool] = True

    keys: Annotated[tuple[str, ...], "the members to take off"] = ("id", "status")
    scope: Annotated[Scope, "the segments to work on; `new` includes the input items"] = "all"

    def __call__(self, data: HandoffInputData) -> HandoffInputData:
        return edit_each(data, self._stripped, scope=self.scope)

    def _stripped(self, item: Item) -> Item:
        if item.type in _NEEDS_ITS_ID or item.type in ANSWERS_BY_ITEM_ID:
            return item
        is_tied = kind_of(item) in (Kind.MESSAGE, Kind.OUTPUT) or item.type in ANSWERED_BY
        if not is_tied:
            return item
        changes = {key: ... for key in self.keys if key in item and key not in ("type", "call_id")}
        return edit(item, **changes) if changes else item
