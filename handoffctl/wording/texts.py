"""The human text of an item: words as they are, images and files as short notes, never their bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from handoffctl.item import Item
from handoffctl.kinds import MEDIA_TYPES, Kind, kind_of
from handoffctl.raw.jsontext import encode
from handoffctl.wording.media import Media, media_of, size_of_base64

# Where items of any type keep what a model reads, in the order in which it is shown.
_SHOWN_KEYS = (
    *("content", "summary", "arguments", "input", "code", "queries", "action", "actions", "operation"),
    *("revised_prompt", "outputs", "output", "results", "result", "tools", "error", "reason"),
)
_WORD_KEYS = ("text", "refusal", "thinking", "logs", "transcript")
_INNER_KEYS = ("input", "content", "output")
_DEEPEST = 12
_BLOB = re.compile(r"(?:data:([\w.+-]+/[\w.+-]+)[\w;=.+-]{0,100};base64,)?([A-Za-z0-9+/_-]{256,}={0,2})")
_DATA_URL = re.compile(r"data:([\w.+-]+/[\w.+-]+)(?:;[\w.+-]+=[\w.+-]+){0,4};base64,([A-Za-z0-9+/_-]+={0,2})")


def text_of(item: Item) -> str:
    """What a person reads of an item: content, arguments, output, summary; several parts are lines.

    Media are notes such as `[image image/png, 2,400 bytes]`; encoded bytes inside of text are noted too. JSON
    values are compact JSON text. Empty where the item has no words.
    """
    return "\n".join([each.note if isinstance(each, Media) else _noted(each) for each in pieces(item)])


def label_of(item: Item) -> str:
    """The tool's name where the item has one, else its type; `message` for one without a type."""
    kind = kind_of(item)
    if kind is not Kind.MESSAGE and item.name:
        return item.name
    return item.type or ("message" if kind is Kind.MESSAGE else str(kind))


def media_parts(item: Item) -> list[Media]:
    """The images, audio and files of an item, in order; empty for most."""
    return [each for each in pieces(item) if isinstance(each, Media)]


def pieces(item: Item) -> Iterator[str | Media]:
    """What a model reads of an item, in order: text in full, and media. Empty texts are left out."""
    keys = item.keys()
    for key in [each for each in _SHOWN_KEYS if each in keys]:
        value = item[key]
        if value and key == "result" and item.type in MEDIA_TYPES:
            yield media_of(dict(item.items()))
        elif value:
            yield from _pieces(value, _DEEPEST)


def _pieces(value: Any, depth: int) -> Iterator[str | Media]:
    if isinstance(value, str):
        if value:
            yield value
    elif isinstance(value, list) and depth and any(isinstance(each, str | dict) for each in value):
        for each in value:
            yield from _pieces(each, depth - 1)
    elif isinstance(value, dict):
        yield from _part(value, depth)
    elif value is not None:
        yield _json(value)


def _part(part: Mapping[str, Any], depth: int) -> Iterator[str | Media]:
    """A content part of any dialect; an object that is none of them as JSON."""
    is_part = isinstance(part.get("type"), str)
    if is_part and part["type"] in MEDIA_TYPES:
        yield media_of(part)
        return
    words = [part[key] for key in _WORD_KEYS if isinstance(part.get(key), str)]
    inner = [part[key] for key in _INNER_KEYS if key in part] if depth and is_part else []
    if words and (is_part or len(part) == 1):
        yield from filter(None, words)
    elif inner:
        if isinstance(part.get("name"), str):
            yield part["name"]
        for each in inner:
            yield from _pieces(each, depth - 1)
    else:
        yield _json(part)


def _json(value: Any) -> str:
    try:
        return encode(value).decode()
    except RecursionError:
        return "[nested too deeply]"
    except ValueError:  # a number beyond what a double holds
        return "[a number too large to show]"


def _noted(text: str) -> str:
    """A text with notes for what is encoded bytes: data URLs, and long runs that only base64 looks like."""
    if len(text) < 64:
        return text
    if "base64," in text:
        text = _DATA_URL.sub(lambda found: f"[{found[1]}, {size_of_base64(found[2]):,} bytes]", text)
    return _BLOB.sub(_blob_note, text) if len(text) >= 256 else text


def _blob_note(found: re.Match[str]) -> str:
    run = found[2]
    if all(re.search(letters, run) for letters in ("[A-Z]", "[a-z]", "[0-9+/]")):
        return f"[{found[1] or 'base64'}, {size_of_base64(run):,} bytes]"
    return found[0]
