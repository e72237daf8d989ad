"""The events of `codex exec --json` as items: what the stream tells of a run.

**Source**: `codex-rs/exec/src/exec_events.rs` of Codex.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from handoffctl.item import Item
from handoffctl.raw.jsontext import encode

EVENTS = frozenset(
    {
        *("thread.started", "turn.started", "turn.completed", "turn.failed"),
        *("item.started", "item.updated", "item.completed"),
    }
)
_Said = Iterator[dict[str, Any]]


class Stream:
    """The items of a stream in the order in which they began, each as it was last told of; `untold` names the others.

    Raises ValueError for a line that is no event.
    """

    def __init__(self, events: Iterable[Any]) -> None:
        self.thread: str | None = None
        self.problems: list[str] = []
        self._latest: dict[object, Mapping[str, Any]] = {}
        for index, event in enumerate(events):
            self._add(event, index)
        told = [(each, _WAYS.get(_type(each))) for each in self._latest.values()]
        self.items = tuple([Item.of(said) for each, way in told if way for said in way(each)])
        self.untold = [_type(each) for each, way in told if way is None]

    def _add(self, event: Any, index: int) -> None:
        kind = event.get("type") if isinstance(event, dict) else None
        if not isinstance(kind, str):
            raise ValueError(f"entry {index} is no event of codex exec")
        item = event.get("item")
        if kind.startswith("item.") and isinstance(item, dict):
            key = item.get("id")
            self._latest[key if isinstance(key, str) else index] = item
        elif kind == "thread.started":
            self.thread = _text(event, "thread_id") or None
        elif kind in ("error", "turn.failed"):
            error = event.get("error")
            self.problems.append(_text(error if isinstance(error, dict) else event, "message") or kind)


def _type(item: Mapping[str, Any]) -> str:
    """What an item is; early streams have it under another name."""
    return _text(item, "type") or _text(item, "item_type") or "unknown"


def _text(item: Mapping[str, Any], key: str) -> str:
    value = item.get(key)
    return value if isinstance(value, str) else ""


def _message(item: Mapping[str, Any]) -> _Said:
    yield {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": _text(item, "text")}]}


def _reasoning(item: Mapping[str, Any]) -> _Said:
    yield {"type": "reasoning", "summary": [{"type": "summary_text", "text": _text(item, "text")}]}


def _command(item: Mapping[str, Any]) -> _Said:
    yield from _pair(item, "shell", {"command": item.get("command")}, _text(item, "aggregated_output"))


def _change(item: Mapping[str, Any]) -> _Said:
    yield from _pair(item, "apply_patch", {"changes": item.get("changes")}, _text(item, "status"))


def _tool(item: Mapping[str, Any]) -> _Said:
    name = "__".join([each for each in (_text(item, "server"), _text(item, "tool")) if each])
    said = item.get("result") if item.get("error") is None else item["error"]
    yield from _pair(item, name, item.get("arguments"), said if isinstance(said, str) else encode(said).decode())


def _search(item: Mapping[str, Any]) -> _Said:
    action = {"type": "search", "query": _text(item, "query")}
    yield {"type": "web_search_call", "id": _text(item, "id"), "status": "completed", "action": action}


def _pair(item: Mapping[str, Any], name: str, arguments: Any, output: str) -> _Said:
    """A call with its output; one that still runs has none."""
    call_id = _text(item, "id")
    yield {"type": "function_call", "call_id": call_id, "name": name, "arguments": encode(arguments).decode()}
    if item.get("status") != "in_progress":
        yield {"type": "function_call_output", "call_id": call_id, "output": output}


_WAYS: dict[str, Callable[[Mapping[str, Any]], _Said]] = {
    "agent_message": _message,
    "assistant_message": _message,
    "reasoning": _reasoning,
    "command_execution": _command,
    "file_change": _change,
    "mcp_tool_call": _tool,
    "web_search": _search,
}
"""Type of a stream's item -> the items that say the same."""
