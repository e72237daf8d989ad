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
        "remove-tools": "handoffctl.filters.remove_tools:RemoveTools",
        "remove-handoffs": "handoffctl.filters.remove_handoffs:RemoveHandoffs",
        "last-message": "handoffctl.filters.last_message:LastMessage",
        "last-turn": "handoffctl.filters.last_turn:LastTurn",
        "drop-empty": "handoffctl.filters.drop_empty:DropEmpty",
        "strip-ids": "handoffctl.filters.strip_ids:StripIds",
        "strip-metadata": "handoffctl.filters.strip_metadata:StripMetadata",
        "add-message": "handoffctl.filters.add_message:AddMessage",
        "noop": "handoffctl.filters.noop:Noop",
    },
)
