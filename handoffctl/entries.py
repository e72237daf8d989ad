"""The list of entries inside a record: its heads in one pass, its bytes when asked for, put back in its own style."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from functools import cache
from itertools import count, repeat
from typing import Any, NamedTuple

import msgspec

from handoffctl.item import Item, force_setattr
from handoffctl.raw.jsontext import Style, style_of
from handoffctl.raw.spans import Span, element_spans, end_of_record, member_spans
from handoffctl.raw.splice import with_members

_SPACE = re.compile(rb"[ \t\n\r]*")
_CLOSING = re.compile(rb"([ \t\n\r]*)\][ \t\n\r]*")
_CLOSING_MEMBER = re.compile(rb"([ \t\n\r]*)\][ \t\n\r]*\}[ \t\n\r]*")
_COMMA = re.compile(rb"[ \t\n\r]*,[ \t\n\r]*")


class ListPlace(NamedTuple):
    """A list in a record: from its `[` to past its `]`, and the white space around its entries."""

    span: Span
    head: bytes
    separator: bytes
    tail: bytes


class Entries:
    """The entries of one record, as an `Origin` of items.

    `key` is the member of the record that holds the list; None where the record is the list itself.
    """

    __slots__ = ("_raws", "_style", "key", "record")

    def __init__(self, record: bytes, key: str | None) -> None:
        self.record = record
        self.key = key
        self._raws: Sequence[bytes | msgspec.Raw] | None = None
        self._style: Style | None = None

    @property
    def raws(self) -> Sequence[bytes | msgspec.Raw]:
        """The bytes of each entry, in order."""
        if self._raws is None:
            try:
                self._raws = self.decoded(msgspec.Raw)
            except (msgspec.DecodeError, UnicodeDecodeError):
                spans, end = element_spans(self.record, self._start())
                if self.key is None:
                    end_of_record(self.record.decode("latin-1"), end)
                self._raws = [self.record[span.start : span.end] for span in spans]
        return self._raws

    def decoded(self, entry: Any) -> list[Any]:
        """Each entry decoded as a type, all in one pass. Raises msgspec.DecodeError where one is of another type."""
        value = _decoder(entry, self.key).decode(self.record)
        return value if self.key is None else value.entries  # type: ignore[no-any-return]

    def item_bytes(self, index: int, part: int) -> bytes:  # noqa: ARG002 - an entry here is one item, whole
        return bytes(self.raws[index])

    def lost_members(self, index: int, part: int) -> Sequence[str]:  # noqa: ARG002 - an item says all of its entry
        """The members of an entry that its items don't say: none."""
        return ()

    def items(self) -> tuple[Item, ...]:
        """Every entry as an item. Raises ValueError where the record holds no such list, or an entry is no object."""
        try:
            items = self.decoded(Item)
        except (msgspec.DecodeError, UnicodeDecodeError):
            items = [_parse(raw, index) for index, raw in enumerate(self.raws)]
        places = zip(repeat(self), count(), repeat(0))
        deque(map(force_setattr, items, repeat("_place"), places), 0)
        return tuple(items)

    @property
    def style(self) -> Style:
        """How the record writes JSON."""
        if self._style is None:
            self._style = style_of(self.record)
        return self._style

    def place(self) -> ListPlace:
        """Where the list stands in the record, and its white space."""
        opening = _opening(self.key).match(self.record)
        quick = self._quick_place(opening) if opening else None
        return quick or self._exact_place(self._start())

    def replaced(self, texts: Sequence[bytes | msgspec.Raw]) -> tuple[Span, bytes]:
        """The list's span in the record, and the text of a list of these entries in the same style."""
        span, head, separator, tail = self.place()
        return span, b"".join((b"[", head, separator.join(texts), tail, b"]")) if texts else b"[]"

    def rebuilt(self, texts: Sequence[bytes | msgspec.Raw]) -> bytes:
        """The record with these entries in the list's place, and in that of every list that it overrides."""
        (start, end), head, separator, tail = self.place()
        before, after = self.record[:start], self.record[end:]
        entries = (b"[", head, separator.join(texts), tail, b"]") if texts else (b"[]",)
        if self.key is not None and _may_name(self.key, before, after):
            return with_members(self.record, {self.key: b"".join(entries)}, self.style)
        return b"".join((before, *entries, after))

    def _start(self) -> int:
        """Where the list begins. The last of repeated members counts, as it does for every reader."""
        if self.key is None:
            return 0
        for key, span in reversed(member_spans(self.record)):
            if key == self.key:
                return span.start
        raise ValueError(f"no `{self.key}` in this record")

    def _quick_place(self, opening: re.Match[bytes]) -> ListPlace | None:
        """The place of a list after which no other member stands and whose entries are evenly spaced; else None."""
        record, raws = self.record, self.raws
        head, position = opening[1], opening.end()
        separator = b"," + head if b"\n" in head else b", "
        if len(raws) > 1:
            comma = _COMMA.match(record, position + len(bytes(raws[0])))
            if comma is None:
                return None
            separator = comma[0]
        body = separator.join(raws)
        if not record.startswith(body, position):
            return None
        position += len(body)
        closing = (_CLOSING if self.key is None else _CLOSING_MEMBER).fullmatch(record, position)
        if closing is None:
            return None
        return ListPlace(Span(opening.start(1) - 1, closing.end(1) + 1), head, separator, closing[1])

    def _exact_place(self, start: int) -> ListPlace:
        spans, end = element_spans(self.record, start)
        bracket = self.record.index(b"[", start)
        if not spans:
            return ListPlace(Span(bracket, end), b"", b", ", b"")
        head = self.record[bracket + 1 : spans[0].start]
        separator = self.record[spans[0].end : spans[1].start] if len(spans) > 1 else b"," + (head or b" ")
        return ListPlace(Span(bracket, end), head, separator, self.record[spans[-1].end : end - 1])


def _may_name(key: str, before: bytes, after: bytes) -> bool:
    """Whether a member of that name may stand in a record twice: before its list, where it is named once, or after."""
    named = b'"%s"' % key.encode()
    return before.count(named) > 1 or named in after or b"\\" in before or b"\\" in after


def _space_at(record: bytes, position: int) -> bytes:
    match = _SPACE.match(record, position)
    return match[0] if match else b""


def _parse(raw: bytes | msgspec.Raw, index: int) -> Item:
    try:
        return Item.parse(raw)
    except (msgspec.DecodeError, ValueError) as error:
        raise ValueError(f"entry {index} is not an object") from error


@cache
def _decoder(entry: Any, key: str | None) -> msgspec.json.Decoder[Any]:
    if key is None:
        return msgspec.json.Decoder(list[entry])
    record = msgspec.defstruct("Record", [("entries", list[entry])], rename={"entries": key})
    return msgspec.json.Decoder(record)


@cache
def _opening(key: str | None) -> re.Pattern[bytes]:
    """What stands before the first entry where the list is the record, or its first member."""
    member = b"" if key is None else rb'\{[ \t\n\r]*"' + re.escape(key.encode()) + rb'"[ \t\n\r]*:[ \t\n\r]*'
    return re.compile(rb"[ \t\n\r]*" + member + rb"\[([ \t\n\r]*)")
