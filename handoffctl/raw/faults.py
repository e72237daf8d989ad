"""What is wrong with bytes that are no JSON, and where: one line for a person."""

from __future__ import annotations

import json
import re

from handoffctl.errors import MalformedDump
from handoffctl.model import Source
from handoffctl.raw.spans import value_end

DEEPEST = 500
"""Levels of nesting that every supported Python reads; deeper is reported, never tried."""

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[{]|[\]}]|-?Infinity|NaN')
_NOTHING_AFTER = "a comma with nothing after it"
_SAYINGS = {
    "Expecting property name": "a key in double quotes was expected",
    "Expecting ':'": "a colon was expected after the key",
    "Expecting ','": "a comma or the end of the list or object was expected",
    "Trailing comma": _NOTHING_AFTER,
    "Illegal trailing comma": _NOTHING_AFTER,
    "Invalid control character": "a control character stands unescaped inside a string",
    "Invalid \\escape": "an invalid escape inside a string",
    "Invalid \\uXXXX": "an invalid \\u escape inside a string",
}
_LEFT_OUT = "the record was left out"
_HELP_CUT = "the file was probably still being written; --fail-fast stops here instead"
_HELP = "mend that line, or leave it out; --fail-fast stops here instead"


def diagnose(raw: bytes, source: Source, start: int = 0) -> MalformedDump:
    """The fault of one record's bytes with its place, `file:line:column`; both count from 1, columns in characters.

    `source` says where `raw` begins; the value that is broken begins at byte `start` of it.
    """
    try:
        before, text = raw[:start].decode(errors="replace"), raw[start:].decode()
    except UnicodeDecodeError as error:
        position = start + error.start
        before = raw[:position].decode(errors="replace")
        return _fault(source, before, f"byte 0x{raw[position]:02x} is not UTF-8", _HELP)
    depth_position = too_deep(text)
    if depth_position is not None:
        what = f"nested too deeply, over {DEEPEST} levels"
        todo = "no conversation needs that; check what wrote the file"
        return _fault(source, before + text[:depth_position], what, todo)
    position, what = _json_fault(text)
    cut = position >= len(text.rstrip())
    return _fault(source, before + text[:position], what, _HELP_CUT if cut else _HELP)


def malformed(source: Source, what: str, help: str = "") -> MalformedDump:
    """The fault of a record that is JSON but holds something else than was expected."""
    return MalformedDump(f"{what}; {_LEFT_OUT}", place=f"{source.path}:{source.line}", help=help or _HELP)


def too_deep(text: str) -> int | None:
    """Where nesting passes the deepest level, counted from 0; None where it does not."""
    if text.count("[") + text.count("{") <= DEEPEST:
        return None
    depth = 0
    for match in _TOKEN.finditer(text):
        if match[0] in "[{":
            depth += 1
            if depth > DEEPEST:
                return match.start()
        elif match[0] in "]}":
            depth -= 1
    return None


def _json_fault(text: str) -> tuple[int, str]:
    start = len(text) - len(text.lstrip(" \t\r\n"))
    try:
        end = value_end(text, start)
    except json.JSONDecodeError as error:
        return _said(text, error)
    except ValueError as error:  # a constant that is no JSON: the decoder does not say where
        constant = next(m for m in _TOKEN.finditer(text) if m[0].lstrip("-") in ("NaN", "Infinity"))
        return constant.start(), str(error)
    return len(text) - len(text[end:].lstrip(" \t\r\n")), "something follows the end of the value"


def _said(text: str, error: json.JSONDecodeError) -> tuple[int, str]:
    unit = "file" if "\n" in text.strip() else "line"
    at_the_end = not text[error.pos :].strip()
    in_a_string = error.msg.startswith("Invalid control") if at_the_end else error.msg.startswith("Invalid \\u")
    if error.msg.startswith("Unterminated string") or (in_a_string and '"' not in text[error.pos :]):
        return len(text.rstrip("\r\n")), f"the {unit} ends inside a string"
    if at_the_end:
        return len(text.rstrip()), f"the {unit} ends too early"
    comma = len(text[: error.pos].rstrip()) - 1
    if text[error.pos] in "]}" and text[comma : comma + 1] == ",":  # as Python says itself since 3.13
        return comma, _NOTHING_AFTER
    for beginning, saying in _SAYINGS.items():
        if error.msg.startswith(beginning):
            return error.pos, saying
    return error.pos, "a JSON value was expected"


def _fault(source: Source, before: str, what: str, help: str) -> MalformedDump:
    line = source.line + before.count("\n")
    column = len(before) - (before.rfind("\n") + 1) + 1
    return MalformedDump(f"{what}; {_LEFT_OUT}", place=f"{source.path}:{line}:{column}", help=help)
