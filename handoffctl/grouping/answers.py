"""Which output answers which call."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from typing import NamedTuple

from handoffctl.item import Item
from handoffctl.kinds import ANONYMOUS_OUTPUTS, ANSWERED_BY, ANSWERS_BY_ITEM_ID, Kind, kind_of

_Key = tuple[str, Hashable]


class Answers(NamedTuple):
    """Calls with their outputs, as positions that count from 0.

    `outputs` has every call, oldest first, hosted ones too, with all its outputs: an empty list where it
    has none. `repeats` maps the placeholder that an approval leaves (the open call once more, word for
    word, in the same turn) to that call; placeholders are not in `outputs`. `orphans` are outputs without a call.
    """

    outputs: dict[int, list[int]]
    repeats: dict[int, int]
    orphans: tuple[int, ...]


def find_answers(items: Sequence[Item]) -> Answers:
    """Match every output to the latest open call with its id, in order; ids may be reused.

    An output for which no call is open belongs to the latest call with its id: a call may have several.
    """
    matcher = _Matcher(items)
    for position, item in enumerate(items):
        kind = kind_of(item)
        if kind is Kind.CALL:
            matcher.add_call(position, item)
        elif kind is Kind.OUTPUT:
            matcher.add_output(position, item)
        elif kind is Kind.MESSAGE and item.role != "assistant":
            matcher.turn = position
    return Answers(matcher.outputs, matcher.repeats, tuple(matcher.orphans))


class _Matcher:
    def __init__(self, items: Sequence[Item]) -> None:
        self.items = items
        self.turn = 0
        self.outputs: dict[int, list[int]] = {}
        self.repeats: dict[int, int] = {}
        self.orphans: list[int] = []
        self._calls: defaultdict[_Key, list[int]] = defaultdict(list)
        self._latest: dict[_Key, int] = {}

    def add_call(self, position: int, item: Item) -> None:
        keys = _keys_of_call(item)
        open_call = self._open_call(keys)
        if open_call is not None and self._is_repeat(item, open_call):
            self.repeats[position] = open_call
            return
        self.outputs[position] = []
        for key in keys:
            self._calls[key].append(position)
            self._latest[key] = position

    def add_output(self, position: int, item: Item) -> None:
        key = _key_of_output(item)
        call = self._open_call([key]) if key else None
        if call is None and key is not None:
            call = self._latest.get(key)
        if call is None:
            self.orphans.append(position)
        else:
            self.outputs[call].append(position)

    def _is_repeat(self, item: Item, call: int) -> bool:
        return item.call_id is not None and call >= self.turn and self.items[call] == item

    def _open_call(self, keys: list[_Key]) -> int | None:
        for key in keys:
            calls = self._calls[key]
            while calls and self.outputs[calls[-1]]:  # answered, maybe under its other key
                calls.pop()
            if calls:
                return calls[-1]
        return None


def _keys_of_call(item: Item) -> list[_Key]:
    """What an output may call this one by; nothing for a hosted call, which no item answers."""
    output_type = ANSWERED_BY.get(item.type or "")
    if output_type is None:
        return []
    keys: list[_Key] = []
    if item.call_id is not None or output_type in ANONYMOUS_OUTPUTS:
        keys.append((output_type, item.call_id))
    if output_type in ANSWERS_BY_ITEM_ID and item.id is not None and item.id != item.call_id:
        keys.append((output_type, item.id))
    return keys


def _key_of_output(item: Item) -> _Key | None:
    name = item.type or ""
    if item.call_id is not None or name in ANONYMOUS_OUTPUTS:
        return name, item.call_id
    return (name, item.id) if name in ANSWERS_BY_ITEM_ID and item.id is not None else None
