"""See, filter and check the context that one AI agent hands to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from handoffctl.api import diff, load
    from handoffctl.chain import Chain, build_chain, load_chain, run
    from handoffctl.errors import HandoffctlError
    from handoffctl.filters.nest_handoff_history import NestHandoffHistory
    from handoffctl.filters.noop import Noop
    from handoffctl.filters.remove_all_tools import RemoveAllTools
    from handoffctl.filters.trim_tool_outputs import TrimToolOutputs
    from handoffctl.filters.truncate_history import TruncateHistory
    from handoffctl.item import Item, edit
    from handoffctl.model import Filter, HandoffInputData, RunItem, Step, Transcript

__version__ = "0.1.0"

__all__ = [
    "Chain",
    "Filter",
    "HandoffInputData",
    "HandoffctlError",
    "Item",
    "NestHandoffHistory",
    "Noop",
    "RemoveAllTools",
    "RunItem",
    "Step",
    "Transcript",
    "TrimToolOutputs",
    "TruncateHistory",
    "build_chain",
    "diff",
    "edit",
    "load",
    "load_chain",
    "run",
]

_HOMES = {
    "handoffctl.api": ("diff", "load"),
    "handoffctl.chain": ("Chain", "build_chain", "load_chain", "run"),
    "handoffctl.errors": ("HandoffctlError",),
    "handoffctl.filters.nest_handoff_history": ("NestHandoffHistory",),
    "handoffctl.filters.noop": ("Noop",),
    "handoffctl.filters.remove_all_tools": ("RemoveAllTools",),
    "handoffctl.filters.trim_tool_outputs": ("TrimToolOutputs",),
    "handoffctl.filters.truncate_history": ("TruncateHistory",),
    "handoffctl.item": ("Item", "edit"),
    "handoffctl.model": ("Filter", "HandoffInputData", "RunItem", "Step", "Transcript"),
}


def __getattr__(name: str) -> Any:
    """Each public name, imported when it is first used: a command pays for what it uses."""
    from importlib import import_module

    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module 'handoffctl' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
