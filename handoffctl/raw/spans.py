"""Where the members of an object and the entries of a list stand in JSON text: the exact, slower way.

JSON's structure is ASCII, so text decoded as Latin-1 has one character for each byte, and positions in it are
positions in the bytes.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from handoffctl.raw.jsontext import refuse_constant

_SPACES = (" ", "\n", "\r", "\t")
_decoder: Any = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=refuse_constant)
_scan_value = _decoder.scan_once
_scan_string = json.decoder.scanstring  # type: ignore[attr-defined]  # the decoder's own, documented nowhere


class Span(NamedTuple):
    """Bytes from `start` up to, not including, `end`. Both count from 0."""

    start: int
    end: int


def member_spans(raw: bytes) -> list[tuple[str, Span]]:
    """Each member's key and where its value stands, in order, repeated keys included.

    Raises ValueError where the text is no JSON object.
    """
    text = raw.decode("latin-1")
    position = _after_space(text, _after_space(text, 0, "{"))
    members: list[tuple[str, Span]] = []
    while text[position : position + 1] != "}":
        key_end = _string_end(text, position)
        key = json.loads(raw[position:key_end])
        start = _after_space(text, _after_space(text, key_end, ":"))
        end = value_end(text, start)
        members.append((key, Span(start, end)))
        position = _next(text, end, "}")
    end_of_record(text, position + 1)
    return members


def element_spans(raw: bytes, start: int = 0) -> tuple[list[Span], int]:
    """Where each entry of the list that begins at `start` stands, and where the list ends.

    Raises ValueError where no JSON list stands there.
    """
    text = raw.decode("latin-1")
    position = _after_space(text, _after_space(text, start, "["))
    elements: list[Span] = []
    while text[position : position + 1] != "]":
        end = value_end(text, position)
        elements.append(Span(position, end))
        position = _next(text, end, "]")
    return elements, position + 1


def end_of_record(text: str, position: int) -> None:
    """Raises ValueError where anything but white space stands behind a position."""
    rest = _after_space(text, position)
    if rest < len(text):
        raise json.JSONDecodeError("Extra data", text, rest)


def value_end(text: str, start: int) -> int:
    """Where the value that begins at `start` ends. Raises ValueError where none begins there."""
    try:
        end: int = _scan_value(text, start)[1]
    except StopIteration as stop:
        raise json.JSONDecodeError("Expecting value", text, stop.value) from None
    return end


def _string_end(text: str, position: int) -> int:
    if text[position : position + 1] != '"':
        raise json.JSONDecodeError("Expecting property name", text, position)
    return int(_scan_string(text, position + 1, True)[1])


def _after_space(text: str, position: int, expected: str = "") -> int:
    """Past the spaces at a position, or past the one character that must stand after them."""
    while text[position : position + 1] in _SPACES:
        position += 1
    if not expected:
        return position
    if text[position : position + 1] != expected:
        raise json.JSONDecodeError(f"Expecting {expected!r}", text, position)
    return position + 1


def _next(text: str, position: int, closer: str) -> int:
    """The place of the next key or entry, or of the closer."""
    position = _after_space(text, position)
    if text[position : position + 1] == closer:
        return position
    position = _after_space(text, _after_space(text, position, ","))
    if text[position : position + 1] == closer:
        raise json.JSONDecodeError("Trailing comma", text, position)
    return position
