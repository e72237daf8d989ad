"""Secrets that one knows by their own shape: keys of known services, private keys, bearers, passwords in URLs."""

from __future__ import annotations

import re
from collections.abc import Iterator

Span = tuple[int, int]
"""Where a value stands in a text: from the first character to before the last."""

# Each has a group `value`: what is masked. What stands before it stays, so that one sees what it was.
_TOKENS = (
    r"(?<![\w-])(?:sk-(?=[\w-]*\d)(?:(?:ant|proj|or|svcacct|admin|live)-)?(?P<value1>[\w-]{16,})"
    r"|[rs]k_(?:live|test)_(?P<value2>\w{16,})"
    r"|(?:gh[pousr]_|github_pat_|glpat-|hf_|npm_|pypi-)(?P<value3>[\w-]{20,})"
    r"|(?:AKIA|ASIA)(?P<value4>[0-9A-Z]{16})(?![0-9A-Z])"
    r"|AIza(?P<value5>[\w-]{30,})"
    r"|xox[a-z]-(?P<value6>[\w-]{10,})|xapp-(?P<value7>[\w-]{10,})"
    r"|SG\.(?P<value8>[\w-]{10,}\.[\w-]{10,})"
    r"|eyJ(?P<value9>[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}))"
)
_PRIVATE_KEY = r"-----BEGIN (?!PUBLIC)[A-Z0-9 ]{0,40}KEY(?: BLOCK)?-----(?P<value10>.*?)(?:-----END|\Z)"
_BEARER = r"(?i:\bbearer|\bauthorization:\s{0,3}basic)\s{1,3}(?P<value11>(?=\S*\d)[\w.~+/=-]{12,}|[\w.~+/=-]{24,})"
_HOST_END = r"\s/\"'<>"
# A password may hold an `@`, and a `/` too where it is no port; a name alone is a token if it is long.
_URL = (
    rf"(?<=\w)://(?!\[)(?:[^{_HOST_END}?#:@]*:(?!\d{{1,5}}(?:[/?#,\s]|\Z))"
    rf"(?P<value12>[^{_HOST_END}]+(?=@)|(?:(?!://)[^\s\"'<>]){{1,200}}?(?=@))"
    rf"|(?P<value13>[^{_HOST_END}?#:@]{{8,}})(?=@))"
)
# CAI names its logs after the user, the system and the public address.
_LOG_NAME = r"cai_[0-9a-f-]{36}_\d{8}_\d{6}_(?P<value14>[^/\\\s\"']{1,200}?)(?=\.jsonl)"
# Every such secret holds one of these, in whatever case: texts without any, which most are, need no search.
_HINTS = (
    *("sk-", "k_live_", "k_test_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "hf_", "npm_"),
    *("pypi-", "akia", "asia", "aiza", "xox", "xapp-", "sg.", "eyj", "-----begin", "bearer", "authorization", "://"),
    "cai_",
)
_SECRET = re.compile("|".join((_TOKENS, _PRIVATE_KEY, _BEARER, _URL, _LOG_NAME)), re.DOTALL)


def find_tokens(text: str, lowered: str) -> Iterator[Span]:
    """The values of such secrets, from left to right; `lowered` is the text in lower case."""
    if any(hint in lowered for hint in _HINTS):
        for found in _SECRET.finditer(text):
            yield found.span(found.lastgroup or 0)
