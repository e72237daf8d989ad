"""Which conversations a command works on, and which moment of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from handoffctl.conversations import Opened, Selection, open_all, transcripts
from handoffctl.errors import InputError, MalformedDump, UsageError
from handoffctl.loading import Dump, Loaded
from handoffctl.model import Transcript, history_items
from tests.conftest import SAMPLES
from tests.dumps import GOLDEN, load_data, load_json
from tests.reading import file_of, filter_bytes, said

USER = {"role": "user", "content": "hi"}


def transfer(agent: str, id_: str) -> list[dict[str, Any]]:
    name = f"transfer_to_{agent.lower()}"
    return [
        {"type": "function_call", "call_id": id_, "name": name, "arguments": "{}"},
        {"type": "function_call_output", "call_id": id_, "output": json.dumps({"assistant": agent})},
    ]


TWICE = [USER, *transfer("B", "1"), {"role": "assistant", "content": "x"}, *transfer("C", "2")]


def taken(value: Any, **selected: Any) -> list[Transcript]:
    raw = value if isinstance(value, bytes) else json.dumps(value).encode()
    opened = Opened(Dump(str(file_of(raw))), Selection(**selected))
    found = list(transcripts(opened))
    for each in found:
        if isinstance(each, MalformedDump):
            raise each
    return [each for each in found if isinstance(each, Transcript)]


def sizes(found: list[Transcript]) -> list[tuple[int, int, int]]:
    parts = [each.data for each in found]
    return [(len(history_items(each)), len(each.pre_handoff_items), len(each.new_items)) for each in parts]


def test_a_dump_as_it_is() -> None:
    assert sizes(taken(TWICE)) == [(6, 0, 0)]
    assert Selection().splits is False


@pytest.mark.parametrize(
    ("handoff", "expected"),
    [("1", [(1, 0, 2)]), ("2", [(1, 2, 3)]), ("last", [(1, 2, 3)]), ("all", [(1, 0, 2), (1, 2, 3)])],
)
def test_a_flat_dump_at_a_handoff(handoff: str, expected: list[tuple[int, int, int]]) -> None:
    found = taken(TWICE, handoff=handoff)
    assert sizes(found) == expected
    assert all(each.split.startswith("handoff ") and "by handoff output" in each.split for each in found)
    assert found[-1].data.new_items[-1].type == "handoff_output_item"


def test_recorded_inputs_are_found_again_in_their_flat_lists() -> None:
    """A flat list says no agents and may begin a turn elsewhere, but the items up to the handoff are the same."""
    for path in (GOLDEN / "runs").glob("*_identity*.json"):
        run = load_json(path)
        flat = run["to_input_list_preserve_all"]
        found = taken(flat, handoff="all")
        assert len(found) == len(run["filter_calls"])
        for transcript, call in zip(found, run["filter_calls"], strict=True):
            before = load_data(call["before"])
            expected = [
                *history_items(before),
                *(each.raw_item for each in before.pre_handoff_items + before.new_items),
            ]
            data = transcript.data
            got = [*history_items(data), *(each.raw_item for each in data.pre_handoff_items + data.new_items)]
            assert got == expected


def test_a_handoff_that_is_about_to_happen() -> None:
    for value in ([USER], [USER, *transfer("B", "1")], {"input_history": "hi", "new_items": transfer("B", "1")}):
        [found] = taken(value, pending="Billing Agent")
        assert [each.type for each in found.data.new_items] == ["handoff_call_item", "handoff_output_item"]
        assert found.data.new_items[0].raw_item.name == "transfer_to_billing_agent"
        assert found.data.new_items[1].target_agent == "Billing Agent"
        assert "as if it were called now" in found.split


def test_tools_of_other_names() -> None:
    call = {"type": "function_call", "call_id": "1", "name": "escalate", "arguments": "{}"}
    value = [USER, call, {"type": "function_call_output", "call_id": "1", "output": "ok"}]
    with pytest.raises(InputError, match="there is no handoff in it") as caught:
        taken(value, handoff="last")
    assert "--handoff-tool" in caught.value.help
    [found] = taken(value, handoff="last", handoff_tools=("esc*",))
    assert [each.type for each in found.data.new_items] == ["handoff_call_item", "handoff_output_item"]
    again = filter_bytes(json.dumps(value).encode(), selection=Selection(handoff="last", handoff_tools=("esc*",))).data
    assert [each["type"] for each in json.loads(again)["new_items"]] == ["handoff_call_item", "handoff_output_item"]


def test_records_without_that_handoff_are_named_and_the_others_are_worked_on() -> None:
    raw = b"".join(json.dumps(value).encode() + b"\n" for value in (TWICE, [USER, *transfer("B", "1")], TWICE))
    done = filter_bytes(raw, selection=Selection(handoff="2"), lines=True)
    assert done.data.count(b"\n") == 2
    assert said(done.faults) == ["dump:2: there is no handoff 2, the conversation has 1"]
    with pytest.raises(MalformedDump, match="there is no handoff 2"):
        filter_bytes(raw, selection=Selection(handoff="2", fail_fast=True))


def test_a_dump_that_is_split_already() -> None:
    value = {"input_history": [USER], "new_items": transfer("B", "1")}
    assert sizes(taken(value, handoff="last")) == sizes(taken(value, handoff="all")) == [(1, 0, 2)]
    with pytest.raises(InputError, match="split at its handoff already"):
        taken(value, handoff="1")


@pytest.mark.parametrize("handoff", ["3", "99"])
def test_handoff_that_is_not_there(handoff: str) -> None:
    with pytest.raises(InputError, match=f"there is no handoff {handoff}, the conversation has 2") as caught:
        taken(TWICE, handoff=handoff)
    assert caught.value.place.endswith("dump")


@pytest.mark.parametrize("handoff", ["0", "-1", "first", "", "1.5", "²", "１"])
def test_what_is_no_handoff_is_wrong_usage(handoff: str) -> None:
    if not handoff:
        with pytest.raises(UsageError):
            Selection(handoff=handoff)
        return
    with pytest.raises(UsageError, match="--handoff") as caught:
        Selection(handoff=handoff)
    assert "last, or all" in caught.value.help


def test_two_moments_exclude_each_other() -> None:
    with pytest.raises(UsageError, match="exclude each other"):
        Selection(handoff="last", pending="B")


def test_one_record_by_its_number() -> None:
    raw = b"".join(json.dumps([USER] * count).encode() + b"\n" for count in (1, 2, 3))
    assert sizes(taken(raw, record=2)) == [(2, 0, 0)]
    with pytest.raises(InputError, match="there is no record 4, it has 3"):
        taken(raw, record=4)
    assert filter_bytes(raw, selection=Selection(record=3)).data == json.dumps([USER] * 3).encode() + b"\n"


def test_faults_come_between_or_are_raised() -> None:
    raw = b'[{"role":"user"}]\nx\n[{"role":"user"}]\n'
    found = list(transcripts(Opened(Dump(str(file_of(raw))), Selection())))
    assert [isinstance(each, MalformedDump) for each in found] == [False, True, False]
    with pytest.raises(MalformedDump):
        list(transcripts(Opened(Dump(str(file_of(raw))), Selection(fail_fast=True))))


def test_files_are_opened_in_their_turn() -> None:
    paths = [str(SAMPLES / "items/session.json"), "missing.json"]
    opened = open_all(paths, Selection())
    assert sum(isinstance(each, Loaded) for each in next(opened)) == 1
    with pytest.raises(InputError):
        next(opened)


def test_format_by_name() -> None:
    [opened] = open_all([str(SAMPLES / "items/session.json")], Selection(format="chat"))
    assert opened.dump.format.name == "chat"
    list(opened)
