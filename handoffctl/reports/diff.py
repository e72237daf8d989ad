"""What a diff shows: what became of every item, which filter did it, and how much is left."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from handoffctl.model import Segment
from handoffctl.reports.amounts import Amount
from handoffctl.reports.heading import Heading
from handoffctl.reports.shown import ShownItem


@dataclass(frozen=True, slots=True)
class Word:
    """A stretch of an edited item's words."""

    sign: Literal["same", "removed", "added"]
    text: str


@dataclass(frozen=True, slots=True)
class ShownChange:
    """What became of one item. `item` is the one before; the one after, for an added item.

    `by` names the filter that did it, None for a kept item and where no filter did. `after` is set for an
    edited item; `words` is then both texts woven together. `after_index` and `after_segment` are its place after.
    """

    sign: Literal["kept", "removed", "edited", "added", "moved"]
    by: str | None
    item: ShownItem
    after: ShownItem | None = None
    words: tuple[Word, ...] = ()
    after_index: int | None = None
    after_segment: Segment | None = None


@dataclass(frozen=True, slots=True)
class SegmentSize:
    """How many items a segment has before and after."""

    segment: Segment
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Tally:
    """What one filter did, in items. `by` is None where no filter did it."""

    by: str | None
    removed: int = 0
    edited: int = 0
    added: int = 0
    moved: int = 0


@dataclass(frozen=True, slots=True)
class DiffBlock:
    """One comparison. `title` names what made the difference; `same_start` is in tokens: what both begin with.

    `replaces_new` says that input items are set after, and so are sent in place of the new ones.
    """

    title: str
    changes: tuple[ShownChange, ...]
    segments: tuple[SegmentSize, ...]
    before: Amount
    after: Amount
    tallies: tuple[Tally, ...]
    same_start: int
    replaces_new: bool = False

    @property
    def is_changed(self) -> bool:
        """Whether anything isn't as it was."""
        return any(each.sign != "kept" for each in self.changes)


@dataclass(frozen=True, slots=True)
class Dropped:
    """An item after the chain that the SDK's runner would not send, and why."""

    item: ShownItem
    reason: str


@dataclass(frozen=True, slots=True)
class DiffReport:
    """A comparison as a whole, or one for each step. `dropped` is what the SDK's runner would drop besides.

    `compared` names the two sides where they aren't before and after a chain; empty where they are.
    """

    report: Literal["diff"] = field(default="diff", kw_only=True)
    heading: Heading
    blocks: tuple[DiffBlock, ...]
    dropped: tuple[Dropped, ...] = ()
    compared: str = ""

    @property
    def is_changed(self) -> bool:
        """Whether anything isn't as it was."""
        return any(block.is_changed for block in self.blocks)

    @property
    def replaces_new(self) -> bool:
        """Whether input items are sent in place of the new ones in the end."""
        return self.blocks[-1].replaces_new
