"""The samples give the numbers that the documentation quotes, and hold nothing that should not be public."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from handoffctl.filters.remove_all_tools import RemoveAllTools
from handoffctl.filters.truncate_history import TruncateHistory
from handoffctl.grouping.messages import count_messages
from handoffctl.loading import Dump, Loaded
from handoffctl.model import Transcript, segment_items
from tests.conftest import ROOT, SAMPLES

FILES = sorted(path for path in SAMPLES.rglob("*") if path.is_file())
every_file = pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(SAMPLES)) for path in FILES])
MESSAGES = {
    "refund-alone": {"Refund Agent": 9},
    "refund-handoff": {"Triage Agent": 3, "Refund Agent": 11},
    "refund-handoff-kept-system": {"Triage Agent": 3, "Refund Agent": 12},
    "order-status-handoff": {"Triage Agent": 3, "Shipping Agent": 7},
    "two-problems": {"manager": 6, "shipping": 5, "refunds": 9},
}
every_story = pytest.mark.parametrize("story", MESSAGES)
AS_WRITTEN = {"chat", "handoff", "items", "runs", "runstate"}
"""Formats whose samples are lists of entries as they stand; others are looked at as they were loaded."""
SECRETS = re.compile(
    r"sk-[A-Za-z0-9]{8}|AKIA[0-9A-Z]{12}|gh[pousr]_\w{20}|eyJ\w{10}|-----BEGIN|\b(?:\d[ -]?){13,16}\b"
    r"|(?<![\w.])/(?:home|root|Users|work|tmp)/|@(?!example\.(?:com|org))[a-z0-9-]+\.[a-z]{2,}",
)


def runs_of(story: str) -> dict[str, dict[str, Any]]:
    """The runs of a story by agent."""
    case = json.loads((SAMPLES / "runs" / f"{story}.json").read_text(encoding="utf-8"))
    return {run["agent"]: run for run in case["runs"]}


def load(path: Path) -> list[Transcript]:
    """The conversations of a sample; a record that can't be read fails the test."""
    loaded = list(Dump(str(path)))
    assert all(isinstance(each, Loaded) for each in loaded)
    return [transcript for each in loaded if isinstance(each, Loaded) for transcript in each.transcripts]


def messages_of(transcript: Transcript) -> int:
    return count_messages(item for _, item in segment_items(transcript.data))


@every_file
def test_sample_is_recognised_as_what_its_folder_says(path: Path) -> None:
    assert {each.format for each in load(path)} == {path.parent.name}


@every_story
def test_every_run_has_the_messages_that_the_story_says(story: str) -> None:
    assert {agent: len(run["messages"]) for agent, run in runs_of(story).items()} == MESSAGES[story]


@every_story
def test_messages_are_counted_on_items_as_a_chat_list_has_them(story: str) -> None:
    transcripts = load(SAMPLES / "runs" / f"{story}.json")
    assert {each.agent: messages_of(each) for each in transcripts} == MESSAGES[story]


