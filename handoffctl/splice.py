"""Changing single members of a JSON object's text; every other byte of it stays."""

from __future__ import annotations

from collections.abc import Mapping

from handoffctl.jsontext import Style, encode
from handoffctl.spans import Span, member_spans

_BETWEEN = b", \t\r\n"


def with_members(raw: bytes, changes: Mapping[str, bytes | None], style: Style) -> bytes:
    """The object's text with some values replaced, members taken out (None) or added at the end.

    A repeated member is changed wherever it stands. Raises ValueError where the text is no JSON object.
    """
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
