"""Changing single members of a JSON object's text; every other byte of it stays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from handoffctl.raw.jsontext import Style, encode
from handoffctl.raw.spans import Span, member_spans

_BETWEEN = b", \t\r\n"
_SPACINGS = ((b", ", b'": '), (b",", b'":'))
_read_members = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


def with_members(raw: bytes, changes: Mapping[str, bytes | None], style: Style) -> bytes:
    """The object's text with some values replaced, members taken out (None) or added at the end.

    A repeated member is changed wherever it stands. Raises ValueError where the text is no JSON object.
    """
    try:
        members = _read_members(raw)
    except (msgspec.DecodeError, RecursionError):
        return _with_members(raw, changes, style)
    quick = _without_the_last(raw, changes, members)
    if quick is None:
        quick = _evenly_spaced(raw, changes, members)
    return quick if quick is not None else _with_members(raw, changes, style)


def _without_the_last(raw: bytes, changes: Mapping[str, bytes | None], members: Mapping[str, Any]) -> bytes | None:
    """The same where nothing but the last member is taken out, and stands there only; None for any other change."""
    present = [key for key in changes if key in members]
    last = list(members)[-1] if members else ""
    if present != [last] or any(value is not None for value in changes.values()):
        return None
    for comma, colon in _SPACINGS:
        tail = b"".join((comma, b'"', last.encode(), colon, members[last], b"}"))
        if raw.endswith(tail):
            left = raw[: -len(tail)] + b"}"
            return left if last not in _read_members(left) else None
    return None


def _evenly_spaced(raw: bytes, changes: Mapping[str, bytes | None], members: Mapping[str, Any]) -> bytes | None:
    """The same for an object on one line with even spaces, no member repeated and none added; None for any other.

    Written again from its members it must be the very text that it was: that proves where everything stands.
    """
    if not members.keys() >= {key for key, value in changes.items() if value is not None}:
        return None
    for comma, colon in _SPACINGS:
        if _written(members, comma, colon) == raw:
            left = {
                key: changes.get(key, value) for key, value in members.items() if changes.get(key, value) is not None
            }
            return _written(left, comma, colon)
    return None


def _written(members: Mapping[str, Any], comma: bytes, colon: bytes) -> bytes:
    return b"{" + comma.join([b"".join((b'"', key.encode(), colon, value)) for key, value in members.items()]) + b"}"


def _with_members(raw: bytes, changes: Mapping[str, bytes | None], style: Style) -> bytes:
    members = member_spans(raw)
    start = brace = raw.index(b"{") + 1
    opening = raw[brace : raw.index(b'"')] if members else b""
    pieces: list[bytes] = []
    for key, span in members:
        lead = raw[start : span.start]
        value = changes[key] if key in changes else raw[span.start : span.end]
        start = span.end
        if value is not None:
            pieces.append((lead if pieces else opening + lead.lstrip(_BETWEEN)) + value)
    known = {key for key, _ in members}
    for key, added in changes.items():
        if key not in known and added is not None:
            lead = _between(raw, members, opening, style) if pieces else opening
            pieces.append(lead + encode(key, style) + style.key_separator.encode() + added)
    return raw[:brace] + b"".join(pieces) + raw[start:]


def moved_in(value: bytes, raw: bytes) -> bytes:
    """A new value's text of several lines, moved in as far as the members of the object that it goes into."""
    if b"\n" not in value:
        return value
    margin = raw[raw.index(b"{") + 1 : raw.index(b'"')]
    return value.replace(b"\n", b"\n" + margin.rpartition(b"\n")[2]) if b"\n" in margin else value


def _between(raw: bytes, members: list[tuple[str, Span]], opening: bytes, style: Style) -> bytes:
    """The comma and the white space between two members."""
    if len(members) < 2:
        return b"," + opening if b"\n" in opening else style.item_separator.encode()
    gap = raw[members[0][1].end : members[1][1].start]
    return gap[: gap.index(b'"')]
