"""Files opened: encodings, blank beginnings, one document or a value a line."""

from __future__ import annotations

import codecs
import io
import sys
from pathlib import Path

import pytest

from handoffctl.errors import InputError
from handoffctl.raw.opening import PREFIX, TextInput, open_input
from handoffctl.records import Readable, Record

LINE = '{"role":"user","content":"é"}'
TWO = f"{LINE}\n{LINE}\n"


def opened(tmp_path: Path, raw: bytes) -> tuple[list[Readable], bool, bytes, tuple[str, ...]]:
    path = tmp_path / "dump"
    path.write_bytes(raw)
    got = open_input(str(path))
    assert isinstance(got, TextInput)
    return list(got), got.lines, got.prefix, got.notes


@pytest.mark.parametrize(
    ("raw", "note"),
    [
        (TWO.encode("utf-16"), "read as UTF-16, written as UTF-8"),
        (codecs.BOM_UTF16_BE + TWO.encode("utf-16-be"), "read as UTF-16, written as UTF-8"),
        (TWO.encode("utf-16-le"), "read as UTF-16-LE, written as UTF-8"),
        (TWO.encode("utf-16-be"), "read as UTF-16-BE, written as UTF-8"),
        (TWO.encode("utf-32"), "read as UTF-32, written as UTF-8"),
        (codecs.BOM_UTF32_BE + TWO.encode("utf-32-be"), "read as UTF-32, written as UTF-8"),
    ],
    ids=["little", "big", "little without a mark", "big without a mark", "32", "32 big"],
)
def test_wide_encodings_are_read_and_said(tmp_path: Path, raw: bytes, note: str) -> None:
    records, lines, prefix, notes = opened(tmp_path, raw)
    assert (lines, prefix, notes) == (True, b"", (note,))
    assert [each.raw for each in records if isinstance(each, Record)] == [LINE.encode()] * 2


def test_utf8_mark_is_kept_apart(tmp_path: Path) -> None:
    records, lines, prefix, notes = opened(tmp_path, codecs.BOM_UTF8 + TWO.encode())
    assert (len(records), lines, prefix, notes) == (2, True, codecs.BOM_UTF8, ())


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\n",
        b" \r\n\t",
        codecs.BOM_UTF8,
        codecs.BOM_UTF8 + b"\n",
        codecs.BOM_UTF16_LE,
        "\n ".encode("utf-16"),
        b"\n" * 200_000,
    ],
    ids=["no byte", "a line", "blank", "a mark", "a mark and a line", "a wide mark", "wide blanks", "many lines"],
)
def test_file_with_nothing_in_it_is_empty(tmp_path: Path, raw: bytes) -> None:
    with pytest.raises(InputError, match="the file is empty") as caught:
        opened(tmp_path, raw)
    assert caught.value.place.endswith("dump")
    assert caught.value.help


@pytest.mark.parametrize("raw", [b"\xff\xfe{\x00\x00\xd8", b"\xff\xfe{\x00\n"], ids=["half a pair", "half a character"])
def test_broken_wide_encoding_is_named(tmp_path: Path, raw: bytes) -> None:
    with pytest.raises(InputError, match="broken UTF-16"):
        opened(tmp_path, raw)


def test_what_is_no_file_is_named(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing", tmp_path / "a\0b", tmp_path / "x" / "y"):
        with pytest.raises(InputError) as caught:
            open_input(str(path))
        assert caught.value.place == str(path)
        assert caught.value.what
        assert caught.value.help


def test_blank_beginning_longer_than_the_first_look(tmp_path: Path) -> None:
    records, lines, _, _ = opened(tmp_path, b"\n" * (PREFIX + 5) + TWO.encode())
    assert lines
    assert [each.source.line for each in records if isinstance(each, Record)] == [PREFIX + 6, PREFIX + 7]


PRETTY = b'{\n  "role": "user",\n  "content": "x"\n}\n'
ITEM = b'  {"role": "user", "content": "x"},\n'
SHAPES = {
    "one value": (b"[1]", False),
    "one value and a line end": (b"[1]\n", False),
    "a value a line": (TWO.encode(), True),
    "a value a line, long": (TWO.encode() * 5000, True),
    "a pretty document": (PRETTY, False),
    "pretty values": (PRETTY * 3, False),
    "pretty values, long": (PRETTY * 5000, False),
    "a list with an item a line": (b"[\n" + ITEM + ITEM[:-2] + b"\n]\n", False),
    "a list with an item a line, long": (b"[\n" + ITEM * 5000 + ITEM[:-2] + b"\n]\n", False),
    "a list with an item a line, cut": (b"[\n" + ITEM * 50 + ITEM[:10], False),
    "a bad first line": (b'{"a":\n' + TWO.encode(), True),
    "a bad last line": (TWO.encode() + b'{"a":', True),
    "bad lines between": (b'{"a":1}\nx\ny\nz\n', True),
    "strings and numbers": (b'"a"\n5\n{}\n', True),
    "glued on lines": (b'{"a":1}{"b":2}\n{"c":3}\n', True),
    "lists on lines": (b'[{"role":"user"}]\n[{"role":"user"}]\n', True),
    "lone surrogates": (b'["\\ud800"]\n["\\ud800"]\n', True),
    "garbage": (b"\x8b\x08\n\x00\x01\n\xff", False),
}


@pytest.mark.parametrize(("raw", "lines"), SHAPES.values(), ids=SHAPES)
def test_lines_or_a_document(tmp_path: Path, raw: bytes, lines: bool) -> None:
    assert opened(tmp_path, raw)[1] is lines


def test_reading_stops_and_closes(tmp_path: Path) -> None:
    path = tmp_path / "dump"
    path.write_text(TWO * 20_000)
    got = open_input(str(path))
    records = iter(got)
    next(records)
    records.close()  # type: ignore[attr-defined]
    assert isinstance(got, TextInput)
    assert got.rest.closed


def test_standard_input_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(TWO.encode()))
    monkeypatch.setattr(sys, "stdin", stdin)
    got = open_input("-")
    assert len(list(got)) == 2
    assert not stdin.buffer.closed
    with pytest.raises(InputError, match="the file is empty") as caught:
        open_input("-")
    assert caught.value.place == "-"
