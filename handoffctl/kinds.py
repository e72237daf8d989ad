"""THE table of item types and run-item classes: what each is, what answers it, since when it is known as a tool.

Source: `agents.items`, `agents.handoffs.history`, `agents.extensions.handoff_filters` of openai-agents 0.24.0 and its
tagged versions; CAI at 7ec0b4cc.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import NamedTuple

from handoffctl.item import Item

Version = tuple[int, int, int]


class Kind(StrEnum):
    """What an item is, whoever names it how."""

    MESSAGE = "message"
    CALL = "call"
    OUTPUT = "output"
    REASONING = "reasoning"
    APPROVAL = "approval"
    TOOLS = "tools"
    CONTROL = "control"
    UNKNOWN = "unknown"


class ItemType(NamedTuple):
    """One value of `type`. `output` is the type that answers this call; `removed` says since which SDK version
    `remove_all_tools` takes it out of a history (None: never), `cai` whether CAI does."""

    kind: Kind
    output: str | None = None
    removed: Version | None = None
    cai: bool = False


class RunItemClass(NamedTuple):
    """One class of run items. `since` is the SDK version that brought it, `removed` the one since which
    `remove_all_tools` takes it out (None: never); the same for CAI as booleans."""

    class_name: str
    kind: Kind
    since: Version
    removed: Version | None = None
    cai: bool = False
    cai_removed: bool = False


_FIRST, _V11, _V13 = (0, 0, 1), (0, 11, 0), (0, 13, 0)
_V14_2, _V15_2, _V17_3, _V19 = (0, 14, 2), (0, 15, 2), (0, 17, 3), (0, 19, 0)
_CALL, _OUTPUT = Kind.CALL, Kind.OUTPUT

ITEM_TYPES: dict[str, ItemType] = {
    "message": ItemType(Kind.MESSAGE),
    "function_call": ItemType(_CALL, "function_call_output", _FIRST, cai=True),
    "function_call_output": ItemType(_OUTPUT, None, _FIRST, cai=True),
    "computer_call": ItemType(_CALL, "computer_call_output", _FIRST, cai=True),
    "computer_call_output": ItemType(_OUTPUT, None, _FIRST, cai=True),
    "file_search_call": ItemType(_CALL, None, _FIRST, cai=True),
    "web_search_call": ItemType(_CALL, None, _FIRST, cai=True),
    "tool_search_call": ItemType(_CALL, "tool_search_output", _V11),
    "tool_search_output": ItemType(_OUTPUT, None, _V11),
    "mcp_call": ItemType(_CALL, None, _V13),
    "mcp_list_tools": ItemType(Kind.TOOLS, None, _V13),
    "mcp_approval_request": ItemType(Kind.APPROVAL, None, _V13),
    "mcp_approval_response": ItemType(Kind.APPROVAL, None, _V13),
    "reasoning": ItemType(Kind.REASONING, None, _V13),
    "code_interpreter_call": ItemType(_CALL, None, _V14_2),
    "image_generation_call": ItemType(_CALL, None, _V14_2),
    "local_shell_call": ItemType(_CALL, "local_shell_call_output", _V14_2),
    "local_shell_call_output": ItemType(_OUTPUT, None, _V14_2),
    "shell_call": ItemType(_CALL, "shell_call_output", _V14_2),
    "shell_call_output": ItemType(_OUTPUT, None, _V14_2),
    "apply_patch_call": ItemType(_CALL, "apply_patch_call_output", _V14_2),
    "apply_patch_call_output": ItemType(_OUTPUT, None, _V14_2),
    "custom_tool_call": ItemType(_CALL, "custom_tool_call_output", _V15_2),
    "custom_tool_call_output": ItemType(_OUTPUT, None, _V15_2),
    "hosted_tool_call": ItemType(_CALL, None, _V17_3),
    "program": ItemType(_CALL, "program_output", _V19),
    "program_output": ItemType(_OUTPUT, None, _V19),
    "compaction": ItemType(Kind.CONTROL),
    "compaction_trigger": ItemType(Kind.CONTROL),
    "configuration_update": ItemType(Kind.CONTROL),
    "item_reference": ItemType(Kind.CONTROL),
    "additional_tools": ItemType(Kind.TOOLS),
}

RUN_ITEM_CLASSES: dict[str, RunItemClass] = {
    "message_output_item": RunItemClass("MessageOutputItem", Kind.MESSAGE, _FIRST, cai=True),
    "handoff_call_item": RunItemClass("HandoffCallItem", _CALL, _FIRST, _FIRST, cai=True, cai_removed=True),
    "handoff_output_item": RunItemClass("HandoffOutputItem", _OUTPUT, _FIRST, _FIRST, cai=True, cai_removed=True),
    "tool_call_item": RunItemClass("ToolCallItem", _CALL, _FIRST, _FIRST, cai=True, cai_removed=True),
    "tool_call_output_item": RunItemClass("ToolCallOutputItem", _OUTPUT, _FIRST, _FIRST, cai=True, cai_removed=True),
    "reasoning_item": RunItemClass("ReasoningItem", Kind.REASONING, _FIRST, (0, 3, 1), cai=True),
    "mcp_list_tools_item": RunItemClass("MCPListToolsItem", Kind.TOOLS, (0, 0, 16), _V13),
    "mcp_approval_request_item": RunItemClass("MCPApprovalRequestItem", Kind.APPROVAL, (0, 0, 16), _V13),
    "mcp_approval_response_item": RunItemClass("MCPApprovalResponseItem", Kind.APPROVAL, (0, 0, 16), _V13),
    "compaction_item": RunItemClass("CompactionItem", Kind.CONTROL, (0, 6, 6)),
    "tool_approval_item": RunItemClass("ToolApprovalItem", Kind.APPROVAL, (0, 8, 0), _V14_2),
    "tool_search_call_item": RunItemClass("ToolSearchCallItem", _CALL, _V11, _V11),
    "tool_search_output_item": RunItemClass("ToolSearchOutputItem", _OUTPUT, _V11, _V11),
    "input_item": RunItemClass("InputItem", Kind.CONTROL, (0, 20, 0)),
}

ROLES = frozenset({"user", "assistant", "system", "developer"})
INSTRUCTION_ROLES = frozenset({"system", "developer"})

ANSWERED_BY: dict[str, str] = {name: row.output for name, row in ITEM_TYPES.items() if row.output}
"""Call type -> the type of its output, for calls whose output is an item of its own."""

ANONYMOUS_OUTPUTS = frozenset({"tool_search_output"})
"""Outputs that may come without any id, as their calls do; such pairs go by their order."""

ANSWERS_BY_ITEM_ID = frozenset({"local_shell_call_output"})
"""Outputs that name their call by their own `id`."""

CALLERS = frozenset({"program"})
"""Calls that call tools themselves; what they called names them as its `caller`."""

OUTPUT_TYPES = frozenset(ANSWERED_BY.values())
"""Types that answer a call."""

PROGRAM_TYPES = frozenset({*CALLERS, *(ANSWERED_BY[name] for name in CALLERS)})
"""A program and its output: never told apart from what the program called."""

PROGRAM_OWNED = frozenset(
    {
        *("hosted_tool_call", "file_search_call", "web_search_call", "code_interpreter_call"),
        *("image_generation_call", "mcp_list_tools", "mcp_call", "mcp_approval_request", "mcp_approval_response"),
    }
)
"""Hosted items that keep the program that made them from being an orphan, as outputs do."""

ANCHORED_EARLIEST = frozenset({*ANSWERED_BY, "mcp_approval_request", "reasoning"})
"""Types of which the SDK's runner keeps the earliest place where an id comes twice; of others it keeps the latest."""

