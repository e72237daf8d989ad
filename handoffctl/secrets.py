"""Find and mask secrets: what looks like a key, a token or a password, and nothing that only looks random."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

MASKED = "[masked]"
_SHORTEST_KNOWN = 8
_MOST_KNOWN = 1_000

# Each has a group `value`: what is masked. What stands before it stays, so that one sees what it was.
_TOKENS = (
    r"(?<![\w-])(?:sk-(?=[\w-]*\d)(?:(?:ant|proj|or|svcacct|admin|live)-)?(?P<value1>[\w-]{16,})"
    r"|[rs]k_(?:live|test)_(?P<value2>\w{16,})"
    r"|(?:gh[pousr]_|github_pat_|glpat-|hf_|npm_|pypi-)(?P<value3>[\w-]{20,})"
    r"|(?:AKIA|ASIA)(?P<value4>[0-9A-Z]{16})(?![0-9A-Z])"
    r"|AIza(?P<value5>[\w-]{30,})"
    r"|xox[a-z]-(?P<value6>[\w-]{10,})|xapp-(?P<value7>[\w-]{10,})"
    r"|eyJ(?P<value8>[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}))"
)
_PRIVATE_KEY = r"-----BEGIN (?!PUBLIC)[A-Z0-9 ]{0,40}KEY(?: BLOCK)?-----(?P<value9>.*?)(?:-----END|\Z)"
_BEARER = r"(?i:\bbearer|\bauthorization:\s{0,3}basic)\s{1,3}(?P<value10>(?=\S*\d)[\w.~+/=-]{12,}|[\w.~+/=-]{24,})"
_NAME = (
    r"(?i:passw(?:or)?d|passphrase|secret|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?token|access[_-]?token"
    r"|refresh[_-]?token|(?<![a-z])token)"
)
_NO_VALUE = r"(?!\[masked|\[handoffctl|\$|<|\*{3}|(?i:null|none|true|false)\b)"
_QUOTED = rf"\\?\"{_NO_VALUE}(?P<value11>[^\"\\\n]+)|'{_NO_VALUE}(?P<value12>[^'\n]+)"
_BARE = r"[^\s\"',;&<>(){}\[\]\\]{4,}"
# After a colon in prose almost anything may follow: there a value must hold a digit.
_NAMED = (
    rf"{_NAME}(?:(?:\\?[\"']\s{{0,3}}[:=]|\s{{0,3}}=)\s{{0,3}}{_NO_VALUE}(?:{_QUOTED}|(?P<value13>{_BARE}))"
    rf"|:\s{{0,3}}{_NO_VALUE}(?P<value15>(?=\S{{0,80}}\d){_BARE}))"
)
_URL = r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{1,64}:(?P<value14>[^\s/@]{1,200})@"
# Every secret found holds one of these, in whatever case: texts without any, which most are, need no search.
_HINTS = (
    *("sk-", "k_live_", "k_test_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "hf_", "npm_"),
    *("pypi-", "akia", "asia", "aiza", "xox", "xapp-", "eyj", "-----begin", "bearer", "authorization", "passw"),
    *("passphrase", "secret", "api_key", "api-key", "apikey", "access_", "access-", "accesskey", "accesstoken"),
    *("private_key", "private-key", "privatekey", "auth_token", "auth-token", "authtoken", "refresh", "token", "://"),
)
_SECRET = re.compile("|".join((_TOKENS, _PRIVATE_KEY, _BEARER, _NAMED, _URL)), re.DOTALL)


class Secret(NamedTuple):
    """Where the value of a secret stands in a text: from `start` to before `end`, counted in characters."""

    start: int
    end: int


def find_secrets(text: str) -> list[Secret]:
    """What looks like a secret, from left to right; ids, hashes and UUIDs are none."""
    lowered = text.lower()
    if not any(hint in lowered for hint in _HINTS):
        return []
    return [Secret(*found.span(found.lastgroup or 0)) for found in _SECRET.finditer(text)]


@dataclass(frozen=True)
class Mask:
    """Masks secrets in text; those known from elsewhere in the conversation too, wherever they are repeated."""

    known: frozenset[str] = frozenset()

    @classmethod
    def of(cls, texts: Iterable[str]) -> Mask:
        """A mask that knows the secrets of these texts; at most the first thousand."""
        known: set[str] = set()
        for text in texts:
            known.update(text[start:end] for start, end in find_secrets(text) if end - start >= _SHORTEST_KNOWN)
            if len(known) >= _MOST_KNOWN:
                break
        return cls(frozenset(known))

    @cached_property
    def _repeated(self) -> re.Pattern[str] | None:
        longest_first = sorted(self.known, key=len, reverse=True)
        return re.compile("|".join(map(re.escape, longest_first))) if longest_first else None

    def __call__(self, text: str) -> str:
        """The text with `[masked]` for every secret's value."""
        pieces: list[str] = []
        last = 0
        for start, end in find_secrets(text):
            pieces += (text[last:start], MASKED)
            last = end
        text = "".join((*pieces, text[last:])) if pieces else text
        return self._repeated.sub(MASKED, text) if self._repeated else text
