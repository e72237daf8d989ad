"""The parts of a Responses item as blocks of a message.

**Source**: `ContentBlockParam` of anthropic 2.17; `ResponseInputContent` of openai 3.57.
"""

from __future__ import annotations

import re
from typing import Any

from handoffctl.dialects.anthropic.words import type_of

_TEXTS = {"input_text": "text", "output_text": "text", "text": "text", "refusal": "refusal", "summary_text": "text"}
_OWN = frozenset({"text", "image", "document", "search_result", "tool_reference", "container_upload"})
_IMAGES = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
_DATA_URL = re.compile(r"data:([\w.+-]+/[\w.+-]+);base64,(.*)", re.DOTALL)
_OF_TEXTS = ("annotations", "logprobs")
_PDF = "application/pdf"


def block_of(part: Any, role: str | None, lost: list[str]) -> dict[str, Any] | None:
    """The block that says a part of an item's content; None where none can, which is added to `lost`.

    So are the members of a text that have no place in a block.
    """
    kind = type_of(part)
    words = part.get(_TEXTS[kind]) if kind in _TEXTS else None
    if isinstance(words, str):
        lost += [f"{key} of its text" for key in _OF_TEXTS if part.get(key)]
        return {"type": "text", "text": words}
    block = None
    if kind in _OWN:
        block = part
    elif kind == "input_image" and role != "assistant":
        block = _image(part)
    elif kind == "input_file" and role != "assistant":
        block = _document(part)
    if block is None:
        lost.append(kind or "a part without a type")
    return block


def _image(part: dict[str, Any]) -> dict[str, Any] | None:
    source = _source(part, "image_url")
    if source is None or (source["type"] == "base64" and source["media_type"] not in _IMAGES):
        return None
    return {"type": "image", "source": source}


def _document(part: dict[str, Any]) -> dict[str, Any] | None:
    source = _source(part, "file_data") or _source(part, "file_url")
    if source is None or (source["type"] == "base64" and source["media_type"] != _PDF):
        return None
    title = {"title": part["filename"]} if isinstance(part.get("filename"), str) else {}
    return {"type": "document", "source": source, **title}


def _source(part: dict[str, Any], key: str) -> dict[str, Any] | None:
    """Where an image or a document is: in the item itself, at a URL, or among the provider's files."""
    address, file_id = part.get(key), part.get("file_id")
    if isinstance(address, str) and (data := _DATA_URL.fullmatch(address)):
        return {"type": "base64", "media_type": data[1], "data": data[2]}
    if isinstance(address, str) and address.startswith(("http://", "https://")):
        return {"type": "url", "url": address}
    return {"type": "file", "file_id": file_id} if isinstance(file_id, str) else None