SUMMARISED = frozenset({"function_call", "function_call_output", "reasoning"})
"""Types that nesting a history always turns into text; other items without a role go on as they are."""

TEXT_PARTS = frozenset({"text", "input_text", "output_text"})
"""Types of content parts that hold nothing but a text, in any dialect."""

PLACEHOLDER_IDS = frozenset({"__fake_id__"})
"""Item ids that the SDK writes where a model gave none; they tell no item from another."""

MEDIA_TYPES: dict[str, str] = {
    **dict.fromkeys(("input_image", "output_image", "image_url", "image", "computer_screenshot"), "image"),
    "image_generation_call": "image",
    **dict.fromkeys(("input_audio", "output_audio", "audio"), "audio"),
    **dict.fromkeys(("input_file", "file", "document", "container_upload"), "file"),
    **dict.fromkeys(("input_video", "video_url", "video"), "video"),
}
"""Type of a content part (or of an item that is one picture) in any dialect -> what kind of media it is."""

_EMITTED_BESIDE_CALLS = frozenset({"mcp_list_tools", "mcp_approval_request"})

_RUN_TYPE_BY_ITEM_TYPE = {
    "message": "message_output_item",
    "reasoning": "reasoning_item",
    "mcp_list_tools": "mcp_list_tools_item",
    "mcp_approval_request": "mcp_approval_request_item",
    "mcp_approval_response": "mcp_approval_response_item",
    "compaction": "compaction_item",
    "tool_search_call": "tool_search_call_item",
    "tool_search_output": "tool_search_output_item",
}


def kind_of(item: Item) -> Kind:
    """What an item is. A message may lack its `type`; an unknown type stays unknown, it is never guessed."""
    name = item.type
    if isinstance(name, str):
        row = ITEM_TYPES.get(name)
        return row.kind if row else Kind.UNKNOWN
    if name is None:
        if item.role in ROLES:
            return Kind.MESSAGE
        if item.id is not None and item.role is None and set(item) <= {"id", "type"}:
            return Kind.CONTROL  # a reference to an item that the server holds
    return Kind.UNKNOWN


def is_model_made(item: Item) -> bool:
    """Whether a model emits such an item: assistant text, reasoning, calls, and what a hosted server adds to them."""
    kind = kind_of(item)
    if kind is Kind.MESSAGE:
        return item.role == "assistant"
    return kind is Kind.CALL or kind is Kind.REASONING or item.type in _EMITTED_BESIDE_CALLS


def run_item_type(item: Item) -> str:
    """The class that a bare item would have as a run item (handoffs aside: only their outputs tell)."""
    kind = kind_of(item)
    if kind is Kind.MESSAGE and item.role != "assistant":
        return "input_item"
    if isinstance(item.type, str) and item.type in _RUN_TYPE_BY_ITEM_TYPE:
        return _RUN_TYPE_BY_ITEM_TYPE[item.type]
    by_kind = {Kind.MESSAGE: "message_output_item", Kind.CALL: "tool_call_item", Kind.OUTPUT: "tool_call_output_item"}
    return by_kind.get(kind, "input_item")


@cache
def removed_item_types(version: Version | None) -> frozenset[str]:
    """The history types that `remove_all_tools` of an SDK version takes out; None means CAI."""
    rows = ITEM_TYPES.items()
    if version is None:
        return frozenset(name for name, row in rows if row.cai)
    return frozenset(name for name, row in rows if row.removed and row.removed <= version)


@cache
def removed_run_item_types(version: Version | None) -> frozenset[str]:
    """The run-item types that `remove_all_tools` of an SDK version takes out; None means CAI."""
    rows = RUN_ITEM_CLASSES.items()
    if version is None:
        return frozenset(name for name, row in rows if row.cai_removed)
    return frozenset(name for name, row in rows if row.removed and row.removed <= version)
