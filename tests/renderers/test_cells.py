"""Text is cut and padded by the columns that it takes, between clusters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffctl.renderers.cells import clusters, columns_of, cut, cut_start, fitted, wrapped

ACCENTED, FAMILY, FLAG, THUMB = "e\u0301", "\U0001f469\u200d\U0001f4bb", "\U0001f1e6\U0001f1f9", "\U0001f44d\U0001f3fd"


@pytest.mark.parametrize(
    ("text", "columns", "shown"),
    [
        ("short", 10, "short"),
        ("exactly", 7, "exactly"),
        ("too long by far", 8, "too lon…"),
        ("日本語の話", 10, "日本語の話"),
        ("日本語の話", 7, "日本語…"),
        ("日本語の話", 6, "日本…"),
        (ACCENTED * 5, 3, ACCENTED * 2 + "…"),
        ("anything", 0, ""),
        ("anything", -3, ""),
        ("a" + "\u0301" * 5_000, 4, "a" + "\u0301" * 64 + "…"),
    ],
    ids=[
        "room to spare",
        "just fits",
        "cut",
        "wide and fits",
        "wide and cut",
        "no half character",
        "letters keep their marks",
        "no room",
        "less than no room",
        "marks piled on one letter",
    ],
)
def test_cut(text: str, columns: int, shown: str) -> None:
    assert cut(text, columns) == shown


@pytest.mark.parametrize("cluster", [ACCENTED, FAMILY, FLAG, THUMB, "각", "\u1100\u1161\u11a8", "❤\ufe0f"])
def test_what_is_one_character_to_a_reader_stays_whole(cluster: str) -> None:
    assert list(clusters(f"a{cluster}b")) == ["a", cluster, "b"]


def test_two_flags_are_two() -> None:
    assert list(clusters(FLAG + FLAG)) == [FLAG, FLAG]


def test_start_is_cut_off_instead() -> None:
    assert cut_start("from far away to here", 8) == "…to here"
    assert cut_start("here", 8) == "here"


def test_padded_to_the_column() -> None:
    assert fitted("日本", 6) == "日本  "


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [""]),
        ("one two three four", ["one two", "three four"]),
        ("averylongwordthatnobodybreaks", ["averylongw", "ordthatnob", "odybreaks"]),
        ("日本語の長い話です", ["日本語の長", "い話です"]),
        ("exactly 10 and", ["exactly 10", "and"]),
    ],
    ids=["nothing", "at spaces", "a long word", "wide", "a full line"],
)
def test_wrapped(text: str, lines: list[str]) -> None:
    assert list(wrapped(text, 10)) == lines


@given(st.text(), st.integers(min_value=2, max_value=30))
def test_nothing_is_wider_than_its_room_and_nothing_is_lost(text: str, columns: int) -> None:
    assert columns_of(cut(text, columns)) <= columns
    assert columns_of(cut_start(text, columns)) <= columns
    assert "".join(clusters(text)) == text
    joined = "".join(wrapped(text, columns))
    assert joined.replace(" ", "") == text.replace(" ", "")
