"""The words of a handoff: the tool's name, the output that says who takes over, the output of one that was ignored.

Source: `agents.handoffs` and `agents.run_internal.turn_resolution` of openai-agents 0.24.0; CAI at 7ec0b4cc.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from handoffctl.item import Item
from handoffctl.raw.jsontext import decode

IGNORED = "Multiple handoffs detected, ignoring this one."
TOOL_PREFIX = "transfer_to_"

_SPACE = r"[ \t\n\r]*"
_JSON = re.compile(rf'{_SPACE}\{{{_SPACE}"assistant"{_SPACE}:{_SPACE}("(?:[^"\\]|\\.)*"){_SPACE}\}}{_SPACE}')
# CAI writes the name as it is, so it may hold quotes; only what would begin a second key is no name.
_UNESCAPED = re.compile(r"\{'assistant': '(.*)'\}", re.DOTALL)
_SECOND_KEY = re.compile(r"', '[^']*': ")
_WORTH_READING = re.compile(rb"assistant|ignoring|\\u")


class Transfer(NamedTuple):
    """What an output of a handoff says: who takes over, and in which form it says so."""

    to_agent: str
    evidence: str


def read_transfer(output: Item) -> Transfer | None:
    """What a handoff's output says, where it says nothing else; None for any other output."""
    text = _text_of(output)
    if match := _JSON.fullmatch(text):
        try:
            return Transfer(decode(match[1].encode()), 'handoff output {"assistant": …}')
        except ValueError:
            return None
    match = _UNESCAPED.fullmatch(text)
    if match is None or _SECOND_KEY.search(match[1]):
        return None
    return Transfer(match[1], "handoff output {'assistant': …}")


def is_ignored(output: Item) -> bool:
    """Whether an output says that another handoff of the same turn went first."""
    return _text_of(output) == IGNORED


def transfer_text(to_agent: str) -> str:
    """What the output of a handoff says, as the SDK writes it."""
    return json.dumps({"assistant": to_agent})


def transfer_tool_name(agent: str) -> str:
    """The name of the tool that hands over to an agent, where nobody chose another."""
    return TOOL_PREFIX + re.sub(r"[^a-zA-Z0-9_]", "_", agent).lower()


def agent_of_tool(tool_name: str) -> str | None:
    """What is left of an agent's name in the name of its transfer tool; None for a tool of another name."""
    return tool_name.removeprefix(TOOL_PREFIX) or None if tool_name.startswith(TOOL_PREFIX) else None


def _text_of(output: Item) -> str:
    """The text of an output: the string itself, or the only part of a list; empty for all else."""
    if not _WORTH_READING.search(output.raw):
        return ""
    value: Any = output.get("output")
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
        value = value[0].get("text")
    return value if isinstance(value, str) else ""
