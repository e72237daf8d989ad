"""Text by the columns that it takes on a terminal: wide characters take two, combining ones none."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from rich.cells import cell_len

ELLIPSIS = "…"
_JOINER = "\u200d"
_MOST_PER_COLUMN = 16
"""Characters that are looked at for each column of room: a hostile text may pile marks on one letter."""


def columns_of(text: str) -> int:
    """How many columns a text takes."""
    return len(text) if text.isascii() else cell_len(text)


def cut(text: str, columns: int) -> str:
    """The text in at most so many columns, `…` at its end where something was left out; never inside of a cluster."""
    columns = max(columns, 0)
    if len(text) <= columns and text.isascii():
        return text
    start = text[: columns * _MOST_PER_COLUMN + 1]
    if len(start) == len(text) and cell_len(text) <= columns:
        return text
    return _beginning(start, columns - 1) + ELLIPSIS if columns else ""


def cut_start(text: str, columns: int) -> str:
    """The end of a text in at most so many columns, `…` before it where something was left out."""
    if columns_of(text) <= columns:
        return text
    kept: list[str] = []
    room = columns - 1
    for cluster in reversed(list(clusters(text[-columns * _MOST_PER_COLUMN :]))):
        room -= columns_of(cluster)
        if room < 0:
            break
        kept.append(cluster)
    return ELLIPSIS + "".join(reversed(kept))


def fitted(text: str, columns: int) -> str:
    """The text cut or padded with spaces to exactly so many columns."""
    shown = cut(text, columns)
    return shown + " " * (columns - columns_of(shown))


def wrapped(text: str, columns: int) -> Iterator[str]:
    """The text in lines of at most so many columns, broken at spaces where there are any; one empty line for none."""
    while columns_of(text) > columns:
        head = _beginning(text[: columns * _MOST_PER_COLUMN + 1], columns)
        if not head:
            head = next(clusters(text))
        space = head.rfind(" ")
        broken = head[:space] if space > columns // 2 and text[len(head) : len(head) + 1] != " " else head
        yield broken.rstrip(" ")
        text = text[len(broken) :].lstrip(" ")
    yield text


def _beginning(text: str, columns: int) -> str:
    """As much of a text as so many columns hold."""
    end = 0
    for cluster in clusters(text):
        columns -= columns_of(cluster)
        if columns < 0:
            break
        end += len(cluster)
    return text[:end]


def clusters(text: str) -> Iterator[str]:
    """What a reader takes for one character each: a letter with its marks, an emoji with what is joined to it."""
    start = 0
    for position in range(1, len(text)):
        if not _is_joined(text[start:position], text[position]):
            yield text[start:position]
            start = position
    if text:
        yield text[start:]


def _is_joined(cluster: str, character: str) -> bool:
    if character.isascii():
        return False
    if cluster[-1] == _JOINER or character == _JOINER or unicodedata.category(character).startswith("M"):
        return True
    if "\U0001f3fb" <= character <= "\U0001f3ff":  # skin tones
        return True
    if "\u1160" <= character <= "\u11ff":  # vowels and tails of a Korean syllable
        return True
    return len(cluster) == 1 and all("\U0001f1e6" <= each <= "\U0001f1ff" for each in (cluster, character))  # flags
