"""Find and mask secrets: what looks like a key, a token or a password, and nothing that only looks random."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from handoffctl.masking.names import find_named
from handoffctl.masking.tokens import Span, find_tokens

MASKED = "[masked]"
_SHORTEST_KNOWN = 8
_MOST_KNOWN = 1_000

# What nobody sees in a text but what would hide a secret from a search, as a character or escaped in JSON.
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
    r"|\\u(?i:00ad|034f|061c|180e|200[b-f]|202[a-e]|206[0-9a-f]|feff)"
)


class Secret(NamedTuple):
    """Where the value of a secret stands in a text: from `start` to before `end`, counted in characters."""

    start: int
    end: int


def find_secrets(text: str) -> list[Secret]:
    """What looks like a secret, from left to right, apart from each other; ids, hashes and UUIDs are none."""
    plain, places = _seen(text)
    return [Secret(*places(span)) for span in _found(plain)]


def _found(text: str, known: re.Pattern[str] | None = None) -> list[Span]:
    """The spans of all secrets in a text without unseen characters; those that touch are one."""
    lowered = text.lower()
    spans = sorted((*find_tokens(text, lowered), *find_named(text, lowered), *_repeats(text, known)))
    apart: list[Span] = []
    for start, end in spans:
        if apart and start <= apart[-1][1]:
            apart[-1] = (apart[-1][0], max(end, apart[-1][1]))
        else:
            apart.append((start, end))
    return apart


def _repeats(text: str, known: re.Pattern[str] | None) -> Iterator[Span]:
    return (found.span() for found in known.finditer(text)) if known else iter(())


def _seen(text: str) -> tuple[str, Callable[[Span], Span]]:
    """The text without its unseen characters, and what finds the span in the text itself that is one of it."""
    unseen = [found.span() for found in _UNSEEN.finditer(text)]
    if not unseen:
        return text, lambda span: span
    kept, left_out = [0], [0]  # from each place on, how many characters are missing
    for start, end in unseen:
        kept.append(start - left_out[-1])
        left_out.append(left_out[-1] + end - start)

    def place(position: int) -> int:
        return position + left_out[bisect_right(kept, position) - 1]

    return _UNSEEN.sub("", text), lambda span: (place(span[0]), place(span[1] - 1) + 1)


@dataclass(frozen=True)
class Mask:
    """Masks secrets in text; those known from elsewhere in the conversation too, wherever they are repeated."""

    known: frozenset[str] = frozenset()

    @classmethod
    def of(cls, texts: Iterable[str]) -> Mask:
        """A mask that knows the secrets of these texts; at most the first thousand."""
        known: set[str] = set()
        for text in texts:
            plain, _ = _seen(text)
            known.update(plain[start:end] for start, end in _found(plain) if end - start >= _SHORTEST_KNOWN)
            if len(known) >= _MOST_KNOWN:
                break
        return cls(frozenset(known))

    @cached_property
    def _repeated(self) -> re.Pattern[str] | None:
        longest_first = sorted(self.known, key=len, reverse=True)
        return re.compile("|".join(map(re.escape, longest_first))) if longest_first else None

    def __call__(self, text: str) -> str:
        """The text with `[masked]` for every secret's value."""
        plain, places = _seen(text)
        pieces: list[str] = []
        last = 0
        for start, end in map(places, _found(plain, self._repeated)):
            pieces += (text[last:start], MASKED)
            last = end
        return "".join((*pieces, text[last:])) if pieces else text
