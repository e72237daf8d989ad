"""Rollouts of Codex: which lines are the conversation, and how it goes back into them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handoffctl.item import Item, edit
from handoffctl.loading import Dump
from handoffctl.model import Filter, HandoffInputData, Transcript, history_items
from handoffctl.wording.texts import text_of
from tests.conftest import SAMPLES
from tests.reading import file_of, filter_bytes, load_bytes, said

CASE = Path(__file__).parent.parent / "data" / "cases" / "B111_codex_rollout.jsonl"
META: dict[str, Any] = {"timestamp": "t0", "type": "session_meta", "payload": {"id": "s", "cwd": "/srv"}}
CALL: dict[str, Any] = {"type": "function_call", "call_id": "c", "name": "shell", "arguments": "{}"}
OUTPUT: dict[str, Any] = {"type": "function_call_output", "call_id": "c", "output": "a"}


def user(text: str) -> dict[str, Any]:
    return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}


def assistant(text: str) -> dict[str, Any]:
    return {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}


def line(payload: Any, type_: str = "response_item", **more: Any) -> dict[str, Any]:
    return {"timestamp": "t1", "type": type_, "payload": payload, **more}


def event(type_: str, **more: Any) -> dict[str, Any]:
    return line({"type": type_, **more}, "event_msg")


def rollback(turns: Any) -> dict[str, Any]:
    return event("thread_rolled_back", num_turns=turns)


def compacted(message: str, *history: dict[str, Any]) -> dict[str, Any]:
    return line({"message": message, "replacement_history": list(history)}, "compacted")


def lines(*values: object) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def load(*values: object) -> Transcript:
    [transcript] = load_bytes(lines(*values), "codex")
    return transcript


def texts(transcript: Transcript) -> list[str]:
    return [text_of(item) for item in history_items(transcript.data)]


def drop(*words: str) -> Filter:
    """A filter without the items that say one of these words."""

    def dropped(data: HandoffInputData) -> HandoffInputData:
        kept = [item for item in history_items(data) if not any(word.encode() in item.raw for word in words)]
        return data.clone(input_history=tuple(kept))

    return dropped


def put(place: int, text: str) -> Filter:
    """A filter that adds a user's message at a place."""

    def added(data: HandoffInputData) -> HandoffInputData:
        items = list(history_items(data))
        items.insert(place, Item.of(user(text)))
        return data.clone(input_history=tuple(items))

    return added


def say(old: str, new: str) -> Filter:
    """A filter that replaces words in contents."""

    def said_otherwise(data: HandoffInputData) -> HandoffInputData:
        changed = [
            edit(item, content=json.loads(json.dumps(item["content"]).replace(old, new)))
            if "content" in item and old in json.dumps(item["content"])
            else item
            for item in history_items(data)
        ]
        return data.clone(input_history=tuple(changed))

    return said_otherwise


def after(*values: object, by: Filter) -> list[dict[str, Any]]:
    done = filter_bytes(lines(*values), by)
    assert done.faults == []
    return [json.loads(each) for each in done.data.splitlines()]


def test_case() -> None:
    raw = CASE.read_bytes()
    [transcript] = load_bytes(raw)
    assert [item.type for item in history_items(transcript.data)] == [
        "message",
        "function_call",
        "function_call_output",
        "message",
    ]
    rows = raw.splitlines(keepends=True)
    assert filter_bytes(raw, "remove_all_tools").data == b"".join([*rows[:3], rows[5]])
    assert filter_bytes(raw, "noop").data == raw


@pytest.mark.parametrize("name", ["timestamp", "more"])
def test_timestamps_are_not_required_and_one_line_is_a_rollout(name: str) -> None:
    row = {"type": "response_item", "payload": user("hi"), name: "x"}
    [transcript] = load_bytes(json.dumps(row, indent=1).encode())
    assert (transcript.format, texts(transcript)) == ("codex", ["hi"])


def test_settings_of_the_session() -> None:
    turn = line({"model": "m1"}, "turn_context")
    instructions = {**META, "payload": {**META["payload"], "instructions": "Be brief."}}
    transcript = load(instructions, turn, line({"model": "m2"}, "turn_context"), line(user("hi")))
    assert transcript.about == {"id": "s", "cwd": "/srv", "model": "m2"}
    assert transcript.instructions == {"": "Be brief."}
    assert (transcript.agent, transcript.notes) == (None, ())


