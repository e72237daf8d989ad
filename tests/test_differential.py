"""Random conversations through the SDK's own functions and through ours: the same results, exactly.

2,000 of them, the same at every run (the profile in conftest.py is derandomized, so that a build fails for a
change and not by chance); HYPOTHESIS_PROFILE=explore looks for new ones.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from handoffctl.filters.nest_handoff_history import NestHandoffHistory
from handoffctl.filters.remove_all_tools import RemoveAllTools
from handoffctl.item import Item
from handoffctl.kinds import ITEM_TYPES, RUN_ITEM_CLASSES
from handoffctl.model import HandoffInputData, RunItem
from handoffctl.summary import END, LEGACY_PREAMBLE, PREAMBLE, START
from handoffctl.view import model_input

IDS = ["a", "b", "c", "__fake_id__", None, 7]
TEXTS = [
    *("", "hello", " padded ", "two\nlines", "cr\rhere", "a\u2028b", "nel\x85 ff\x0c vt\x0b fs\x1c", "1. user: numbered"),
    *('{"json": 1}', "user: x", "\ud800 lone", "名前 🎉 مرحبا", PREAMBLE, f"{PREAMBLE}\n{START}\n1. user: x\n{END} more"),
]
RECORDS = [
    *("1. user: hello", "2. assistant (Bob): reply", "3. user (): odd", "(Ann): no role", "4. : nothing", "5. user"),
    *("assistant (Bob)", "developer ()", "(Bob)", "prose without a colon", "note to self: two", "", "  \t ", "6.", "7. 8. x: y"),
    *("²9. user: superscript", " 10 . user: spaced", "more\x85lines", "a\u2028b: c", "11. user: a\u2028b", "12. [1, 2]", '"text"'),
    *('13. {"type": "function_call", "call_id": "a", "n": 1e22}', '{"role": "user", "content": "x", "provider_data": {}}'),
    *('14. function_call: {"call_id": "b", "created_by": "me", "type": "x"}', 'user: {"json": true}', "15. {broken: 1"),
    *('x: {"a": 1} more', "16. reasoning: []", "(no previous turns recorded)", "17. system: a: b", "  18. user: indented  "),
]
PARTS = [
    [],
    [{"type": "output_text", "text": "said", "annotations": [], "logprobs": []}],
    [{"type": "input_text", "text": "a\u2028b"}, {"type": "input_image", "image_url": "data:image/png;base64,AA", "detail": "low"}],
]
EXTRAS: list[dict[str, Any]] = [
    *({}, {}, {}, {}, {"status": None}, {"status": "completed"}, {"status": "in_progress"}, {"created_by": "me"}),
    *({"caller": {"type": "program", "caller_id": id_}} for id_ in ("a", "b", 7)),
    *({"caller": {"type": "direct"}}, {"caller": "program"}, {"approval_request_id": "a"}, {"provider_data": {"x": 1}}),
    *({"_agents_tool_description": "d", "_agents_tool_title": "t"}, {"name": "Ann"}, {"name": ""}, {"role": None}),
    *({"big": 123456789012345678901234567890, "float": 1e22, "small": -0.0}, {"type": None}, {"type": 5}, {"role": 5}),
]
OUTPUTS: list[Any] = ["found", "", None, [], [{"stdout": "x", "created_by": "me", "outcome": {"type": "exit"}}, 3]]
ROLES = ["user", "assistant", "assistant", "system", "developer", "tool", ""]
TOOL_TYPES = sorted({*ITEM_TYPES, "no_such_type", ""} - {"message"})


class Wrapped(NamedTuple):
    """A run item as it is drawn: its class, its raw item, and whether the SDK gets the raw item as its own model."""

    type: str
    raw: dict[str, Any]
    as_model: bool


def summary_of(preamble: str, records: Sequence[str], separator: str, end: str) -> str:
    return f"{preamble}\n{START}\n{separator.join(records)}\n{end}"


def item_of(type_: str, id_: Any, call_id: Any, output: Any, extra: dict[str, Any]) -> dict[str, Any]:
    ids = {key: value for key, value in (("id", id_), ("call_id", call_id)) if value is not None}
    more = {"output": output} if "output" in type_ else {"name": "look_up", "arguments": "{}", "summary": []}
    return {"type": type_, **ids, **more, **extra}


def message_of(role: str, content: Any, id_: Any, typed: bool, extra: dict[str, Any]) -> dict[str, Any]:
    named = {"id": id_, "status": "completed", "type": "message"} if typed else {}
    return {**named, "role": role, "content": content, **extra}


extras = st.sampled_from(EXTRAS)
ids = st.sampled_from(IDS)
summaries = st.builds(
    summary_of,
    st.sampled_from([PREAMBLE, PREAMBLE, LEGACY_PREAMBLE, "For context:"]),
    st.lists(st.sampled_from(RECORDS), max_size=6),
    st.sampled_from(["\n", "\n", "\r\n", "\u2028"]),
    st.sampled_from([END, END, END, "</END>"]),
)
contents = st.one_of(st.sampled_from([*TEXTS, *PARTS, None, 5]), summaries, st.text(max_size=5))
messages = st.builds(message_of, st.sampled_from(ROLES), contents, ids, st.booleans(), extras)
tool_items = st.builds(item_of, st.sampled_from(TOOL_TYPES), ids, ids, st.sampled_from(OUTPUTS), extras)
pairs = st.builds(item_of, st.sampled_from(["function_call", "function_call_output", "reasoning"]), ids, ids, st.just("x"), extras)
any_item = st.one_of(messages, tool_items, pairs)
histories = st.one_of(st.sampled_from(TEXTS), st.lists(any_item, max_size=7), st.lists(any_item, max_size=7))
any_wrapped = st.builds(Wrapped, st.sampled_from(sorted(RUN_ITEM_CLASSES)), any_item, st.booleans())
runs = st.lists(any_wrapped, max_size=6)


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
