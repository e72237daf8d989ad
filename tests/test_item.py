"""An item over its own bytes: what is read off it, and what an edit leaves alone."""

from __future__ import annotations

import json
import pickle
from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffctl.item import Item, derive, edit, edit_text
from handoffctl.raw.jsontext import Style

MESSAGE = b'{"type": "message", "role": "user", "id": "m1", "content": [{"text": "x"}]}'

HEADS: dict[str, tuple[bytes, tuple[Any, ...]]] = {
    "all of it": (
        b'{"type":"t","role":"r","id":"i","call_id":"c","name":"n"}',
        ("t", "r", "i", "c", "n"),
    ),
    "none of it": (b"{}", (None,) * 5),
    "nulls": (b'{"type":null,"role":null,"id":null,"call_id":null,"name":null}', (None,) * 5),
    "ids may be integers": (b'{"id":7,"call_id":123456789012345678901}', (None, None, 7, 123456789012345678901, None)),
    "other values are none": (b'{"type":["t"],"role":5,"id":true,"call_id":1.5,"name":{}}', (None,) * 5),
    "the last of two equal keys": (b'{"type":"t","type":"u"}', ("u", None, None, None, None)),
    "an escaped key": (rb'{"t\u0079pe":"t"}', ("t", None, None, None, None)),
    "a lone surrogate elsewhere": (rb'{"type":"t","content":"\ud800"}', ("t", None, None, None, None)),
    "a lone surrogate in the head": (rb'{"name":"\ud800","id":true}', (None, None, None, None, "\ud800")),
    "keys like our own slots": (b'{" raw":1," full":{"type":"u"},"type":"t"}', ("t", None, None, None, None)),
}


@pytest.mark.parametrize(("raw", "head"), HEADS.values(), ids=HEADS)
def test_head_is_read(raw: bytes, head: tuple[Any, ...]) -> None:
    item = Item.parse(raw)
    assert (item.type, item.role, item.id, item.call_id, item.name) == head
    assert item.raw == raw
    assert item.to_dict() == json.loads(raw)


@pytest.mark.parametrize("raw", [b"[1]", b'"x"', b"5", b"null", b"", b"{", b'{"a":1} x', b'{"a":NaN}', b'{"a":"\xff"}'])
def test_what_is_no_object_is_refused(raw: bytes) -> None:
    with pytest.raises(ValueError):
        Item.parse(raw)["a"]


def test_bytes_stay_as_they_came() -> None:
    raw = b'{ "n":1.00,\t"n":12345678901234567890123, "e":"\\u00e9" }'
    item = Item.parse(msgspec.Raw(raw))
    assert item.raw == raw
    assert item["n"] == 12345678901234567890123


def test_it_is_a_mapping() -> None:
    item = Item.parse(MESSAGE)
    assert isinstance(item, Mapping)
    assert dict(item) == json.loads(MESSAGE)
    assert list(item) == list(item.keys()) == ["type", "role", "id", "content"]
    assert next(iter(item.values())) == "message"
    assert list(item.items())[1] == ("role", "user")
    assert (len(item), "role" in item, "name" in item) == (4, True, False)
    assert (item.get("name"), item.get("name", "?")) == (None, "?")
    with pytest.raises(KeyError):
        item["name"]


def test_it_can_be_matched_as_a_mapping() -> None:
    match Item.parse(MESSAGE):
        case {"content": [{"text": text}]}:
            assert text == "x"
        case _:
            pytest.fail("no mapping")


def test_items_are_compared_by_value() -> None:
    item = Item.parse(b'{"a":1,"b":2}')
    assert item == item
    assert item == Item.parse(b'{ "b": 2, "a": 1.0 }')
    assert item == {"a": 1, "b": 2}
    assert item != Item.parse(b'{"a":1}')
    assert item != [("a", 1)]


def test_items_cannot_be_hashed_or_changed() -> None:
    item = Item.parse(MESSAGE)
    with pytest.raises(TypeError):
        hash(item)
    with pytest.raises(AttributeError):
        item.role = "assistant"  # type: ignore[misc]
    with pytest.raises(TypeError):
        item["role"] = "assistant"  # type: ignore[index]


def test_a_copy_as_dict_is_the_callers_own() -> None:
    item = Item.parse(MESSAGE)
    item.to_dict()["content"].append("more")
    assert item["content"] == [{"text": "x"}]


def test_item_says_what_it_is() -> None:
    assert repr(Item.parse(b'{"a":1}')) == "Item({'a': 1})"


@pytest.mark.parametrize("raw", [MESSAGE, rb'{"a":"\ud800","n":123456789012345678901}'])
def test_pickling_keeps_the_bytes(raw: bytes) -> None:
    item = pickle.loads(pickle.dumps(Item.parse(raw)))
    assert (item.raw, item.source, item.place) == (raw, None, None)


