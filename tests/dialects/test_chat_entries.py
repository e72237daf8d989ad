"""Items back into the messages that they came from: by parts, with nothing of a lost part left."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffctl.dialects.chat import ChatEntries
from handoffctl.dialects.chat_entries import entries_of
from handoffctl.item import Item, edit
from handoffctl.model import HandoffInputData, history_items
from tests.reading import filter_bytes

Pick = Callable[[tuple[Item, ...]], list[Item]]


def call(number: int, **more: Any) -> dict[str, Any]:
    arguments = json.dumps({"key": f"ARGS{number}"})
    return {
        "id": f"ID{number}",
        "type": "function",
        "function": {"name": f"NAME{number}", "arguments": arguments},
        **more,
    }


USER = {"role": "user", "content": "question"}
ANSWER = {"role": "tool", "tool_call_id": "ID1", "content": "found", "name": "x"}
BOTH = {"role": "assistant", "content": "TEXT0", "tool_calls": [call(1), call(2), call(3)], "weight": 1.50}
SILENT = {**BOTH, "content": None, "refusal": None, "annotations": []}
LEGACY = {"role": "assistant", "content": "TEXT0", "function_call": {"name": "NAME1", "arguments": "ARGS1"}, "x": 1}


def rebuilt(entries: list[Any], pick: Pick, write: Callable[[Any], str] = json.dumps) -> list[Any]:
    """The messages that are left of these once a filter picked from their items."""
    origin = ChatEntries(write(entries).encode(), None)
    return [json.loads(text) for text in texts_of(pick(origin.items()), origin)]


def texts_of(items: Iterable[Item], origin: ChatEntries | None = None) -> list[bytes]:
    """The messages that say items, all of which a message can say."""
    texts, unsaid = entries_of(items, origin)
    assert unsaid == []
    return [bytes(text) for text in texts]


def parts(*numbers: int) -> Pick:
    return lambda items: [items[number] for number in numbers]


def edited(number: int, **changes: Any) -> Pick:
    return lambda items: [edit(item, **changes) if n == number else item for n, item in enumerate(items)]


def left(*numbers: int, **more: Any) -> dict[str, Any]:
    return {**BOTH, **more, "tool_calls": [call(number) for number in numbers]}


def without(entry: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in entry.items() if key not in keys}


CASES: dict[str, tuple[list[Any], Pick, list[Any]]] = {
    "all parts, the message itself": ([USER, BOTH, ANSWER], list, [USER, BOTH, ANSWER]),
    "the text alone has no calls, not an empty list of them": ([BOTH], parts(0), [without(BOTH, "tool_calls")]),
    "one call of three": ([BOTH], parts(0, 2), [left(2)]),
    "calls without the text": ([BOTH], parts(1, 2, 3), [left(1, 2, 3, content=None)]),
    "no part, no message": ([USER, BOTH], parts(0), [USER]),
    "no text and no calls, no message": ([SILENT], parts(), []),
    "null stays null": ([SILENT], parts(1), [{**SILENT, "tool_calls": [call(2)]}]),
    "an empty text stays empty": ([{**BOTH, "content": ""}], parts(0), [left(1, content="")]),
    "parts in another order are messages of their own": (
        [BOTH],
        parts(3, 0),
        [left(3, content=None), without(BOTH, "tool_calls")],
    ),
    "parts with another item between": (
        [USER, BOTH],
        parts(1, 0, 4),
        [without(BOTH, "tool_calls"), USER, left(3, content=None)],
    ),
    "a message twice": ([USER], parts(0, 0), [USER, USER]),
    "messages in another order": ([USER, ANSWER, BOTH], parts(1, 0), [ANSWER, USER]),
    "what goes with a text goes with it": (
        [{**BOTH, "annotations": [{"title": "TEXT0"}], "refusal": None, "audio": {"transcript": "TEXT0"}}],
        parts(1),
        [{**left(1, content=None), "refusal": None}],
    ),
    "a legacy call goes alone": ([LEGACY], parts(0), [without(LEGACY, "function_call")]),
    "a legacy call stays alone": ([LEGACY], parts(1), [{**LEGACY, "content": None}]),
    "a legacy call beside null calls": (
        [{**LEGACY, "tool_calls": None}],
        parts(0),
        [without(LEGACY, "function_call")],
    ),
    "a null legacy call goes with the calls": (
        [{**BOTH, "function_call": None}],
        parts(0),
        [without(BOTH, "tool_calls")],
    ),
    "a call written both ways leaves nothing": (
        [{**BOTH, "function_call": {"name": "NAME1", "arguments": "ARGS1"}}],
        parts(0, 2),
        [left(2)],
    ),
    "an edited message": ([USER], edited(0, content="new"), [{"role": "user", "content": "new"}]),
    "an edited text": ([BOTH], edited(0, content="new", role="user"), [{**BOTH, "content": "new", "role": "user"}]),
    "an edited text without its calls": (
        [BOTH],
        lambda items: [edit(items[0], content="new")],
        [{**without(BOTH, "tool_calls"), "content": "new"}],
    ),
    "a text without its content": ([BOTH], edited(0, content=...), [{**BOTH, "content": None}]),
    "edited arguments": (
        [BOTH],
        edited(2, arguments="{}"),
        [{**BOTH, "tool_calls": [call(1), call(2, function={"name": "NAME2", "arguments": "{}"}), call(3)]}],
    ),
    "an edited name and id": (
        [BOTH],
        edited(2, name="new", call_id="c"),
        [{**BOTH, "tool_calls": [call(1), call(2, id="c", function={**call(2)["function"], "name": "new"}), call(3)]}],
    ),
    "an edited call without an id gets none": (
        [{"role": "assistant", "tool_calls": [{"function": {"name": "n", "arguments": {}, "x": 1}}]}],
        edited(0, arguments=[1]),
        [{"role": "assistant", "tool_calls": [{"function": {"name": "n", "arguments": [1], "x": 1}}]}],
    ),
    "an edited call whose tool was odd": (
        [{"role": "assistant", "tool_calls": [{"function": 3}]}],
        edited(0, name="n"),
        [{"role": "assistant", "tool_calls": [{"function": {"name": "n", "arguments": None}}]}],
    ),
    "an edited call that was no object": (
        [{"role": "assistant", "tool_calls": [None, call(1)]}],
        edited(0, name="n", arguments="{}"),
        [
            {
                "role": "assistant",
                "tool_calls": [
                    {"id": None, "type": "function", "function": {"name": "n", "arguments": "{}"}},
                    call(1),
                ],
            }
        ],
    ),
    "an edited custom call": (
        [{"role": "assistant", "tool_calls": [{"id": "c", "type": "custom", "custom": {"name": "n", "input": "i"}}]}],
        edited(0, input="new"),
        [{"role": "assistant", "tool_calls": [{"id": "c", "type": "custom", "custom": {"name": "n", "input": "new"}}]}],
    ),
    "an edited legacy call": (
        [LEGACY],
        edited(1, arguments="new"),
        [{**LEGACY, "function_call": {"name": "NAME1", "arguments": "new"}}],
    ),
    "an edited output": ([ANSWER], edited(0, output="new"), [{**ANSWER, "content": "new"}]),
    "an edited id of an output": ([ANSWER], edited(0, call_id="c"), [{**ANSWER, "tool_call_id": "c"}]),
    "an edited output of the time before ids": (
        [{"role": "function", "name": "n", "content": "r"}],
        edited(0, output="new", call_id="c"),
        [{"role": "function", "name": "n", "content": "new"}],
    ),
    "an edit that changes nothing": (
        [USER, BOTH, ANSWER, LEGACY],
        lambda items: [edit(edit(item, id="x"), id=...) for item in items],
        [USER, BOTH, ANSWER, LEGACY],
    ),
    "an output that an edit made a message": (
        [ANSWER],
        edited(0, type=..., call_id=..., output=..., role="user", content="it was found"),
        [{"role": "user", "content": "it was found"}],
    ),
    "a message that an edit made a call": (
        [USER],
        edited(0, type="function_call", role=..., content=..., call_id="c", name="n", arguments="{}"),
        [
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "c", "type": "function", "function": {"name": "n", "arguments": "{}"}}],
            }
        ],
    ),
}


@pytest.mark.parametrize(("entries", "pick", "expected"), CASES.values(), ids=CASES)
def test_messages_are_rebuilt_from_the_parts_that_are_left(entries: list[Any], pick: Pick, expected: list[Any]) -> None:
    assert rebuilt(entries, pick) == expected
    indented = rebuilt(entries, pick, lambda value: json.dumps(value, indent=2))
    assert indented == expected


WORDS = ("TEXT0", *(f"{word}{number}" for word in ("ARGS", "ID", "NAME") for number in (1, 2, 3)))


@given(
    st.sets(st.integers(0, 3)),
    st.sampled_from(
        [json.dumps, lambda value: json.dumps(value, indent=1), lambda value: json.dumps(value, separators=(",", ":"))]
    ),
)
def test_no_word_of_a_removed_part_is_left(kept: set[int], write: Callable[[Any], str]) -> None:
    origin = ChatEntries(write([{**BOTH, "function_call": {"name": "NAME1", "arguments": "ARGS1"}}]).encode(), None)
    items = origin.items()
    texts = texts_of([items[number] for number in sorted(kept)], origin)
    text = b"".join(texts).decode()
    if len(kept) == len(items):
        assert texts == [bytes(origin.raws[0])]
        return
    for word in WORDS:
        assert (word in text) is (int(word[-1]) in kept)
    assert ('"tool_calls"' in text) is bool(kept - {0})


@pytest.mark.parametrize(
    "around",
    ["%s", '{"messages": %s, "model": "m"}', '{"id": 1, "messages": %s}', '{"messages": [], "messages": %s}'],
    ids=["a list", "a member before another", "a member after another", "a member that stands twice"],
)
def test_remove_all_tools_leaves_no_word_of_a_tool(around: str) -> None:
    messages = [
        USER,
        {
            **BOTH,
            "tool_calls": [call(1), {"id": "ID2", "type": "custom", "custom": {"name": "NAME2", "input": "ARGS2"}}],
        },
        {"role": "tool", "tool_call_id": "ID1", "content": [{"type": "text", "text": "ARGS1"}]},
        {"role": "tool", "tool_call_id": "ID2", "content": "ARGS2"},
        SILENT,
        {"role": "function", "name": "NAME1", "content": "ARGS3"},
        {**LEGACY, "content": "TEXT1"},
        {"role": "assistant", "content": "done", "reasoning_content": "r", "thinking_blocks": [], "tool_calls": []},
    ]
    for write in (json.dumps, lambda value: json.dumps(value, indent=2)):
        raw = (around % write(messages)).encode()
        text = filter_bytes(raw, "remove_all_tools").data.decode()
        assert [word for word in WORDS if word in text] == ["TEXT0"]
        value = json.loads(text)
        assert (value if isinstance(value, list) else value["messages"]) == [
            USER,
            without(BOTH, "tool_calls"),
            {"role": "assistant", "content": "TEXT1", "x": 1},
            messages[-1],
        ]
        assert b'weight": 1.5,' not in raw or '"weight": 1.5' in text


def test_untouched_members_keep_their_spelling() -> None:
    raw = (
        b'[{"role":"assistant" , "content":"\\u00e9\\/", "n":1.00, "n":1e5,\n'
        b' "tool_calls":[ {"id":"a", "x":1E+2} ,{"id":"b"} ],'
        b' "deep":{"z":12345678901234567890123}}]'
    )
    origin = ChatEntries(raw, None)
    items = origin.items()
    assert texts_of([items[0], items[2]], origin) == [raw[1:-1].replace(b' {"id":"a", "x":1E+2} ,', b" ")]
    assert texts_of([items[0]], origin) == [
        raw[1:-1].replace(b'\n "tool_calls":[ {"id":"a", "x":1E+2} ,{"id":"b"} ],', b"")
    ]
    assert texts_of([items[1], items[2]], origin) == [raw[1:-1].replace(b'"\\u00e9\\/"', b"null")]


def test_lone_surrogates_go_back_as_they_came() -> None:
    raw = b'[{"role":"assistant","content":"\\ud800","tool_calls":[{"id":"a","n":1.0,"function":{}},{"id":"\\udfff"}]}]'
    origin = ChatEntries(raw, None)
    items = origin.items()
    assert texts_of(items, origin) == [raw[1:-1]]
    assert texts_of(items[:2], origin) == [raw[1:-1].replace(b',{"id":"\\udfff"}', b"")]
    assert texts_of([edit(items[0], content="\udc00")], origin) == [b'{"role":"assistant","content":"\\udc00"}']


def test_new_text_is_written_in_the_style_of_the_file() -> None:
    raw = json.dumps([{"role": "assistant", "content": "\u00e9", "tool_calls": [call(1)]}], indent=2).encode()

    def rewrite(data: HandoffInputData) -> HandoffInputData:
        text, one = history_items(data)
        new = Item.of({"role": "user", "content": "\u00fc"})
        return data.clone(input_history=(edit(text, content=[{"text": "\u00e8"}]), edit(one, call_id="c2"), new))

    expected = [
        {"role": "assistant", "content": [{"text": "\u00e8"}], "tool_calls": [call(1, id="c2")]},
        {"role": "user", "content": "\u00fc"},
    ]
    got = filter_bytes(raw, rewrite).data.decode()
    assert json.loads(got) == expected
    assert got.isascii()
    assert '      {\n        "text": "\\u00e8"\n      }\n    ],' in got


NEW: dict[str, tuple[list[dict[str, Any]], list[dict[str, Any]]]] = {
    "a message keeps its keys, but not those of Responses": (
        [{"type": "message", "id": "m", "status": "completed", "role": "user", "content": "x", "name": "Ann"}],
        [{"role": "user", "content": "x", "name": "Ann"}],
    ),
    "a model's text in parts is one text": (
        [
            {
                "role": "assistant",
                "content": [{"type": "output_text", "text": "a"}, {"type": "refusal", "refusal": "b"}],
            }
        ],
        [{"role": "assistant", "content": "a", "refusal": "b"}],
    ),
    "media": (
        [
            {
                "role": "user",
                "content": [
                    {"type": "input_text", "text": "t"},
                    {"type": "input_image", "image_url": "u", "detail": None},
                    {"type": "input_file", "file_id": "f", "filename": None},
                    {"type": "no_such", "x": 1},
                    5,
                ],
            }
        ],
        [
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "t"},
                    {"type": "image_url", "image_url": {"url": "u", "detail": "auto"}},
                    {"type": "file", "file": {"file_id": "f"}},
                    {"type": "no_such", "x": 1},
                    5,
                ],
            }
        ],
    ),
    "calls join the text before them": (
        [
            {"role": "assistant", "content": "a"},
            {"type": "function_call", "call_id": "c", "name": "n", "arguments": "{}"},
            {"type": "custom_tool_call", "call_id": "d", "name": "m", "input": "i"},
            {"type": "function_call_output", "call_id": "c", "output": {"x": 1}},
            {"type": "custom_tool_call_output", "call_id": "d", "output": [{"type": "input_text", "text": "t"}]},
            {"type": "function_call_output", "call_id": "e", "output": None},
            {"type": "function_call", "call_id": "f", "name": "n", "arguments": ""},
            {"role": "user", "content": "b"},
        ],
        [
            {
                "role": "assistant",
                "content": "a",
                "tool_calls": [
                    {"id": "c", "type": "function", "function": {"name": "n", "arguments": "{}"}},
                    {"id": "d", "type": "custom", "custom": {"name": "m", "input": "i"}},
                ],
            },
            {"role": "tool", "tool_call_id": "c", "content": '{"x":1}'},
            {"role": "tool", "tool_call_id": "d", "content": [{"type": "text", "text": "t"}]},
            {"role": "tool", "tool_call_id": "e", "content": ""},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "f", "type": "function", "function": {"name": "n", "arguments": ""}}],
            },
            {"role": "user", "content": "b"},
        ],
    ),
    "an unknown role is kept as it is": ([{"role": "critic", "content": "x"}], [{"role": "critic", "content": "x"}]),
}


@pytest.mark.parametrize(("items", "expected"), NEW.values(), ids=NEW)
def test_items_from_elsewhere_become_messages(items: list[dict[str, Any]], expected: list[dict[str, Any]]) -> None:
    assert [json.loads(text) for text in texts_of(Item.of(item) for item in items)] == expected


def test_what_no_message_can_say_is_told() -> None:
    items = [Item.of({"type": type_}) for type_ in ("reasoning", "web_search_call", "item_reference", "no_such_type")]
    assert entries_of(items) == ([], items)


def test_items_of_another_chat_record_go_as_they_are() -> None:
    other = ChatEntries(json.dumps([USER, BOTH, LEGACY]).encode(), None)
    mine = ChatEntries(b'[{"role":"user","content":"mine"}]', None)
    texts = texts_of([*mine.items(), *other.items()], mine)
    assert texts == [bytes(mine.raws[0]), *map(bytes, other.raws)]
    assert texts_of(other.items()) == list(map(bytes, other.raws))
