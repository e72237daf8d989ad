"""Long tool outputs of older turns, shortened to a preview."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from annotated_types import Ge

from handoffctl.errors import UsageError
from handoffctl.grouping.segment_edit import edit_segments
from handoffctl.item import Item, edit
from handoffctl.model import HandoffInputData
from handoffctl.trimming.outputs import Limits, trimmed_parts, trimmed_text
from handoffctl.trimming.tools import trimmed_search

_NAME = "trim-tool-outputs"
_LEAST = {"recent_turns": 1, "max_output_chars": 1, "preview_chars": 0}


@dataclass(frozen=True)
class TrimToolOutputs:
    """Shorten long tool outputs of older turns to a preview; the last turns stay as they are.

    Exactly the SDK's `ToolOutputTrimmer`, here as a handoff filter over history, pre-handoff and new items as
    one list: outputs of functions and of tool searches, never those of shells, computers or servers. A text
    gets a header and its first characters, if that is shorter; a list of texts, images and files becomes a text
    within the limit; found tools lose their prose. Only a text that is such a preview already is left alone,
    where the SDK would trim it again. Stands for: `ToolOutputTrimmer` of openai-agents.

    Example: an output of 9,000 characters → `[Trimmed: search output — 9000 chars → 200 char preview]` and 200
    """

    idempotent: ClassVar[bool] = True

    recent_turns: Annotated[int, Ge(1), "how many user messages from the end stay, with all after them"] = 2
    max_output_chars: Annotated[int, Ge(1), "the longest output that stays as it is, in characters"] = 500
    preview_chars: Annotated[int, Ge(0), "how much of a longer one is kept, in characters"] = 200
    tools: Annotated[
        tuple[str, ...] | None, "only outputs of these tools, `name` or `namespace.name`; without it of all"
    ] = None

    def __post_init__(self) -> None:
        for name, least in _LEAST.items():
            if getattr(self, name) < least:
                what = f"{name} must be {least} or more, not {getattr(self, name)}"
                raise UsageError(what, place=_NAME, help=f"{_NAME}:{name}={least}")
        tools: Any = self.tools
        if isinstance(tools, str):  # as the SDK takes it
            object.__setattr__(self, "tools", (tools,))
        elif tools is not None and not all(isinstance(name, str) for name in tools):
            raise UsageError("tools must be names", place=_NAME, help=f"{_NAME}:tools=search+fetch")

    def __call__(self, data: HandoffInputData) -> HandoffInputData:
        return edit_segments(data, lambda placed: self._trimmed([each.item for each in placed]))

    def _trimmed(self, items: Sequence[Item]) -> list[Item]:
        users = [index for index, item in enumerate(items) if item.role == "user"]
        if len(users) < self.recent_turns:
            return list(items)
        boundary = users[-self.recent_turns]
        names = _names_by_call(items) if boundary else {}
        return [*(self._trimmed_item(item, names) for item in items[:boundary]), *items[boundary:]]

    def _trimmed_item(self, item: Item, names_by_call: dict[str, tuple[str, ...]]) -> Item:
        if item.type not in ("function_call_output", "tool_search_output"):
            return item
        unnamed = ("tool_search",) if item.type == "tool_search_output" else ()
        names = names_by_call.get(str(item.get("call_id") or item.get("id") or ""), unnamed)
        if self.tools is not None and not set(names).intersection(self.tools):
            return item
        limits = Limits(self.max_output_chars, self.preview_chars)
        if item.type == "tool_search_output":
            changes = trimmed_search(item, limits)
        else:
            changes = _trimmed_output(item, names[0] if names else "unknown_tool", limits)
        return edit(item, **changes) if changes else item


def _trimmed_output(item: Item, name: str, limits: Limits) -> dict[str, str]:
    output = item.get("output", "")
    if isinstance(output, list):
        summary = trimmed_parts(output, name, limits)
    else:
        summary = trimmed_text(output if isinstance(output, str) else str(output), name, limits)
    return {} if summary is None else {"output": summary}


def _names_by_call(items: Sequence[Item]) -> dict[str, tuple[str, ...]]:
    """Call id -> what its tool may be called: with its namespace first, then without."""
    names: dict[str, tuple[str, ...]] = {}
    for item in items:
        if item.type == "function_call" and item.name and item.get("call_id"):
            namespace = item.get("namespace")
            qualified = isinstance(namespace, str) and namespace and namespace != item.name
            both = (f"{namespace}.{item.name}", item.name) if qualified else (item.name,)
            names[str(item["call_id"])] = both
        elif item.type == "tool_search_call" and (item.get("call_id") or item.get("id")):
            names[str(item.get("call_id") or item.get("id"))] = ("tool_search",)
    return names
