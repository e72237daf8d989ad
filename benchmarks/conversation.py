"""One invented conversation, before it is written in a dialect."""

from __future__ import annotations

import json
from dataclasses import dataclass
from random import Random

from benchmarks.texts import text

_TOOLS = (
    "lookup_order",
    "find_customer",
    "search_catalogue",
    "list_charges",
    "get_weather",
    "transfer_to_billing_agent",
)


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call with its output."""

    id: str
    name: str
    arguments: str
    output: str


@dataclass(frozen=True, slots=True)
class Turn:
    """A user's message, what the model thought, said and called, and its reply. `said` may be None, `calls` empty."""

    user: str
    thought: str | None
    said: str | None
    calls: tuple[Call, ...]
    reply: str


def conversation(random: Random, language: str, *, tools: bool) -> tuple[Turn, ...]:
    """Two to nine turns; without tools there are more of them, for about the same size."""
    turns = random.randint(2, 9) if tools else random.randint(6, 26)
    return tuple(_turn(random, language, tools=tools) for _ in range(turns))


def _turn(random: Random, language: str, *, tools: bool) -> Turn:
    count = random.choices((0, 1, 2, 3), weights=(30, 45, 15, 10))[0] if tools else 0
    calls = tuple(_call(random, language) for _ in range(count))
    thought = text(random, language, 2, 5) if calls and random.random() < 1 / 4 else None
    said = text(random, language, 1, 1) if calls and random.random() < 1 / 3 else None
    return Turn(text(random, language, 1, 4), thought, said, calls, text(random, language, 2, 8))


def _call(random: Random, language: str) -> Call:
    name = random.choice(_TOOLS)
    if name.startswith("transfer_to_"):
        return Call(_id(random, "call_", 24), name, "{}", '{"assistant": "Billing Agent"}')
    arguments = {"order_id": random.randrange(10**9), "query": text(random, language, 1, 1), "limit": 20}
    return Call(_id(random, "call_", 24), name, json.dumps(arguments, ensure_ascii=False), _output(random, language))


def _output(random: Random, language: str) -> str:
    """Six in ten outputs are a short JSON text, three a longer one, one a page of plain text."""
    length = random.random()
    if length > 0.9:
        return text(random, language, 20, 120)
    rows = [
        {
            "id": random.randrange(10**9),
            "state": random.choice(("open", "paid", "refunded")),
            "eur": random.randrange(10**5) / 100,
            "note": text(random, language, 1, 1) if random.random() < 1 / 2 else None,
        }
        for _ in range(random.randint(1, 3) if length < 0.6 else random.randint(4, 16))
    ]
    return json.dumps({"rows": rows, "total": len(rows)}, ensure_ascii=False)


def _id(random: Random, prefix: str, digits: int) -> str:
    return f"{prefix}{random.getrandbits(digits * 4):0{digits}x}"


def item_id(random: Random, prefix: str) -> str:
    """An id as the Responses API gives them: 48 hexadecimal digits behind a prefix."""
    return _id(random, prefix, 48)
