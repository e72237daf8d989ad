"""Hostile text made safe to look at: what a terminal would act on, or hide, becomes visible."""

from __future__ import annotations

import re

_BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_UNSEEN = (
    "\xad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2028\u2029\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0"
)
_ODD = "\ufff0-\ufffb\ufffe\uffff\ud800-\udfff\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
_EMOJI = "\u2190-\u2bff\ufe0f\U0001f000-\U0001faff"
_JOINING = "\u0600-\u0dff"
# A joiner stays where writing needs it: inside an emoji, between letters of Arabic and Indic scripts.
_JOINER = (
    rf"(?<![{_EMOJI}{_JOINING}])\u200d|\u200d(?![{_EMOJI}{_JOINING}])"
    rf"|(?<![{_JOINING}])\u200c|\u200c(?![{_JOINING}])"
)
_ONE_LINE = re.compile(rf"[\x00-\x1f\x7f-\x9f{_BIDI}{_UNSEEN}{_ODD}]|{_JOINER}")
_LINES = re.compile(rf"[\x00-\x09\x0b-\x1f\x7f-\x9f{_BIDI}{_UNSEEN}{_ODD}]|{_JOINER}")
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_TAB = "    "


def visible(text: str) -> str:
    r"""The text on one line: `\n`, `\x1b` for control characters, `⟨U+202E⟩` for what is unseen or turns text around.

    Lone surrogates are shown too, so that the result can always be encoded. Nothing of it can move a cursor, change
    a colour or reorder what stands beside it. It is no inverse: text that says `\x1b` in letters comes out the same.
    """
    return _ONE_LINE.sub(_shown, text)


def visible_lines(text: str) -> str:
    """The same for text of several lines: LF and CRLF end lines, a tab is four spaces."""
    return _LINES.sub(_shown, text.replace("\r\n", "\n").replace("\t", _TAB))


def _shown(found: re.Match[str]) -> str:
    character = found[0]
    code = ord(character)
    if code > 0xFF or code == 0xAD:
        return f"⟨U+{code:04X}⟩"
    return _SHORT.get(character, f"\\x{code:02x}")


def visible_json(text: str) -> str:
    r"""JSON text that says the same with `\u202e` for what a terminal would act on or hide; line ends stay."""
    return _LINES.sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[start : start + 4]}" for start in range(0, len(units), 4))
