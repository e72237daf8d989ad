"""Secrets that one knows by their name: `password=…`, `"api_key": "…"`, `--token …`, `<secret>…</secret>`."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator

from handoffctl.masking.tokens import Span
from handoffctl.masking.values import NO_VALUE, bare_end, is_code, is_no_value, quoted_end, strings_inside

_KEYS = ("api", "access", "private", "secret", "signing", "encryption")
_TOKEN_KINDS = ("auth", "access", "refresh")
# `PWD=/home/kim` is a folder.
_NAME = (
    rf"(?i:passw(?:or)?d|passphrase|(?:{'|'.join(_KEYS)})[ _-]?key|secret|(?:{'|'.join(_TOKEN_KINDS)})[_-]?token"
    r"|(?<![a-z])(?:token|pass|pwd(?!.{0,6}[=:]\s{0,3}.?[/~])))"
)
# Every such secret holds one of these, in whatever case: texts without any need no search.
_HINTS = ("pass", "pwd", "secret", "token", *(f"{kind}{sign}key" for kind in _KEYS for sign in ("", " ", "_", "-")))

_OPENING = r"(?P<opening>[bBrRuUfF]{0,2}(?P<quote>\\{0,7}[\"']))"
_VALUE = rf"(?:{_OPENING}|(?P<bracket>[\[{{])(?!masked|handoffctl)|(?=[^\s\"'(\[{{]))"
_FLAG = rf"--(?:\w{{1,30}}-){{0,4}}?{_NAME}(?:=|\s{{1,3}}|\\?[\"']\s{{0,3}},\s{{0,3}}(?=\\?[\"']))(?:{_VALUE})"
_FIELD = rf"{_NAME}(?P<closing>(?:\\{{0,7}}[\"'])?\]?)\s{{0,4}}(?P<sign>={{1,3}}>?|:=?)\s{{0,4}}{_VALUE}"
_ELEMENT = rf"{_NAME}(?:\s[^<>]{{0,80}})?>(?:<!\[CDATA\[)?(?P<inside>[^<>]{{1,500}})(?:\]\]>)?</"
_HEAD = re.compile(rf"(?P<flag>{_FLAG.replace('P<', 'P<flag_')})|{_FIELD}|{_ELEMENT}", re.DOTALL)
# `--token is needed`, `[--token TOKEN]`: a word is no value where a sentence or a usage goes on.
_WORD_OF_PROSE = re.compile(r"[A-Za-z_]+(?=[.,;:)\]`](?!\w)|[ \t]{1,3}[^\s|;&\"'-])")
_SHORTEST_BARE, _DIGIT_WITHIN = 4, re.compile(r"\S{0,80}?\d")


def find_named(text: str, lowered: str) -> Iterator[Span]:
    """The values of such secrets, from left to right; `lowered` is the text in lower case."""
    if not any(hint in lowered for hint in _HINTS):
        return
    at = scanned = 0
    inside: deque[Span] = deque()
    while head := _HEAD.search(text, at):
        at = head.end()
        while inside and inside[0][1] <= head.start():
            inside.popleft()
        if inside and inside[0][0] <= head.start():  # a name in a value
            at = inside[0][1]
        elif head["bracket"] is None:
            span = _value(text, head)
            at = span[1] if span else at
            yield from [span] if span else []
        elif head["closing"] and at > scanned:  # what stands in another such bracket was looked at with it
            spans, scanned = strings_inside(text, at - 1)
            inside.extend(spans)
            yield from spans


def _value(text: str, head: re.Match[str]) -> Span | None:
    start = head.end()
    if head["inside"]:
        return None if is_no_value(head["inside"]) else head.span("inside")
    quote = head["quote"] or head["flag_quote"]
    if quote:
        end = quoted_end(text, start, quote)
        first = start + 2 * len(quote) * text.startswith(quote * 2, start)
        return None if first >= end or is_no_value(text[first:end]) else (first, end)
    end = _bare(text, start, head)
    return (start, end) if end > start else None


def _bare(text: str, start: int, head: re.Match[str]) -> int:
    """Where a value without quotes ends; 0 where it is none."""
    if head["flag_bracket"] or NO_VALUE.match(text, start) or is_code(text, start):
        return 0
    if head["flag"]:
        is_prose = text[start] == "-" or _WORD_OF_PROSE.match(text, start)
        return 0 if is_prose else bare_end(text, start)
    if head["sign"][:2] in ("==", "=>", ":=") and not head["closing"]:
        return 0
    in_prose = head["sign"] == ":" and not head["closing"]
    digit = _DIGIT_WITHIN.match(text, start) if in_prose else None
    if in_prose and digit is None:  # after a colon in prose almost anything may follow
        return 0
    end = bare_end(text, start)
    return end if end - start >= _SHORTEST_BARE and (digit is None or digit.end() <= end) else 0
