"""`handoffctl inspect` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.conftest import SAMPLES, RunCli


def test_a_handoff_adds_two_messages(run_cli: RunCli) -> None:
    done = run_cli("inspect", SAMPLES / "runs/refund-handoff.json", "--width", "120")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"a handoff adds 2 messages: 9 alone, 11 here (12 with Triage Agent's system prompt)" in done.stdout


def test_with_the_givers_prompt_kept_it_is_twelve(run_cli: RunCli) -> None:
    done = run_cli("inspect", SAMPLES / "runs/refund-handoff-kept-system.json", "--width", "120")
    assert b"9 alone, 12 here (11 without Triage Agent's system prompt)" in done.stdout
    assert b"own + Triage Agent's" in done.stdout


def test_an_agent_used_as_a_tool_is_no_handoff(run_cli: RunCli) -> None:
    [case] = json.loads(run_cli("inspect", SAMPLES / "runs/two-problems.json", "--format", "json").stdout)["cases"]
    assert (case["handoffs"], case["agents_as_tools"], case["costs"]) == (0, 2, [])
    assert [(each["agent"], each["messages"], each["saw"], each["wrote_reply"]) for each in case["runs"]] == [
        ("manager", 6, "the user's message", True),
        ("shipping", 5, "one task string", False),
        ("refunds", 9, "one task string", False),
    ]


def test_every_file_has_its_report(run_cli: RunCli) -> None:
    done = run_cli("inspect", SAMPLES / "items/spanish.json", SAMPLES / "items/session.jsonl", "--format", "json")
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(each["total"]["items"], each["total"]["messages"]) for each in reports] == [(11, 11), (13, 12)]


def test_one_record_is_taken_apart(run_cli: RunCli) -> None:
    path = SAMPLES / "items/conversations.jsonl"
    assert json.loads(run_cli("inspect", path, "--format", "json").stdout)["anatomy"] is None
    one = json.loads(run_cli("inspect", path, "--record", "4", "--format", "json").stdout)
    assert (one["anatomy"] is not None, one["conversations"][0]["heading"]["line"]) == (True, 4)


def test_handoff_tools_of_other_names_are_told(run_cli: RunCli) -> None:
    dump = b"""[{"role": "user", "content": "hi"},
     {"type": "function_call", "call_id": "c", "name": "escalate", "arguments": "{}"},
     {"type": "function_call_output", "call_id": "c", "output": "done"}]"""
    report = json.loads(run_cli("inspect", "--handoff-tool", "esc*", "--format", "json", stdin=dump).stdout)
    assert [each["evidence"] for each in report["anatomy"]["handoffs"]] == ["tool name matches esc*"]


def test_what_is_bad_is_named_and_the_rest_is_counted(run_cli: RunCli, tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text('[{"role": "user", "content": "Hi."}]\n[{"role":\n')
    done = run_cli("inspect", "log.jsonl")
    assert done.returncode == 3
    assert b"1 item" in done.stdout
    assert b"log.jsonl:2" in done.stderr


def test_an_empty_list_is_nothing_and_no_table(run_cli: RunCli) -> None:
    assert run_cli("inspect", stdin=b"[]").stdout.decode() == "- · items\n0 items\n"


def test_what_is_counted_is_what_is_said(run_cli: RunCli) -> None:
    for counter, unit in (("approx", b"tokens"), ("chars", b"chars"), ("words", b"words")):
        shown = run_cli("inspect", SAMPLES / "items/session.json", "--counter", counter).stdout
        assert {each for each in (b"tokens", b"chars", b"words") if b"~" + each in shown} == {unit}
