"""A conversation back into the lines of its rollout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from handoffctl.dumps.codex.rollout import BARE, Rollout
from handoffctl.dumps.flat import item_text
from handoffctl.entries import Entries
from handoffctl.item import Item
from handoffctl.raw.splice import with_members

_REPLACEMENT = "replacement_history"


def lines_of(rollout: Rollout, items: Sequence[Item]) -> list[bytes]:
    """The lines of a rollout whose conversation became these items.

    Every line that holds none of the conversation stays where it is, but for events that repeat its words.
    """
    writer = _Writer(rollout)
    if rollout.compaction is not None:
        count = _replaced_by(rollout, items)
        writer.lines += writer.kept_until(rollout.compaction)
        writer.lines.append(_compacted(rollout, rollout.compaction, items[:count]))
        writer.position = rollout.compaction + 1
        items = items[count:]
    for item in items:
        writer.add(item)
    return [*writer.lines, *writer.kept_until(len(rollout.lines))]


class _Writer:
    def __init__(self, rollout: Rollout) -> None:
        self.rollout = rollout
        self.lines: list[bytes] = []
        self.position = 0
        kinds = [line.kind in ("item", "bare") for line in rollout.lines]
        self.first = kinds.index(True) if True in kinds else len(kinds)
        self.living = {index for index, _ in rollout.living}

    def kept_until(self, end: int) -> Iterator[bytes]:
        """The lines up to a place that are no items of the conversation; the place moves on."""
        start, self.position = self.position, max(self.position, end)
        for index in range(start, end):
            line = self.rollout.lines[index]
            if index not in self.living and not line.repeats_words:
                yield line.raw

    def add(self, item: Item) -> None:
        home = self.rollout.home(item)
        if home is None:
            self.lines += self.kept_until(self.first)
            self.lines.append(self._new_line(item))
            return
        index, part = home
        self.lines += self.kept_until(index)
        self.position = max(self.position, index + 1)
        line = self.rollout.lines[index]
        if item.source is None:
            self.lines.append(line.raw)
        elif part == BARE:
            self.lines.append(item.raw)
        else:
            self.lines.append(with_members(line.raw, {"payload": item.raw}, self.rollout.style))

    def _new_line(self, item: Item) -> bytes:
        """A line for an item from elsewhere, of the time of the line before it."""
        style = self.rollout.style
        payload = item_text(item, None, style)
        if self.rollout.is_legacy:
            return payload
        before = self.rollout.lines[max(0, self.position - 1)]
        members = {"timestamp": before.member("timestamp"), "type": b'"response_item"', "payload": payload}
        colon = style.key_separator.encode()
        texts = [b'"%s"%s%s' % (key.encode(), colon, text) for key, text in members.items() if text is not None]
        return b"{" + style.item_separator.encode().join(texts) + b"}"


def _replaced_by(rollout: Rollout, items: Sequence[Item]) -> int:
    """How many items stand in the compaction's line: all up to the last one that came from it."""
    homes = [rollout.home(item) for item in items]
    return max((n for n, home in enumerate(homes, 1) if home and home[0] == rollout.compaction), default=0)


def _compacted(rollout: Rollout, index: int, items: Sequence[Item]) -> bytes:
    """The compaction's line with these items; one whose items changed says no words of its own besides.

    Items of it that a later line takes back stay, so that that line takes back the same ones.
    """
    line = rollout.lines[index]
    stood = sorted(part for at, part in rollout.living if at == index)
    if [rollout.home(item) for item in items] == [(index, part) for part in stood] and not any(
        item.source for item in items
    ):
        return line.raw
    payload, style = bytes(line.payload_text), rollout.style
    texts = [item_text(item, None, style) for item in items]
    if line.payload.get(_REPLACEMENT) is None:
        history = b"[" + style.item_separator.encode().join(texts) + b"]"
    else:
        entries = Entries(payload, _REPLACEMENT)
        texts += [bytes(raw) for part, raw in enumerate(entries.raws, 1) if (index, part) not in rollout.living]
        _, history = entries.replaced(texts)
    changes: dict[str, bytes | None] = {"message": b'""', _REPLACEMENT: history}
    return with_members(line.raw, {"payload": with_members(payload, changes, style)}, style)
