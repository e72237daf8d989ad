"""Random conversations through the SDK's own functions and through ours: the same results, exactly.

2,000 of them, the same at every run (the profile in conftest.py is derandomized, so that a build fails for a
change and not by chance); HYPOTHESIS_PROFILE=explore looks for new ones.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from handoffctl.filters.nest_handoff_history import NestHandoffHistory
from handoffctl.filters.remove_all_tools import RemoveAllTools
from handoffctl.item import Item
from handoffctl.kinds import RUN_ITEM_CLASSES
from handoffctl.model import HandoffInputData, RunItem
from handoffctl.view import model_input
from tests.drawing import Wrapped, histories, runs


class Sdk:
    """The SDK's own side, imported once: that takes over a second."""

    def __init__(self) -> None:
        import agents.items as items
        from agents import Agent
        from agents.extensions.handoff_filters import remove_all_tools
        from agents.handoffs import HandoffInputData, default_handoff_history_mapper, nest_handoff_history
        from agents.run_internal.items import deduplicate_input_items_preferring_latest
        from agents.run_internal.run_loop import _prepare_turn_input_items
        from openai.types import responses
        from openai.types.responses import response_output_item as outputs

        self.data_class: Any = HandoffInputData
        self.remove, self.nest = remove_all_tools, nest_handoff_history
        self.single: Callable[[Any], Any] = lambda data: nest_handoff_history(
            data, history_mapper=default_handoff_history_mapper
        )
        self.prepare, self.deduplicate = _prepare_turn_input_items, deduplicate_input_items_preferring_latest
        self.agent = Agent(name="A")
        self.classes = {type_: getattr(items, row.class_name) for type_, row in RUN_ITEM_CLASSES.items()}
        self.models: dict[str, Any] = {
            "message": responses.ResponseOutputMessage,
            "function_call": responses.ResponseFunctionToolCall,
            "reasoning": responses.ResponseReasoningItem,
            "file_search_call": responses.ResponseFileSearchToolCall,
            "tool_search_call": responses.ResponseToolSearchCall,
            "custom_tool_call": responses.ResponseCustomToolCall,
            "mcp_call": outputs.McpCall,
            "mcp_approval_request": outputs.McpApprovalRequest,
            "program_output": outputs.ProgramOutput,
        }

    def run_item(self, wrapped: Wrapped) -> Any:
        more: dict[str, Any] = {"output": "native"} if wrapped.type == "tool_call_output_item" else {}
        if wrapped.type == "handoff_output_item":
            more = {"source_agent": self.agent, "target_agent": self.agent}
        return self.classes[wrapped.type](agent=self.agent, raw_item=self.raw_item(wrapped), **more)

    def raw_item(self, wrapped: Wrapped) -> Any:
        """The SDK's own model where it accepts such an item; a run has either, models and dicts."""
        from pydantic import ValidationError

        model = self.models.get(str(wrapped.raw.get("type")))
        if model is None or not wrapped.as_model or wrapped.type == "compaction_item":
            return wrapped.raw
        try:
            return model.model_validate(wrapped.raw)
        except ValidationError:
            return wrapped.raw

    def model_input(self, data: Any, policy: Any) -> list[Any]:
        history = data.input_history
        last = data.new_items if data.input_items is None else data.input_items
        caller = history if isinstance(history, str) else list(history)
        return list(self.deduplicate(self.prepare(caller, [*data.pre_handoff_items, *last], policy)))


@pytest.fixture(scope="session")
def sdk() -> Sdk:
    return Sdk()


def our_run_item(theirs: Any) -> RunItem:
    raw = theirs.raw_item
    value = raw if isinstance(raw, dict) else raw.model_dump(exclude_unset=True)
    return RunItem(theirs.type, Item.of(value), "A")


class Sides:
    """The same conversation for both; run items are compared by their places in it."""

    def __init__(self, sdk: Sdk, history: Any, parts: Sequence[Sequence[Wrapped] | None]) -> None:
        theirs = [None if part is None else tuple(map(sdk.run_item, part)) for part in parts]
        ours = [None if part is None else tuple(map(our_run_item, part)) for part in theirs]
        is_text = isinstance(history, str)
        self.theirs = sdk.data_class(history if is_text else tuple(history), theirs[0], theirs[1], None, theirs[2])
        items = history if is_text else tuple(map(Item.of, history))
        self.ours = HandoffInputData(items, ours[0] or (), ours[1] or (), None, ours[2])
        self.places = {
            id(each): (number, index)
            for side in (theirs, ours)
            for number, part in enumerate(side)
            for index, each in enumerate(part or ())
        }

    def shown(self, data: Any) -> dict[str, Any]:
        """The data as plain values."""
        history = data.input_history
        run_parts = (data.pre_handoff_items, data.new_items, data.input_items)
        return {
            "history": history if isinstance(history, str) else plain(history),
            "run items": [part if part is None else [self.places[id(each)] for each in part] for part in run_parts],
        }


def plain(items: Iterable[Any]) -> list[str]:
    """Each item as JSON, so that 1, 1.0 and true aren't taken for each other."""
    values = (item.to_dict() if isinstance(item, Item) else item for item in items)
    return [json.dumps(value, sort_keys=True) for value in values]


@settings(max_examples=2000, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(history=histories, pre=runs, new=runs, inputs=st.one_of(st.none(), st.none(), runs))
def test_same_as_the_sdk(
    sdk: Sdk, history: Any, pre: list[Wrapped], new: list[Wrapped], inputs: list[Wrapped] | None
) -> None:
    sides = Sides(sdk, history, (pre, new, inputs))
    remove, nest, single = RemoveAllTools(), NestHandoffHistory(), NestHandoffHistory(mapper="single")
    results: dict[str, tuple[Any, HandoffInputData]] = {"nothing": (sides.theirs, sides.ours)}
    for name, source, their_filter, our_filter in (
        ("remove", "nothing", sdk.remove, remove),
        ("nest", "nothing", sdk.nest, nest),
        ("nest, default mapper", "nothing", sdk.single, single),
        ("nest, remove", "nest", sdk.remove, remove),
        ("remove, nest", "remove", sdk.nest, nest),
        ("nest, nest", "nest", sdk.nest, nest),
    ):
        theirs, ours = results[source]
        results[name] = their_filter(theirs), our_filter(ours)
    for name, (theirs, ours) in results.items():
        assert (name, sides.shown(ours)) == (name, sides.shown(theirs))
        assert (name, plain(model_input(ours))) == (name, plain(sdk.model_input(theirs, None)))
    sent = model_input(sides.ours, reasoning_item_id_policy="omit")
    assert plain(sent) == plain(sdk.model_input(sides.theirs, "omit"))
