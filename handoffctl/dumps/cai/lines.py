"""The lines of a CAI session log: requests with the completions that answer them, and events.

**Source**: `cai/sdk/agents/run_to_jsonl.py` of CAI at 7ec0b4c.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from handoffctl.raw.jsontext import decode, encode

EVENTS = ("session_start", "session_end", "user_message", "assistant_message", "agent_run_start")
_SAID = {"user_message": "user", "assistant_message": "assistant"}


@dataclass
class Exchange:
    """A request and its completion, each by the index of its line from 0; None for the one that is missing.

    `messages` are the request's, as they stand in it, its leading system prompt apart; `reply` is what the completion
    adds to them, None where it adds nothing.
    """

    request: int | None = None
    completion: int | None = None
    messages: list[bytes] = field(default_factory=list)
    prompt: str | None = None
    reply: bytes | None = None
    agent: str | None = None


def is_request(line: Mapping[str, Any]) -> bool:
    """Whether a line is what was sent to a model."""
    return "event" not in line and "object" not in line and isinstance(line.get("messages"), list)


def is_completion(line: Mapping[str, Any]) -> bool:
    """Whether a line is what a model answered."""
    return line.get("object") == "chat.completion" or isinstance(line.get("choices"), list)


def exchanges(lines: Sequence[bytes]) -> Iterator[Exchange]:
    """Requests with their completions, in the order of the log; one of the two alone where the other is missing.

    Raises ValueError for a line that is no object.
    """
    waiting: Exchange | None = None
    for index, raw in enumerate(lines):
        line = decode(raw)
        if not isinstance(line, dict):
            raise ValueError(f"line {index} is no object")
        if is_completion(line):
            yield _answered(waiting or Exchange(), index, line)
            waiting = None
        elif is_request(line):
            if waiting is not None:
                yield waiting
            waiting = _requested(index, line["messages"])
    if waiting is not None:
        yield waiting


def _requested(index: int, messages: Sequence[Any]) -> Exchange:
    held = [message for message in messages if isinstance(message, dict)]
    start = 0
    while start < len(held) and held[start].get("role") in ("system", "developer"):
        start += 1
    prompt = "\n".join(_text(message.get("content")) for message in held[:start]) or None
    return Exchange(index, None, [encode(message) for message in held[start:]], prompt)


def _answered(exchange: Exchange, index: int, line: Mapping[str, Any]) -> Exchange:
    exchange.completion = index
    exchange.agent = _agent(line)
    for choice in _list(line.get("choices"))[:1]:
        message = choice.get("message") if isinstance(choice, dict) else None
        if isinstance(message, dict) and (message.get("content") or message.get("tool_calls")):
            kept = {key: value for key, value in message.items() if key != "tool_calls" or value}
            exchange.reply = encode({"role": "assistant", **kept})
    return exchange


def said_in_events(lines: Sequence[bytes]) -> list[bytes]:
    """What was said, by the events alone, as messages: all that is left of a log without requests."""
    messages = []
    for line in map(decode, lines):
        role = _SAID.get(str(line.get("event"))) if isinstance(line, dict) else None
        if role is not None:
            kept = {key: line[key] for key in ("content", "tool_calls") if key in line}
            messages.append(encode({"role": role, **kept}))
    return messages


def _agent(line: Mapping[str, Any]) -> str | None:
    for key in ("agent_name", "sender"):
        if isinstance(line.get(key), str) and line[key]:
            return str(line[key])
    return None


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "".join(str(part.get("text", "")) for part in _list(content) if isinstance(part, dict))


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
