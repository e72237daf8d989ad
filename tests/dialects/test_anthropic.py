"""Messages of the Anthropic API as items, each kind of block, and items from elsewhere as such messages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import anthropic.types
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from handoffctl.dialects.anthropic.conversation import request_of
from handoffctl.dialects.anthropic.messages import Messages
from handoffctl.item import Item
from handoffctl.model import Loss
from handoffctl.raw.jsontext import COMPACT
from tests.conftest import SAMPLES
from tests.reading import filter_file

MESSAGES = TypeAdapter(list[anthropic.types.MessageParam])
PNG = {"type": "base64", "media_type": "image/png", "data": "iVBO"}
PDF = {"type": "base64", "media_type": "application/pdf", "data": "JVBE"}


def items_of(*messages: object) -> list[dict[str, Any]]:
    raws = [json.dumps(message).encode() for message in messages]
    return [dict(item) for item in Messages(raws, COMPACT).items()]


def user(*blocks: object) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def assistant(*blocks: object) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


def said(*items: dict[str, Any]) -> tuple[dict[str, Any], list[Loss]]:
    losses: list[Loss] = []
    request: dict[str, Any] = json.loads(request_of([Item.of(item) for item in items], losses))
    return request, losses


TEXT = {"type": "text", "text": "x"}
IN, OUT = {"type": "input_text", "text": "x"}, {"type": "output_text", "text": "x", "annotations": []}
CALL = {"type": "function_call", "call_id": "t", "name": "n", "arguments": "{}"}
USE = {"type": "tool_use", "id": "t", "name": "n", "input": {}}
OUTPUT = {"type": "function_call_output", "call_id": "t", "output": "x"}
RESULT = {"type": "tool_result", "tool_use_id": "t", "content": "x"}
SEARCH = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"query": "q"}}
FOUND = {"type": "web_search_tool_result", "tool_use_id": "s", "content": [{"type": "web_search_result"}]}

BLOCKS: dict[str, tuple[dict[str, Any], list[dict[str, Any]]]] = {
    "a text": ({"role": "user", "content": "x"}, [{"role": "user", "content": "x"}]),
    "a text and its metadata": ({"role": "user", "content": "x", "id": 1}, [{"role": "user", "content": "x"}]),
    "no blocks": (user(), [{"role": "user", "content": []}]),
    "blocks of a user": (user(TEXT, TEXT), [{"role": "user", "content": [IN, IN]}]),
    "blocks of an assistant": (assistant(TEXT), [{"role": "assistant", "content": [OUT]}]),
    "an unknown block among texts": (
        user(TEXT, {"type": "new", "a": 1}, 5),
        [{"role": "user", "content": [IN, {"type": "new", "a": 1}, 5]}],
    ),
    "a call": (assistant(USE), [CALL]),
    "arguments as they are spelled": (
        assistant({**USE, "input": {"a": [1.5, None], "b": "é"}}),
        [{**CALL, "arguments": '{"a":[1.5,null],"b":"\\u00e9"}'}],
    ),
    "a call without input": (assistant({"type": "tool_use", "id": "t", "name": "n"}), [CALL]),
    "text, call, text": (
        assistant(TEXT, USE, TEXT),
        [{"role": "assistant", "content": [OUT]}, CALL, {"role": "assistant", "content": [OUT]}],
    ),
    "an output before words": (user(RESULT, TEXT), [OUTPUT, {"role": "user", "content": [IN]}]),
    "an output of blocks": (user({**RESULT, "content": [TEXT]}), [{**OUTPUT, "output": [IN]}]),
    "an output without content": (user({"type": "tool_result", "tool_use_id": "t"}), [{**OUTPUT, "output": ""}]),
    "an output of another shape": (user({**RESULT, "content": {"a": 1}}), [{**OUTPUT, "output": '{"a":1}'}]),
    "a thought": (
        assistant({"type": "thinking", "thinking": "hm", "signature": "s"}),
        [
            {
                "type": "reasoning",
                "summary": [],
                "content": [{"type": "reasoning_text", "text": "hm"}],
                "encrypted_content": "s",
            }
        ],
    ),
    "a hidden thought": (
        assistant({"type": "redacted_thinking", "data": "d"}),
        [{"type": "reasoning", "summary": [], "encrypted_content": "d"}],
    ),
    "a provider's tool and what it gave": (
        assistant(SEARCH, FOUND, TEXT),
        [
            {
                "type": "hosted_tool_call",
                "id": "s",
                "name": "web_search",
                "arguments": '{"query":"q"}',
                "status": "completed",
                "output": '[{"type":"web_search_result"}]',
            },
            {"role": "assistant", "content": [OUT]},
        ],
    ),
    "a provider's tool that gave nothing yet": (
        assistant(SEARCH),
        [{"type": "function_call", "call_id": "s", "name": "web_search", "arguments": '{"query":"q"}'}],
    ),
    "an output of a provider's tool alone": (
        assistant(FOUND),
        [{"type": "function_call_output", "call_id": "s", "output": [{"type": "web_search_result"}]}],
    ),
    "an image": (
        user({"type": "image", "source": PNG}, {"type": "image", "source": {"type": "url", "url": "https://x"}}),
        [
            {
                "role": "user",
                "content": [
                    {"type": "input_image", "detail": "auto", "image_url": "data:image/png;base64,iVBO"},
                    {"type": "input_image", "detail": "auto", "image_url": "https://x"},
                ],
            }
        ],
    ),
    "files of the provider": (
        user(
            {"type": "image", "source": {"type": "file", "file_id": "f"}},
            {"type": "document", "source": {"type": "file", "file_id": "g"}},
        ),
        [
            {
                "role": "user",
                "content": [
                    {"type": "input_image", "detail": "auto", "file_id": "f"},
                    {"type": "input_file", "file_id": "g"},
                ],
            }
        ],
    ),
    "documents": (
        user(
            {"type": "document", "source": PDF, "title": "a.pdf"},
            {"type": "document", "source": {"type": "url", "url": "https://x"}},
            {"type": "document", "source": {"type": "text", "data": "plain"}},
        ),
        [
            {
                "role": "user",
                "content": [
                    {
                        "type": "input_file",
                        "filename": "a.pdf",
                        "file_data": "data:application/pdf;base64,JVBE",
                    },
                    {"type": "input_file", "file_url": "https://x"},
                    {"type": "document", "source": {"type": "text", "data": "plain"}},
                ],
            }
        ],
    ),
}


@pytest.mark.parametrize(("message", "items"), BLOCKS.values(), ids=BLOCKS)
def test_message_as_items(message: dict[str, Any], items: list[dict[str, Any]]) -> None:
    assert items_of(message) == items


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (5, "entry 1 is not an object"),
        ({"role": "tool", "content": "x"}, "a role of another dialect"),
        ({"role": "assistant", "tool_calls": [1]}, "tool_calls"),
    ],
)
def test_what_is_no_message_is_named(message: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        items_of(user(TEXT), message)


def test_members_that_an_item_does_not_say_are_known() -> None:
    mark = {"cache_control": {"type": "ephemeral"}}
    blocks = [{**TEXT, **mark, "citations": [1]}, {**RESULT, "is_error": True}, {**RESULT, "is_error": False}]
    messages = Messages(
        [json.dumps(user(*blocks)).encode(), json.dumps({"role": "user", "content": "x"}).encode()], COMPACT
    )
    assert [messages.lost_members(0, part) for part in range(3)] == [["cache_control", "citations"], ["is_error"], []]
    assert messages.lost_members(1, 0) == []


def test_request_puts_instructions_outside_and_outputs_in_a_users_message() -> None:
    second = {**CALL, "call_id": "u"}
    request, losses = said(
        {"role": "system", "content": "be brief"},
        {"role": "developer", "content": [{"type": "input_text", "text": "and kind"}]},
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": [{"type": "output_text", "text": "I look", "annotations": []}]},
        CALL,
        second,
        OUTPUT,
        {**OUTPUT, "call_id": "u", "output": [IN]},
        {"role": "user", "content": "so?"},
    )
    assert request == {
        "system": [{"type": "text", "text": "be brief"}, {"type": "text", "text": "and kind"}],
        "messages": [
            {"role": "user", "content": "hi"},
            assistant({"type": "text", "text": "I look"}, USE, {**USE, "id": "u"}),
            user(RESULT, {**RESULT, "tool_use_id": "u", "content": [TEXT]}),
            {"role": "user", "content": "so?"},
        ],
    }
    assert losses == []
    MESSAGES.validate_python(request["messages"])


def test_one_instruction_is_one_text() -> None:
    request, _ = said({"role": "system", "content": "be brief"}, {"role": "user", "content": "hi"})
    assert request == {"system": "be brief", "messages": [{"role": "user", "content": "hi"}]}
    assert said({"role": "user", "content": "hi"})[0] == {"messages": [{"role": "user", "content": "hi"}]}


@pytest.mark.parametrize(
    ("arguments", "given", "lost"),
    [
        ('{"a":1}', {"a": 1}, []),
        ("", {}, []),
        ("[1]", {"arguments": "[1]"}, ["arguments that are no JSON object"]),
        ("not json", {"arguments": "not json"}, ["arguments that are no JSON object"]),
        ({"a": 1}, {"a": 1}, []),
    ],
)
def test_arguments_become_an_object(arguments: Any, given: dict[str, Any], lost: list[str]) -> None:
    request, losses = said({**CALL, "arguments": arguments})
    assert request["messages"] == [assistant({**USE, "input": given})]
    assert [loss.member for loss in losses] == lost


def test_custom_call_keeps_its_input_as_text() -> None:
    request, losses = said({"type": "custom_tool_call", "call_id": "t", "name": "n", "input": "ls -l"})
    assert (request["messages"], losses) == ([assistant({**USE, "input": {"input": "ls -l"}})], [])


PARTS: dict[str, tuple[Any, Any, list[str]]] = {
    "an image's data": (
        {"type": "input_image", "image_url": "data:image/png;base64,iVBO"},
        {"type": "image", "source": PNG},
        [],
    ),
    "an image's address": (
        {"type": "input_image", "image_url": "https://x"},
        {"type": "image", "source": {"type": "url", "url": "https://x"}},
        [],
    ),
    "an image's file": (
        {"type": "input_image", "file_id": "f"},
        {"type": "image", "source": {"type": "file", "file_id": "f"}},
        [],
    ),
    "an image of another type": (
        {"type": "input_image", "image_url": "data:image/tiff;base64,a"},
        None,
        ["input_image"],
    ),
    "an image from nowhere": ({"type": "input_image", "image_url": "ftp://x"}, None, ["input_image"]),
    "a document": (
        {"type": "input_file", "filename": "a.pdf", "file_data": "data:application/pdf;base64,JVBE"},
        {"type": "document", "source": PDF, "title": "a.pdf"},
        [],
    ),
    "a document of another type": ({"type": "input_file", "file_data": "data:text/csv;base64,a"}, None, ["input_file"]),
    "a refusal": ({"type": "refusal", "refusal": "no"}, {"type": "text", "text": "no"}, []),
    "an annotated text": ({**OUT, "annotations": [1]}, TEXT, ["annotations of its text"]),
    "a part without a type": ({"a": 1}, None, ["a part without a type"]),
    "a block of the dialect": ({"type": "search_result", "a": 1}, {"type": "search_result", "a": 1}, []),
}


@pytest.mark.parametrize(("part", "block", "lost"), PARTS.values(), ids=PARTS)
def test_part_as_a_block(part: dict[str, Any], block: dict[str, Any] | None, lost: list[str]) -> None:
    request, losses = said({"role": "user", "content": [part]})
    assert request["messages"] == ([] if block is None else [user(block)])
    if block is None:
        assert losses == [Loss(losses[0].item)]
    else:
        assert [loss.member for loss in losses] == lost


def test_item_that_no_message_says_is_lost_and_named() -> None:
    request, losses = said({"role": "user", "content": "hi"}, {"type": "web_search_call", "id": "w"})
    assert request["messages"] == [{"role": "user", "content": "hi"}]
    assert [(loss.item.type, loss.member) for loss in losses] == [("web_search_call", None)]


@pytest.mark.parametrize("path", sorted(SAMPLES.rglob("*.json*")), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_sample_becomes_what_the_providers_own_types_accept(path: Path) -> None:
    done = filter_file(path, to="anthropic", lines=True)
    for line in done.data.splitlines():
        request = json.loads(line)
        MESSAGES.validate_python(request["messages"])


blocks = st.sampled_from(
    [
        TEXT,
        USE,
        RESULT,
        SEARCH,
        FOUND,
        {"type": "thinking", "thinking": "x", "signature": ""},
        {"type": "image"},
        5,
        None,
    ]
)


@given(st.lists(st.tuples(st.sampled_from(["user", "assistant"]), st.lists(blocks, max_size=6)), max_size=4))
def test_every_block_is_in_exactly_one_item(messages: list[tuple[str, list[Any]]]) -> None:
    raws = [json.dumps({"role": role, "content": content}).encode() for role, content in messages]
    origin = Messages(raws, COMPACT)
    for index, (_, content) in enumerate(messages):
        places = [at for part in origin.message(index).parts for at in part]
        assert sorted(places) == list(range(len(content)))
    heads = [(item.type, item.role) for item in origin.items()]
    assert heads == [(value.get("type"), value.get("role")) for value in map(dict, origin.items())]
