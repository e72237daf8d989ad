"""The SDK's own filter: no tool item of any kind reaches the next agent."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Annotated, ClassVar, Literal

from handoffctl.errors import UsageError
from handoffctl.item import Item
from handoffctl.kinds import Version, removed_item_types, removed_run_item_types
from handoffctl.model import HandoffInputData, RunItem

_SDK: Version = (0, 24, 0)
_KEEPS_INPUT_ITEMS: Version = (0, 17, 1)


@dataclass(frozen=True)
class RemoveAllTools:
    """Take out every tool item: calls, outputs, handoffs, reasoning, approvals, lists of tools.

    Exactly the SDK's `remove_all_tools`: the history goes by the item's `type`, run items by their class, one
    by one. So an orphan may be left where a dump had one; a string history stays as it is; a summary that
    `nest_handoff_history` wrote keeps its text. CAI and the SDK before 0.17.1 lose the input items: the new
    items count again. Stands for: the SDK's and CAI's filter of the same name.

    Example: user, call, output, reply → user, reply
    """

    idempotent: ClassVar[bool] = True

    profile: Annotated[
        str, "`sdk` (0.24.0), `cai`, or an SDK version such as `0.6.7`, whose shorter list of types then counts"
    ] = "sdk"
    scope: Annotated[
        Literal["all", "history", "pre", "new"], "the segments to work on; `new` includes the input items"
    ] = "all"

    def __post_init__(self) -> None:
        version_of(self.profile)

    def __call__(self, data: HandoffInputData) -> HandoffInputData:
        history, pre, new, inputs = data.input_history, data.pre_handoff_items, data.new_items, data.input_items
        if self.scope in ("all", "history") and isinstance(history, tuple):
            history = self._items(history)
        if self.scope in ("all", "pre") and pre:
            pre = self._run_items(pre)
        if self.scope in ("all", "new"):
            new = self._run_items(new) if new else new
            inputs = None if inputs is None or self._drops_input_items() else self._run_items(inputs)
        if (
            history is data.input_history
            and pre is data.pre_handoff_items
            and new is data.new_items
            and inputs is data.input_items
        ):
            return data
        return HandoffInputData(history, pre, new, data.run_context, inputs)

    def _items(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        removed = removed_item_types(version_of(self.profile))
        kept = tuple([item for item in items if item.type not in removed])
        return items if len(kept) == len(items) else kept

    def _run_items(self, run_items: tuple[RunItem, ...]) -> tuple[RunItem, ...]:
        removed = removed_run_item_types(version_of(self.profile))
        kept = tuple([each for each in run_items if each.type not in removed])
        return run_items if len(kept) == len(run_items) else kept

    def _drops_input_items(self) -> bool:
        """Whether this version made its result without them, so that the new items reach the model again."""
        version = version_of(self.profile)
        return version is None or version < _KEEPS_INPUT_ITEMS


@cache
def version_of(profile: str) -> Version | None:
    """The SDK version that a profile means; None for CAI. Raises UsageError for anything else."""
    if profile.lower() in ("sdk", "cai"):
        return _SDK if profile.lower() == "sdk" else None
    match = re.fullmatch(r"v?(\d+)\.(\d+)(?:\.(\d+))?", profile)
    if match is None:
        raise UsageError(
            f"no such profile: {profile}",
            place="remove_all_tools",
            help="profile=sdk, profile=cai, or an SDK version such as profile=0.6.7",
        )
    major, minor, patch = (int(digits or 0) for digits in match.groups())
    return (major, minor, patch)
