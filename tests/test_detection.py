"""What a file is, told by its shape: its own format says so, no other one does as loudly, and nothing is guessed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from handoffctl.dumps.detection import Evidence, Sample, container_of, dialect_of, look, shapes, votes
from handoffctl.errors import InputError, UsageError
from handoffctl.formats import FORMATS
from handoffctl.loading import Dump
from tests.conftest import SAMPLES
from tests.dumps import GOLDEN, load_json
from tests.reading import file_of, load_bytes

FILES = sorted(path for path in SAMPLES.rglob("*") if path.is_file())
USER: dict[str, Any] = {"role": "user", "content": "hi"}
ITEM_CALL = {"type": "function_call", "call_id": "c", "name": "n", "arguments": "{}"}
CHAT_CALL = {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "function": {"name": "n"}}]}
CHAT_OUTPUT = {"role": "tool", "tool_call_id": "c", "content": "x"}
TEXT = {"type": "text", "text": "x"}
TOOL_USE = {"type": "tool_use", "id": "t", "name": "n", "input": {}}
TOOL_RESULT = {"type": "tool_result", "tool_use_id": "t"}
PARTS = {"input_history": [USER], "pre_handoff_items": [], "new_items": [ITEM_CALL]}


def evidence_of(raw: bytes) -> tuple[str, Evidence]:
    dump = Dump(str(file_of(raw)))
    dump.close()
    return dump.format.name, dump.evidence


def scores(values: tuple[Any, ...]) -> dict[str, int]:
    found = {name: FORMATS.get(name)().sniff(Sample(values)) for name in FORMATS.builtin}
    return {name: evidence.score for name, evidence in found.items() if evidence is not None}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SAMPLES)))
def test_sample_is_recognised_by_its_own_format_and_by_no_other_as_well(path: Path) -> None:
    dump = Dump(str(path))
    dump.close()
    own, *others = [(format_.name, evidence.score) for format_, evidence in dump.ranking]
    assert own[0] == path.parent.name
    assert all(score < own[1] for _, score in others)


@pytest.mark.parametrize("name", ["dump.jsonl", "chat.txt", "items", "x.db", "handoff.yaml"])
def test_name_of_a_file_says_nothing(tmp_path: Path, name: str) -> None:
    for sample in FILES:
        path = tmp_path / name
        path.write_bytes(sample.read_bytes())
        dump = Dump(str(path))
        dump.close()
        assert dump.format.name == sample.parent.name


def test_recorded_dumps_and_states_are_recognised() -> None:
    for path in (GOLDEN / "runs").glob("[ms]*.json"):
        run = load_json(path)
        if "run_state" in run:
            assert evidence_of(json.dumps(run["run_state"]).encode())[0] == "runstate"
        for call in run.get("filter_calls") or ():
            assert evidence_of(json.dumps(call["before"]).encode())[0] == "handoff"


VALUES: dict[str, tuple[Any, str, str, str | None]] = {
    "a list of items": ([USER, ITEM_CALL], "items", "value", None),
    "items in an object": ({"id": 1, "input": [USER, ITEM_CALL]}, "items", "value", "input"),
    "items as messages": ({"messages": [USER, ITEM_CALL]}, "items", "value", "messages"),
    "items as items": ({"items": [ITEM_CALL]}, "items", "value", "items"),
    "an item": (ITEM_CALL, "items", "entries", None),
    "an item of parts": ({"role": "user", "content": [{"type": "input_text", "text": "x"}]}, "items", "entries", None),
    "an unknown item among known ones": ([{"type": "no_such"}, ITEM_CALL], "items", "value", None),
    "a chat list": ([USER, CHAT_CALL, CHAT_OUTPUT], "chat", "value", None),
    "chat in an object": ({"model": "m", "messages": [USER, CHAT_CALL]}, "chat", "value", "messages"),
    "a chat message": (CHAT_CALL, "chat", "entries", None),
    "an Anthropic list": ([USER, {"role": "assistant", "content": [TEXT, TOOL_USE]}], "anthropic", "value", None),
    "an Anthropic request": (
        {"model": "claude", "system": "s", "messages": [USER, {"role": "user", "content": [TOOL_RESULT]}]},
        "anthropic",
        "value",
        "messages",
    ),
    "an Anthropic request of plain texts": ({"system": "s", "messages": [USER]}, "anthropic", "value", "messages"),
    "an Anthropic thought": (
        [{"role": "assistant", "content": [{"type": "thinking", "thinking": "x", "signature": ""}]}],
        "anthropic",
        "value",
        None,
    ),
    "an Anthropic answer": (
        {"id": "m", "type": "message", "role": "assistant", "content": [], "stop_reason": "end_turn"},
        "anthropic",
        "entries",
        None,
    ),
    "a legacy chat list": ([USER, {"role": "function", "name": "n", "content": "x"}], "chat", "value", None),
    "a call without tools": ([{**CHAT_CALL, "tool_calls": None}], "chat", "value", None),
    "parts of a handoff": (PARTS, "handoff", "value", None),
    "a string history": ({"input_history": "hi"}, "handoff", "value", None),
    "a recorded handoff": ({"handoffctl": 1, "before": PARTS, "after": PARTS}, "handoff", "value", None),
    "runs": ({"runs": [{"agent": "a", "messages": [USER]}]}, "runs", "value", "runs"),
    "a run's state": ({"$schemaVersion": "1.0", "original_input": "hi"}, "runstate", "value", None),
}


@pytest.mark.parametrize(("value", "format_", "form", "key"), VALUES.values(), ids=VALUES)
def test_shapes(value: Any, format_: str, form: str, key: str | None) -> None:
    for text in (json.dumps(value), json.dumps(value, indent=2), f"{json.dumps(value)}\n{json.dumps(value)}\n"):
        name, evidence = evidence_of(text.encode())
        assert (name, evidence.form, evidence.key) == (format_, form, key)
        assert evidence.score >= 2
        assert evidence.why


@pytest.mark.parametrize(
    "value",
    [
        [USER],
        USER,
        {"messages": [USER]},
        {"input": [USER, {"role": "assistant", "content": "x"}]},
        [],
        {"messages": []},
    ],
    ids=json.dumps,
)
def test_what_can_be_either_is_read_as_items_and_said_to_be(value: Any) -> None:
    name, evidence = evidence_of(json.dumps(value).encode())
    assert (name, evidence.score) == ("items", 1)
    assert evidence.note is not None
    assert "look the same" in evidence.note


def test_some_chat_messages_among_items_are_said() -> None:
    name, evidence = evidence_of(json.dumps([USER, ITEM_CALL, ITEM_CALL, CHAT_CALL]).encode())
    assert (name, evidence.note) == ("items", "1 chat entries among Responses items, taken as they are")


FOREIGN: dict[str, list[Any]] = {
    "Bedrock": [[{"role": "assistant", "content": [{"toolUse": {"toolUseId": "t"}}]}]],
    "Claude Code": [
        {"type": "user", "uuid": "u", "parentUuid": None, "sessionId": "s", "message": USER},
        {"type": "assistant", "uuid": "v", "parentUuid": "u", "sessionId": "s", "message": {"role": "assistant"}},
    ],
    "LangChain messages": [[{"type": "human", "data": {"content": "hi"}}, {"type": "ai", "data": {"content": "x"}}]],
    "LangChain objects": [[{"lc": 1, "type": "constructor", "id": ["langchain"], "kwargs": {"content": "hi"}}]],
    "Agents SDK for JavaScript": [
        [{**USER}, {"type": "function_call", "callId": "c", "name": "n", "arguments": "{}", "providerData": {}}]
    ],
    "JavaScript run state": [{"$schemaVersion": "1.0", "originalInput": "hi", "generatedItems": []}],
    "Gemini": [{"contents": [{"role": "user", "parts": [{"text": "hi"}]}]}],
    "Gemini list": [[{"role": "user", "parts": [{"text": "hi"}]}]],
    "Vercel UI messages": [[{"id": "1", "role": "user", "parts": [TEXT]}]],
    "Vercel model messages": [[{"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "c"}]}]],
    "AutoGen state": [{"type": "TeamState", "version": "1.0.0", "agent_states": {}}],
    "pydantic-ai": [[{"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "hi"}]}]],
    "ADK session": [{"id": "s", "events": [{"author": "user", "invocation_id": "i", "content": {"parts": []}}]}],
    "settings": [{"name": "x", "version": 1}],
    "rows": [[{"id": 1, "price": 2}, {"id": 2, "price": 3}]],
    "a list of lists": [[[USER]]],
    "an unknown item alone": [[{"type": "no_such_type"}]],
}


@pytest.mark.parametrize("values", FOREIGN.values(), ids=FOREIGN)
def test_files_of_others_are_not_taken_for_ours(values: list[Any]) -> None:
    assert scores(tuple(values)) == {}
    for raw in (b"\n".join(json.dumps(value).encode() for value in values), json.dumps(values[0], indent=1).encode()):
        with pytest.raises(InputError, match=r"of no format known here: it holds an? ") as caught:
            evidence_of(raw)
        assert caught.value.help


def test_what_is_said_of_an_unknown_file_is_short() -> None:
    value = {"k" * 5000: 1, **{f"key{n}": n for n in range(100)}}
    assert len(shapes([value, [value], [[value]], value])) < 1000
    assert shapes([[], {}, None, True, "x", 5]) == "an empty list; an empty object; null"
    assert shapes([True, "x", 5.0]) == "a boolean; a string; a number"
    assert shapes([]) == "no JSON value"
    assert shapes([{"role": "user", "content": [{"type": "x"}, {"type": "x"}, 5]}]) == (
        "an object with role, content (parts: x)"
    )


def test_contradiction_after_the_first_look_is_named(tmp_path: Path) -> None:
    first = json.dumps({"input": [USER, ITEM_CALL]})
    path = tmp_path / "dump"
    path.write_text("\n".join([first] * 60 + [json.dumps({"input": [CHAT_CALL]}), first]))
    seen = list(Dump(str(path)))
    faults = [each for each in seen if isinstance(each, InputError)]
    assert (len(seen), [fault.place for fault in faults]) == (62, [f"{path}:61"])
    assert "chat message" in faults[0].what
    assert "--from items" in faults[0].help


@pytest.mark.parametrize(("wanted", "value", "expected"), [("chat", [USER], USER), ("items", [CHAT_CALL], CHAT_CALL)])
def test_named_format_overrides(wanted: str, value: list[Any], expected: dict[str, Any]) -> None:
    for shape in (value, {"messages": value}, {"messages": value, "x": 1}):
        [transcript] = load_bytes(json.dumps(shape).encode(), wanted)
        assert transcript.format == wanted
        assert list(transcript.data.input_history) == [expected]
    [transcript] = load_bytes(b"\n".join(json.dumps(each).encode() for each in [*value, *value]), wanted)
    assert list(transcript.data.input_history) == [expected, expected]


def test_named_format_that_does_not_fit_names_every_record() -> None:
    for wanted in ("handoff", "runs", "runstate"):
        seen = list(Dump(str(file_of(b'{"messages": []}\n[]\n')), wanted))
        assert [isinstance(each, InputError) for each in seen] == [True, True]


def test_unknown_format_has_a_suggestion() -> None:
    with pytest.raises(UsageError, match="no such format") as caught:
        Dump(str(file_of(b"[]")), "itens")
    assert "items" in caught.value.help


def test_containers() -> None:
    assert container_of([USER]) == (None, [USER])
    assert container_of([]) == (None, [])
    assert container_of([5]) is None
    assert container_of({"items": [], "messages": [USER]}) == ("messages", [USER])
    assert container_of({"messages": "x", "input": [USER]}) == ("input", [USER])
    assert container_of({"role": "user", "input": [USER]}) is None
    assert container_of("x") is None


def test_dialects() -> None:
    assert [dialect_of(entry) for entry in (USER, ITEM_CALL, CHAT_CALL, CHAT_OUTPUT)] == [
        "plain",
        "responses",
        "chat",
        "chat",
    ]
    assert dialect_of({"role": "user", "content": [{"type": ["x"]}, 5, {"type": "input_text"}]}) == "responses"
    assert votes([USER, ITEM_CALL, 5]) == (1, 0, 0, 0, 1)


def test_long_records_are_looked_at_in_part() -> None:
    entries = b"[" + b",".join([b'{"role":"user","content":"%s"}' % (b"x" * 10_000)] * 500) + b"]"
    assert len(look(entries)) == 220
    assert len(look(b'{"input":%s,"x":[1]}' % entries)["input"]) == 220
    assert look(b'{"text":"%s","x":5}' % (b"y" * 2_000_000)) == {"text": None, "x": 5}
    name, evidence = evidence_of(b'{"input":%s}' % entries)
    assert (name, evidence.key, evidence.score) == ("items", "input", 1)


@pytest.mark.parametrize(
    "raw", [b'"%s"', b'["%s"]', b'{"a":"%s","\\ud800":1}', b'{"input":[{"role":"user","x":"\\ud800%s"}]}']
)
def test_long_odd_records_are_no_crash(raw: bytes) -> None:
    try:
        name, _ = evidence_of(raw % (b"x" * 2_000_000))
    except InputError:
        return
    assert name == "items"
