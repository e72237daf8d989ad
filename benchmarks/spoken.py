"""A conversation in a dialect: Responses items as `to_input_list()` writes them, and Chat Completions messages."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from benchmarks.conversation import Call, Turn, item_id

Entry = dict[str, Any]


def items(random: Random, turns: Iterable[Turn]) -> Iterator[Entry]:
    """Responses items, the keys in the order in which the SDK writes them."""
    for turn in turns:
        yield {"content": turn.user, "role": "user"}
        if turn.thought is not None:
            yield _reasoning(random, turn.thought)
        if turn.said is not None:
            yield _message(random, turn.said)
        for call in turn.calls:
            yield _function_call(random, call)
        for call in turn.calls:
            yield {"call_id": call.id, "output": call.output, "type": "function_call_output"}
        yield _message(random, turn.reply)


def _message(random: Random, said: str) -> Entry:
    part = {"annotations": [], "text": said, "type": "output_text", "logprobs": []}
    return {
        "id": item_id(random, "msg_"),
        "content": [part],
        "role": "assistant",
        "status": "completed",
        "type": "message",
    }


def _function_call(random: Random, call: Call) -> Entry:
    return {
        "arguments": call.arguments,
        "call_id": call.id,
        "name": call.name,
        "type": "function_call",
        "id": item_id(random, "fc_"),
        "status": "completed",
    }


def _reasoning(random: Random, thought: str) -> Entry:
    item: Entry = {
        "id": item_id(random, "rs_"),
        "summary": [{"text": thought, "type": "summary_text"}],
        "type": "reasoning",
    }
    if random.random() < 1 / 3:
        item["encrypted_content"] = b64encode(random.randbytes(random.randint(400, 1600))).decode()
    return item


def messages(turns: Iterable[Turn]) -> Iterator[Entry]:
    """Chat messages: what the model said and called stands in one, each output in one of its own."""
    yield {
        "role": "system",
        "content": "You help customers of a shop. Be brief, and never promise what you can't check.",
    }
    for turn in turns:
        yield {"role": "user", "content": turn.user}
        if turn.calls:
            yield {"role": "assistant", "content": turn.said, "tool_calls": [_tool_call(call) for call in turn.calls]}
        for call in turn.calls:
            yield {"role": "tool", "tool_call_id": call.id, "content": call.output}
        yield {"role": "assistant", "content": turn.reply}


def _tool_call(call: Call) -> Entry:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
