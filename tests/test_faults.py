"""What is wrong with bytes that are no JSON, and where, in one line."""

from __future__ import annotations

import pytest

from handoffctl.model import Source
from handoffctl.raw.faults import DEEPEST, diagnose, malformed, too_deep

CASES = {
    "cut inside a string": (b'{"a":"b', ":1:8", "the line ends inside a string"),
    "cut after a colon": (b'{"a":', ":1:6", "the line ends too early"),
    "cut in a list": (b"[1,", ":1:4", "the line ends too early"),
    "cut in a document": (b'{\n"a":\n', ":2:5", "the file ends too early"),
    "cut inside a document's string": (b'{\n"a":"x\n', ":2:7", "the file ends inside a string"),
    "cut inside an escape": (b'["\\u00', ":1:7", "the line ends inside a string"),
    "cut behind an escape": (b'["\\u00e9', ":1:9", "the line ends inside a string"),
    "cut behind a backslash": (b'["\\', ":1:4", "the line ends inside a string"),
    "a key without quotes": (b"{a:1}", ":1:2", "a key in double quotes was expected"),
    "single quotes": (b"{'a':1}", ":1:2", "a key in double quotes was expected"),
    "no colon": (b'{"a" 1}', ":1:6", "a colon was expected"),
    "no comma": (b"[1 2]", ":1:4", "a comma or the end"),
    "a comma too many in an object": (b'{"a":1 , }', ":1:8", "a comma with nothing after it"),
    "a comma too many in a list": (b"[1,]", ":1:3", "a comma with nothing after it"),
    "two commas": (b"[1,,2]", ":1:4", "a JSON value was expected"),
    "a word": (b"[nope]", ":1:2", "a JSON value was expected"),
    "a control character": (b'["a\x01"]', ":1:4", "a control character stands unescaped"),
    "a zero byte in a string": (b'["a\x00"]', ":1:4", "a control character stands unescaped"),
    "a zero byte outside": (b"[\x00]", ":1:2", "a JSON value was expected"),
    "an invalid escape": (b'["\\x41"]', ":1:3", "an invalid escape"),
    "an invalid unicode escape": (b'["\\u12"]', ":1:4", r"an invalid \u escape"),
    "NaN": (b'{"a":NaN}', ":1:6", "NaN is not JSON"),
    "minus Infinity": (b'{"a": "NaN", "b":-Infinity}', ":1:18", "-Infinity is not JSON"),
    "something behind": (b"{} x", ":1:4", "something follows"),
    "not UTF-8": (b'{"\xc3\xa9":"\xff"}', ":1:7", "byte 0xff is not UTF-8"),
    "columns count characters": ('{"é\U0001f600":x}'.encode(), ":1:7", "a JSON value was expected"),
    "the line of a document": (b'{\n "a": [\n  1,\n  x\n ]\n}', ":4:3", "a JSON value was expected"),
    "a NUL file": (b"\x00\x00\x00\x00", ":1:1", "a JSON value was expected"),
    "too deep": (b"[" * 600 + b"]" * 600, ":1:501", "nested too deeply, over 500 levels"),
}


@pytest.mark.parametrize(("raw", "place", "what"), CASES.values(), ids=CASES)
def test_fault_has_a_place_a_reason_and_help(raw: bytes, place: str, what: str) -> None:
    fault = diagnose(raw, Source("f.json"))
    assert fault.place == f"f.json{place}"
    assert what in fault.what
    assert fault.help
    assert "\n" not in str(fault) + fault.help


def test_line_and_start_count_from_where_the_record_stands() -> None:
    assert diagnose(b"x", Source("f", 3, 7)).place == "f:7:1"
    assert diagnose(b'{} "\n', Source("f", 3, 7), 3).place == "f:7:5"
    assert diagnose(b"{}\n\n [\xff", Source("f", 3, 7), 5).place == "f:9:3"
    assert diagnose(b"[\xff]" + b"[" * 501, Source("f"), 3).place == "f:1:504"


def test_cut_says_that_the_file_may_still_be_written() -> None:
    assert "still being written" in diagnose(b'{"a"', Source("f")).help
    assert "still being written" not in diagnose(b'{"a" 1}', Source("f")).help


def test_record_of_another_shape() -> None:
    fault = malformed(Source("f", 2, 3), "not an object", "each line one item")
    assert str(fault) == "f:3: not an object; the record was left out"
    assert fault.help == "each line one item"
    assert malformed(Source("f"), "x").help


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[" * DEEPEST + "]" * DEEPEST, None),
        ("[" * (DEEPEST + 1), DEEPEST),
        ('{"a":' * (DEEPEST + 1), 5 * DEEPEST),
        ("[]" * 2000, None),
        ('["' + "[{" * 2000 + '"]', None),
        ('["\\"' + "[{" * 2000 + '"]', None),
        ('["' + "[" * 2000, None),
        ('["a\\\\",' + "[" * 501, 7 + 499),
    ],
    ids=["the deepest", "one deeper", "objects", "side by side", "in a string", "after a quote", "unclosed", "escaped"],
)
def test_depth(text: str, expected: int | None) -> None:
    assert too_deep(text) == expected


def test_long_strings_are_passed_over_at_once() -> None:
    text = '["' + "[x\\\\" * 2_000_000 + '"]'
    assert too_deep(text) is None
    assert diagnose(text[:-2].encode(), Source("f")).what.startswith("the line ends inside a string")
