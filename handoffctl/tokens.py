"""How many tokens a text is, estimated from its pieces: words by their length, digits, signs, scripts, blobs.

Calibrated against o200k_base; `docs/tokens.md` has its error by kind of text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from handoffctl.item import Item
from handoffctl.wording.texts import pieces

TextCounter = Callable[[str], int]
"""How much a text is, in tokens or in whatever else is counted."""

PER_ITEM = 4
"""Tokens around each item: its role, its type, where it ends."""

MEDIA_TOKENS = {"image": 765, "audio": 500, "file": 1_000, "video": 2_000}
"""Tokens that one of a kind counts, whatever its size. An image of 1,024 × 1,024 pixels in high detail is 765 for
GPT-4o, by OpenAI's pages; the others are the size of thing that is usual, no more."""


class Script(NamedTuple):
    """Letters or signs of one kind: the ranges of a character class, and tokens of a run of them.

    A run of n costs `start + each * n`, and never less than one.
    """

    ranges: str
    start: float
    each: float


# Measured on texts of a few hundred words for each; the least known ones at the end are by the character.
SCRIPTS: tuple[Script, ...] = (
    Script(r"\u4e00-\u9fff\u3400-\u4dbf\uf900-\ufaff\u3005", 0.2, 0.72),  # Chinese characters
    Script(r"\u3041-\u309f", 0.35, 0.53),  # Hiragana
    Script(r"\u30a0-\u30ff\uff66-\uff9f", 0.2, 0.62),  # Katakana
    Script(r"\u0400-\u052f", 0.15, 0.24),  # Cyrillic
    Script(r"\uac00-\ud7af\u1100-\u11ff", 0.55, 0.5),  # Hangul
    Script(r"\u0600-\u06ff\u0750-\u077f", 0.0, 0.36),  # Arabic
    Script(r"\u0590-\u05ff", 0.2, 0.42),  # Hebrew
    Script(r"\u0370-\u03ff\u1f00-\u1fff", 0.2, 0.42),  # Greek
    Script(r"\u0900-\u0dff", 0.2, 0.36),  # the scripts of India
    Script(r"\u0e00-\u0eff", 0.0, 0.42),  # Thai and Lao
    Script(r"\u0530-\u058f\u10a0-\u10ff", 0.2, 0.42),  # Armenian and Georgian
    Script(r"\U0001f000-\U0001faff", 0.0, 2.0),  # emoji
    Script(r"\u200d", 0.0, 1.0),  # joins emoji
    Script(r"\ufe0f\u20e3", 0.0, 0.6),  # colours or boxes what stands before
    Script(r"\u2190-\u2bff", 0.0, 1.4),  # arrows, signs, dingbats
    Script(r"\u00a0-\u00bf\u2010-\u206f\u20a0-\u20cf\u3000-\u3004\u3006-\u3040\uff00-\uff65", 0.0, 1.0),  # punctuation
)

_ACCENTED_CAPITAL, _ACCENTED = r"\u00c0-\u00de", r"\u00df-\u024f\u1e00-\u1eff"
_SIGN = r"!-/:-@\[-`{-~"
_SHORTEST_BLOB = 48
_BLOB = rf"[A-Za-z0-9+/_=-]{{{_SHORTEST_BLOB},256}}"
_HEXADECIMAL = re.compile(r"[0-9a-f]+|[0-9A-F]+")
_BASE64_LETTERS = tuple(re.compile(letters) for letters in ("[0-9]", "[a-z]", "[A-Z]"))
_ASCII_PIECES = (
    rf"[ \t{_SIGN}]?[A-Z]{{0,64}}[a-z]{{1,64}}",
    rf"[ \t{_SIGN}]?[A-Z]{{1,64}}",
    r"[0-9]{1,3}",
    rf" ?[{_SIGN}]{{1,64}}[\r\n]{{0,64}}",
    r"\s{0,64}[\r\n]{1,64}",
    r"\s{1,64}(?!\S)",
)
_WORD_OF_ANY = rf"[ \t{_SIGN}]?[A-Z{_ACCENTED_CAPITAL}]{{0,64}}[a-z{_ACCENTED}]{{1,64}}"
_ASCII = re.compile("|".join((_BLOB, *_ASCII_PIECES, ".")), re.DOTALL)
_WITHOUT_BLOBS = re.compile("|".join((*_ASCII_PIECES, ".")), re.DOTALL)
_ANY = re.compile(
    "|".join((_BLOB, _WORD_OF_ANY, *_ASCII_PIECES, *(f" ?[{each.ranges}]{{1,64}}" for each in SCRIPTS), ".")), re.DOTALL
)
_SCRIPTS = tuple((re.compile(f"[{each.ranges}]"), each) for each in SCRIPTS)

