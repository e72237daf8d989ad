"""Single members changed; every other byte stays."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffctl.raw.jsontext import COMPACT, Style
from handoffctl.raw.splice import moved_in, with_members

SPACED = Style(", ", ": ")
Changes = dict[str, bytes | None]


@pytest.mark.parametrize(
    ("raw", "changes", "expected"),
    [
        (b'{"a":1}', {}, b'{"a":1}'),
        (b'{"a":1, "b" : 2}', {"a": b"9"}, b'{"a":9, "b" : 2}'),
        (b'{ "a":1 , "b":2,"c":3 }', {"b": b"9"}, b'{ "a":1 , "b":9,"c":3 }'),
        (b'{ "a":1 , "b":2,"c":3 }', {"a": None}, b'{ "b":2,"c":3 }'),
        (b'{ "a":1 , "b":2,"c":3 }', {"b": None}, b'{ "a":1,"c":3 }'),
        (b'{ "a":1 , "b":2,"c":3 }', {"c": None}, b'{ "a":1 , "b":2 }'),
        (b'{"a":1,"b":2}', {"a": None, "b": None}, b"{}"),
        (b'{"a":1,"b":2}', {"z": None}, b'{"a":1,"b":2}'),
        (b'{"a":1,"b":2}', {"c": b"3"}, b'{"a":1,"b":2,"c":3}'),
        (b'{\n  "a": 1,\n  "b": 2\n}', {"c": b"3"}, b'{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}'),
        (b'{\n  "a": 1\n}', {"c": b"3"}, b'{\n  "a": 1,\n  "c": 3\n}'),
        (b'{\n  "a": 1\n}', {"a": None, "c": b"3"}, b'{\n  "c": 3\n}'),
        (b"{}", {"c": b"3"}, b'{"c": 3}'),
        (b" { } ", {"c": b"3"}, b' {"c": 3 } '),
        (b'{"a":1,"b":2,"a":3}', {"a": b"9"}, b'{"a":9,"b":2,"a":9}'),
        (b'{"a":1,"b":2,"a":3}', {"a": None}, b'{"b":2}'),
        (b'{"\\u0061":1,"b":2}', {"a": b"9"}, b'{"\\u0061":9,"b":2}'),
        (b'{"\\u0061":1,"b":2}', {"a": None}, b'{"b":2}'),
        (b'{"a":"\\ud800","b":2}', {"b": b"3"}, b'{"a":"\\ud800","b":3}'),
        (b'{"\\ud800":1,"b":2}', {"b": b"3"}, b'{"\\ud800":1,"b":3}'),
        (b'{"a":1e5,"b":2}', {"b": b"3"}, b'{"a":1e5,"b":3}'),
        (b'{"a":1,"b":{"b":2}}', {"b": b"3"}, b'{"a":1,"b":3}'),
    ],
    ids=lambda value: value.decode() if isinstance(value, bytes) else str(value),
)
def test_members(raw: bytes, changes: Changes, expected: bytes) -> None:
    style = Style(", ", ": ") if b": " in expected else COMPACT
    assert with_members(raw, changes, style) == expected


KEYS = st.sampled_from(["a", "b", "c", "é", '"', "\ud800"])
PIECES = st.tuples(KEYS, st.sampled_from(["1.00", '"x"', '"\\u00e9"', "[1, 2]", "{ }", "null"]))
SPACES = st.sampled_from(["", " ", "\n  "])


@given(
    st.lists(st.tuples(PIECES, SPACES, SPACES), max_size=5),
    st.dictionaries(KEYS, st.sampled_from([b"9", b'"new"', None]), max_size=3),
    st.booleans(),
)
def test_members_are_changed_and_no_others(
    pieces: list[tuple[tuple[str, str], str, str]], changes: Changes, escaped: bool
) -> None:
    def key_text(key: str) -> str:
        return json.dumps(key, ensure_ascii=escaped or "\ud800" in key)

    raw = "{" + ",".join(f"{a}{key_text(key)}:{b}{value}{a}" for (key, value), a, b in pieces) + "}"
    done = with_members(raw.encode(), changes, COMPACT).decode()
    expected = [(key, json.loads(value)) for (key, value), _, _ in pieces if key not in changes]
    got = json.loads(done, object_pairs_hook=list)
    assert [(key, value) for key, value in got if key not in changes] == [
        (key, [] if value == {} else value) for key, value in expected
    ]
    for key, new in changes.items():
        said = [value for name, value in got if name == key]
        count = sum(name == key for (name, _), _, _ in pieces)
        assert said == ([] if new is None else [json.loads(new)] * max(count, 1))
    for (key, value), _, b in pieces:
        if key not in changes:
            assert f"{key_text(key)}:{b}{value}" in done


def test_what_is_no_object_is_an_error() -> None:
    for raw in (b"[]", b"", b"5", b'{"a"}'):
        with pytest.raises(ValueError, match=r"."):
            with_members(raw, {"a": b"1"}, COMPACT)


def test_new_value_is_moved_in_as_far_as_the_members_are() -> None:
    assert moved_in(b"[\n  1\n]", b'{\n    "a": 1}') == b"[\n      1\n    ]"
    assert moved_in(b"[\n  1\n]", b'{"a": 1}') == b"[\n  1\n]"
    assert moved_in(b"[1]", b'{\n  "a": 1}') == b"[1]"
