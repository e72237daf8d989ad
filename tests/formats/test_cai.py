"""CAI's session logs: one conversation out of requests that repeat it, with every agent and nothing lost."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from handoffctl.model import Transcript, segment_items
from tests.conftest import SAMPLES, RunCli
from tests.reading import filter_bytes, load_bytes

SAMPLE = SAMPLES / "cai" / "web-check.jsonl"
USER = {"role": "user", "content": "scan"}
KEY = "not-a-real-key-0001"
START = {"event": "session_start", "timestamp": "t", "session_id": "s", "alias_api_key": KEY}


def call(id_: str, name: str = "nmap") -> dict[str, Any]:
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": id_, "type": "function", "function": {"name": name, "arguments": "{}"}}],
    }


def tool(id_: str, text: str = "open") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id_, "content": text}


def said(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def request(*messages: dict[str, Any], prompt: str = "rules") -> dict[str, Any]:
    return {"model": "m", "messages": [{"role": "system", "content": prompt}, *messages], "stream": False}


def completion(message: dict[str, Any] | None, agent: str | None = "A") -> dict[str, Any]:
    named = {"agent_name": agent} if agent else {}
    return {"object": "chat.completion", **named, "choices": [{"index": 0, "message": message}], "cost": {}}


def log(*lines: object) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def types_of(transcript: Transcript) -> list[str]:
    return [str(item.type or item.role) for _, item in segment_items(transcript.data)]


def texts_of(transcript: Transcript) -> list[Any]:
    return [item.get("content") for _, item in segment_items(transcript.data) if item.role]


def test_sample_is_one_conversation_with_both_agents() -> None:
    [transcript] = load_bytes(SAMPLE.read_bytes())
    assert transcript.agent == "Web Agent"
    assert list(transcript.instructions) == ["Triage Agent", "Web Agent"]
    assert types_of(transcript).count("function_call") == types_of(transcript).count("function_call_output") == 4
    assert "system" not in types_of(transcript)
    assert transcript.notes == ()
    whole = transcript.whole
    assert whole is not None
    agents = [each.agent for each in whole.pre_handoff_items]
    assert agents[:5] == ["Triage Agent"] * 5
    assert set(agents[5:]) == {"Web Agent", None}


def test_handoff_has_both_names_and_its_three_parts() -> None:
    [transcript] = load_bytes(SAMPLE.read_bytes())
    [data] = transcript.splits
    assert [item.role for item in data.input_history if not isinstance(item, str)] == ["user"]
    assert [each.agent for each in data.pre_handoff_items] == ["Triage Agent"] * 2
    output = data.new_items[-1]
    assert (output.type, output.source_agent, output.target_agent) == (
        "handoff_output_item",
        "Triage Agent",
        "Web Agent",
    )


def test_outputs_come_from_the_request_that_follows() -> None:
    lines = [
        START,
        request(USER),
        completion(call("c1")),
        request(USER, call("c1"), tool("c1")),
        completion(said("done")),
    ]
    [transcript] = load_bytes(log(*lines))
    assert types_of(transcript) == ["user", "function_call", "function_call_output", "assistant"]


def loaded_by_cai(lines: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """As CAI's own loader does it: every message of every request and completion, equal ones once."""
    seen: list[dict[str, Any]] = []
    for line in lines:
        messages = [*line.get("messages", ()), *(choice["message"] for choice in line.get("choices", ()))]
        seen += [message for message in messages if message["role"] != "system" and message not in seen]
    return seen


def test_words_said_twice_are_kept_where_cais_own_loader_loses_them() -> None:
    again = [USER, said("ok"), USER]
    lines = [request(USER), completion(said("ok")), request(*again), completion(said("ok"))]
    [transcript] = load_bytes(log(START, *lines))
    assert texts_of(transcript) == ["scan", "ok", "scan", "ok"]
    assert loaded_by_cai(lines) == [USER, said("ok")]


def test_a_request_that_does_not_hold_the_one_before_is_another_conversation() -> None:
    other = {"role": "user", "content": "other"}
    lines = [
        request(USER), completion(said("a"), "A [P1]"), request(other), completion(said("b"), "B [P2]"),
        request(USER, said("a"), USER), completion(said("c"), "A [P1]"),
    ]  # fmt: skip
    first, second = load_bytes(log(*lines))
    assert (first.source.name, texts_of(first)) == ("A [P1]", ["scan", "a", "scan", "c"])
    assert (second.source.name, texts_of(second)) == ("B [P2]", ["other", "b"])
    cut = load_bytes(log(*lines, request(said("c"), USER), completion(said("d"), "A [P1]")))
    assert [each.source.name for each in cut] == ["A [P1]", "B [P2]", "A [P1] (2)"]