_WORD_TOKENS = (1.0, 1.0, 1.0, 1.0, 1.0, 1.02, 1.06, 1.1, 1.12, 1.25, 1.3, 1.35, 1.45)
_LONG_WORD, _PREFIX, _ACCENT = 0.16, 0.12, 0.45
_SIGN_TOKENS = (1.0, 1.0, 1.0, 1.02, 1.3, 1.3, 1.6, 2.0, 2.2)
_LONG_SIGN = 0.3
_HEX_CHARACTERS, _BASE64_CHARACTERS = 1.75, 1.55
_ELSEWHERE, _BEYOND = 1.5, 3.0
_STRETCH = 200_000  # characters: bounds the memory that the pieces of a text take


def estimate_tokens(text: str) -> int:
    """Tokens of a text, estimated; 0 for an empty one. One pass, over 10 MB a second."""
    stretches = (text[start : start + _STRETCH] for start in range(0, len(text), _STRETCH))
    return round(sum([sum(map(_tokens, (_ASCII if each.isascii() else _ANY).findall(each))) for each in stretches]))


def count_characters(text: str) -> int:
    """Unicode characters of a text."""
    return len(text)


def count_words(text: str) -> int:
    """Words of a text: what stands between white space."""
    return len(text.split())


def item_tokens(item: Item, counter: TextCounter = estimate_tokens) -> int:
    """What a model reads of an item, by a counter: its name, its texts, arguments and outputs, and its media.

    Each item is `PER_ITEM` more, and each image, audio or file what `MEDIA_TOKENS` says, never its encoded bytes;
    characters and words are counted without both. Encrypted reasoning counts nothing.
    """
    texts = [each for each in (item.name, *pieces(item)) if each]
    counted = sum([counter(each) for each in texts if isinstance(each, str)])
    if counter in _OTHER_UNITS:
        return counted
    return counted + PER_ITEM + sum([MEDIA_TOKENS[each.kind] for each in texts if not isinstance(each, str)])


_OTHER_UNITS: tuple[TextCounter, ...] = (count_characters, count_words)


@lru_cache(maxsize=8192)
def _tokens(piece: str) -> float:
    """Tokens of one piece. Most texts repeat most of their pieces."""
    if len(piece) < _SHORTEST_BLOB or not piece.isascii():
        return _simple(piece)
    if _HEXADECIMAL.fullmatch(piece):
        return len(piece) / _HEX_CHARACTERS
    if all(letters.search(piece) for letters in _BASE64_LETTERS):
        return len(piece) / _BASE64_CHARACTERS
    return sum(map(_simple, _WITHOUT_BLOBS.findall(piece)))


def _simple(piece: str) -> float:
    """Tokens of a piece that is a word, a number, or a run of signs, of white space or of a script."""
    last = piece[-1]
    if (last.isascii() and last.isalpha()) or "\u00c0" <= last < "\u0250" or "\u1e00" <= last < "\u1f00":
        return _word(piece)
    if not last.isascii():
        return _run(piece.lstrip(" "))
    if last.isdigit() or len(set(piece)) == 1:
        return 1.0
    return _listed(_SIGN_TOKENS, len(piece.strip()), _LONG_SIGN)


def _word(piece: str) -> float:
    letters = piece if piece[0].isalpha() else piece[1:]
    accents = sum(1 for letter in letters if letter > "\x7f")
    prefix = _PREFIX if letters is not piece and piece[0] != " " else 0.0
    return _listed(_WORD_TOKENS, len(letters), _LONG_WORD) + prefix + _ACCENT * accents


def _listed(table: tuple[float, ...], length: int, beyond: float) -> float:
    """The table's value, or its last one and so much for each character beyond."""
    longest = len(table) - 1
    return table[length] if length <= longest else table[longest] + beyond * (length - longest)


def _run(piece: str) -> float:
    for pattern, script in _SCRIPTS:
        if pattern.match(piece):
            return max(1.0, script.start + script.each * len(piece))
    return _BEYOND if piece > "\uffff" else _ELSEWHERE
