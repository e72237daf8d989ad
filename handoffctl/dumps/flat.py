"""A flat list of items: what it holds of a conversation's parts, and how it is put back into its record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from handoffctl.entries import Entries, ListPlace
from handoffctl.item import Item
from handoffctl.model import HandoffInputData, history_items
from handoffctl.raw.jsontext import COMPACT, Style, decode, encode
from handoffctl.records import Record


def flat_items(data: HandoffInputData) -> tuple[Item, ...]:
    """All parts one after the other as they are: history, pre-handoff, then input items or else new ones."""
    if not data.pre_handoff_items and not data.new_items and not data.input_items:
        return history_items(data)
    last = data.new_items if data.input_items is None else data.input_items
    run_items = (*data.pre_handoff_items, *last)
    return (*history_items(data), *(run_item.raw_item for run_item in run_items))


def item_text(item: Item, place: ListPlace | None, style: Style) -> bytes:
    """The JSON text of an item in a record's style; one that came from a record keeps its own bytes."""
    if item.place is None and style != COMPACT:
        return indented(encode(decode(item.raw), style), place)
    return item.raw


def indented(text: bytes, place: ListPlace | None) -> bytes:
    """Text of several lines moved in as far as the list's entries are."""
    return text.replace(b"\n", b"\n" + place.head.rpartition(b"\n")[2]) if place and b"\n" in text else text


def item_texts(entries: Entries, items: Iterable[Item]) -> list[bytes | msgspec.Raw]:
    """The text of each item for this list: an item that stands in it untouched keeps its own bytes."""
    raws = entries.raws
    return [
        raws[place[1]]
        if (place := item._place) is not None and place[0] is entries and item._source is None
        else item_text(item, entries.place(), entries.style)
        for item in items
    ]


def joined(record: Record, entries: Entries, texts: Sequence[bytes | msgspec.Raw]) -> bytes:
    """The record with these entries; where entries stand one a line, the lines."""
    if record.form == "entries":
        return record.separator.join(texts)
    return entries.rebuilt(texts)