@pytest.mark.parametrize(
    ("name", "messages"),
    [
        ("chat/parallel-calls.json", [6]),
        ("chat/conversations.jsonl", [3, 5, 4, 5]),
        ("items/session.json", [9]),
        ("items/session.jsonl", [12]),
        ("items/conversations.jsonl", [2, 4, 2, 7, 4]),
        ("items/spanish.json", [11]),
        ("handoff/refund.json", [9]),
        ("codex/fix-a-test.jsonl", [7]),
        ("codex/compacted.jsonl", [6]),
        ("codex/old.jsonl", [4]),
        ("codex-exec/late-orders.jsonl", [5]),
        ("trace/chat-model.jsonl", [5]),
        ("anthropic/late-order.json", [9]),
        ("anthropic/conversations.jsonl", [4, 4]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_samples_have_so_many_messages(name: str, messages: list[int]) -> None:
    assert [messages_of(each) for each in load(SAMPLES / name)] == messages


def test_a_handoff_adds_exactly_the_transfer_call_and_its_result() -> None:
    alone = runs_of("refund-alone")["Refund Agent"]["messages"]
    received = runs_of("refund-handoff")["Refund Agent"]["messages"]
    assert received[:2] + received[4:] == alone
    call, result = received[2:4]
    assert call["tool_calls"][0]["function"]["name"] == "transfer_to_refund_agent"
    assert (result["tool_call_id"], result["content"]) == (call["tool_calls"][0]["id"], '{"assistant": "Refund Agent"}')


def test_the_kept_system_prompt_is_the_first_agents() -> None:
    without = runs_of("refund-handoff")["Refund Agent"]["messages"]
    kept = runs_of("refund-handoff-kept-system")
    messages = kept["Refund Agent"]["messages"]
    assert messages[1] == kept["Triage Agent"]["messages"][0]
    assert messages[:1] + messages[2:] == without


@every_story
def test_a_run_ends_with_its_output_or_with_a_handoff(story: str) -> None:
    for run in runs_of(story).values():
        last = run["messages"][-1]
        if run["stop_reason"] == "handoff":
            assert run["output"] == ""
            assert last["tool_calls"][0]["function"]["name"].startswith("transfer_to_")
        else:
            assert (run["stop_reason"], run["output"]) == ("done", last["content"])


def test_an_agent_used_as_a_tool_sees_one_task_and_its_caller_writes_the_reply() -> None:
    runs = runs_of("two-problems")
    manager = runs["manager"]["messages"]
    tasks = [json.loads(call["function"]["arguments"])["input"] for call in manager[2]["tool_calls"]]
    specialists = [runs["shipping"], runs["refunds"]]
    assert [run["parent"] for run in specialists] == ["manager", "manager"]
    assert [run["messages"][1] for run in specialists] == [{"role": "user", "content": task} for task in tasks]
    assert [message["content"] for message in manager[3:5]] == [run["output"] for run in specialists]


def test_spanish_sample_is_the_recorded_conversation_with_its_handoff() -> None:
    recorded = json.loads((ROOT / "tests/golden/runs/s01_message_filter_example.json").read_text(encoding="utf-8"))
    before = recorded["filter_calls"][0]["before"]
    items = json.loads((SAMPLES / "items/spanish.json").read_text(encoding="utf-8"))
    assert items == before["input_history"] + [each["raw_item"] for each in before["new_items"]]


def test_spanish_sample_filtered_is_what_the_sdks_example_left() -> None:
    recorded = json.loads((ROOT / "tests/golden/runs/s01_message_filter_example.json").read_text(encoding="utf-8"))
    after = recorded["filter_calls"][0]["after"]
    [transcript] = load(SAMPLES / "items/spanish.json")
    filtered = TruncateHistory(drop_first=2)(RemoveAllTools()(transcript.data))
    assert list(filtered.input_history) == after["input_history"]
    assert (filtered.pre_handoff_items, filtered.new_items) == ((), ())


@every_file
def test_every_call_of_a_sample_has_its_output(path: Path) -> None:
    if path.parent.name == "runstate":  # the interrupted one waits for an approval; that is its story
        return
    for conversation in conversations(path):
        calls = [each["call_id"] for each in conversation if each.get("type") == "function_call"]
        calls += [call["id"] for each in conversation for call in each.get("tool_calls") or ()]
        outputs = [each["call_id"] for each in conversation if each.get("type") == "function_call_output"]
        outputs += [each["tool_call_id"] for each in conversation if each.get("role") == "tool"]
        left_open = set(calls) - set(outputs)
        assert left_open == set() or (path.parent.name == "runs" and left_open == {"call_transfer"})
        assert set(outputs) <= set(calls)
        assert len(calls) == len(set(calls))


@every_file
def test_samples_hold_no_secret_no_address_and_no_path(path: Path) -> None:
    text = path.read_text(encoding="utf-8", errors="replace")
    assert SECRETS.findall(re.sub(r'"(?:approval_scope|fingerprint)": "\w+"', "", text)) == []


@every_file
def test_samples_are_small_and_end_with_a_newline_or_as_their_tool_wrote_them(path: Path) -> None:
    text = path.read_bytes()
    assert len(text) < 20_000
    assert text.endswith(b"\n") or path.parent.name == "runstate" or path.suffix == ".db"


def conversations(path: Path) -> Iterator[list[dict[str, Any]]]:
    """The flat lists of entries of a sample: one for a file with one item a line."""
    if path.parent.name not in AS_WRITTEN:
        yield from ([dict(item) for _, item in segment_items(each.data)] for each in load(path))
        return
    text = path.read_text(encoding="utf-8")
    records = [json.loads(line) for line in text.splitlines()] if path.suffix == ".jsonl" else [json.loads(text)]
    if path.match("items/session.jsonl"):
        records = [records]
    for record in records:
        yield from lists_of(record)


def lists_of(record: Any) -> Iterator[list[dict[str, Any]]]:
    if isinstance(record, list):
        yield record
    elif "runs" in record:
        yield from (run["messages"] for run in record["runs"])
    elif "handoffctl" in record:
        yield from (entries for side in ("before", "after") for entries in lists_of(record[side]))
    elif "input_history" in record:
        history = record["input_history"] if isinstance(record["input_history"], list) else []
        yield [*history, *(each["raw_item"] for each in record["pre_handoff_items"] + record["new_items"])]
    else:
        yield record["messages"] if "messages" in record else record["input"]
