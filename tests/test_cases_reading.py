"""What goes wrong with files in the field, each with what must come of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from handoffctl.conversations import Selection
from handoffctl.errors import InputError, MalformedDump
from handoffctl.grouping.messages import count_messages
from handoffctl.loading import Dump
from handoffctl.model import Transcript, segment_items
from tests.reading import filter_bytes, filter_file, load_bytes, said

CASES = Path(__file__).parent / "data" / "cases"
UNDECIDED = "role and content alone: chat messages and Responses items look the same; read as items"


def texts_of(transcript: Transcript) -> list[object]:
    return [item.get("content") for _, item in segment_items(transcript.data)]


def load(name: str) -> Transcript:
    [transcript] = load_bytes((CASES / name).read_bytes())
    return transcript


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("B101_blank_lines.jsonl", ["one", "two"]),
        ("B101_no_final_newline.jsonl", None),
        ("B103_bom_crlf.jsonl", ["héllo", "wörld"]),
        ("B103_utf16.json", None),
        ("B105_unicode_line_seps.jsonl", ["a\u2028b\u2029c\x85d", "ok"]),
        ("B108_moderate_nesting.json", ["x"]),
        ("B109_big_but_fine_int.json", ["n"]),
        ("B110_array_in_jsonl.jsonl", ["one", "two"]),
        ("B110_duplicate_keys.json", ["second", "who am I"]),
        ("B110_pretty_printed.jsonl", ["one", "two"]),
        ("B111_not_claude_code.jsonl", ["q", "a"]),
        ("B92_long_line.jsonl", None),
    ],
)
def test_odd_but_good_files_are_one_conversation(name: str, texts: list[str] | None) -> None:
    transcript = load(name)
    assert transcript.format == "items"
    assert texts is None or texts_of(transcript) == texts
    assert UNDECIDED in Dump(str(CASES / name)).notes
    done = filter_file(CASES / name, "remove_all_tools")
    assert done.faults == []
    if "utf16" not in name:
        assert done.data == (CASES / name).read_bytes()


def test_messages_of_the_odd_ones() -> None:
    names = {"B101_no_final_newline.jsonl": 2, "B103_utf16.json": 1, "B92_long_line.jsonl": 3}
    assert {name: count_messages(item for _, item in segment_items(load(name).data)) for name in names} == names


def test_bad_middle_line() -> None:
    path = CASES / "B101_bad_middle_line.jsonl"
    done = filter_file(path)
    assert [json.loads(line)["content"] for line in done.data.splitlines()] == ["one", "two", "four", "five"]
    [fault] = done.faults
    assert fault.place == f"{path}:3:30"
    with pytest.raises(MalformedDump) as caught:
        filter_file(path, selection=Selection(fail_fast=True))
    assert caught.value.place == f"{path}:3:30"


def test_empty_file() -> None:
    with pytest.raises(InputError, match="the file is empty"):
        filter_file(CASES / "B101_empty_file.jsonl")


def test_nan_is_named_and_others_are_worked_on() -> None:
    raw = (CASES / "B107_nan_infinity.json").read_bytes()
    with pytest.raises(InputError, match="NaN is not JSON") as caught:
        filter_bytes(raw)
    assert caught.value.place.endswith("dump:1:94")
    done = filter_bytes(raw.strip() + b'\n[{"role":"user","content":"x"}]\n')
    assert done.data == b'[{"role":"user","content":"x"}]\n'
    assert said(done.faults) == ["dump:1:94: NaN is not JSON; the record was left out"]


def test_deep_nesting() -> None:
    with pytest.raises(InputError, match="nested too deeply"):
        filter_file(CASES / "B108_deep_nesting.json")


def test_integers_stay_digit_for_digit() -> None:
    meta = load("B109_big_but_fine_int.json").data.input_history[0]["meta"]  # type: ignore[index]
    assert meta == {"id": 9007199254740993, "id2": 123456789012345678901234567890}


def test_lines_that_are_no_objects() -> None:
    done = filter_file(CASES / "B110_top_level_scalar_lines.jsonl")
    assert done.data == b'{"role": "user", "content": "three"}\n'
    assert [fault.place.rpartition("lines.jsonl")[2] for fault in done.faults] == [":1", ":2", ":3"]
    assert {fault.what for fault in done.faults} == {"not an object; the record was left out"}


def test_string_is_no_conversation() -> None:
    with pytest.raises(InputError, match="it holds a string"):
        filter_file(CASES / "B110_top_level_string.json")


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        ("B14_parallel_branches.jsonl", "an object with type, uuid, parentUuid, message"),
        ("B85_streamed_lines.jsonl", "an object with type, uuid, message"),
        ("B81_string_vs_block.json", "an object with before, after"),
    ],
)
def test_files_of_others_are_named_and_not_guessed(name: str, seen: str) -> None:
    with pytest.raises(InputError, match="of no format known here") as caught:
        filter_file(CASES / name)
    assert seen in caught.value.what
    assert "handoffctl formats" in caught.value.help


def test_broken_arguments_are_text() -> None:
    path = CASES / "B112_bad_arguments.json"
    assert filter_file(path).data == path.read_bytes()
    assert len(json.loads(filter_file(path, "remove_all_tools").data)) == 2


def test_tools_of_chat_messages_are_removed() -> None:
    path = CASES / "B40_chat_dialect_remove_tools.json"
    before = json.loads(path.read_bytes())
    done = filter_file(path, "remove_all_tools").data
    spoken = {key: value for key, value in before[2].items() if key != "tool_calls"}
    assert json.loads(done) == [*before[:2], spoken, before[6]]
    assert b"FAKE-111" not in done
    assert done.startswith(b'[\n {\n  "role": "system",')


def test_blank_and_empty_are_kept_apart() -> None:
    path = CASES / "B17_empty_is_not_blank.json"
    assert filter_file(path).data == path.read_bytes()
    left = json.loads(filter_file(path, "remove_all_tools").data)
    assert [each["content"] for each in left] == ["make dir", "   ", "Made."]


def test_input_items_are_a_part_of_their_own() -> None:
    path = CASES / "B35_input_items_segment.json"
    assert filter_file(path).data == path.read_bytes()
    [transcript] = load_bytes(path.read_bytes())
    assert transcript.data.input_items is not None
    left = json.loads(filter_file(path, "remove_all_tools").data)
    assert [len(left[key]) for key in ("input_history", "pre_handoff_items", "new_items")] == [1, 1, 0]


def test_string_history_stays_a_string() -> None:
    path = CASES / "B69_string_history.json"
    assert filter_file(path).data == path.read_bytes()
    assert isinstance(json.loads(filter_file(path, "remove_all_tools").data)["input_history"], str)
