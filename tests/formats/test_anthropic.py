"""Messages of the Anthropic API in a file: what is read, and how they go back block by block."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handoffctl.grouping.messages import count_messages
from handoffctl.item import Item, edit
from handoffctl.model import Filter, HandoffInputData, Transcript, history_items
from tests.conftest import SAMPLES
from tests.reading import filter_bytes, filter_file, load_bytes, said

CASES = Path(__file__).parent.parent / "data" / "cases"
LATE = SAMPLES / "anthropic" / "late-order.json"
MARK = {"cache_control": {"type": "ephemeral"}}
USE = {"type": "tool_use", "id": "t", "name": "n", "input": {"big": 12345678901234567890}}
RESULT = {"type": "tool_result", "tool_use_id": "t", "content": "out", **MARK}


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": words, **more}


def assistant(*blocks: Any, **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks), **more}


def user(*blocks: Any, **more: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks), **more}


def load(value: Any, wanted: str = "anthropic") -> Transcript:
    [transcript] = load_bytes(json.dumps(value).encode(), wanted)
    return transcript


def changed(value: Any, *filters: str | Filter) -> Any:
    done = filter_bytes(json.dumps(value).encode(), *filters)
    assert done.faults == []
    assert done.dump.format.name == "anthropic"
    return json.loads(done.data)


def on(type_: str | None, **changes: Any) -> Filter:
    """A filter that edits the items of one type."""

    def edited(data: HandoffInputData) -> HandoffInputData:
        items = [edit(item, **changes) if item.type == type_ else item for item in history_items(data)]
        return data.clone(input_history=tuple(items))

    return edited


def without(types: set[str | None]) -> Filter:
    def dropped(data: HandoffInputData) -> HandoffInputData:
        return data.clone(input_history=tuple(item for item in history_items(data) if item.type not in types))

    return dropped


CONVERSATION = [
    {"role": "user", "content": "q"},
    assistant(
        {"type": "thinking", "thinking": "hm", "signature": "s"}, text("I look", **MARK), USE, id="m", usage={"a": 1}
    ),
    user(RESULT, text("hurry", x=1)),
    {"role": "assistant", "content": "done"},
]


def test_system_prompt_is_the_agents_instructions_outside_the_conversation() -> None:
    transcript = load({"system": "be brief", "messages": CONVERSATION})
    assert transcript.instructions == {"": "be brief"}
    assert [item.role for item in history_items(transcript.data) if item.role] == [
        "user",
        "assistant",
        "user",
        "assistant",
    ]
    assert load({"system": [text("a"), text("b"), 5], "messages": CONVERSATION}).instructions == {"": "a\n\nb"}
    assert load({"system": 5, "messages": CONVERSATION}).instructions == {}


def test_messages_are_counted_as_in_other_dialects() -> None:
    # question; text with its thought and call; output; words beside it; answer
    assert count_messages(history_items(load(CONVERSATION).data)) == 5


def test_message_that_lost_items_keeps_its_other_blocks_as_they_stood() -> None:
    assert changed(CONVERSATION, "remove_all_tools") == [
        CONVERSATION[0],
        assistant(text("I look", **MARK), id="m", usage={"a": 1}),
        user(text("hurry", x=1)),
        CONVERSATION[3],
    ]


def test_message_that_lost_every_block_goes() -> None:
    assert changed([CONVERSATION[0], assistant(USE), user(RESULT)], "remove_all_tools") == [CONVERSATION[0]]


def test_nothing_of_a_removed_part_is_in_the_output() -> None:
    done = filter_file(LATE, "remove_all_tools")
    for word in (b"toolu_", b"tool_use", b"signature", b"what the carrier says", b"Refund Agent\\"):
        assert word not in done.data
    assert b'"total": 129.00' not in done.data
    assert json.loads(done.data)["tools"] == json.loads(LATE.read_bytes())["tools"]


def test_edits_of_calls_and_outputs_change_that_member_alone() -> None:
    after = changed(CONVERSATION, on("function_call", arguments='{"a": 1.50}', name="other"))
    assert after[1]["content"][2] == {**USE, "input": {"a": 1.5}, "name": "other"}
    after = changed(CONVERSATION, on("function_call_output", output=[{"type": "input_text", "text": "cut"}]))
    assert after[2]["content"] == [{**RESULT, "content": [text("cut")]}, text("hurry", x=1)]


def test_edited_words_keep_what_was_not_edited() -> None:
    message = user(
        text("a", **MARK), {"type": "image", "source": {"type": "url", "url": "https://x"}}, text("b", citations=[1])
    )
    parts = list(history_items(load([message, CONVERSATION[1]]).data)[0]["content"])
    parts[2] = {"type": "input_text", "text": "c"}

    def first_edited(data: HandoffInputData) -> HandoffInputData:
        first, *rest = history_items(data)
        return data.clone(input_history=(edit(first, content=parts), *rest))

    after = changed([message, CONVERSATION[1]], first_edited)
    assert after == [user(text("a", **MARK), message["content"][1], text("c")), CONVERSATION[1]]
    parts.pop(1)
    assert changed([message, CONVERSATION[1]], first_edited)[0] == user(text("a", **MARK), text("c"))


def test_edited_text_of_a_message_keeps_its_members() -> None:
    value = [{"id": 1, "role": "user", "content": "q", "z": [1]}, CONVERSATION[1], CONVERSATION[2]]
    assert changed(value, on(None, content="p"))[0] == {"id": 1, "role": "user", "content": "p", "z": [1]}
    parts = [{"type": "input_text", "text": "p"}]
    assert changed(value, on(None, content=parts))[0] == {"id": 1, "role": "user", "content": [text("p")], "z": [1]}


def test_edited_thought_goes_since_its_signature_holds_for_its_own_words() -> None:
    after = changed(CONVERSATION, on("reasoning", content=[{"type": "reasoning_text", "text": "other"}]))
    assert after[1]["content"] == CONVERSATION[1]["content"][1:]


def test_new_items_stand_in_messages_of_their_own() -> None:
    def added(data: HandoffInputData) -> HandoffInputData:
        new = Item.of({"role": "developer", "content": "note"})
        return data.clone(input_history=(*history_items(data), new))

    assert changed(CONVERSATION, added) == [*CONVERSATION, {"role": "system", "content": "note"}]


def test_item_that_no_message_can_say_is_an_error_with_its_place() -> None:
    def added(data: HandoffInputData) -> HandoffInputData:
        return data.clone(input_history=(*history_items(data), Item.of({"type": "web_search_call", "id": "w"})))

    done = filter_bytes(json.dumps(CONVERSATION).encode(), added)
    assert done.data == b""
    [fault] = said(done.faults)
    assert "a filter gave items that no Anthropic message can say: web_search_call" in fault


def test_edited_provider_call_can_not_be_said() -> None:
    search = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
    found = {"type": "web_search_tool_result", "tool_use_id": "s", "content": []}
    done = filter_bytes(json.dumps([assistant(search, found)]).encode(), on("hosted_tool_call", output="cut"))
    assert ["hosted_tool_call" in each for each in said(done.faults)] == [True]
    assert changed([assistant(search, text("x"), found)], on("hosted_tool_call", output="[]"))[0]["content"][1] == found


@pytest.mark.parametrize("name", ["B11_orphan_with_user_text", "B25_split_results", "B46_thinking_blank_signature"])
def test_odd_conversations_are_read_and_leave_as_they_came(name: str) -> None:
    path = CASES / f"{name}.json"
    assert filter_file(path, "noop").data == path.read_bytes()
    [transcript] = load_bytes(path.read_bytes())
    assert transcript.format == "anthropic"


def test_orphan_result_goes_and_the_words_beside_it_stay() -> None:
    done = filter_file(CASES / "B11_orphan_with_user_text.json", "remove_all_tools")
    last = json.loads(done.data)[-1]
    assert last == user(text("What is the next step?"))


def test_split_results_stay_in_their_own_messages() -> None:
    [transcript] = load_bytes((CASES / "B25_split_results.json").read_bytes())
    kinds = [item.type for item in history_items(transcript.data)]
    assert kinds == [None, *["function_call"] * 2, *["function_call_output"] * 2]


def test_thinking_stays_byte_identical_or_goes_as_a_whole() -> None:
    path = CASES / "B46_thinking_blank_signature.json"
    before = json.loads(path.read_bytes())[1]["content"]
    kept = json.loads(filter_file(path, without({"function_call", "function_call_output"})).data)[1]["content"]
    assert kept == before[:2]
    gone = json.loads(filter_file(path, without({"reasoning"})).data)[1]["content"]
    assert gone == [before[0], before[2]]


def test_later_message_of_another_dialect_is_named_with_its_place() -> None:
    chat = {"role": "tool", "tool_call_id": "c", "content": "x"}
    raw = b"\n".join(json.dumps({"messages": each}).encode() for each in [CONVERSATION] * 60 + [[chat]])
    done = filter_bytes(raw, "noop")
    assert said(done.faults)[0].startswith("dump:61")
    assert "a role of another dialect" in said(done.faults)[0]
    assert len(done.data.splitlines()) == 60


odd = st.recursive(
    st.none() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "text", "id", "input", "content", "source"]), inner, max_size=3)
    ),
    max_leaves=6,
)
blocks = st.sampled_from([text("a"), text("b", **MARK), USE, RESULT]) | st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "tool_use", "tool_result", "thinking", "image", "document", "server_tool_use"])},
    optional=dict.fromkeys(
        ("text", "id", "name", "input", "tool_use_id", "content", "source", "thinking", "title"), odd
    ),
)
messages = st.lists(
    st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant"]), "content": st.lists(blocks, max_size=4)}),
    max_size=4,
)


@settings(max_examples=150, deadline=None)
@given(messages, st.sets(st.integers(0, 12)))
def test_items_that_stay_keep_their_very_blocks(value: list[dict[str, Any]], gone: set[int]) -> None:
    value = [*value, assistant(USE)]
    raw = json.dumps(value).encode()
    kept: list[Item] = []

    def some(data: HandoffInputData) -> HandoffInputData:
        kept[:] = [item for at, item in enumerate(history_items(data)) if at not in gone]
        return data.clone(input_history=tuple(kept))

    done = filter_bytes(raw, some)
    assert done.faults == []
    again = history_items(load(json.loads(done.data)).data)
    count = len(history_items(load(value).data))
    if gone & set(range(count)):
        before = [block for message in value for block in message["content"]]
        for message in json.loads(done.data):
            assert all(block in before for block in message["content"])
        assert len(again) <= len(kept)
    else:
        assert done.data == raw


@settings(max_examples=100, deadline=None)
@given(messages)
def test_every_target_takes_any_message(value: list[dict[str, Any]]) -> None:
    raw = json.dumps([*value, assistant(USE)]).encode()
    for target in ("items", "handoff", "chat", "anthropic", "next-agent"):
        done = filter_bytes(raw, to=target)
        assert json.loads(done.data) is not None
