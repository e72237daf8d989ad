"""The newest part of a conversation, cut between what belongs together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from annotated_types import Ge

from handoffctl.errors import UsageError
from handoffctl.grouping.cutting import Unit, unit_numbers, whole
from handoffctl.grouping.notes import NoteRole, note_for, noted
from handoffctl.grouping.segment_cut import cut_segments
from handoffctl.groups import bundles, protected
from handoffctl.item import Item
from handoffctl.model import HandoffInputData

_NAME = "truncate-history"


@dataclass(frozen=True)
class TruncateHistory:
    """Keep the newest `n` of the input history, or all but the oldest `drop_first`.

    System and developer messages at the start are protected and not counted. What a model emitted together
    (reasoning, text, parallel calls) goes with all its outputs as a whole where the line falls into it: so
    never more than `n` are kept, even if that leaves nothing. What `keep_head` and `keep_user` keep is
    among the `n`, except that the user message stays where `n` has no room for it. The note is not
    counted; it isn't put where it would be longer than what was left out.

    A string history is one user message: it stays a string, or nothing (an empty list) is left of it.
    `exact=true` slices the list as it is: it protects nothing and tears pairs. Then `drop_first` leaves a
    string history alone, as the SDK's message-filter example does, which `drop_first=2,unit=items,exact=true`
    stands for. Stands for: that example, `trim_messages` of LangChain, CAI's message limits.

    Example: n=2: user, call, output, reply, user → reply, user
    """

    idempotent: ClassVar[bool] = True
    """Of a filter with `drop_first`: False, since it leaves out more each time."""

    n: Annotated[Annotated[int, Ge(0)] | None, "how many units to keep, the newest; 0 keeps what is protected"] = None
    drop_first: Annotated[
        Annotated[int, Ge(0)] | None, "how many units to leave out, the oldest; twice leaves out twice as many"
    ] = None
    unit: Annotated[Unit, "what `n`, `drop_first` and `keep_head` count"] = "messages"
    keep_system: Annotated[bool, "protect system and developer messages at the start"] = True
    keep_user: Annotated[Literal["none", "first", "last"], "keep this user message, wherever it stands"] = "none"
    keep_head: Annotated[int, Ge(0), "how many units to keep at the start besides what is protected"] = 0
    note: Annotated[NoteRole, "say how many messages were left out, in a message of this role"] = "none"
    exact: Annotated[bool, "slice the list as it is, protecting nothing"] = False
    scope: Annotated[Literal["history", "all"], "`all`: history, pre-handoff and new items as one list"] = "history"

    def __post_init__(self) -> None:
        for name in ("n", "drop_first", "keep_head"):
            if (getattr(self, name) or 0) < 0:
                raise UsageError(f"{name} can't be negative", place=_NAME, help=f"{name}=0 or more")
        if (self.n is None) == (self.drop_first is None):
            what = "n or drop_first is needed" if self.n is None else "n and drop_first exclude each other"
            raise UsageError(what, place=_NAME, help=f"{_NAME}:n=20 or {_NAME}:drop_first=2")
        if self.n is not None and self.keep_head > self.n:
            what = f"keep_head={self.keep_head} is more than n={self.n}"
            raise UsageError(what, place=_NAME, help="keep_head is a part of n")
        if self.exact and (self.keep_user, self.keep_head, self.note) != ("none", 0, "none"):
            what = "exact excludes keep_user, keep_head and note"
            raise UsageError(what, place=_NAME, help="leave exact out, or the others")
        object.__setattr__(self, "idempotent", not self.drop_first)

    def __call__(self, data: HandoffInputData) -> HandoffInputData:
        if self.exact and self.drop_first is not None and isinstance(data.input_history, str):
            return data
        cut = cut_segments(data, self.kept, scope=self.scope, exact=self.exact)
        if self.note != "none" and cut.left_out:
            cut = cut.without(lambda item: noted(item) is not None)
            return cut.result(note_for(cut.left_out, self.note))
        return cut.result()

    def kept(self, items: Sequence[Item]) -> list[bool]:
        """For each item of a conversation whether it stays. A note of ours that stands there stays."""
        head = 0 if self.exact or not self.keep_system else protected(items)
        counted = [index >= head and not self._is_note(item) for index, item in enumerate(items)]
        numbers = unit_numbers(items, self.unit, counted)
        kept = self._chosen(items, numbers, 0)
        user = self._user_message(items, counted)
        if user is not None and not kept[user]:
            kept = self._chosen(items, numbers, 1)
            kept[user] = True
        return kept

    def _is_note(self, item: Item) -> bool:
        return self.note != "none" and noted(item) is not None

    def _user_message(self, items: Sequence[Item], counted: Sequence[bool]) -> int | None:
        users = [index for index in range(len(items)) if counted[index] and items[index].role == "user"]
        if self.keep_user == "none" or not users:
            return None
        return users[0] if self.keep_user == "first" else users[-1]

    def _chosen(self, items: Sequence[Item], numbers: Sequence[int | None], reserved: int) -> list[bool]:
        total = 1 + max((number for number in numbers if number is not None), default=-1)
        line = self._line(total, reserved)
        in_tail = [number is None or number >= line for number in numbers]
        in_head = [number is None or number < self.keep_head for number in numbers]
        if not self.exact:
            groups = bundles(items)
            in_tail, in_head = whole(in_tail, groups), whole(in_head, groups)
        return [head or tail for head, tail in zip(in_head, in_tail, strict=True)]

    def _line(self, total: int, reserved: int) -> int:
        """The number of the first unit of the tail; a limit that isn't reached puts it at the head's end."""
        if self.n is None:
            return 0 if (self.drop_first or 0) <= self.keep_head else self.drop_first or 0
        if total <= self.n:
            return 0
        return total - max(self.n - self.keep_head - reserved, 0)
