"""Images, audio and files inside an item: what they are and how large, without their bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from handoffctl.kinds import MEDIA_TYPES

_INLINE_KEYS = ("data", "file_data", "result", "base64")
_ADDRESS_KEYS = ("image_url", "file_url", "url", "uri", "file_id", "id")
_TYPE_KEYS = ("media_type", "mimeType", "mime_type", "format")
_NAME_KEYS = ("filename", "title", "name")
_WRAPPERS = ("source", "image_url", "file", "input_audio", "audio", "resource")
_DATA_URL_HEAD = re.compile(r"data:([^;,\s]{0,80})(?:;[^;,\s]{0,80}){0,5},")


@dataclass(frozen=True, slots=True)
class Media:
    """An image, an audio clip, a video or a file in an item.

    `type` is its media type (`image/png`) or format (`mp3`), None where the dump does not say. `size` is in
    bytes, decoded; None where the bytes are elsewhere, then `address` is a URL or a file's id.
    """

    kind: str
    type: str | None = None
    size: int | None = None
    name: str | None = None
    address: str | None = None

    @property
    def note(self) -> str:
        """One short line in brackets: `[image image/png, 2,400 bytes]`."""
        size = None if self.size is None else f"{self.size:,} byte{'' if self.size == 1 else 's'}"
        address = None if self.address is None else _shortened(self.address)
        words = ", ".join([each for each in (self.type, self.name and _shortened(self.name), size, address) if each])
        return f"[{self.kind} {words}]" if words else f"[{self.kind}]"


def media_of(part: Mapping[str, Any]) -> Media:
    """What a part (or item) of a media type holds, whichever dialect it came in."""
    layers = [part, *(part[key] for key in _WRAPPERS if isinstance(part.get(key), dict))]
    kind = MEDIA_TYPES.get(str(part.get("type")), "file")
    type_, name = _first(layers, _TYPE_KEYS), _first(layers, _NAME_KEYS)
    inline, address = _first(layers, _INLINE_KEYS), _first(layers, _ADDRESS_KEYS)
    if inline is None and address is not None and address[:5].lower() == "data:":
        inline, address = address, None
    if inline is None:
        return Media(kind, type_, None, name, address)
    head = _DATA_URL_HEAD.match(inline)
    if head is None:
        return Media(kind, type_, size_of_base64(inline), name)
    payload = inline[head.end() :]
    is_base64 = head[0].endswith(";base64,")
    return Media(kind, head[1] or type_, size_of_base64(payload) if is_base64 else len(payload), name)


def size_of_base64(text: str) -> int:
    """How many bytes a base64 text decodes to; white space and padding don't count."""
    length = len(text) - sum(map(text.count, " \r\n\t"))
    return (length - text[-4:].count("=")) * 3 // 4


def _first(layers: list[Mapping[str, Any]], keys: tuple[str, ...]) -> str | None:
    return next(_strings(layers, keys), None)


def _strings(layers: list[Mapping[str, Any]], keys: tuple[str, ...]) -> Iterator[str]:
    for layer in layers:
        for key in keys:
            value = layer.get(key)
            if isinstance(value, str) and value:
                yield value


def _shortened(text: str) -> str:
    """An address without its query, which may hold a key; at most 80 characters."""
    text = text.split("?", 1)[0]
    return text if len(text) <= 80 else text[:79] + "…"
