"""Handoff data from the JSON of the golden files, and back to JSON that can be compared with it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from handoffctl.item import Item
from handoffctl.model import HandoffInputData, RunItem

GOLDEN = Path(__file__).parent / "golden"


def load_json(path: Path | str) -> Any:
    """The value of a file in tests/golden."""
    return json.loads((GOLDEN / path).read_bytes())


def load_data(dump: Mapping[str, Any]) -> HandoffInputData:
    """The data of a dump whose run items are wrapped (`type`, `raw_item`, `agent`, …)."""
    history, inputs = dump["input_history"], dump.get("input_items")
    return HandoffInputData(
        history if isinstance(history, str) else tuple(Item.of(item) for item in history),
        load_run_items(dump["pre_handoff_items"]),
        load_run_items(dump["new_items"]),
        input_items=None if inputs is None else load_run_items(inputs),
    )


def load_run_items(wrappers: Iterable[Mapping[str, Any]]) -> tuple[RunItem, ...]:
    """Run items that remember their wrappers."""
    return tuple(load_run_item(wrapper) for wrapper in wrappers)


def load_run_item(wrapper: Mapping[str, Any]) -> RunItem:
    """A run item that remembers its wrapper; an agent may be a name or an object."""
    made_by, source, target = (_agent_name(wrapper.get(key)) for key in ("agent", "source_agent", "target_agent"))
    return RunItem(wrapper["type"], Item.of(wrapper["raw_item"]), made_by, source, target, Item.of(wrapper))


def dump_data(data: HandoffInputData) -> dict[str, Any]:
    """Plain JSON values of all four parts, run items in the wrappers that they came in."""
    history, inputs = data.input_history, data.input_items
    return {
        "input_history": history if isinstance(history, str) else dump_items(history),
        "pre_handoff_items": [dump_run_item(each) for each in data.pre_handoff_items],
        "new_items": [dump_run_item(each) for each in data.new_items],
        "input_items": None if inputs is None else [dump_run_item(each) for each in inputs],
    }


def dump_items(items: Iterable[Item]) -> list[dict[str, Any]]:
    """Plain dicts."""
    return [item.to_dict() for item in items]


def dump_run_item(run_item: RunItem) -> dict[str, Any]:
    """The wrapper around the raw item as it is now; one made in memory gets what it was made with."""
    if run_item.wrapper is not None:
        return {**run_item.wrapper.to_dict(), "raw_item": run_item.raw_item.to_dict()}
    agents = {key: getattr(run_item, key) for key in ("agent", "source_agent", "target_agent")}
    named = {key: {"name": name} for key, name in agents.items() if name is not None}
    return {"type": run_item.type, "raw_item": run_item.raw_item.to_dict(), **named}


def _agent_name(agent: Any) -> str | None:
    return agent.get("name") if isinstance(agent, Mapping) else agent
