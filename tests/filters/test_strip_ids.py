"""Item ids and statuses, taken off."""

from __future__ import annotations

import pytest

from handoffctl.filters.strip_ids import StripIds
from handoffctl.item import Item
from handoffctl.model import history_items
from tests.conversing import call, handoff_data, item, output, reasoning, user


def test_ids_and_statuses_go_and_call_ids_stay() -> None:
    message = Item.of({"id": "msg_1", "role": "assistant", "status": "completed", "content": "x", "extra": 1.50})
    items = [user(), message, call("c1", id="fc_1"), output("c1", id="out_1", status="completed")]
    after = history_items(StripIds()(handoff_data(items)))
    assert after[0] is items[0]
    assert [each.raw for each in after[1:]] == [
        b'{"role":"assistant","content":"x","extra":1.5}',
        b'{"type":"function_call","call_id":"c1","name":"look_up","arguments":"{}"}',
        b'{"type":"function_call_output","call_id":"c1","output":"found"}',
    ]
    assert after[1].source is message


@pytest.mark.parametrize(
    "kept",
    [
        reasoning("rs_1"),
        item("item_reference", id="x"),
        item("mcp_approval_request", id="x"),
        item("mcp_approval_response", id="y", approval_request_id="x"),
        item("local_shell_call", id="x", call_id="y"),
        item("local_shell_call_output", id="x"),
        item("web_search_call", id="ws_1", status="completed"),
        item("no_such_type", id="x"),
    ],
    ids=lambda each: str(each.type),
)
def test_ids_that_say_what_an_item_is_stay(kept: Item) -> None:
    data = handoff_data([user(), kept])
    assert StripIds()(data) is data


def test_only_the_named_members_go_and_never_the_ties() -> None:
    data = handoff_data([call("c1", id="fc_1", status="completed")])
    [left] = history_items(StripIds(keys=("status", "call_id", "type"))(data))
    assert (left.id, left.call_id, "status" in left) == ("fc_1", "c1", False)
