"""Long tool outputs of older turns; the differential test needs openai-agents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handoffctl.errors import UsageError
from handoffctl.filters.trim_tool_outputs import TrimToolOutputs
from handoffctl.item import Item
from handoffctl.model import HandoffInputData, RunItem, segment_items
from handoffctl.trimming.outputs import Limits, trimmed_text
from tests.conversing import assistant, call, handoff_data, item, output, reasoning, run_items, user

GOLDEN = sorted((Path(__file__).parent.parent / "golden" / "trimmer").glob("*.json"))
LATER = [user("q2"), user("q3")]
IMAGE = {"type": "input_image", "image_url": "data:image/png;base64," + "A" * 600}
FILE = {"type": "input_file", "file_data": "B" * 600, "filename": "secret.pdf"}


def text_part(text: str) -> dict[str, str]:
    return {"type": "input_text", "text": text}


def trimmed(items: list[Item], **options: Any) -> tuple[Item, ...]:
    data = handoff_data(items)
    once = TrimToolOutputs(**options)(data)
    assert TrimToolOutputs(**options)(once) is once
    assert isinstance(once.input_history, tuple)
    return once.input_history


def old_output(value: Any, *, name: str = "search", namespace: str | None = None, **options: Any) -> Any:
    """What becomes of an output two turns ago."""
    more = {} if namespace is None else {"namespace": namespace}
    return trimmed([user("q1"), call("c1", name, **more), output("c1", value), *LATER], **options)[2]["output"]


@pytest.mark.parametrize("path", GOLDEN, ids=[path.stem for path in GOLDEN])
def test_recorded_results_of_the_sdk(path: Path) -> None:
    case = json.loads(path.read_bytes())
    options = dict(case["params"])
    options["tools"] = options.pop("trimmable_tools", None)
    assert list(trimmed([Item.of(each) for each in case["input"]], **options)) == case["output"]


def test_defaults() -> None:
    default = TrimToolOutputs()
    assert (default.recent_turns, default.max_output_chars, default.preview_chars, default.tools) == (2, 500, 200, None)


@pytest.mark.parametrize("tools", ["search", ("search",), ["search"], frozenset({"search"})], ids=type)
def test_tools_may_be_given_as_the_sdk_takes_them(tools: Any) -> None:
    assert old_output("x" * 1000, tools=tools).startswith("[Trimmed: search ")
    assert old_output("x" * 1000, tools=tools, name="s") == "x" * 1000


REFUSED = [{"recent_turns": 0}, {"recent_turns": -1}, {"max_output_chars": 0}, {"preview_chars": -1}, {"tools": b"ab"}]


@pytest.mark.parametrize("options", REFUSED, ids=str)
def test_options_that_make_no_sense(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError) as caught:
        TrimToolOutputs(**options)
    assert caught.value.place == "trim-tool-outputs"


UNTOUCHED: dict[str, list[Item]] = {
    "nothing": [],
    "one user turn": [user(), call(), output(text="x" * 1000)],
    "two user turns": [user(), call(), output(text="x" * 1000), user()],
    "a short output": [user(), call(), output(text="x" * 100), *LATER],
    "an output of exactly the limit": [user(), call(), output(text="x" * 500), *LATER],
    "a recent output": [user("q1"), user("q2"), call(), output(text="x" * 1000), user("q3")],
    "long messages": [user("x" * 1000), assistant("y" * 1000), reasoning(), *LATER],
    "other tools' outputs": [
        user(),
        item("shell_call_output", call_id="s", output="x" * 1000),
        item("custom_tool_call_output", call_id="t", output="x" * 1000),
        item("computer_call_output", call_id="v", output={"image_url": "x" * 1000}),
        item("mcp_call", id="m", output="x" * 1000),
        *LATER,
    ],
    "an empty list": [user(), output(text=[]), *LATER],
    "parts of an unknown type": [user(), output(text=[{"type": "output_text", "text": "x" * 1000}]), *LATER],
    "a part with another key": [user(), output(text=[{**text_part("x" * 1000), "more": "y"}]), *LATER],
    "a part with a number": [user(), output(text=[{"type": "input_file", "file_data": 1}, IMAGE]), *LATER],
    "an unknown detail": [user(), output(text=[{**IMAGE, "detail": "huge"}]), *LATER],
    "an image without a picture": [user(), output(text=[{"type": "input_image"}, IMAGE]), *LATER],
    "a text without words": [user(), output(text=[{"type": "input_text"}, IMAGE]), *LATER],
    "a part that is a string": [user(), output(text=["x" * 1000]), *LATER],
    "a search without results": [user(), item("tool_search_output", call_id="t"), *LATER],
}


@pytest.mark.parametrize("items", UNTOUCHED.values(), ids=UNTOUCHED)
def test_what_stays(items: list[Item]) -> None:
    data = handoff_data(items)
    assert TrimToolOutputs()(data) is data


def test_the_boundary_is_the_user_message_so_many_from_the_end() -> None:
    turns = [each for number in range(4) for each in (user(), call(str(number)), output(str(number), "x" * 1000))]
    lengths = [len(each["output"]) for each in trimmed(turns) if "output" in each]
    assert [length < 1000 for length in lengths] == [True, True, False, False]
    assert len(trimmed(turns, recent_turns=3)[5]["output"]) == 1000


def test_text_gets_a_header_and_its_first_characters() -> None:
    text = "y" * 50 + "x" * 950
    expected = "[Trimmed: search output — 1000 chars → 50 char preview]\n" + "y" * 50 + "..."
    assert old_output(text, preview_chars=50) == expected
    assert old_output(text, preview_chars=0) == "[Trimmed: search output — 1000 chars → 0 char preview]\n..."
    assert old_output("x" * 501, preview_chars=490) == "x" * 501


def test_a_value_that_is_no_text_is_measured_as_the_sdk_writes_it() -> None:
    assert "{'k': 'xxx" in old_output({"k": "x" * 600})
    assert old_output(None) is None


def test_a_preview_is_never_trimmed_again() -> None:
    limits = Limits(10, 20)
    once = trimmed_text("x" * 100_000, "search", limits)
    assert once is not None
    assert len(once) > limits.most
    assert trimmed_text(once, "search", limits) is None
    assert trimmed_text(once, "fetch", limits) is not None
    assert trimmed_text(once, "search", Limits(10, 5)) is not None
    assert len(old_output("x" * 100_000, max_output_chars=1)) < 1000


NAMES = {
    "bare": (None, "search", "search"),
    "qualified": ("crm", "search", "crm.search"),
    "a namespace of the same name": ("search", "search", "search"),
}


@pytest.mark.parametrize(("namespace", "name", "shown"), NAMES.values(), ids=NAMES)
def test_names(namespace: str | None, name: str, shown: str) -> None:
    for tools in (None, (shown,), (name,)):
        result = old_output("x" * 1000, name=name, namespace=namespace, tools=tools)
        assert result.startswith(f"[Trimmed: {shown} output")


def test_an_output_without_its_call() -> None:
    items = [user(), output("lost", "x" * 1000), *LATER]
    assert trimmed(items)[1]["output"].startswith("[Trimmed: unknown_tool output")
    assert trimmed(items, tools=("search",))[1] is items[1]


@pytest.mark.parametrize("parts", [[text_part("the caption"), IMAGE], [IMAGE, text_part("the caption")]], ids=len)
def test_a_caption_stays_and_its_image_goes(parts: list[Any]) -> None:
    length = len(IMAGE["image_url"]) + len("the caption")
    header = f"[Trimmed: search; payload {length}; preview 11; dropped 1 input_image]"
    assert old_output(parts) == f"{header}\nthe caption"


def test_images_and_files_leave_nothing_but_their_number() -> None:
    result = old_output([IMAGE, FILE, IMAGE])
    assert result.startswith("[Trimmed: search; payload ")
    assert result.endswith("; dropped 1 input_file, 2 input_image]")


@pytest.mark.parametrize("most", [1, 5, 8, 9, 10, 22, 30, 40, 70, 100, 200])
def test_a_list_becomes_a_text_within_the_limit(most: int) -> None:
    parts = [text_part("word " * 100), IMAGE, FILE]
    result = old_output(parts, max_output_chars=most, preview_chars=40)
    assert len(result) <= most
    assert result.startswith("[Trimmed]"[:most][:8])
    assert "AAAA" not in result
    assert "secret.pdf" not in result


def test_the_longest_header_that_fits() -> None:
    assert old_output([IMAGE], max_output_chars=len("[Trimmed: input_image]")) == "[Trimmed: input_image]"
    assert old_output([text_part("x" * 400)], max_output_chars=40, preview_chars=100) == "[Trimmed]\n" + "x" * 30
    full = old_output([text_part("x" * 400)], max_output_chars=100, preview_chars=40)
    assert full == "[Trimmed: search; payload 400; preview 40]\n" + "x" * 40 + "..."


PROSE = {"description": "long " * 100, "title": "T", "$comment": "c", "examples": [1]}
SCHEMA: dict[str, Any] = {
    **PROSE,
    "type": "object",
    "properties": {
        "title": {**PROSE, "type": "string", "default": {"title": "kept"}},
        "description": {"enum": ["title"]},
    },
    "$defs": {"examples": {**PROSE, "const": {"description": "kept"}}},
    "dependencies": {"title": ["description"], "other": {**PROSE}},
    "items": [{**PROSE, "type": "null"}, True],
    "propertyNames": {**PROSE, "pattern": "x"},
    "allOf": [{**PROSE, "x-more": {"title": "kept"}}],
    "not": False,
}
BARE_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"title": {"type": "string", "default": {"title": "kept"}}, "description": {"enum": ["title"]}},
    "$defs": {"examples": {"const": {"description": "kept"}}},
    "dependencies": {"title": ["description"], "other": {}},
    "items": [{"type": "null"}, True],
    "propertyNames": {"pattern": "x"},
    "allOf": [{"x-more": {"title": "kept"}}],
    "not": False,
}


def test_found_tools_lose_their_prose_and_nothing_else() -> None:
    function = {"type": "function", "name": "f", "description": "d" * 300, "parameters": SCHEMA}
    tools = [{"type": "namespace", "name": "n", "tools": [function, "odd"]}, {"type": "other", "parameters": SCHEMA}]
    items = [user(), item("tool_search_call"), item("tool_search_output", tools=tools, status="completed"), *LATER]
    after = trimmed(items, preview_chars=60, tools=("tool_search",))[2]
    bare = {"type": "function", "name": "f", "description": "d" * 60 + "...", "parameters": BARE_SCHEMA}
    assert after["tools"] == [{"type": "namespace", "name": "n", "tools": [bare, "odd"]}, tools[1]]
    assert after["status"] == "completed"


def test_found_tools_that_can_t_get_shorter_stay() -> None:
    items = [user(), item("tool_search_output", tools=[{"type": "function", "name": "f" * 900}]), *LATER]
    assert trimmed(items)[1] is items[1]


def test_a_schema_nested_beyond_reason_stays() -> None:
    schema: dict[str, Any] = {"title": "t"}
    for _ in range(600):
        schema = {"not": schema}
    items = [user(), item("tool_search_output", tools=[{"type": "function", "parameters": schema}]), *LATER]
    data = handoff_data(items)
    assert TrimToolOutputs(max_output_chars=1)(data) is data


def test_legacy_results_become_one_text() -> None:
    for id_ in ({"call_id": "t1"}, {"id": "t1"}):
        items = [
            user(),
            item("tool_search_call", **id_),
            item("tool_search_output", results=["x" * 900], **id_),
            *LATER,
        ]
        after = trimmed(items, tools=("tool_search",))[2]["results"]
        assert [list(each) for each in after] == [["text"]]
        assert after[0]["text"].startswith("[Trimmed: tool_search output — 904 chars → 200 char preview]\n")
        assert trimmed(list(items), tools=("search",))[2] is items[2]
    short = [user(), item("tool_search_output", results=[{"text": "x" * 510}]), *LATER]
    assert trimmed(short)[1]["results"] != short[1]["results"]


def test_segments_are_one_list_and_a_string_is_a_user_message() -> None:
    run = [call(), output(text="x" * 1000)]
    data = handoff_data("q1", run, [*LATER, call("d"), output("d", "x" * 1000)])
    after = TrimToolOutputs()(data)
    assert after.input_history is data.input_history
    assert after.pre_handoff_items[0] is data.pre_handoff_items[0]
    assert after.pre_handoff_items[1].raw_item["output"].startswith("[Trimmed: look_up")
    assert after.new_items is data.new_items


def test_input_items_are_trimmed_too_and_the_wrapper_follows() -> None:
    wrapper = Item.of(
        {"type": "tool_call_output_item", "output": "x" * 1000, "raw_item": output(text="x" * 1000).to_dict()}
    )
    wrapped = RunItem("tool_call_output_item", output(text="x" * 1000), "Triage", wrapper=wrapper)
    data = handoff_data([user(), call()], [], [wrapped.raw_item]).clone(input_items=(wrapped, *run_items(LATER)))
    after = TrimToolOutputs()(data)
    assert after.new_items is data.new_items
    assert after.input_items is not None
    shown = after.input_items[0]
    assert shown.raw_item["output"].startswith("[Trimmed: look_up")
    assert shown.wrapper is not None
    assert shown.wrapper["output"] == shown.raw_item["output"]


def test_an_edit_remembers_its_source_and_keeps_other_keys() -> None:
    items = [user(), call(), output(text="x" * 1000, id="fco_1", status="completed"), *LATER]
    after = trimmed(items)[2]
    assert after.source is items[2]
    assert list(after) == list(items[2])


_names = st.sampled_from(["search", "fetch", ""])
_ids = st.sampled_from(["a", "b", 7, None, ""])
_words = st.builds(lambda text, times: text * times, st.text(max_size=5), st.integers(0, 60))
_parts = st.one_of(
    st.fixed_dictionaries({"type": st.just("input_text"), "text": _words}),
    st.fixed_dictionaries(
        {"type": st.just("input_image")}, optional={"image_url": _words, "detail": st.sampled_from(["low", "no"])}
    ),
    st.fixed_dictionaries(
        {"type": st.just("input_file")}, optional={"file_data": _words, "filename": _words, "x": _words}
    ),
)
_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), _words),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(
                ["type", "description", "title", "items", "properties", "allOf", "not", "dependencies", "k"]
            ),
            inner,
            max_size=4,
        ),
    ),
    max_leaves=12,
)
_tools = st.lists(
    st.one_of(
        _values,
        st.fixed_dictionaries(
            {"type": st.sampled_from(["function", "namespace"])},
            optional={"description": _words, "parameters": _values, "tools": st.lists(_values, max_size=2)},
        ),
    ),
    max_size=3,
)
_entries = st.one_of(
    st.just({"role": "user", "content": "q"}),
    st.just({"type": "message", "role": "assistant", "content": "a"}),
    st.fixed_dictionaries(
        {"type": st.just("function_call")}, optional={"call_id": _ids, "name": _names, "namespace": _names, "id": _ids}
    ),
    st.fixed_dictionaries(
        {"type": st.just("function_call_output")},
        optional={"call_id": _ids, "output": st.one_of(_values, st.lists(_parts, max_size=4))},
    ),
    st.fixed_dictionaries({"type": st.just("tool_search_call")}, optional={"call_id": _ids, "id": _ids}),
    st.fixed_dictionaries(
        {"type": st.just("tool_search_output")},
        optional={"call_id": _ids, "tools": _tools, "results": st.lists(_values, max_size=3)},
    ),
)
_options = st.fixed_dictionaries(
    {
        "recent_turns": st.integers(1, 3),
        "max_output_chars": st.one_of(st.integers(1, 40), st.integers(1, 400)),
        "preview_chars": st.integers(0, 100),
        "tools": st.one_of(
            st.none(), st.lists(st.sampled_from(["search", "s.search", "fetch", "tool_search"])).map(tuple)
        ),
    }
)


@settings(max_examples=400)
@given(st.lists(_entries, max_size=10), _options)
def test_the_same_as_the_sdk_and_twice_is_once(entries: list[dict[str, Any]], options: dict[str, Any]) -> None:
    trimmer = pytest.importorskip("agents.extensions.tool_output_trimmer")
    config = pytest.importorskip("agents.run_config")
    entries = [*entries, {"role": "user", "content": "last"}]
    ours = TrimToolOutputs(**options)
    theirs = trimmer.ToolOutputTrimmer(
        **{key: value for key, value in options.items() if key != "tools"}, trimmable_tools=options["tools"]
    )
    model_data = config.ModelInputData(input=json.loads(json.dumps(entries)), instructions="keep")
    expected = theirs(config.CallModelData(model_data=model_data, agent=None, context=None)).input
    data = handoff_data([Item.of(each) for each in entries])
    after = ours(data)
    assert [each.to_dict() for _, each in segment_items(after)] == expected
    assert [each.to_dict() for _, each in segment_items(data)] == entries
    assert ours(after) is after


def test_no_data_at_all() -> None:
    data = HandoffInputData()
    assert TrimToolOutputs()(data) is data
