"""Whether two items say the same: the normal form of what they hold, and how much their words have in common."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, NamedTuple

import orjson

from handoffctl.item import Item
from handoffctl.kinds import TEXT_PARTS, Kind, kind_of
from handoffctl.wording.texts import text_of

_LOOKED_AT = 1_000  # characters: enough to tell texts apart, little enough for thousands of them
_LEAST_COMMON, _LEAST_START = 0.5, 12
_IDLE_KEYS = frozenset({"annotations", "logprobs"})
_CACHE_MARK = "cache_control"


def value_bytes(item: Item) -> bytes:
    """The same bytes for items of equal values, whatever the order and style of their JSON."""
    return _sorted_json(item, item.to_dict())


def normal_bytes(item: Item) -> bytes:
    """The same bytes for items that say the same in two dialects or styles.

    A text is one text part; cache marks, empty annotations and the order of keys don't count, and a message
    may lack its type.
    """
    values = {key: value for key, value in item.items() if key != _CACHE_MARK}
    if kind_of(item) is Kind.MESSAGE:
        values["type"] = "message"
    for key in ("content", "output"):
        if isinstance(values.get(key), list):
            values[key] = _normal_parts(values[key])
    return _sorted_json(item, values)


class Wording(NamedTuple):
    """What an item is known by where nothing else tells: its tool, the start of its text, its words there."""

    name: str | None
    text: str
    words: Counter[str]

    @classmethod
    def of(cls, item: Item) -> Wording:
        """The wording of an item's first 1,000 characters."""
        text = text_of(item)[:_LOOKED_AT]
        return cls(item.name, text, Counter(text.split()))

    def is_like(self, other: Wording) -> bool:
        """Whether a filter may have made one from the other: the same tool, and half of the words or a long start."""
        if self.name != other.name:
            return False
        start = min(len(self.text), len(other.text)) // 2
        if start >= _LEAST_START and self.text[:start] == other.text[:start]:
            return True
        common = sum([min(times, other.words[word]) for word, times in self.words.items() if word in other.words])
        return 2 * common > _LEAST_COMMON * (self.words.total() + other.words.total())


def _normal_parts(parts: list[Any]) -> Any:
    normal = [_normal_part(part) for part in parts]
    return normal[0] if len(normal) == 1 and isinstance(normal[0], str) else normal


def _normal_part(part: Any) -> Any:
    if not isinstance(part, dict):
        return part
    values = {key: value for key, value in part.items() if key != _CACHE_MARK and (value or key not in _IDLE_KEYS)}
    if str(values.get("type")) in TEXT_PARTS and set(values) == {"type", "text"} and isinstance(values["text"], str):
        return values["text"]
    return values


def _sorted_json(item: Item, values: Any) -> bytes:
    try:
        return orjson.dumps(values, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # an integer beyond 64 bits, a lone surrogate, deep nesting
        pass
    try:
        return json.dumps(values, sort_keys=True).encode()
    except RecursionError:
        return item.raw
