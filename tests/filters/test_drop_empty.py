"""Messages with nothing in them, taken out."""

from __future__ import annotations

from typing import Any

import pytest

from handoffctl.filters.drop_empty import DropEmpty
from handoffctl.model import history_items
from tests.conversing import call, handoff_data, item, output, reasoning, said, user

TEXT = {"type": "output_text", "text": ""}


@pytest.mark.parametrize("content", ["", None, [], [TEXT], [TEXT, {"type": "text", "text": ""}], [""]])
def test_empty(content: Any) -> None:
    empty = item("message", role="assistant", content=content)
    assert history_items(DropEmpty()(handoff_data([user(), empty]))) == (user(),)


@pytest.mark.parametrize(
    "more",
    [
        {"content": " "},
        {"content": [{"type": "output_text", "text": "\n"}]},
        {"content": [TEXT, {"type": "input_image", "image_url": "x"}]},
        {"content": [{"type": "no_such"}]},
        {"content": None, "refusal": "no"},
        {"content": 0},
        {"content": [5]},
    ],
)
def test_not_empty(more: dict[str, Any]) -> None:
    data = handoff_data([user(), item("message", role="assistant", **more)])
    assert DropEmpty()(data) is data


def test_blank_is_empty_only_where_that_is_asked_for() -> None:
    data = handoff_data([user(), said("assistant", " \n")])
    assert history_items(DropEmpty(blank=True)(data)) == (user(),)


def test_outputs_stay_and_reasoning_goes_with_what_it_led_to() -> None:
    data = handoff_data([user(), call(), output("c1", ""), reasoning(), said("assistant", "")])
    assert len(history_items(DropEmpty()(data))) == 3
    both = handoff_data([reasoning(), said("assistant", ""), call(), output()])
    assert len(history_items(DropEmpty()(both))) == 3  # it led to the call too
