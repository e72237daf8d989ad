"""What changed inside an item, word by word."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffctl.item import Item, edit
from handoffctl.wording.words import edited_text, edited_texts, word_changes


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "", []),
        ("same text", "same text", [("same", "same text")]),
        ("", "new", [("added", "new")]),
        ("old", "", [("removed", "old")]),
        (
            "the card is 4111 of mine",
            "the card is <card:1> of mine",
            [("same", "the card is "), ("removed", "4111 "), ("added", "<card:1> "), ("same", "of mine")],
        ),
        ("one two three", "one three", [("same", "one "), ("removed", "two "), ("same", "three")]),
        ("a b", "a b c", [("same", "a "), ("removed", "b"), ("added", "b c")]),
    ],
    ids=[
        "nothing",
        "no change",
        "all new",
        "all gone",
        "a word replaced",
        "a word gone",
        "a word with the space after it",
    ],
)
def test_word_changes(before: str, after: str, expected: list[Any]) -> None:
    assert word_changes(before, after) == expected


TEXTS = st.text(st.sampled_from("ab ,\n中"), max_size=30)


@given(TEXTS, TEXTS)
def test_pieces_join_to_both_texts(before: str, after: str) -> None:
    changes = word_changes(before, after)
    assert "".join([text for sign, text in changes if sign != "added"]) == before
    assert "".join([text for sign, text in changes if sign != "removed"]) == after
    assert all(text for _, text in changes)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (" ".join(f"w{number}" for number in range(6_000)), " ".join(f"v{number}" for number in range(6_000))),
        ("a b " * 2_000, "b a " * 2_000),
    ],
    ids=["too many words", "the same words all over"],
)
def test_what_is_too_much_is_one_change(before: str, after: str) -> None:
    start = time.process_time()
    changes = word_changes("start " + before + " end", "start " + after + " end")
    assert time.process_time() - start < 1
    assert [sign for sign, _ in changes] == ["same", "removed", "added", "same"]


CALL = Item.of({"type": "function_call", "name": "look", "call_id": "c", "arguments": "{}"})
SAID = Item.of({"role": "user", "content": "hi", "id": "m"})


def test_text_of_an_edited_item() -> None:
    assert edited_text(CALL) == "look {}"
    assert edited_text(SAID) == "hi"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (SAID, edit(SAID, content="ho"), ("hi", "ho")),
        (SAID, edit(SAID, id=...), ('{"id":"m"}', "{}")),
        (SAID, edit(SAID, status="done"), ("{}", '{"status":"done"}')),
        (CALL, edit(CALL, name="see"), ("look {}", "see {}")),
    ],
    ids=["other words", "a member gone", "a member more", "another tool"],
)
def test_texts_of_an_edit(before: Item, after: Item, expected: tuple[str, str]) -> None:
    assert edited_texts(before, after) == expected