def test_marks_of_a_prompt_cache_wander() -> None:
    marked = {"role": "user", "content": [{"type": "text", "text": "scan", "cache_control": {"type": "ephemeral"}}]}
    plain = {"role": "user", "content": [{"type": "text", "text": "scan"}]}
    [transcript] = load_bytes(
        log(request(marked), completion(said("a")), request(plain, said("a"), USER), completion(said("b")))
    )
    assert len(texts_of(transcript)) == 4


@pytest.mark.parametrize(
    ("lines", "note"),
    [
        ([request(USER), completion(call("c1"))], "the log ends before the output of nmap"),
        (
            [request(USER), completion(said("a")), request(USER, said("a"), USER)],
            "the request in line 4 has no completion: the last turn is missing",
        ),
        (
            [{"event": "user_message", "timestamp": "t", "content": "scan"}],
            "the log holds no request: built from its events, which have no outputs of tools",
        ),
    ],
    ids=["output", "completion", "requests"],
)  # fmt: skip
def test_what_is_missing_is_said(lines: list[Any], note: str, run_cli: RunCli) -> None:
    raw = log(START, *lines)
    [transcript] = load_bytes(raw)
    assert transcript.notes == (note,)
    assert note in run_cli("filter", "-f", "noop", stdin=raw).stderr.decode()
    assert note in " ".join(run_cli("inspect", stdin=raw).stdout.decode().split())


def test_events_alone_and_completions_without_names_or_requests() -> None:
    event = {"event": "assistant_message", "timestamp": "t", "content": None, "tool_calls": call("c")["tool_calls"]}
    [transcript] = load_bytes(log(START, {"event": "user_message", "timestamp": "t", "content": "scan"}, event))
    assert types_of(transcript) == ["user", "function_call"]
    [nameless] = load_bytes(log(request(USER), completion(said("a"), None), completion(said("b"), None)))
    assert (nameless.agent, texts_of(nameless)) == (None, ["scan", "a", "b"])
    assert load_bytes(log(START, {"event": "session_end", "timestamp": "t"})) == []


def test_empty_completions_add_nothing() -> None:
    empty: list[dict[str, Any] | None] = [None, {"role": "assistant", "content": None, "tool_calls": []}]
    for message in empty:
        [transcript] = load_bytes(log(request(USER), completion(message)))
        assert texts_of(transcript) == ["scan"]


def test_nothing_of_a_removed_part_is_left_and_the_key_never_comes_out(run_cli: RunCli) -> None:
    raw = log(START, request(USER, call("c1"), tool("c1", "SECRET-WORD")), completion(said("done")))
    done = filter_bytes(raw, "remove_all_tools")
    assert b"SECRET-WORD" not in done.data
    assert b"SECRET-WORD" in raw
    for command in (["filter", "-f", "noop"], ["inspect"], ["show"], ["formats", "--detect"], ["filter", "--in-place"]):
        out = run_cli(*command, stdin=raw)
        assert KEY.encode() not in out.stdout + out.stderr


def test_user_and_address_in_the_name_are_masked(run_cli: RunCli, tmp_path: Path) -> None:
    name = "lab_cai_00000000-0000-4000-8000-000000000001_20260302_100000_dora_linux_203.0.113.7.jsonl"
    path = tmp_path / name
    path.write_bytes(log(START, request(USER), completion(call("c1"))) + b"{broken\n")
    for command in (
        ["inspect"],
        ["inspect", "--format", "json"],
        ["filter", "-f", "noop"],
        ["show"],
        ["formats", "--detect"],
    ):
        done = run_cli(*command, str(path))
        assert b"dora" not in done.stdout + done.stderr
        assert b"203.0.113.7" not in done.stdout + done.stderr
        assert b"[masked]" in done.stdout + done.stderr
    assert b"dora" in run_cli("inspect", "--reveal", str(path)).stdout


@pytest.mark.parametrize(
    "line",
    [
        {"model": "m", "messages": [5, None, "x"]},
        {"object": "chat.completion", "choices": 5},
        {"object": "chat.completion", "choices": [None], "agent_name": 5},
        {"object": "chat.completion", "choices": [{"message": {"content": 5, "tool_calls": "x"}}]},
        {"event": 5},
        {"event": "user_message"},
    ],
    ids=json.dumps,
)
def test_odd_lines_are_no_crash(line: Any) -> None:
    raw = log(START, request(USER), completion(said("a")), line)
    assert filter_bytes(raw, "remove_all_tools").data


def test_long_logs_take_little_time() -> None:
    history: list[dict[str, Any]] = []
    lines: list[object] = [START]
    for number in range(200):
        history += [{"role": "user", "content": f"question {number} " + "x" * 200}]
        lines += [request(*history), completion(said(f"answer {number}"))]
        history += [said(f"answer {number}")]
    raw = log(*lines)
    started = time.process_time()
    [transcript] = load_bytes(raw)
    assert len(texts_of(transcript)) == 400
    assert time.process_time() - started < 5
