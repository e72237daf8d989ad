"""What goes back to a model of an item that a run made.

Source: `agents.items` and `agents.run_internal.items` of openai-agents 0.24.0.
"""

from __future__ import annotations

from typing import Any, Literal

from handoffctl.item import Item, edit
from handoffctl.model import RunItem

ReasoningIds = Literal["preserve", "omit"]
"""The SDK's `reasoning_item_id_policy`."""

_METADATA = ("_agents_tool_description", "_agents_tool_title", "created_by")
_CHUNKS_KEPT = frozenset({"compaction_item", "tool_search_call_item", "tool_search_output_item"})
_BOOK_KEEPING = ("status", "shell_output", "provider_data")


def without(item: Item, *keys: str) -> Item:
    """The item without some keys; the same object where it has none of them."""
    present = [key for key in keys if key in item]
    return edit(item, **dict.fromkeys(present, ...)) if present else item


def without_metadata(item: Item) -> Item:
    """The item without what the SDK or the server noted on it for themselves."""
    return without(item, *_METADATA)


def to_input_item(run_item: RunItem, *, reasoning_item_id_policy: ReasoningIds = "preserve") -> Item | None:
    """The input item that a run item is sent as: the very raw item where nothing of it is dropped.

    None for a pending approval, which is never sent. `omit` takes the ids from reasoning.
    """
    if run_item.type == "tool_approval_item":
        return None
    item = run_item.raw_item
    keys = ["status"] if item.get("status") is None else []
    changes: dict[str, Any] = {}
    if run_item.type != "compaction_item":
        keys.append("created_by")
    if run_item.type not in _CHUNKS_KEPT and item.type == "shell_call_output":
        changes = _without_creators(item)
    if run_item.type == "tool_call_output_item" and item.type == "shell_call_output":
        keys += _BOOK_KEEPING
    if reasoning_item_id_policy == "omit" and run_item.type == "reasoning_item" and item.type == "reasoning":
        keys.append("id")
    changes |= {key: ... for key in keys if key in item}
    return edit(item, **changes) if changes else item


def _without_creators(item: Item) -> dict[str, Any]:
    """The change to a shell's output, which notes a creator on each of its chunks; nothing where it has none."""
    chunks = item.get("output")
    if not isinstance(chunks, list) or not any(isinstance(each, dict) and "created_by" in each for each in chunks):
        return {}
    return {"output": [_without_creator(each) if isinstance(each, dict) else each for each in chunks]}


def _without_creator(chunk: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in chunk.items() if key != "created_by"}
