"""The list inside a record: read in one pass, put back in its own style."""

from __future__ import annotations

import json

import msgspec
import pytest

from handoffctl.entries import Entries
from handoffctl.item import edit

ONE, TWO, THREE = b'{"role":"user","content":"1"}', b'{"role":"user","n":1.00}', b'{"role":"user","content":"\\ud800"}'


def bytes_of(entries: Entries) -> list[bytes]:
    return [bytes(raw) for raw in entries.raws]


@pytest.mark.parametrize(
    ("record", "key"),
    [
        (b"[%s,%s]", None),
        (b" [ %s , %s ] ", None),
        (b"[\n  %s,\n  %s\n]\n", None),
        (b'{"input":[%s,%s]}', "input"),
        (b'{"input": [%s, %s], "x": 1}', "input"),
        (b'{ "x" : [1], "input": [%s, %s] }', "input"),
        (b'{"inp\\u0075t":[%s,%s]}', "input"),
        (b'{"input":[9],"input":[%s,%s]}', "input"),
    ],
)
@pytest.mark.parametrize("second", [TWO, THREE], ids=["quick", "exact"])
def test_entries_are_found_and_put_back(record: bytes, key: str | None, second: bytes) -> None:
    raw = record % (ONE, second)
    entries = Entries(raw, key)
    assert bytes_of(entries) == [ONE, second]
    assert [item.raw for item in entries.items()] == [ONE, second]
    assert entries.rebuilt([ONE, second]) == raw.replace(b"[9]", b"[%s,%s]" % (ONE, second))
    for kept in ([ONE], [second], [second, ONE, ONE]):
        left = json.loads(entries.rebuilt(kept))
        assert (left if key is None else left["input"]) == [json.loads(each) for each in kept]
    assert b"user" not in entries.rebuilt([])


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (b"[%s]", b"[%s, %s]"),
        (b"[ %s ]", b"[ %s, %s ]"),
        (b"[\n %s\n]", b"[\n %s,\n %s\n]"),
    ],
)
def test_one_entry_grows_in_the_style_of_the_list(record: bytes, expected: bytes) -> None:
    entries = Entries(record % ONE, None)
    got = entries.rebuilt([ONE, TWO])
    assert got.replace(b"},{", b"}, {").replace(b"} , {", b"}, {") == expected % (ONE, TWO)


def test_empty_list_grows() -> None:
    for record, key in ((b"[]", None), (b"[ ]", None), (b'{"a":[ ],"b":1}', "a")):
        got = json.loads(Entries(record, key).rebuilt([ONE, TWO]))
        assert (got if key is None else got["a"]) == [json.loads(ONE), json.loads(TWO)]


def test_uneven_spaces_stay_where_nothing_is_replaced() -> None:
    record = b'{"z" :1,\n"input":[%s ,%s],  "y":{ }}' % (ONE, TWO)
    got = Entries(record, "input").rebuilt([TWO])
    assert got.startswith(b'{"z" :1,\n"input":[')
    assert got.endswith(b'],  "y":{ }}')


@pytest.mark.parametrize(
    "record",
    [
        b'{"input":[%s],"x":"\\\\","input":[%s]}',
        b'{"inp\\u0075t":[%s],"input":[%s]}',
        b'{"input":5,"x":[%s],"input":[%s]}',
    ],
)
def test_lists_that_another_overrides_are_replaced_too(record: bytes) -> None:
    got = Entries(record % (ONE, TWO), "input").rebuilt([])
    assert TWO not in got
    assert ONE not in got or b'"x":[' in got
    assert json.loads(got)["input"] == []


def test_items_know_their_place() -> None:
    entries = Entries(b"[%s,%s]" % (ONE, TWO), None)
    first, second = entries.items()
    assert (first.place, second.place) == ((entries, 0, 0), (entries, 1, 0))
    assert edit(second, x=1).place == (entries, 1, 0)
    assert entries.item_bytes(1, 0) == TWO
    assert entries.decoded(msgspec.Raw) == entries.raws or bytes_of(entries) == [ONE, TWO]


@pytest.mark.parametrize(
    "hostile",
    [
        b'{"role":"user"," raw":"x"," full":{"role":"system"}," source":1," place":[]}',
        b'{" raw":null," source":{},"role":"user"}',
        b'{"id":1.5,"call_id":true,"name":["x"],"type":{},"role":5}',
        b'{"id":null,"type":"\\ud800","role":"\\u0000"}',
        b'{"id":12345678901234567890123,"type":"t"}',
        b'{"type":"a","type":"b","role":1,"role":"user"}',
        b"{}",
    ],
)
def test_item_is_what_its_bytes_say_whatever_its_keys(hostile: bytes) -> None:
    value = json.loads(hostile)
    for entries in (Entries(b"[%s]" % hostile, None), Entries(b'{"input":[%s,%s]}' % (hostile, THREE), "input")):
        item = entries.items()[0]
        assert item.raw == hostile
        assert item == value
        assert item.source is None
        for key in ("type", "role", "name", "id", "call_id"):
            said = value.get(key)
            allowed = (str, int) if "id" in key else (str,)
            assert getattr(item, key) == (said if type(said) in allowed else None), key


@pytest.mark.parametrize("record", [b"[1]", b'["x",{}]', b"[null]", b"[[]]"])
def test_entry_that_is_no_object_is_named(record: bytes) -> None:
    with pytest.raises(ValueError, match=r"entry \d is not an object"):
        Entries(record, None).items()


@pytest.mark.parametrize(
    "record", [b'{"items":[]}', b'{"input":{}}', b'{"input":5}', b'{"input":"x"}', b"[]", b"5", b"{}"]
)
def test_record_without_the_list_is_an_error(record: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        Entries(record, "input").items()


def test_style_is_the_records() -> None:
    assert Entries(b'[\n  {"a": "\\u00e9"}\n]', None).style.indent == 2
