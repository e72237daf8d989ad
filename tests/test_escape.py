"""Hostile text becomes visible; honest text stays as it is."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffctl.wording.escape import visible, visible_json, visible_lines

FAMILY = "\U0001f469\u200d\U0001f4bb"
PERSIAN = "می\u200cخواهم"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("\x9b31m", "\\x9b31m"),
        ("bell\x07 back\x08 null\x00 delete\x7f", "bell\\x07 back\\x08 null\\x00 delete\\x7f"),
        ("one\ntwo\r\nthree\tfour", "one\\ntwo\\r\\nthree\\tfour"),
        ("\u202etxet\u202c", "⟨U+202E⟩txet⟨U+202C⟩"),
        ("\u2066isolated\u2069", "⟨U+2066⟩isolated⟨U+2069⟩"),
        ("zero\u200bwidth\ufeff", "zero⟨U+200B⟩width⟨U+FEFF⟩"),
        ("soft\xadhyphen", "soft⟨U+00AD⟩hyphen"),
        ("lines\u2028and\u2029paragraphs", "lines⟨U+2028⟩and⟨U+2029⟩paragraphs"),
        ("lone \ud800 surrogate", "lone ⟨U+D800⟩ surrogate"),
        ("tags \U000e0041", "tags ⟨U+E0041⟩"),
        ("joiner a\u200db, non-joiner a\u200cb", "joiner a⟨U+200D⟩b, non-joiner a⟨U+200C⟩b"),
    ],
)
def test_what_acts_or_hides_is_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain words",
        "[bold]not markup[/bold]",
        "日本語 and русский",
        FAMILY,
        PERSIAN,
        "❤\ufe0f",
        "e\u0301",
        "C:\\new",
    ],
)
def test_honest_text_stays(text: str) -> None:
    assert visible(text) == text


def test_lines_stay_lines() -> None:
    assert visible_lines("a\r\nb\n\tc\x1b\u2028") == "a\nb\n    c\\x1b⟨U+2028⟩"


def test_a_lone_carriage_return_overwrites_nothing() -> None:
    assert visible_lines("harmless\rhidden") == "harmless\\rhidden"


@given(st.text())
def test_nothing_raw_is_left(text: str) -> None:
    shown = visible(text)
    shown.encode()
    unsafe = [each for each in shown if unicodedata.category(each) in ("Cc", "Cs", "Zl", "Zp")]
    assert unsafe == []
    assert visible(shown) == shown


@given(st.text())
def test_json_says_the_same_and_is_safe(text: str) -> None:
    written = visible_json(json.dumps({"text": text}, ensure_ascii=False))
    assert json.loads(written) == {"text": text}
    assert not set("\x7f\x9b\u202e\u2066\u200b\u2028\ufeff\U000e0041").intersection(written)
    written.encode()
