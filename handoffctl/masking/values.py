"""Where the value of a named secret ends: in quotes of any nesting, in brackets, or bare."""

from __future__ import annotations

import re

from handoffctl.masking.tokens import Span

# Only what is exactly one of these stands for a value that is elsewhere, or for none.
_PLACEHOLDER = (
    r"\$[A-Z_][A-Z0-9_]*|\$\{\w+\}|\$[a-z_]*(?:pass|token|secret|key|pwd)[a-z_]*|<[\w .:/-]{1,60}>|\*{3,}"
    r"|\{[A-Za-z_.]{1,60}\}|\[masked\]|\[handoffctl[^\]\n]{0,200}\]|(?i:null|none|true|false)"
)
_ONLY = re.compile(rf"\s*(?:{_PLACEHOLDER})\s*")
NO_VALUE = re.compile(rf"(?:{_PLACEHOLDER})(?=[`)\]}},;.:!?\"'\\]{{0,8}}(?:[\s&\"'\\,;<]|\Z))")
"""At the start of a value without quotes: that it is none."""

_CODE = re.compile(
    r"(?:[A-Za-z_]+|[A-Za-z_]\w{0,40}(?:\.[A-Za-z_]\w{0,40}){1,8})"
    r"[(\[](?:[ \t]{0,40}(?:\n|\Z)|[^\n]{0,160}?[)\]](?!\w))"
)
# Text that goes on: a sign that may end a value ends none where more of it follows directly.
_BARE = re.compile(
    r"(?:[^\s\"'\\,;&<]+|(?<=\w)[\"'](?=\w)|\\(?![nrt\"'])"
    r"|[,;&](?!\s|\Z|[\"'\\]|[\w.%-]{1,40}[=:])|<(?!/?[A-Za-z]{1,10}[\s/>]))+"
)
# A doubled quote within a word is how YAML and CSV write one.
_QUOTE_END = {quote: re.compile(rf"(?<!\\)(\\*)(?:(?<=\w){quote}{quote}(?=\w)|{quote}|(\n))") for quote in "\"'"}
_BRACKET_OR_QUOTE = re.compile(r"[\[{\]}]|(?<!\\)\\*[\"']")
_COLON = re.compile(r"\\*[\"']\s{0,8}:")
_DESCRIBING = frozenset(("type", "description", "title", "format", "pattern", "name", "id", "$ref", "kind"))


def is_no_value(text: str) -> bool:
    """Whether a text in quotes is no secret: a placeholder such as `${TOKEN}`, or a word for nothing."""
    return bool(_ONLY.fullmatch(text[:300])) and len(text) <= 300


def is_code(text: str, start: int) -> bool:
    """Whether a call or a look into a mapping begins here: `next(tokens)`, `os.environ["TOKEN"]`."""
    return bool(_CODE.match(text, start))


def bare_end(text: str, start: int) -> int:
    """Where a value without quotes ends, what closes a bracket around it left out."""
    found = _BARE.match(text, start)
    if found is None:
        return start
    return start + len(found[0].rstrip("`)]},;"))


def quoted_end(text: str, start: int, quote: str) -> int:
    """Where a value in quotes ends that begins at `start`: at its quote, at the line's end, or the text's.

    `quote` is as it stood before the value, with its backslashes: in JSON inside of JSON the closing one has as many,
    and one with more of them is inside of the value. Three quotes end at the next three.
    """
    sign = quote[-1]
    if text.startswith(quote * 2, start):
        end = text.find(quote * 3, start + 2 * len(quote))
        return len(text) if end < 0 else end
    whole = 2 * len(quote)
    for found in _QUOTE_END[sign].finditer(text, start):
        if found[0] == sign * 2:
            continue
        if found[2] or len(found[1]) % whole < len(quote):
            return found.end() - 1 - (0 if found[2] else min(len(found[1]), len(quote) - 1))
    return len(text)


def strings_inside(text: str, start: int) -> tuple[list[Span], int]:
    """The strings in the list or object that opens at `start`, and where it ends.

    Keys are left out, and what only describes a value.
    """
    spans: list[Span] = []
    depth, key, at = 0, "", start
    while found := _BRACKET_OR_QUOTE.search(text, at):
        at = found.end()
        if found[0] in "[{]}":
            depth += 1 if found[0] in "[{" else -1
            if depth == 0:
                return spans, at
            continue
        end = quoted_end(text, at, found[0])
        string = text[at:end]
        if _COLON.match(text, end):
            key = string
        elif string and not (key in _DESCRIBING or is_no_value(string)):
            spans.append((at, end))
        at = end + len(found[0])
    return spans, len(text)