@pytest.mark.parametrize(
    ("payload", "agent", "parent"),
    [
        ({"source": {"subagent": "review"}}, "review", None),
        ({"source": {"subagent": {"thread_spawn": {"parent_thread_id": "p", "agent_role": "tester"}}}}, "tester", "p"),
        ({"source": {"subagent": {"thread_spawn": {"agent_nickname": "Ada", "agent_role": None}}}}, "Ada", None),
        ({"source": {"subagent": {"thread_spawn": 5}}, "agent_nickname": "Bob"}, "Bob", None),
        ({"source": {"subagent": {"other": "guardian"}}, "parent_thread_id": "p"}, "guardian", "p"),
        ({"source": "cli"}, None, None),
        ({"source": {"subagent": ["x"]}}, None, None),
    ],
    ids=json.dumps,
)
def test_subagents(payload: dict[str, Any], agent: str | None, parent: str | None) -> None:
    transcript = load(line({**payload, "base_instructions": {"text": "Look."}}, "session_meta"), line(user("hi")))
    assert (transcript.agent, transcript.about.get("parent")) == (agent, parent)
    assert transcript.instructions == {agent or "": "Look."}


def test_old_rollout() -> None:
    raw = (SAMPLES / "codex" / "old.jsonl").read_bytes()
    [transcript] = load_bytes(raw)
    assert transcript.about == {"id": "5d2f6c1e-ab0c-4def-8abc-d0e0f0a0b0c3"}
    assert transcript.instructions == {"": "Keep changes small."}
    rows = raw.splitlines(keepends=True)
    assert filter_bytes(raw, "remove_all_tools").data == b"".join([*rows[:4], *rows[7:]])
    done = filter_bytes(raw, say("late?", "new?"), put(99, "thanks")).data.splitlines(keepends=True)
    assert done[2] == rows[2].replace(b"late?", b"new?")
    assert done[:2] + done[3:-1] == rows[:2] + rows[3:]
    assert json.loads(done[-1]) == user("thanks")


@pytest.mark.parametrize(
    "rows",
    [
        [{"id": "s", "timestamp": "t", "instructions": None}],
        [user("hi"), {"record_type": "state"}],
        [{"id": "s", "timestamp": "t", "git": {}}, user("hi")],
    ],
    ids=["head alone", "state", "head"],
)
def test_what_tells_an_old_rollout(rows: list[dict[str, Any]]) -> None:
    [transcript] = load_bytes(lines(*rows))
    assert transcript.format == "codex"
    assert texts(transcript) == ["hi"] * (user("hi") in rows)


def test_bare_items_alone_are_items() -> None:
    [transcript] = load_bytes(lines(user("hi"), CALL))
    assert transcript.format == "items"


def test_snapshots_are_not_of_the_conversation_and_unknown_items_are() -> None:
    ghost = line({"type": "ghost_snapshot", "ghost_commit": {"id": "x"}})
    odd = line({"type": "no_such", "call": "ghost_snapshot"})
    transcript = load(META, ghost, odd, line(user("hi")))
    assert [item.type for item in history_items(transcript.data)] == ["no_such", "message"]
    assert after(META, ghost, odd, line(user("hi")), by=drop("hi")) == [META, ghost, odd]


def test_words_of_what_a_filter_took_are_gone_with_the_events() -> None:
    rows = [
        META,
        event("user_message", message="hush"),
        line(user("hush")),
        event("token_count", info=None),
        event("no_such_event", words="hush"),
        line("hush", "event_msg"),
        event("turn_aborted", reason="interrupted"),
        line(assistant("ok")),
        event("agent_message", message="ok"),
    ]
    assert after(*rows, by=drop("hush")) == [META, rows[3], rows[6], rows[7]]
    assert "hush" not in json.dumps(after(*rows, by=say("hush", "***")))
    assert filter_bytes(lines(*rows), "noop").data == lines(*rows)