def test_made_in_memory() -> None:
    made = Item.of({"type": "x", "n": 2**70, "s": "\ud800"})
    assert (made.type, made["n"], made["s"], made.place, made.source) == ("x", 2**70, "\ud800", None, None)
    same: Any = made
    assert Item.of(same) is made


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_no_json_cannot_be_made(value: float) -> None:
    with pytest.raises(ValueError, match="JSON"):
        Item.of({"a": value})


EDITS: dict[str, tuple[bytes, dict[str, Any], bytes]] = {
    "a value changes in its place": (b'{"a": 1.00, "b": 2}', {"b": [3]}, b'{"a": 1.00, "b": [3]}'),
    "a new key comes last": (b'{"a":1}', {"b": 2}, b'{"a":1,"b":2}'),
    "a key goes": (b'{"a":1,"b":2,"c":3}', {"b": ...}, b'{"a":1,"c":3}'),
    "the first key goes": (b'{"a": 1, "b": 2}', {"a": ...}, b'{"b": 2}'),
    "the last key goes": (b'{"a": 1, "b": 2}', {"b": ...}, b'{"a": 1}'),
    "the only key goes": (b'{"a":1}', {"a": ...}, b"{}"),
    "a key that is missing": (b'{"a":1}', {"b": ...}, b'{"a":1}'),
    "both of two equal keys go": (b'{"a":1,"b":2,"a":3}', {"a": ...}, b'{"b":2}'),
    "other values keep their spelling": (
        rb'{"n":1E5,"big":123456789012345678901,"s":"\u00e9\ud800","a":1}',
        {"a": "é"},
        rb'{"n":1E5,"big":123456789012345678901,"s":"\u00e9\ud800","a":"' + "é".encode() + b'"}',
    ),
    "null is a value": (b'{"a":1}', {"a": None}, b'{"a":null}'),
}


@pytest.mark.parametrize(("raw", "changes", "expected"), EDITS.values(), ids=EDITS)
def test_edit_leaves_the_other_bytes(raw: bytes, changes: dict[str, Any], expected: bytes) -> None:
    item = Item.parse(raw)
    edited = edit(item, **changes)
    assert edited.raw == expected
    assert (item.raw, edited.source) == (raw, item)


def test_edit_reads_the_new_head() -> None:
    edited = edit(Item.parse(MESSAGE), role="assistant", id=...)
    assert (edited.type, edited.role, edited.id) == ("message", "assistant", None)


def test_edit_of_an_edit_remembers_the_one_before() -> None:
    first = Item.parse(MESSAGE)
    second = edit(first, id="m2")
    third = edit_text(second, {"id": b'"m3"'})
    assert third.id == "m3"
    assert third.source is second
    assert second.source is first


class Entry:
    """An origin that makes the bytes of its items when it is asked for them."""

    style = Style(", ", ": ", ascii=True)

    def __init__(self) -> None:
        self.asked: list[tuple[int, int]] = []

    def item_bytes(self, index: int, part: int) -> bytes:
        self.asked.append((index, part))
        return b'{"type": "x", "a": 1}'

    def lost_members(self, index: int, part: int) -> list[str]:
        return [f"member of {index}.{part}"]


def test_bytes_of_a_part_are_made_when_they_are_asked_for() -> None:
    entry = Entry()
    item = derive(Item(type="x"), entry, 3, 1)
    assert (item.type, entry.asked) == ("x", [])
    assert (item["a"], item.raw, entry.asked) == (1, b'{"type": "x", "a": 1}', [(3, 1)])
    assert item.place == (entry, 3, 1)


def test_edit_is_written_in_the_style_of_the_record() -> None:
    item = derive(Item(type="x"), Entry(), 0, 0)
    edited = edit(item, b={"é": [1, 2]})
    assert edited.raw == rb'{"type": "x", "a": 1, "b": {"\u00e9": [1, 2]}}'
    assert edited.place == item.place


values = st.one_of(st.none(), st.integers(), st.text(), st.lists(st.integers(), max_size=2))
objects = st.dictionaries(st.text(max_size=3), values, max_size=4)


@given(objects, st.dictionaries(st.sampled_from(["a", "b", "c"]), st.one_of(values, st.just(...)), max_size=3))
def test_edit_is_a_change_of_a_dict(before: dict[str, Any], changes: dict[str, Any]) -> None:
    after = {key: value for key, value in (before | changes).items() if value is not ...}
    for separators in ((",", ":"), (", ", ": ")):
        raw = json.dumps(before, separators=separators, ensure_ascii=False).encode()
        assert edit(Item.parse(raw), **changes) == after
