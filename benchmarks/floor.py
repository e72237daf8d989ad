"""The bare floor: orjson loads, a list comprehension, orjson dumps; nothing else of what handoffctl does.

`python -m benchmarks.floor responses|chat FILE`, the result on standard output.
"""

from __future__ import annotations

import sys
from typing import Any

import orjson

from handoffctl.kinds import removed_item_types

_REMOVED = removed_item_types((0, 24, 0))


def responses(record: dict[str, Any]) -> None:
    """Take out the tool items."""
    record["input"] = [item for item in record["input"] if item.get("type") not in _REMOVED]


def chat(record: dict[str, Any]) -> None:
    """Take out tool messages and tool calls, and the messages that held nothing else."""
    kept = []
    for message in record["messages"]:
        if message["role"] == "tool":
            continue
        if message.pop("tool_calls", None) and not message.get("content"):
            continue
        kept.append(message)
    record["messages"] = kept


def main(dialect: str, path: str) -> None:
    """Filter a file line by line."""
    cut = {"responses": responses, "chat": chat}[dialect]
    write = sys.stdout.buffer.write
    with open(path, "rb") as file:  # noqa: PTH123 - as short as such a script is
        for line in file:
            record = orjson.loads(line)
            cut(record)
            write(orjson.dumps(record))
            write(b"\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
