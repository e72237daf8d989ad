"""Where members and entries stand in JSON text."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffctl.raw.spans import Span, element_spans, member_spans, value_end

SPACES = st.sampled_from(["", " ", "\n", "\r\n\t "])
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(), st.floats(allow_nan=False, allow_infinity=False)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(), inner, max_size=3)),
    max_leaves=6,
)


def written(value: object, *, ascii: bool) -> str:
    text = json.dumps(value, ensure_ascii=ascii)
    return text if ascii or text.isprintable() else json.dumps(value)


@given(st.lists(st.tuples(st.text(), VALUES)), st.booleans(), SPACES, SPACES)
def test_every_member_is_found_with_repeated_ones(
    members: list[tuple[str, object]], ascii: bool, before: str, after: str
) -> None:
    texts = [(key, written(value, ascii=ascii)) for key, value in members]
    inner = ",".join(f"{before}{json.dumps(key)}{after}:{before}{text}{after}" for key, text in texts)
    raw = f"{after}{{{inner or before}}}".encode()
    assert [(key, raw[span.start : span.end].decode()) for key, span in member_spans(raw)] == texts


@given(st.lists(VALUES), st.booleans(), SPACES, SPACES)
def test_every_entry_is_found(values: list[object], ascii: bool, before: str, after: str) -> None:
    texts = [written(value, ascii=ascii) for value in values]
    text = f"[{','.join(before + each + after for each in texts) or before}]"
    raw = f'{{"é":{before}{text}}}'.encode()
    spans, end = element_spans(raw, raw.index(b":") + 1)
    assert [raw[span.start : span.end].decode() for span in spans] == texts
    assert raw[end:] == b"}"


def test_positions_are_bytes() -> None:
    assert member_spans('{"é":"ü"}'.encode()) == [("é", Span(6, 10))]


@pytest.mark.parametrize(
    "raw",
    [b"", b"[", b"[1", b"[1,", b"[1,]", b"[,]", b"[1 2]", b"{}", b"[NaN]", b"[Infinity]", b'["a]', b"[1e]", b" x"],
    ids=repr,
)
def test_what_is_no_list_is_an_error(raw: bytes) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        element_spans(raw)
    assert "index" not in str(caught.value)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b'{"a"',
        b'{"a":',
        b'{"a":1',
        b'{"a":1,',
        b'{"a":1,}',
        b"{1:2}",
        b'{"a" 1}',
        b'{"a":1 "b":2}',
        b"[]",
        b"{'a':1}",
    ],
    ids=repr,
)
def test_what_is_no_object_is_an_error(raw: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        member_spans(raw)


def test_end_of_a_value() -> None:
    assert value_end(' {"a":[1]} x', 1) == 10
    with pytest.raises(json.JSONDecodeError, match="Expecting value"):
        value_end("  ", 1)
