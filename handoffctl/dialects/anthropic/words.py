"""The texts, images and documents of a message as the Responses API says them.

**Source**: `TextBlockParam`, `ImageBlockParam`, `DocumentBlockParam` of anthropic 2.17.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handoffctl.raw.jsontext import encode


def type_of(block: Any) -> str:
    """The type of a block; empty where it has none."""
    name = block.get("type") if isinstance(block, dict) else None
    return name if isinstance(name, str) else ""


def output_of(content: Any) -> Any:
    """What a tool gave, as an output says it: a text, or a list of parts."""
    if isinstance(content, list):
        return [said(block, "user") for block in content]
    return content if isinstance(content, str) else encode(content).decode()


def said(block: Any, role: Any) -> Any:
    """A text, an image or a document as the Responses API says it; any other block as it is."""
    kind = type_of(block)
    if kind == "text" and "text" in block:
        if role == "assistant":
            return {"type": "output_text", "text": block["text"], "annotations": []}
        return {"type": "input_text", "text": block["text"]}
    source = block.get("source") if kind in ("image", "document") else None
    if not isinstance(source, dict):
        return block
    return _image(source) or block if kind == "image" else _document(block, source) or block


def _image(source: Mapping[str, Any]) -> dict[str, Any] | None:
    if source.get("type") == "file":
        return {"type": "input_image", "detail": "auto", "file_id": source.get("file_id")}
    address = _address(source)
    return {"type": "input_image", "detail": "auto", "image_url": address} if address else None


def _document(block: Mapping[str, Any], source: Mapping[str, Any]) -> dict[str, Any] | None:
    if source.get("type") == "file":
        return {"type": "input_file", "file_id": source.get("file_id")}
    if source.get("type") == "url":
        return {"type": "input_file", "file_url": source.get("url")}
    address = _address(source)
    name = block.get("title") if isinstance(block.get("title"), str) else "document.pdf"
    return {"type": "input_file", "filename": name, "file_data": address} if address else None


def _address(source: Mapping[str, Any]) -> str | None:
    """A URL, or the data itself as one; None for a source of another kind."""
    if source.get("type") == "url" and isinstance(source.get("url"), str):
        return str(source["url"])
    if source.get("type") == "base64" and isinstance(source.get("data"), str):
        return f"data:{source.get('media_type')};base64,{source['data']}"
    return None
