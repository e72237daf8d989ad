"""The token estimate stays within its bounds, and the page about it says what is so."""

from __future__ import annotations

import base64
import random
import time
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.token_error import MARK, PAGE, PROMISED, exact_tokens, languages, measure, table, text
from handoffctl.item import Item
from handoffctl.tokens import (
    MEDIA_TOKENS,
    PER_ITEM,
    SCRIPTS,
    count_characters,
    count_words,
    estimate_tokens,
    item_tokens,
)

RANDOM = random.Random(7)
MACHINE_MADE = {
    "base64": base64.b64encode(RANDOM.randbytes(6_000)).decode(),
    "base64 for URLs": base64.urlsafe_b64encode(RANDOM.randbytes(6_000)).decode(),
    "hexadecimal": RANDOM.randbytes(3_000).hex(),
    "uuids": " ".join(str(uuid.UUID(int=RANDOM.getrandbits(128))) for _ in range(100)),
    "numbers": " ".join(str(RANDOM.randrange(10**6)) for _ in range(300)),
    "long words of one case": "a_long_name_of_something_that_has_no_digits_in_it_at_all " * 20,
}


@pytest.mark.parametrize("language", PROMISED)
def test_estimate_is_within_15_percent_on_held_out_texts(language: str) -> None:
    assert abs(measure(language, "heldout").error("o200k_base")) <= 0.15


@pytest.mark.parametrize("language", languages())
def test_no_text_is_off_by_more_than_20_percent(language: str) -> None:
    for half in ("calibration", "heldout"):
        assert abs(measure(language, half).error("o200k_base")) <= 0.20


@pytest.mark.parametrize("words", MACHINE_MADE.values(), ids=MACHINE_MADE)
def test_estimate_is_near_on_what_machines_write(words: str) -> None:
    assert estimate_tokens(words) == pytest.approx(exact_tokens(words), rel=0.15)


@pytest.mark.parametrize("half", ["calibration", "heldout"])
@pytest.mark.parametrize("language", PROMISED)
def test_texts_are_long_enough_to_measure_on(language: str, half: str) -> None:
    assert len(text(language, half).encode()) > 1_000


def test_page_has_the_table_of_today() -> None:
    assert PAGE.read_text(encoding="utf-8").partition(MARK)[2] == "\n" + table()


@pytest.mark.parametrize(
    ("words", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("hello world", 2),
        (" " * 64, 1),
        ("=" * 64, 1),
        ("\n\n", 1),
        ("1234567", 3),
        ("\u1c50", 2),
        ("𝛼", 3),
    ],
    ids=[
        "nothing",
        "a letter",
        "two words",
        "blanks",
        "a ruler",
        "lines",
        "digits by three",
        "an unknown letter",
        "a rare sign",
    ],
)
def test_small_texts(words: str, tokens: int) -> None:
    assert estimate_tokens(words) == tokens


@pytest.mark.parametrize("script", SCRIPTS, ids=[each.ranges[:6] for each in SCRIPTS])
def test_every_script_costs_something_and_more_the_longer(script: object) -> None:
    assert isinstance(script, type(SCRIPTS[0]))
    first = script.ranges.encode().decode("unicode_escape")[0]
    assert 0 < estimate_tokens(first) < estimate_tokens(first * 40)


@given(st.text())
def test_any_text_has_an_estimate(words: str) -> None:
    estimate = estimate_tokens(words)
    assert (estimate > 0) == bool(words)
    assert estimate <= 4 * len(words)


def test_a_text_of_many_stretches_is_the_sum_of_them() -> None:
    words = text("english", "heldout")
    assert estimate_tokens(words * 300) == pytest.approx(300 * estimate_tokens(words), rel=0.01)


def test_ten_megabytes_take_a_second_or_two() -> None:
    words = text("english", "heldout") * 5_500
    start = time.process_time()
    estimate_tokens(words)
    assert time.process_time() - start < len(words) / 3e6  # a third of what the page says, for a busy machine


IMAGE = {"type": "input_image", "image_url": "data:image/png;base64," + "QUJD" * 2_000}


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ({"role": "user", "content": "hello world"}, 2 + PER_ITEM),
        ({"role": "user", "content": "hello world", "name": "ines"}, 3 + PER_ITEM),
        ({"type": "function_call", "name": "lookup", "call_id": "c", "arguments": "hello"}, 2 + PER_ITEM),
        ({"type": "function_call_output", "call_id": "c", "output": "hello world"}, 2 + PER_ITEM),
        ({"role": "user", "content": [IMAGE]}, MEDIA_TOKENS["image"] + PER_ITEM),
        (
            {"role": "user", "content": [{"type": "input_text", "text": "hello"}, IMAGE]},
            1 + MEDIA_TOKENS["image"] + PER_ITEM,
        ),
        ({"type": "reasoning", "summary": [], "encrypted_content": "x" * 1_000}, PER_ITEM),
    ],
    ids=["a message", "its speaker", "a call", "an output", "an image", "a text and an image", "encrypted reasoning"],
)
def test_tokens_of_an_item(item: dict[str, object], expected: int) -> None:
    assert item_tokens(Item.of(item)) == expected


@pytest.mark.parametrize(("counter", "expected"), [(count_characters, 11), (count_words, 2), (lambda _: 10, 14 + 765)])
def test_other_counters(counter: object, expected: int) -> None:
    assert callable(counter)
    item = Item.of({"role": "user", "content": [{"type": "input_text", "text": "hello world"}, IMAGE]})
    assert item_tokens(item, counter) == expected
