"""One conversation entry, an immutable view over its own JSON bytes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast

import msgspec

from handoffctl.raw.jsontext import COMPACT, Style, decode, encode
from handoffctl.raw.splice import moved_in, with_members

force_setattr = msgspec.structs.force_setattr


class Origin(Protocol):
    """Where an item stands in a record: gives its bytes when they are asked for."""

    def item_bytes(self, index: int, part: int) -> bytes:
        """JSON text of the item that part `part` of entry `index` is. Counts from 0."""

    def lost_members(self, index: int, part: int) -> Sequence[str]:
        """The members of that part, with content, that its item doesn't say: lost wherever the item goes."""

    @property
    def style(self) -> Style:
        """How the record writes JSON."""


class _Ours:
    """What no JSON value is: the decoder refuses an item with a key that is named as one of our slots."""


if TYPE_CHECKING:
    _Slot = Any
else:
    _Slot = _Ours | None


class Item(msgspec.Struct, frozen=True, eq=False, gc=False):
    """An OpenAI Responses input item: an immutable mapping over its own JSON bytes.

    The head (`type`, `role`, `id`, `call_id`, `name`) is decoded when the item is read, and is None where
    the key is missing or holds no string (an id may be an integer); the rest on first use, and cached. An
    item that nobody edited is written as the bytes that it came in. `Item.of({...})` makes one in memory;
    `edit(item, output="...")` makes a changed one.

    Source: `ResponseInputItemParam` of openai 3.57, as openai-agents 0.24.0 uses it.
    """

    type: str | None = None
    role: str | None = None
    id: str | int | None = None
    call_id: str | int | None = None
    name: str | None = None
    # No provider sends keys that begin with a space; what a hostile file has there, the type refuses.
    _raw: _Slot = msgspec.field(default=None, name=" raw")
    _full: _Slot = msgspec.field(default=None, name=" full")
    _place: _Slot = msgspec.field(default=None, name=" place")
    _source: _Slot = msgspec.field(default=None, name=" source")

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> Item:
        """An item made in memory. The mapping is copied; raises ValueError where it is no JSON."""
        return value if isinstance(value, Item) else cls.parse(encode(dict(value)))

    @classmethod
    def parse(cls, raw: bytes | msgspec.Raw) -> Item:
        """The item that a JSON text holds. Raises ValueError where the text is no JSON object."""
        try:
            item = _decode_head(raw)
        except (msgspec.DecodeError, UnicodeDecodeError):
            item = _parse_exactly(bytes(raw))
        force_setattr(item, "_raw", raw)
        return item

    @property
    def raw(self) -> bytes:
        """The JSON text of this item: as it came, or as it was made."""
        if self._raw is None:
            origin, index, part = self._place
            force_setattr(self, "_raw", origin.item_bytes(index, part))
        elif type(self._raw) is msgspec.Raw:
            force_setattr(self, "_raw", bytes(self._raw))
        return cast("bytes", self._raw)

    @property
    def place(self) -> tuple[Origin, int, int] | None:
        """Origin, entry and part (both count from 0) of an item that was read; None for one made here."""
        return cast("tuple[Origin, int, int] | None", self._place)

    @property
    def source(self) -> Item | None:
        """The item that this one was edited from; None for any other."""
        return cast("Item | None", self._source)

    def _values(self) -> dict[str, Any]:
        if self._full is None:
            force_setattr(self, "_full", decode(self.raw))
        return cast("dict[str, Any]", self._full)

    def to_dict(self) -> dict[str, Any]:
        """A plain dict, freely the caller's own, with equal values."""
        return cast("dict[str, Any]", decode(self.raw))

    def copy(self) -> dict[str, Any]:
        """`to_dict` under the name that a dict has for it."""
        return self.to_dict()

    def __or__(self, other: Mapping[str, Any]) -> dict[str, Any]:
        return {**self.to_dict(), **other}

    def get(self, key: str, default: Any = None) -> Any:
        """The value of a key, or the default where the item has no such key."""
        return self._values().get(key, default)

    def keys(self) -> Any:
        """The keys, in the order of the file."""
        return self._values().keys()

    def values(self) -> Any:
        """The values, in the order of the file."""
        return self._values().values()

    def items(self) -> Any:
        """Keys with their values, in the order of the file."""
        return self._values().items()

    def __getitem__(self, key: str) -> Any:
        return self._values()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values())

    def __len__(self) -> int:
        return len(self._values())

    def __contains__(self, key: object) -> bool:
        return key in self._values()

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if isinstance(other, Item):
            return self._values() == other._values()
        return self._values() == other if isinstance(other, Mapping) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # compared by value, as every mapping is

    def __repr__(self) -> str:
        return f"Item({self._values()!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Item.parse, (self.raw,)


Mapping.register(Item)
_decode_head = msgspec.json.Decoder(Item).decode


def _parse_exactly(raw: bytes) -> Item:
    value = decode(raw)
    if not isinstance(value, dict):
        raise ValueError("not an object")
    type_, role, name = (_only(str, value.get(key)) for key in ("type", "role", "name"))
    return Item(type_, role, _only((str, int), value.get("id")), _only((str, int), value.get("call_id")), name)


def _only(types: Any, value: Any) -> Any:
    return value if isinstance(value, types) and not isinstance(value, bool) else None


def derive(head: Item, origin: Origin, index: int, part: int) -> Item:
    """An item that stands for a part of an entry of another dialect; its bytes are made when asked for."""
    force_setattr(head, "_place", (origin, index, part))
    return head


def edit(item: Item, /, **changes: Any) -> Item:
    """A copy with some keys changed (or taken out, by `...`); every other key keeps its bytes and place.

    The copy remembers which item it came from, so that before and after can be aligned without guessing; it is
    written in the style of the record that the item came from.
    """
    style = item._place[0].style if item._place else COMPACT
    texts = {key: None if value is ... else moved_in(encode(value, style), item.raw) for key, value in changes.items()}
    return edit_text(item, texts)


def edit_text(item: Item, changes: Mapping[str, bytes | None]) -> Item:
    """`edit` for values that are JSON text already; None takes a key out."""
    style = item._place[0].style if item._place else COMPACT
    edited = Item.parse(with_members(item.raw, changes, style))
    force_setattr(edited, "_source", item)
    force_setattr(edited, "_place", item._place)
    return edited
