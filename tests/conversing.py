"""Invented items, and random conversations of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from handoffctl.item import Item
from handoffctl.kinds import run_item_type
from handoffctl.model import HandoffInputData, RunItem


def said(role: str, text: str = "words") -> Item:
    return Item.of({"role": role, "content": text})


def user(text: str = "question") -> Item:
    return said("user", text)


def assistant(text: str = "reply") -> Item:
    return said("assistant", text)


def system(text: str = "rules") -> Item:
    return said("system", text)


def reasoning(id_: str = "rs_1") -> Item:
    return Item.of({"type": "reasoning", "id": id_, "summary": []})


def call(id_: Any = "c1", name: str = "look_up", **more: Any) -> Item:
    return Item.of({"type": "function_call", "call_id": id_, "name": name, "arguments": "{}", **more})


def output(id_: Any = "c1", text: Any = "found", **more: Any) -> Item:
    return Item.of({"type": "function_call_output", "call_id": id_, "output": text, **more})


def item(type_: str, **more: Any) -> Item:
    return Item.of({"type": type_, **more})


def run_items(items: Sequence[Item]) -> tuple[RunItem, ...]:
    return tuple(RunItem(run_item_type(each), each) for each in items)


def handoff_data(history: str | Sequence[Item], pre: Sequence[Item] = (), new: Sequence[Item] = ()) -> HandoffInputData:
    parts = history if isinstance(history, str) else tuple(history)
    return HandoffInputData(parts, run_items(pre), run_items(new))


_IDS = st.sampled_from(["a", "b", "c", "d"])
any_item = st.one_of(
    st.builds(user, st.text(max_size=4)),
    st.builds(assistant, st.text(max_size=4)),
    st.builds(said, st.sampled_from(["system", "developer"])),
    st.builds(reasoning, _IDS),
    st.builds(call, _IDS),
    st.builds(output, _IDS),
    st.builds(item, st.just("local_shell_call"), id=_IDS, call_id=_IDS),
    st.builds(item, st.just("local_shell_call_output"), id=_IDS),
    st.builds(item, st.sampled_from(["tool_search_call", "tool_search_output", "web_search_call"]), call_id=st.none()),
    st.builds(item, st.sampled_from(["mcp_approval_request", "mcp_list_tools", "no_such_type", "compaction"]), id=_IDS),
    st.builds(item, st.sampled_from(["mcp_approval_response", "mcp_call"]), approval_request_id=_IDS),
    st.builds(item, st.sampled_from(["program", "program_output"]), call_id=_IDS),
    st.builds(call, _IDS, caller=st.fixed_dictionaries({"type": st.just("program"), "caller_id": _IDS})),
)
any_items = st.lists(any_item, max_size=14)


@st.composite
def any_data(draw: st.DrawFn) -> HandoffInputData:
    """A conversation in segments; a string history and input items now and then."""
    history = draw(st.one_of(any_items.map(tuple), any_items.map(tuple), st.text(max_size=4)))
    pre, new = (run_items(draw(st.lists(any_item, max_size=5))) for _ in range(2))
    more = draw(st.one_of(st.none(), st.none(), st.lists(any_item, max_size=5)))
    return HandoffInputData(history, pre, new, None, None if more is None else run_items(more))
