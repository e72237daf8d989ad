"""Changing single members of a JSON object's text; every other byte of it stays."""

from __future__ import annotations

from collections.abc import Mapping

from handoffctl.jsontext import Style, encode
from handoffctl.spans import Span, member_spans


def with_members(raw: bytes, changes: Mapping[str, bytes | None], style: Style) -> bytes:
    """The object's text with some values replaced, members taken out (None) or added at the end.

    Raises ValueError where the text is no JSON object.
    """
    members = member_spans(raw)
    start = raw.index(b"{") + 1
    pieces: list[tuple[bytes, bytes]] = []
    opening = b""
    for key, span in members:
        lead = raw[start : span.start]
        opening = opening or lead[: len(lead) - len(lead.lstrip())]
        value = changes[key] if key in changes else raw[span.start : span.end]
        if value is not None:
            pieces.append((lead.lstrip(b", \t\r\n"), value))
        start = span.end
    known = {key for key, _ in members}
    colon = style.key_separator.encode()
    pieces += [(encode(key, style) + colon, value) for key, value in changes.items() if key not in known and value]
    between = _between(raw, members, style)
    body = between.join(lead + value for lead, value in pieces)
    return raw[: raw.index(b"{") + 1] + opening + body + raw[start:]


def _between(raw: bytes, members: list[tuple[str, Span]], style: Style) -> bytes:
    """The comma and the white space between two members."""
    if len(members) < 2:
        return style.item_separator.encode()
    gap = raw[members[0][1].end : members[1][1].start]
    return gap[: gap.index(b'"')]
