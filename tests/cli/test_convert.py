"""`handoffctl convert`: conversations in another format, with every loss named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import SAMPLES, RunCli

MIXED: list[dict[str, Any]] = [
    {"role": "user", "content": "hi"},
    {"type": "reasoning", "id": "rs_1", "summary": []},
    {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"},
    {"type": "web_search_call", "id": "ws_1", "status": "completed"},
    {"type": "reasoning", "summary": []},
]
LOST = [
    "handoffctl: -: item 1, reasoning rs_1: left out, since the target format can't say it",
    "handoffctl: -: item 3, web_search_call ws_1: left out, since the target format can't say it",
    "handoffctl: -: item 4, reasoning: left out, since the target format can't say it",
]


def test_every_loss_is_named_with_its_place(run_cli: RunCli) -> None:
    done = run_cli("convert", "--to", "chat", stdin=json.dumps(MIXED).encode())
    assert (done.returncode, done.stderr.decode().splitlines()) == (0, LOST)
    user, call = json.loads(done.stdout)
    assert user == MIXED[0]
    assert call["tool_calls"][0]["id"] == "c1"


def test_what_is_lost_of_an_item_is_named_too(run_cli: RunCli) -> None:
    text = {"type": "output_text", "text": "see", "annotations": [{"type": "url_citation", "url": "https://x.example"}]}
    items = [{"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [text]}]
    done = run_cli("convert", "--to", "chat", stdin=json.dumps(items).encode())
    assert json.loads(done.stdout) == [{"role": "assistant", "content": "see"}]
    assert done.stderr.decode().splitlines() == [
        "handoffctl: -: item 0, message (annotations of its text) msg_1: left out, since the target format can't say it"
    ]
    assert run_cli("convert", "--to", "items", stdin=json.dumps(items).encode()).stderr == b""


def test_many_losses_are_named_up_to_a_point_and_counted(run_cli: RunCli) -> None:
    thoughts = [{"type": "reasoning", "id": f"rs_{n}", "summary": []} for n in range(50)]
    done = run_cli("convert", "--to", "chat", stdin=json.dumps([MIXED[0], *thoughts]).encode())
    *named, summed = done.stderr.decode().splitlines()
    assert len(named) == 20
    assert summed == "handoffctl: left out, since the target format can't say it: reasoning 50"


def test_a_loss_is_an_error_with_strict(run_cli: RunCli) -> None:
    done = run_cli("convert", "--to", "chat", "--strict", stdin=json.dumps(MIXED).encode())
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"chat can't say reasoning 2, web_search_call 1" in done.stderr


def test_a_loss_of_an_item_that_came_from_chat_has_its_place_too(run_cli: RunCli, tmp_path: Path) -> None:
    items = [{"role": "user", "content": [{"type": "text", "text": "x"}]}, MIXED[1]]
    done = run_cli("convert", "--from", "chat", "--to", "chat", "--handoff-tool", "x", stdin=json.dumps(items).encode())
    assert json.loads(done.stdout) == items


def test_a_run_is_converted_whole_also_past_its_handoff(run_cli: RunCli) -> None:
    path = str(SAMPLES / "runstate" / "finished.json")
    whole = json.loads(run_cli("convert", path, "--to", "items").stdout)
    filtered = json.loads(run_cli("filter", path, "-f", "noop", "--to", "items").stdout)
    assert whole[: len(filtered)] == filtered
    assert len(whole) > len(filtered)
    parts = json.loads(run_cli("convert", path, "--to", "handoff").stdout)
    assert len(parts["input_history"]) + len(parts["pre_handoff_items"]) + len(parts["new_items"]) == len(filtered)


def test_several_files_go_into_a_folder(run_cli: RunCli, tmp_path: Path) -> None:
    files = [str(SAMPLES / "items" / "session.json"), str(SAMPLES / "chat" / "parallel-calls.json")]
    assert run_cli("convert", *files, "--to", "handoff", "--output-dir", str(tmp_path)).returncode == 0
    assert {each.name for each in tmp_path.iterdir()} == {"session.json", "parallel-calls.json"}
    assert "input_history" in json.loads((tmp_path / "session.json").read_bytes())


@pytest.mark.parametrize("arguments", [["--to", "chta"], []])
def test_target_is_needed_and_known(arguments: list[str], run_cli: RunCli) -> None:
    done = run_cli("convert", *arguments, stdin=b"[]")
    assert done.returncode == 2
    assert b"--to" in done.stderr


def test_report_counts_what_was_lost(run_cli: RunCli) -> None:
    stdin = json.dumps(MIXED).encode()
    said = run_cli("filter", "--to", "chat", "--report", stdin=stdin).stderr.decode()
    assert "nothing changed · 3 left out: the target format can't say them · 0 broken" in said
    report = json.loads(
        run_cli("filter", "--to", "chat", "-q", "--report-format", "json", stdin=stdin).stderr.splitlines()[0]
    )
    assert report["lost"] == {"reasoning": 2, "web_search_call": 1}
