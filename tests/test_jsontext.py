"""JSON values and their text: nothing changes on the way, and new text looks like the old."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffctl.raw.jsontext import COMPACT, Style, decode, encode, refuse_constant, style_of

DECODED: dict[str, tuple[bytes, Any]] = {
    "an integer beyond 64 bits": (b"123456789012345678901234567890", 123456789012345678901234567890),
    "a negative one": (b"-123456789012345678901", -123456789012345678901),
    "a lone surrogate": (rb'"\ud800"', "\ud800"),
    "a pair of surrogates": (rb'"\ud83c\udf89"', "🎉"),
    "the last of two equal keys": (b'{"a":1,"a":2}', {"a": 2}),
    "a float stays one": (b"1.0", 1.0),
    "white space around it": (b" \n[1] \n", [1]),
}


@pytest.mark.parametrize(("text", "value"), DECODED.values(), ids=DECODED)
def test_decoding(text: bytes, value: Any) -> None:
    decoded = decode(text)
    assert decoded == value
    assert type(decoded) is type(value)


def test_an_integer_longer_than_the_interpreter_converts_is_a_float() -> None:
    assert decode(b"1" + b"0" * 5000) == float("inf")


@pytest.mark.parametrize(
    "text",
    [b"", b"{", b"[1,]", b"{'a':1}", b"nul", b"[1] 2", b"NaN", b"[-Infinity]", b'"\x01"', b'"\xff"', b"\xff\xfe"],
)
def test_what_is_no_json_is_refused(text: bytes) -> None:
    with pytest.raises(ValueError):
        decode(text)


@pytest.mark.parametrize(
    "text", [b"[" * 100_000, b"[" * 100_000 + b"]" * 100_000, rb'"\ud800"'.join([b"[" * 9999, b"]" * 9999])]
)
def test_deep_nesting_is_refused_as_such(text: bytes) -> None:
    with pytest.raises(ValueError, match="nested too deeply"):
        decode(text)


def test_constants_are_named_when_they_are_refused() -> None:
    with pytest.raises(ValueError, match="NaN is not JSON"):
        refuse_constant("NaN")


ENCODED: dict[str, tuple[Any, Style, bytes]] = {
    "compact": ({"a": [1, "é"]}, COMPACT, '{"a":[1,"é"]}'.encode()),
    "null is null": ([None, 1.5], COMPACT, b"[null,1.5]"),
    "an integer beyond 64 bits": ({"n": 2**70}, COMPACT, b'{"n":1180591620717411303424}'),
    "a lone surrogate is escaped": (["\ud800", "é"], COMPACT, rb'["\ud800","\u00e9"]'),
    "spaces": ({"a": [1, 2]}, Style(", ", ": "), b'{"a": [1, 2]}'),
    "ASCII escapes": (["é"], Style(ascii=True), rb'["\u00e9"]'),
    "an indent": ([1], Style(",", ": ", indent=2), b"[\n  1\n]"),
    "a lone surrogate in another style": (["\ud800"], Style(", ", ": "), rb'["\ud800"]'),
}


@pytest.mark.parametrize(("value", "style", "text"), ENCODED.values(), ids=ENCODED)
def test_encoding(value: Any, style: Style, text: bytes) -> None:
    assert encode(value, style) == text


@pytest.mark.parametrize("style", [COMPACT, Style(", ", ": ")], ids=["compact", "spaced"])
@pytest.mark.parametrize("constant", [float("nan"), float("inf"), float("-inf")])
def test_constants_that_are_no_json_are_never_written(constant: float, style: Style) -> None:
    for value in (constant, {"a": [None, constant]}, (constant,)):
        with pytest.raises(ValueError, match="JSON"):
            encode(value, style)


STYLES: dict[str, tuple[bytes, Style]] = {
    "compact": (b'{"a":1,"b":2}', COMPACT),
    "the standard library's": (b'{"a": 1, "b": [1, 2]}', Style(", ", ": ")),
    "its escapes": (rb'{"a": "\u00e9", "b": 2}', Style(", ", ": ", ascii=True)),
    "text of its own": ('{"a":"é \\u2028"}'.encode(), COMPACT),
    "an indent": (b'{\n  "a": 1,\n  "b": 2\n}', Style(",", ": ", indent=2)),
    "an indented list, with CRLF": (b'[\r\n    {\r\n        "a": 1\r\n    }\r\n]', Style(",", ": ", indent=4)),
    "nothing to see": (b"{}", COMPACT),
    "a list of lists": (b"[[1], [2]]", Style(", ")),
}


@pytest.mark.parametrize(("text", "style"), STYLES.values(), ids=STYLES)
def test_style_is_read_off_a_text(text: bytes, style: Style) -> None:
    assert style_of(text) == style


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(values, st.sampled_from([COMPACT, Style(", ", ": "), Style(ascii=True), Style(",", ": ", indent=2)]))
def test_what_is_encoded_is_decoded_as_it_was(value: Any, style: Style) -> None:
    text = encode(value, style)
    assert decode(text) == value
    assert json.loads(text) == value
