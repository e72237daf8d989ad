"""The one taxonomy: what an item is, what answers it, and that its tables agree."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from handoffctl import kinds
from handoffctl.item import Item
from handoffctl.kinds import (
    ANSWERED_BY,
    ITEM_TYPES,
    RUN_ITEM_CLASSES,
    Kind,
    is_model_made,
    kind_of,
    removed_item_types,
    removed_run_item_types,
    run_item_type,
)

KINDS: dict[str, tuple[dict[str, Any], Kind]] = {
    "a message with its type": ({"type": "message", "role": "user"}, Kind.MESSAGE),
    "a message without": ({"role": "user", "content": "x"}, Kind.MESSAGE),
    "a message whose type is null": ({"type": None, "role": "developer"}, Kind.MESSAGE),
    "a role that nobody knows": ({"role": "tool", "content": "x"}, Kind.UNKNOWN),
    "a call": ({"type": "function_call"}, Kind.CALL),
    "its output": ({"type": "function_call_output"}, Kind.OUTPUT),
    "a program": ({"type": "program"}, Kind.CALL),
    "a hosted call": ({"type": "web_search_call"}, Kind.CALL),
    "reasoning": ({"type": "reasoning"}, Kind.REASONING),
    "a request for an approval": ({"type": "mcp_approval_request"}, Kind.APPROVAL),
    "a list of tools": ({"type": "mcp_list_tools"}, Kind.TOOLS),
    "a compaction": ({"type": "compaction"}, Kind.CONTROL),
    "a reference": ({"type": "item_reference", "id": "x"}, Kind.CONTROL),
    "a reference without its type": ({"id": "x"}, Kind.CONTROL),
    "a reference whose type is null": ({"id": "x", "type": None}, Kind.CONTROL),
    "an id and more": ({"id": "x", "content": "y"}, Kind.UNKNOWN),
    "a type that nobody knows": ({"type": "no_such_type", "role": "user"}, Kind.UNKNOWN),
    "a type that is no string": ({"type": 5}, Kind.UNKNOWN),
    "nothing": ({}, Kind.UNKNOWN),
}


@pytest.mark.parametrize(("item", "kind"), KINDS.values(), ids=KINDS)
def test_kind_of_an_item(item: dict[str, Any], kind: Kind) -> None:
    assert kind_of(Item.of(item)) is kind


RUN_TYPES: dict[str, tuple[dict[str, Any], str]] = {
    "a reply": ({"role": "assistant"}, "message_output_item"),
    "a user's message": ({"role": "user"}, "input_item"),
    "a call": ({"type": "shell_call"}, "tool_call_item"),
    "an output": ({"type": "shell_call_output"}, "tool_call_output_item"),
    "a tool search": ({"type": "tool_search_call"}, "tool_search_call_item"),
    "reasoning": ({"type": "reasoning"}, "reasoning_item"),
    "an approval": ({"type": "mcp_approval_response"}, "mcp_approval_response_item"),
    "a compaction": ({"type": "compaction"}, "compaction_item"),
    "anything unknown": ({"type": "no_such_type"}, "input_item"),
}


@pytest.mark.parametrize(("item", "run_type"), RUN_TYPES.values(), ids=RUN_TYPES)
def test_class_of_a_bare_item(item: dict[str, Any], run_type: str) -> None:
    assert run_item_type(Item.of(item)) == run_type
    assert run_type in RUN_ITEM_CLASSES


MODEL_MADE: dict[str, tuple[dict[str, Any], bool]] = {
    "a reply": ({"role": "assistant"}, True),
    "a user's message": ({"role": "user"}, False),
    "a call": ({"type": "function_call"}, True),
    "an output": ({"type": "function_call_output"}, False),
    "reasoning": ({"type": "reasoning"}, True),
    "a request for an approval": ({"type": "mcp_approval_request"}, True),
    "the answer to it": ({"type": "mcp_approval_response"}, False),
    "a compaction": ({"type": "compaction"}, False),
}


@pytest.mark.parametrize(("item", "made"), MODEL_MADE.values(), ids=MODEL_MADE)
def test_what_a_model_makes(item: dict[str, Any], made: bool) -> None:
    assert is_model_made(Item.of(item)) is made


def test_outputs_answer_calls_and_nothing_else() -> None:
    outputs = {name for name, row in ITEM_TYPES.items() if row.kind is Kind.OUTPUT}
    assert {ITEM_TYPES[call].kind for call in ANSWERED_BY} == {Kind.CALL}
    assert outputs == set(ANSWERED_BY.values()) == kinds.OUTPUT_TYPES


@pytest.mark.parametrize(
    "types",
    [
        *(kinds.ANONYMOUS_OUTPUTS, kinds.ANSWERS_BY_ITEM_ID, kinds.CALLERS, kinds.PROGRAM_TYPES, kinds.PROGRAM_OWNED),
        *(kinds.ANCHORED_EARLIEST, kinds.SUMMARISED),
    ],
)
def test_sets_of_types_name_known_ones(types: frozenset[str]) -> None:
    assert types <= set(ITEM_TYPES)


def test_versions_only_ever_remove_more() -> None:
    removed_since = [row.removed for row in ITEM_TYPES.values()] + [row.removed for row in RUN_ITEM_CLASSES.values()]
    versions = sorted({version for version in removed_since if version})
    for removed in (removed_item_types, removed_run_item_types):
        lists = [removed(version) for version in versions]
        assert all(earlier <= later for earlier, later in pairwise(lists))
        assert removed(None) <= lists[-1]


def test_a_class_is_removed_no_earlier_than_it_exists() -> None:
    assert all(row.removed is None or row.removed >= row.since for row in RUN_ITEM_CLASSES.values())
