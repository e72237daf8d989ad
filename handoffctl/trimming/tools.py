"""Shortened results of a tool search: tool definitions without their prose.

Source: `agents.extensions.tool_output_trimmer` of openai-agents 0.24.0; the keywords are those of JSON Schema.
"""

from __future__ import annotations

import json
from typing import Any

from handoffctl.item import Item
from handoffctl.trimming.outputs import Limits, is_trimmed, trimmed_text

_PROSE = frozenset({"description", "title", "$comment", "examples"})
# What stands under these keys is a schema, a list of them, or schemas under names that the tool's author chose.
# Under any other key it is data, where a key called `title` is no prose.
_SCHEMA = frozenset(
    {
        *("additionalItems", "additionalProperties", "contains", "contentSchema", "else", "if", "items", "not"),
        *("propertyNames", "then", "unevaluatedItems", "unevaluatedProperties"),
    }
)
_SCHEMA_LISTS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems", "items"})
_NAMED_SCHEMAS = frozenset(
    {"$defs", "definitions", "dependentSchemas", "patternProperties", "properties", "dependencies"}
)


def trimmed_search(item: Item, limits: Limits) -> dict[str, Any]:
    """The keys of a tool search's output that change; empty where it is short enough or can't get shorter."""
    results, tools = item.get("results"), item.get("tools")
    if isinstance(results, list):
        return _trimmed_results(results, limits)
    return _trimmed_tools(tools, limits) if isinstance(tools, list) else {}


def _trimmed_results(results: list[Any], limits: Limits) -> dict[str, Any]:
    if len(results) == 1 and isinstance(results[0], dict) and results[0].keys() == {"text"}:
        text = results[0]["text"]
        if isinstance(text, str) and is_trimmed(text, "tool_search", limits):
            return {}
    summary = trimmed_text(_text_of(results), "tool_search", limits)
    return {} if summary is None else {"results": [{"text": summary}]}


def _trimmed_tools(tools: list[Any], limits: Limits) -> dict[str, Any]:
    before = _text_of(tools)
    if len(before) <= limits.most:
        return {}
    try:
        trimmed = [_trimmed_tool(tool, limits.preview) for tool in tools]
    except RecursionError:  # nested deeper than any schema that a tool has
        return {}
    return {"tools": trimmed} if len(_text_of(trimmed)) < len(before) else {}


def _text_of(value: Any) -> str:
    """The text by whose length a value is measured."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _trimmed_tool(tool: Any, preview: int) -> Any:
    if not isinstance(tool, dict):
        return tool
    changes: dict[str, Any] = {}
    description, parameters, tools = (tool.get(key) for key in ("description", "parameters", "tools"))
    if isinstance(description, str) and len(description) > preview:
        changes["description"] = f"{description[:preview]}..."
    if tool.get("type") == "function" and isinstance(parameters, dict):
        changes["parameters"] = _without_prose(parameters)
    if tool.get("type") == "namespace" and isinstance(tools, list):
        changes["tools"] = [_trimmed_tool(each, preview) for each in tools]
    return tool | changes


def _without_prose(schema: Any) -> Any:
    if not isinstance(schema, dict):
        return schema
    return {key: _without_prose_under(key, value) for key, value in schema.items() if key not in _PROSE}


def _without_prose_under(key: str, value: Any) -> Any:
    if isinstance(value, list):
        return [_without_prose(each) for each in value] if key in _SCHEMA_LISTS else value
    if not isinstance(value, dict):
        return value
    if key in _NAMED_SCHEMAS:
        return {name: _without_prose(each) for name, each in value.items()}
    return _without_prose(value) if key in _SCHEMA else value