@pytest.mark.parametrize(("type_", "is_said"), [("agent_message", True), ("token_count", False)])
def test_events_that_would_go_are_said_beforehand(type_: str, is_said: bool) -> None:
    dump = Dump(str(file_of(lines(META, event(type_, message="x"), line(user("hi"))))))
    dump.close()
    assert any("event_msg" in note for note in dump.notes) is is_said


def test_edited_line_keeps_its_other_members_and_its_style() -> None:
    raw = b'{"timestamp": "t", "type": "response_item", "x": 1e2, "payload": %s, "y": [1,  2]}\n'
    payload = b'{"type": "message", "id": "m", "role": "user", "content": "old", "n": 1.50}'
    done = filter_bytes(raw % payload, say("old", "new")).data
    assert done == raw % payload.replace(b"old", b"new")


def test_new_items_get_lines_of_their_own() -> None:
    rows = [META, event("task_started"), line(user("a")), line(assistant("b"))]
    new = {"timestamp": "t1", "type": "response_item", "payload": user("new")}
    assert after(*rows, by=put(0, "new")) == [META, rows[1], new, *rows[2:]]
    assert after(*rows, by=put(1, "new")) == [*rows[:3], new, rows[3]]
    assert after(*rows, by=put(2, "new")) == [*rows, new]
    assert after(META, by=put(0, "new")) == [META, {**new, "timestamp": "t0"}]
    bare = {"type": "response_item", "payload": user("a")}
    assert after(bare, by=put(1, "new")) == [bare, {**bare, "payload": user("new")}]


def test_moved_items_keep_their_lines() -> None:
    def turned(data: HandoffInputData) -> HandoffInputData:
        return data.clone(input_history=tuple(reversed(history_items(data))))

    rows = [META, line(user("a")), event("token_count"), line(assistant("b")), line({}, "turn_context")]
    assert after(*rows, by=turned) == [META, rows[2], rows[3], rows[1], rows[4]]


def test_compaction_with_its_items() -> None:
    rows = [META, line(user("a")), line(assistant("b")), compacted("sum", user("a"), user("sum")), line(user("c"))]
    transcript = load(*rows)
    assert texts(transcript) == ["a", "sum", "c"]
    assert transcript.notes[0] == "compacted at line 4: 2 earlier items are no longer of the conversation"
    assert after(*rows, by=drop('"c"')) == rows[:4]
    assert after(*rows, by=drop("sum")) == [*rows[:3], compacted("", user("a")), rows[4]]
    assert after(*rows, by=drop("sum", '"a"')) == [*rows[:3], compacted(""), rows[4]]
    assert after(*rows, by=say("sum", "SUM")) == [*rows[:3], compacted("", user("a"), user("SUM")), rows[4]]
    assert after(*rows, by=put(1, "n")) == [*rows[:3], compacted("", user("a"), user("n"), user("sum")), rows[4]]
    assert after(*rows, by=put(2, "n")) == [*rows[:4], line(user("n")), rows[4]]


def test_compaction_with_a_message_alone() -> None:
    rows = [line(user("a")), line({"message": "sum", "x": 1}, "compacted"), line(user("c"))]
    transcript = load(*rows)
    assert [dict(item) for item in history_items(transcript.data)] == [assistant("sum"), user("c")]
    assert "its message stands for them" in transcript.notes[0]
    assert after(*rows, by=drop('"c"')) == rows[:2]
    gone = line({"message": "", "x": 1, "replacement_history": []}, "compacted")
    assert after(*rows, by=drop("sum")) == [rows[0], gone, rows[2]]
    edited = line({"message": "", "x": 1, "replacement_history": [assistant("SUM")]}, "compacted")
    assert after(*rows, by=say("sum", "SUM")) == [rows[0], edited, rows[2]]


@pytest.mark.parametrize("message", ["", None, 5])
def test_compaction_that_says_nothing(message: Any) -> None:
    rows = [line(user("a")), line({"message": message}, "compacted"), line(user("c")), line(user("d"))]
    assert texts(load(*rows)) == ["c", "d"]
    assert after(*rows, by=drop('"d"')) == rows[:3]


def test_the_last_compaction_counts() -> None:
    rows = [line(user("a")), compacted("x", user("b")), line(user("c")), compacted("", user("d"), user("e"))]
    transcript = load(*rows)
    assert texts(transcript) == ["d", "e"]
    assert transcript.notes[0] == "compacted at line 4: 3 earlier items are no longer of the conversation"


