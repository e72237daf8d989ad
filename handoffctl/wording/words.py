"""What changed inside one item: its text before and after, word by word."""

from __future__ import annotations

import re
from collections import Counter
from difflib import SequenceMatcher
from itertools import takewhile
from typing import Any, Literal

from handoffctl.item import Item
from handoffctl.kinds import Kind, kind_of
from handoffctl.raw.jsontext import encode
from handoffctl.wording.texts import label_of, text_of

WordChange = tuple[Literal["same", "removed", "added"], str]

_MOST_WORDS, _MOST_PAIRS = 5_000, 1_000_000
_WORD = re.compile(r"\w+\s*|[^\w\s]\s*|\s+")


def word_changes(before_text: str, after_text: str) -> list[WordChange]:
    """The pieces of both texts in order: those that are the same, removed or added; none are empty.

    Same and removed pieces joined are the text before, same and added ones the text after. What lies between
    the start and the end that the texts share counts as changed as a whole where it is too much to compare:
    more than 5,000 words, or the same words all over.
    """
    before, after = _WORD.findall(before_text), _WORD.findall(after_text)
    start = _shared(before, after)
    end = _shared(before[start:][::-1], after[start:][::-1])
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    inner = _compared(old, new) if _is_comparable(old, new) else _replaced(old, new)
    whole: list[WordChange] = [
        ("same", "".join(before[:start])),
        *inner,
        ("same", "".join(before[len(before) - end :])),
    ]
    return [each for each in whole if each[1]]


def edited_text(item: Item) -> str:
    """The text to compare an edited item by: its words, and for a call the tool's name before them."""
    text = text_of(item)
    return f"{label_of(item)} {text}".rstrip() if kind_of(item) is Kind.CALL else text


def edited_texts(before: Item, after: Item) -> tuple[str, str]:
    """Both texts of an edited item; where the words are the same, the members that are not, as JSON text."""
    old, new = edited_text(before), edited_text(after)
    if old != new:
        return old, new
    keys = [key for key in dict.fromkeys((*before, *after)) if before.get(key, ...) != after.get(key, ...)]
    return _members(before, keys), _members(after, keys)


def _members(item: Item, keys: list[str]) -> str:
    values: dict[str, Any] = {key: item[key] for key in keys if key in item}
    return encode(values).decode()


def _shared(before: list[str], after: list[str]) -> int:
    """How many words from the start on are the same."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False)))


def _is_comparable(old: list[str], new: list[str]) -> bool:
    if max(len(old), len(new)) > _MOST_WORDS:
        return False
    counts = Counter(new)
    return sum(times * counts[word] for word, times in Counter(old).items()) <= _MOST_PAIRS


def _replaced(old: list[str], new: list[str]) -> list[WordChange]:
    return [("removed", "".join(old)), ("added", "".join(new))]


def _compared(old: list[str], new: list[str]) -> list[WordChange]:
    found: list[WordChange] = []
    for tag, start, end, new_start, new_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            found.append(("same", "".join(old[start:end])))
        else:
            found += _replaced(old[start:end], new[new_start:new_end])
    return found
