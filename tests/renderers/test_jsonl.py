"""Reports as JSON Lines: one a line, one alone too."""

from __future__ import annotations

import json

from tests.conversing import user
from tests.reporting import show_of, text


def test_a_report_is_a_line() -> None:
    shown = text(show_of([user("two\nlines")]), "jsonl")
    assert shown.count("\n") == 1
    assert json.loads(shown)["items"][0]["text"] == "two\nlines"
