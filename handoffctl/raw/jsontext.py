"""JSON values and their text: decoding that changes no integer, encoding in the style of the file."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
import orjson

_decode = msgspec.json.Decoder().decode


class Style(NamedTuple):
    """How a file writes JSON, so that what is new in it looks like the rest."""

    item_separator: str = ","
    key_separator: str = ":"
    ascii: bool = False
    indent: int | None = None


COMPACT = Style()
_FIRST_KEY = re.compile(rb'"\s*:(\s*)')
_COMMA = re.compile(rb'(?:"|\d|\]|\}|true|false|null),(\s*)["{\[]')
_INDENT = re.compile(rb"^[\[{]\r?\n( +)\S")


def decode(raw: bytes | msgspec.Raw) -> Any:
    """The value of one JSON text; integers of any size stay integers.

    What the fast decoder refuses but JSON in the field contains (lone surrogates) goes through the
    standard library. Raises ValueError where the text is no JSON.
    """
    try:
        return _decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return _decode_exactly(bytes(raw))
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _decode_exactly(raw: bytes) -> Any:
    try:
        return json.loads(raw, parse_constant=refuse_constant, parse_int=_long_integer)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def refuse_constant(name: str) -> None:
    """NaN and Infinity are no JSON, whatever Python writes."""
    raise ValueError(f"{name} is not JSON")


def _long_integer(digits: str) -> int | float:
    try:
        return int(digits)
    except ValueError:  # longer than the interpreter converts
        return float(digits)


class UnwritableNumber(ValueError):
    """A number that JSON text could hold and this value doesn't: NaN, Infinity, what became one of them."""


def encode(value: Any, style: Style = COMPACT) -> bytes:
    """JSON text of a value in a file's style. Never writes NaN or Infinity: raises UnwritableNumber."""
    if style == COMPACT:
        try:
            compact = orjson.dumps(value)
        except TypeError:  # an integer beyond 64 bits, a lone surrogate, a type that only json knows
            pass
        else:
            if b"null" not in compact or not _has_constant(value):
                return compact
    separators = (style.item_separator, style.key_separator)
    try:
        text = json.dumps(value, ensure_ascii=style.ascii, separators=separators, indent=style.indent, allow_nan=False)
    except ValueError as error:
        raise UnwritableNumber(str(error)) from error
    try:
        return text.encode()
    except UnicodeEncodeError:  # a lone surrogate has no UTF-8: escape it, as its source did
        return json.dumps(value, separators=separators, indent=style.indent, allow_nan=False).encode()


def _has_constant(value: Any) -> bool:
    """Whether a value holds NaN or Infinity, which orjson writes as null."""
    if isinstance(value, float):
        return not math.isfinite(value)
    if isinstance(value, Mapping):
        return any(map(_has_constant, value.values()))
    return isinstance(value, list | tuple) and any(map(_has_constant, value))


def style_of(text: bytes) -> Style:
    """The style of a JSON document or line, read off its first 4 KiB; compact where it shows none."""
    head = text[:4096]
    key, comma, indent = _FIRST_KEY.search(head), _COMMA.search(head), _INDENT.match(head)
    after_comma = comma[1].decode() if comma and not indent else ""
    return Style(
        item_separator="," + (" " if after_comma == " " else ""),
        key_separator=":" + (" " if key and key[1] else ""),
        ascii=text.isascii() and b"\\u" in text,
        indent=len(indent[1]) if indent else None,
    )
