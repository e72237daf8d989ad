"""The conversation that a rollout leaves the model with, after compactions and turns taken back."""

from __future__ import annotations

from typing import Any

import msgspec

from handoffctl.dumps.codex.lines import RolloutLine, begins_a_turn
from handoffctl.entries import Entries
from handoffctl.item import Item, derive

PAYLOAD, BARE, SUMMARY = 0, -1, -2
"""The parts of a line: its payload, itself, a compaction's message; the items that replace a history from 1."""


class Rollout(Entries):
    """The lines of a rollout, as an `Origin` of items.

    `compaction` is the line of the last compaction, from 0, None without one. `compacted_away` and `rolled_back` count
    the items that stand in the file and are no longer of the conversation.
    """

    __slots__ = ("compacted_away", "compaction", "conversation", "lines", "living", "rolled_back")

    def __init__(self, record: bytes) -> None:
        super().__init__(record, None)
        self.lines = [_line(raw, index) for index, raw in enumerate(self.raws)]
        self.compaction: int | None = None
        self.compacted_away = 0
        self.rolled_back = 0
        self.conversation: tuple[Item, ...] = tuple(self._replayed())
        self.living = frozenset([item._place[1:] for item in self.conversation])

    @property
    def is_legacy(self) -> bool:
        """Whether items stand bare on their lines."""
        return any(line.kind == "bare" for line in self.lines)

    def settings(self, key: str, kind: str = "session") -> Any:
        """A setting of the session, or what the latest line of another type says of it; None where nothing does."""
        if kind == "session":
            line = next((each for each in self.lines if each.kind == "session"), None)
            return None if line is None else line.payload.get(key, line.value(key))
        for line in reversed(self.lines):
            if line.kind == "meta" and line.value("type") == kind and key in line.payload:
                return line.payload[key]
        return None

    def home(self, item: Item) -> tuple[int, int] | None:
        """The line and part that an item is of; None for one from elsewhere."""
        place = item.place
        return place[1:] if place is not None and place[0] is self else None

    def _replayed(self) -> list[Item]:
        items: list[Item] = []
        turns: list[int] = []  # where those begin that can be taken back
        for index, line in enumerate(self.lines):
            if line.kind == "compacted":
                self.compaction = index
                self.compacted_away += len(items)
                items = self._compacted(index)
                turns = [position for position, item in enumerate(items) if begins_a_turn(item)]
            elif line.kind in ("item", "bare"):
                items.append(self._item(index, line))
                turns += [len(items) - 1] if begins_a_turn(items[-1]) else []
            elif turns and (count := min(line.rolled_back, len(turns))):
                self.rolled_back += len(items) - turns[-count]
                del items[turns[-count] :]
                del turns[-count:]
        return items

    def _item(self, index: int, line: RolloutLine) -> Item:
        if line.kind == "bare":
            return derive(Item.parse(line.view), self, index, BARE)
        return derive(Item.parse(line.payload_text), self, index, PAYLOAD)

    def _compacted(self, index: int) -> list[Item]:
        try:
            replacement = self.lines[index].replacement()
        except ValueError as error:
            raise ValueError(f"the `replacement_history` of line {index + 1} is no list of items") from error
        if replacement is None:
            summary = self.lines[index].summary()
            return [] if summary is None else [derive(summary, self, index, SUMMARY)]
        return [derive(item, self, index, part) for part, item in enumerate(replacement, 1)]


def _line(raw: bytes | msgspec.Raw, index: int) -> RolloutLine:
    try:
        return RolloutLine(raw)
    except ValueError as error:
        raise ValueError(f"entry {index}: {error}") from error