def test_rolled_back_turns() -> None:
    context = line(user("<environment_context>x</environment_context>"))
    rows = [context, line(user("a")), line(assistant("b")), line(user("c")), line(assistant("d")), rollback(1)]
    transcript = load(*rows, line(user("e")))
    assert texts(transcript) == ["<environment_context>x</environment_context>", "a", "b", "e"]
    assert transcript.notes[0].startswith("turns were rolled back: 2 items")
    assert texts(load(*rows, rollback(1))) == texts(load(*rows[:1]))
    assert texts(load(*rows[:5], rollback(9))) == texts(load(context))
    for odd in (0, -1, "x", None, 10**30):
        assert len(texts(load(*rows[:5], rollback(odd)))) == (1 if odd == 10**30 else 5)
    assert after(*rows, line(user("e")), by=drop('"a"', '"b"')) == [rows[0], *rows[3:], line(user("e"))]


def test_a_changed_compaction_keeps_what_a_later_line_takes_back() -> None:
    rows = [compacted("", user("a"), user("b")), rollback(1), line(user("c"))]
    assert texts(load(*rows)) == ["a", "c"]
    done = after(*rows, by=say("a", "A"))
    assert done == [compacted("", user("A"), user("b")), *rows[1:]]
    assert texts(load(*done)) == ["A", "c"]


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ({"timestamp": "t", "type": "response_item", "payload": 5}, "payload"),
        ({"timestamp": "t", "type": "compacted", "payload": {"replacement_history": 5}}, "replacement_history"),
        ({"timestamp": "t", "type": "compacted", "payload": {"replacement_history": [5]}}, "replacement_history"),
        ({"timestamp": "t", "type": 5, "payload": {}}, "not a line of a Codex rollout"),
        ({"x": 1}, "not a line of a Codex rollout"),
    ],
    ids=json.dumps,
)
def test_bad_lines_are_named_and_the_rest_is_read(row: dict[str, Any], what: str) -> None:
    done = filter_bytes(lines(META, line(user("a")), row, line(assistant("b"))), "noop")
    [fault] = said(done.faults)
    assert fault.startswith("dump:3")
    assert what in fault
    assert done.data == lines(META, line(user("a")), line(assistant("b")))


@pytest.mark.parametrize("payload", [None, 5, "x", [], {"type": ["x"]}, {"message": 5}])
@pytest.mark.parametrize("type_", ["event_msg", "session_meta", "turn_context", "compacted", "no_such"])
def test_odd_payloads_of_other_lines_are_kept(type_: str, payload: Any) -> None:
    rows = [line(payload, type_), line(user("a")), line(assistant("b"))]
    assert after(*rows, by=drop('"b"'))[-1] == rows[1]
    assert filter_bytes(lines(*rows), "noop").data == lines(*rows)


def test_crlf_and_lone_surrogates() -> None:
    raw = b'{"type":"response_item","payload":{"role":"user","content":"\\ud800"}}\r\n'
    more = b'{"type":"response_item","payload":{"role":"assistant","content":"\\udc00"}}\r\n'
    assert filter_bytes(raw + more, drop("assistant")).data == raw


ROWS = [
    line(user("a")), line(assistant("b")), line(CALL), line(OUTPUT), rollback(1), rollback(2), event("token_count"),
    compacted("m", user("r1"), assistant("r2"), user("r3")), line({"message": "m"}, "compacted"),
    event("agent_message", message="b"), line({"model": "m"}, "turn_context"),
]  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(ROWS), min_size=1, max_size=12), st.sets(st.integers(0, 12)))
def test_what_is_written_is_read_as_what_the_filter_gave(rows: list[Any], gone: set[int]) -> None:
    given_back: list[dict[str, Any]] = []

    def some(data: HandoffInputData) -> HandoffInputData:
        kept = [item for n, item in enumerate(history_items(data)) if n not in gone]
        given_back[:] = [dict(item) for item in kept]
        return data.clone(input_history=tuple(kept))

    written = [META, *rows]
    again = load(*after(*written, by=some))
    assert [dict(item) for item in history_items(again.data)] == given_back
