"""How wide a stream is, and whether it takes colour."""

from __future__ import annotations

import io
from collections.abc import Mapping

import pytest

from handoffctl.errors import UsageError
from handoffctl.renderers.paper import paper_for


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "color", "environ", "colored"),
    [
        (Terminal(), "auto", {}, True),
        (io.StringIO(), "auto", {}, False),
        (Terminal(), "never", {}, False),
        (io.StringIO(), "always", {}, True),
        (io.StringIO(), "always", {"NO_COLOR": "1"}, True),
        (Terminal(), "auto", {"NO_COLOR": "1"}, False),
        (Terminal(), "auto", {"NO_COLOR": ""}, True),
        (Terminal(), "auto", {"TERM": "dumb"}, False),
        (io.StringIO(), "auto", {"FORCE_COLOR": "1"}, True),
        (io.StringIO(), "auto", {"FORCE_COLOR": "0"}, False),
        (io.StringIO(), "auto", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
    ids=[
        "a terminal",
        "a pipe",
        "never",
        "always",
        "the option wins",
        "NO_COLOR",
        "NO_COLOR that is empty",
        "a dumb terminal",
        "FORCE_COLOR",
        "FORCE_COLOR of 0",
        "both",
    ],
)
def test_colour(stream: io.StringIO, color: str, environ: Mapping[str, str], colored: bool) -> None:
    assert paper_for(stream, color=color, environ=environ).colored is colored


def test_a_wide_terminal_is_used_up_to_120_columns_but_for_what_fills_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert paper_for(io.StringIO()).width == 120
    assert paper_for(io.StringIO(), view="split").width == 200
    assert paper_for(io.StringIO(), width=180).width == 180


def test_width_is_the_options_then_the_environments_then_80(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "99")
    assert paper_for(io.StringIO()).width == 99
    assert paper_for(io.StringIO(), width=100).width == 100
    monkeypatch.setenv("COLUMNS", "3")
    assert paper_for(io.StringIO()).width == 40


@pytest.mark.parametrize(
    ("options", "place", "hint"),
    [
        ({"view": "spilt"}, "--view spilt", "did you mean split?"),
        ({"color": "sometimes"}, "--color sometimes", "auto, always, never"),
    ],
)
def test_unknown_words_are_refused(options: Mapping[str, str], place: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        paper_for(io.StringIO(), **options)  # type: ignore[arg-type]
    assert caught.value.place == place
    assert hint in caught.value.help
