"""Shortened tool outputs, word for word as the SDK's trimmer writes them.

Source: `agents.extensions.tool_output_trimmer` of openai-agents 0.24.0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

_OPENING = "[Trimmed: "
_BARE = "[Trimmed]"
_MORE = "..."

# Part type -> its keys besides `type`; the first set holds those of which one at least must be there.
_PARTS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "input_text": (frozenset({"text"}), frozenset()),
    "input_image": (frozenset({"image_url", "file_id"}), frozenset({"detail"})),
    "input_file": (frozenset({"file_data", "file_url", "file_id"}), frozenset({"filename"})),
}
_DETAILS = frozenset({"low", "high", "auto"})


class Limits(NamedTuple):
    """When an output is too long, and how much of its text stays; both in characters."""

    most: int
    preview: int


def trimmed_text(text: str, name: str, limits: Limits) -> str | None:
    """The summary of a long text; None where it isn't too long, or the summary would be no shorter.

    A text that is such a summary already stays: trimming it again would only falsify its length.
    """
    if len(text) <= limits.most or is_trimmed(text, name, limits):
        return None
    start = f"{_OPENING}{name} output — {len(text)} chars → {limits.preview} char preview]\n"
    summary = start + text[: limits.preview] + _MORE
    return summary if len(summary) < len(text) else None


def is_trimmed(text: str, name: str, limits: Limits) -> bool:
    """Whether a text is a summary that `trimmed_text` wrote with this name and this length of preview."""
    start, middle = f"{_OPENING}{name} output — ", f" chars → {limits.preview} char preview]\n"
    if not text.startswith(start):
        return False
    number, found, body = text[len(start) :].partition(middle)
    return bool(found) and number.isdecimal() and body.endswith(_MORE) and len(body) == limits.preview + len(_MORE)


class _Payload(NamedTuple):
    length: int
    text: str
    dropped: Counter[str]


def trimmed_parts(parts: Sequence[Any], name: str, limits: Limits) -> str | None:
    """The summary of a list of text, image and file parts, within the limit; its text is all that stays.

    None where the list isn't too long, or holds anything that is no such part in its plain form.
    """
    payload = _payload(parts)
    if payload is None or payload.length <= limits.most:
        return None
    room = limits.most - len(_BARE) - 1
    shown = min(len(payload.text), limits.preview, max(room, 0))
    body = f"\n{payload.text[:shown]}" if shown else ""
    if shown < len(payload.text) and len(_BARE) + len(body) + len(_MORE) <= limits.most:
        body += _MORE
    for header in _headers(name, payload, shown):
        if len(header) + len(body) <= limits.most:
            return header + body
    return _BARE[: limits.most]


def _headers(name: str, payload: _Payload, shown: int) -> Iterator[str]:
    """What may stand above the text, the most telling first."""
    preview = f"; preview {shown}" if payload.text else ""
    kinds = sorted(payload.dropped)
    dropped = ", ".join(f"{payload.dropped[kind]} {kind}" for kind in kinds)
    note = f"; dropped {dropped}" if dropped else ""
    yield f"{_OPENING}{name}; payload {payload.length}{preview}{note}]"
    if dropped:
        yield f"{_OPENING}{name}{note}]"
        yield f"[Trimmed{note}]"
        yield f"{_OPENING}{', '.join(kinds)}]"
        yield f"{_OPENING}dropped {payload.dropped.total()} opaque]"
    yield f"{_OPENING}payload {payload.length}]"
    yield f"{_OPENING}{name}]"
    yield _BARE


def _payload(parts: Sequence[Any]) -> _Payload | None:
    if not parts or not all(_is_plain(part) for part in parts):
        return None
    length = sum(len(value) for part in parts for key, value in part.items() if key != "type")
    texts = [part["text"] for part in parts if part["type"] == "input_text"]
    return _Payload(length, "\n".join(texts), Counter(part["type"] for part in parts if part["type"] != "input_text"))


def _is_plain(part: Any) -> bool:
    """Whether a part has the keys that its type allows, one that it needs, and only strings in them."""
    if not isinstance(part, dict) or not all(isinstance(value, str) for value in part.values()):
        return False
    needed, allowed = _PARTS.get(part.get("type", ""), (frozenset(), frozenset()))
    keys = part.keys() - {"type"}
    return bool(keys & needed) and keys <= needed | allowed and part.get("detail", "auto") in _DETAILS
