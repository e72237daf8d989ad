"""The filters, one file each; this table is the one line that a new one adds."""

from __future__ import annotations

from handoffctl.registry import Registry

FILTERS = Registry(
    "filter",
    "handoffctl.filters",
    {
        "remove_all_tools": "handoffctl.filters.remove_all_tools:RemoveAllTools",
        "nest_handoff_history": "handoffctl.filters.nest_handoff_history:NestHandoffHistory",
        "truncate-history": "handoffctl.filters.truncate_history:TruncateHistory",
        "trim-tool-outputs": "handoffctl.filters.trim_tool_outputs:TrimToolOutputs",
        "noop": "handoffctl.filters.noop:Noop",
    },
)
