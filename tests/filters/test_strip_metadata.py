"""What providers and frameworks add to items besides the conversation, taken off."""

from __future__ import annotations

import pytest

from handoffctl.errors import UsageError
from handoffctl.filters.strip_metadata import StripMetadata
from handoffctl.item import Item
from handoffctl.model import history_items
from tests.conversing import assistant, handoff_data, run_items, user


def test_known_members_go_and_the_content_stays() -> None:
    full = Item.of(
        {"role": "user", "metadata": {"a": 1}, "content": [{"type": "input_text", "text": "x", "metadata": 1}]}
    )
    data = handoff_data([full, assistant()])
    first, second = history_items(StripMetadata()(data))
    assert first == {"role": "user", "content": [{"type": "input_text", "text": "x", "metadata": 1}]}
    assert second is data.input_history[1]


def test_named_members_alone() -> None:
    data = handoff_data([Item.of({"role": "user", "content": "x", "usage": 1, "weight": 0})])
    [left] = history_items(StripMetadata(keys=("weight",))(data))
    assert left == {"role": "user", "content": "x", "usage": 1}


def test_run_items_keep_their_wrappers() -> None:
    data = handoff_data([user()]).clone(
        new_items=run_items([Item.of({"role": "assistant", "content": "x", "cost": 1})])
    )
    [left] = StripMetadata(scope="new")(data).new_items
    assert left.type == "message_output_item"
    assert left.raw_item == assistant("x")
    assert StripMetadata(scope="history")(data) is data


@pytest.mark.parametrize("key", ["content", "call_id", "type"])
def test_what_is_no_metadata_is_refused(key: str) -> None:
    with pytest.raises(UsageError, match="no metadata"):
        StripMetadata(keys=(key,))
