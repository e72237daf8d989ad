"""Bytes as records with their places: lines, documents, values glued together."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffctl.errors import MalformedDump
from handoffctl.model import Source
from handoffctl.raw.opening import TextInput
from handoffctl.records import Gap, Readable, Record, document_records, glued_records, is_json, line_records


def said(records: Iterator[Readable] | list[Readable]) -> list[object]:
    """Each record as bytes, line and end; a fault as its place; a gap as its bytes."""
    seen: list[object] = []
    for each in records:
        if isinstance(each, Record):
            seen.append((each.raw, each.source.line, each.end))
        else:
            seen.append(each.place if isinstance(each, MalformedDump) else each.raw)
    return seen


def lines_of(raw: bytes) -> list[Readable]:
    return list(line_records("f", io.BytesIO(raw)))


def test_lines_end_at_lf_alone() -> None:
    text = '{"a":"\u2028\u2029\x85\x0b"}'.encode()
    assert said(lines_of(text + b"\r\n\n \t\n23\n4")) == [
        (text, 1, b"\r\n"),
        b"\n",
        b" \t\n",
        (b"23", 4, b"\n"),
        (b"4", 5, b""),
    ]


@given(st.lists(st.sampled_from([b"{}", b" ", b"", b"\r", b"[1]\r"])), st.integers(0, 12))
def test_lines_are_the_file_wherever_its_beginning_was_cut(lines: list[bytes], cut: int) -> None:
    raw = b"\n".join(lines)
    records = list(TextInput("f", True, b"", raw[:cut], io.BytesIO(raw[cut:])))
    assert (
        b"".join(
            each.raw + each.end if isinstance(each, Record) else each.raw
            for each in records
            if not isinstance(each, MalformedDump)
        )
        == raw
    )
    assert all(isinstance(each, Gap) or each.raw.strip() for each in records if not isinstance(each, MalformedDump))


def test_records_and_lines_count_from_1() -> None:
    records = [each for each in lines_of(b"\n{}\n\n{}\n") if isinstance(each, Record)]
    assert [(each.source.record, each.source.line) for each in records] == [(1, 2), (2, 4)]
    assert records[0].source.place == "f:2"
    assert records[0].untouched == b"{}"


GLUED = {
    "one value": (b' {"a":1} ', [(b' {"a":1} ', 5, b"|")]),
    "two on a line": (b'{"a":1}{"b":2}', [(b'{"a":1}', 5, b""), (b'{"b":2}', 5, b"|")]),
    "two with a space": (b'{"a":1} {"b":2} ', [(b'{"a":1}', 5, b" "), (b'{"b":2}', 5, b" |")]),
    "several lines": (b'\n{\n"a":1}\n\n{}\n[]', [(b'{\n"a":1}', 6, b"\n\n"), (b"{}", 9, b"\n"), (b"[]", 10, b"|")]),
    "the last is cut": (b'{"a":1}{"b":', [(b'{"a":1}', 5, b"|"), "f:5:13"]),
    "the first is cut": (b'{"a":', ["f:5:6"]),
    "garbage behind": (b'{"a":1} x {"b":2}', [(b'{"a":1}', 5, b" |"), "f:5:9"]),
    "no UTF-8 in the second": (
        b'{"a":1}{"b":"\xff"}{"c":3}',
        [(b'{"a":1}', 5, b""), "f:5:14", (b'{"c":3}', 5, b"|")],
    ),
    "no UTF-8": (b'{"a":"\xff"}', ["f:5:7"]),
    "too deep": (b"{}" + b"[" * 501 + b"]" * 501, ["f:5:503"]),
    "scalars": (b'1 "x"null', [(b"1", 5, b" "), (b'"x"', 5, b""), (b"null", 5, b"|")]),
    "nothing": (b" \n", []),
}


@pytest.mark.parametrize(("raw", "expected"), GLUED.values(), ids=GLUED)
def test_glued_values_are_told_apart(raw: bytes, expected: list[object]) -> None:
    assert said(list(glued_records(Record(raw, Source("f", 1, 5), end=b"|")))) == expected


def test_many_glued_values_take_no_longer_than_they_should() -> None:
    count = 20_000
    records = glued_records(Record(b'{"a":\n1}\n' * count, Source("f")))
    assert len(records) == count
    assert isinstance(records[-1], Record)
    assert records[-1].source.line == 2 * count - 1


def test_document_is_one_record_or_the_values_glued_in_it() -> None:
    assert said(document_records("f", b" [\n1]\n")) == [(b" [\n1]\n", 1, b"")]
    assert said(document_records("f", b'{"a":\n1}\n{"b":2}')) == [(b'{"a":\n1}', 1, b"\n"), (b'{"b":2}', 3, b"")]
    assert said(document_records("f", b'["\\ud800"]')) == [(b'["\\ud800"]', 1, b"")]
    assert said(document_records("f", b"[" * 100_000)) == ["f:1:501"]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b'{"a":1}', True),
        (b'["\\ud800"]', True),
        (b'{"a":1}{"b":2}', True),
        (b'{"a":1} x', True),
        (b'  {"a":1},', False),
        (b'"a": 1', False),
        (b"1]", False),
        (b'{"a":', False),
        (b"NaN", False),
        (b"[" * 100_000, False),
        (b"", False),
        (b"\x1f\x8b\x08", False),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_json_that_stands_alone(raw: bytes, expected: bool) -> None:
    assert is_json(raw) is expected
