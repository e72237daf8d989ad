"""What providers and frameworks add to items besides the conversation, taken off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from handoffctl.errors import UsageError
from handoffctl.grouping.placed import Scope
from handoffctl.grouping.segment_edit import edit_each
from handoffctl.item import Item, edit
from handoffctl.model import HandoffInputData

_NAME = "strip-metadata"
_KEYS = (
    *("provider_data", "providerData", "provider_specific_fields", "metadata", "response_metadata", "usage"),
    *("logprobs", "phase", "created_at", "created_by", "model", "cost", "timing"),
)
_NEVER = frozenset({"type", "role", "content", "call_id", "name", "arguments", "output", "input"})


@dataclass(frozen=True)
class StripMetadata:
    """Take off what providers and frameworks add to an item besides the conversation: usage, cost, provider data.

    Only members of the item itself; its content stays byte for byte. What says who speaks, what is said and what
    belongs together can't be named.

    Example: {"role": "user", "content": "hi", "metadata": {…}} → {"role": "user", "content": "hi"}
    """

    idempotent: ClassVar[bool] = True

    keys: Annotated[tuple[str, ...], "the members to take off"] = _KEYS
    scope: Annotated[Scope, "the segments to work on; `new` includes the input items"] = "all"

    def __post_init__(self) -> None:
        for key in self.keys:
            if key in _NEVER:
                what = f"{key} is no metadata: an item isn't one without it"
                raise UsageError(what, place=_NAME, help="`select` and `clip-text` change what is said")

    def __call__(self, data: HandoffInputData) -> HandoffInputData:
        return edit_each(data, self._stripped, scope=self.scope)

    def _stripped(self, item: Item) -> Item:
        changes = {key: ... for key in self.keys if key in item}
        return edit(item, **changes) if changes else item
