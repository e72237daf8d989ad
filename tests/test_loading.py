"""A file's conversations in order, with its faults and blank lines between them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from handoffctl.conversations import Opened
from handoffctl.errors import InputError, MalformedDump
from handoffctl.loading import Dump, Loaded
from handoffctl.raw.opening import TextInput
from handoffctl.records import Gap
from tests.reading import NOTHING, file_of, said

CALL = {"type": "function_call", "call_id": "c", "name": "n", "arguments": "{}"}
CHAT_CALL = {"role": "assistant", "tool_calls": [{"id": "c"}]}


def lines(*values: Any) -> bytes:
    return b"".join(value if isinstance(value, bytes) else json.dumps(value).encode() + b"\n" for value in values)


def seen(raw: bytes, wanted: str | None = None) -> list[object]:
    """Each thing that iterating gives: the conversation's items, what was said of a fault, a gap's bytes."""
    got: list[object] = []
    for each in Opened(Dump(str(file_of(raw)), wanted), NOTHING):
        if isinstance(each, Loaded):
            got.append([list(transcript.data.input_history) for transcript in each.transcripts])
        else:
            got.append(each.raw if isinstance(each, Gap) else said([each])[0].partition(";")[0])
    return got


def test_records_faults_and_gaps_in_order() -> None:
    assert seen(lines([CALL], b"\n", b"x\n", [], b" \n", [CALL])) == [
        [[CALL]],
        b"\n",
        "dump:3:1: a JSON value was expected",
        [[]],
        b" \n",
        [[CALL]],
    ]


def test_lines_of_one_item_are_one_conversation_after_its_faults() -> None:
    assert seen(lines(CALL, b"\n", b"{\n", b"5\n", CALL)) == [
        "dump:3:2: the line ends too early",
        "dump:4: not an object",
        [[CALL, CALL]],
    ]


def test_record_of_lines_knows_them() -> None:
    [loaded] = [each for each in Dump(str(file_of(lines(CALL, b"\r\n", CALL)))) if isinstance(each, Loaded)]
    assert (loaded.record.lines, loaded.record.form) == ((1, 3), "entries")
    assert loaded.record.untouched + loaded.record.end == lines(CALL, b"\r\n", CALL)
    assert loaded.transcripts[0].source.place.endswith("dump")


def test_line_that_contradicts_is_named_and_the_others_are_one_conversation() -> None:
    raw = lines(*[CALL] * 70, CHAT_CALL, b"\n", CALL, CHAT_CALL)
    got = seen(raw)
    chat = "entry 0 is a chat message, where the first records hold Responses items"
    assert got == [f"dump:71: {chat}", f"dump:74: {chat}", [[CALL] * 71]]


def test_nothing_but_faults_behind_the_first_records() -> None:
    assert seen(lines(*[[CALL]] * 60, *[{}] * 3))[60:] == [
        f"dump:{line}: no items record: an empty object" for line in (61, 62, 63)
    ]


@pytest.mark.parametrize(
    ("bad", "what"),
    [
        ("x", "no items record: a string"),
        (5, "no items record: a number"),
        (None, "no items record: null"),
        ({"role": "user"}, "no items record: an object with role"),
        ([5], "entry 0 is not an object"),
        ([CALL, []], "entry 1 is not an object"),
    ],
)
def test_record_of_another_shape_says_what_it_holds(bad: Any, what: str) -> None:
    assert seen(lines([CALL], bad, [CALL])) == [[[CALL]], f"dump:2: {what}", [[CALL]]]


def test_notes_say_how_the_file_was_read() -> None:
    dump = Dump(str(file_of('[{"role":"user"}]'.encode("utf-16"))))
    dump.close()
    assert dump.notes[0] == "read as UTF-16, written as UTF-8"
    assert "look the same" in dump.notes[1]
    certain = Dump(str(file_of(lines([CALL]))))
    certain.close()
    assert certain.notes == ()


def test_file_is_closed_when_it_is_of_no_known_format_or_left_early() -> None:
    for wanted in (None, "no_such_format"):
        with pytest.raises(Exception, match=r"no such format|no format known"):
            Dump(str(file_of(b'{"a":1}\n' * 100_000)), wanted)
    dump = Dump(str(file_of(lines([CALL]) * 50_000)))
    for _ in Opened(dump, NOTHING):
        break
    dump.close()
    assert isinstance(dump.input, TextInput)
    assert dump.input.rest.closed


@pytest.mark.parametrize(
    ("raw", "place"),
    [(b"{\n{\n", "dump:2:1"), (b'{"a":"\xff"}\n{"a":"\xff"}\n', "dump:1:7"), (b'["\\ud800"', "dump:1:10")],
)
def test_first_fault_is_named_where_there_is_no_good_record(raw: bytes, place: str) -> None:
    with pytest.raises(InputError) as caught:
        Dump(str(file_of(raw)))
    assert caught.value.place.endswith(place)
    assert not isinstance(caught.value, MalformedDump)


def test_memory_is_bounded_by_the_largest_record(tmp_path: Path) -> None:
    import tracemalloc

    path = tmp_path / "dump"
    line = lines({"input": [CALL, {"role": "user", "content": "x" * 5000}]})
    with path.open("wb") as stream:
        for _ in range(4000):
            stream.write(line)
    tracemalloc.start()
    try:
        count = sum(1 for _ in Dump(str(path)))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert count == 4000
    assert most < 4_000_000
