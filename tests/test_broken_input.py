"""Broken input of every kind: the good is worked on, the bad named with its place, nothing is lost in silence."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable

import pytest

from handoffctl.conversations import Selection
from handoffctl.errors import HandoffctlError, InputError, MalformedDump
from handoffctl.loading import Dump, Loaded
from handoffctl.raw.opening import PREFIX
from handoffctl.records import Gap
from tests.conftest import SAMPLES
from tests.reading import Filtered, file_of, filter_bytes, filter_file, said

CALL = {"type": "function_call", "call_id": "c", "name": "n", "arguments": "{}"}
USER = {"role": "user", "content": "hi"}
CHAT_CALL = {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "function": {"name": "n"}}]}


def lines(*values: object) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


CONVERSATION = {"input": [USER, CALL]}
LEFT = {"input": [USER]}
GOOD = json.dumps(CONVERSATION).encode()


def filtered(raw: bytes) -> Filtered:
    return filter_bytes(raw, "remove_all_tools")


def refused(raw: bytes) -> str:
    with pytest.raises(InputError) as caught:
        filtered(raw)
    assert caught.value.help
    [text] = said([caught.value])
    assert text.startswith("dump")
    assert "\n" not in text + caught.value.help
    return text


BAD_LINES = {
    "cut": (b'{"input": [{"role"', ":2:19: the line ends too early"),
    "cut inside a string": (b'{"input": [{"ro', ":2:16: the line ends inside a string"),
    "no JSON": (b"hello, world", ":2:1: a JSON value was expected"),
    "NaN": (b'{"input": [{"role":"user","n":NaN}]}', ":2:31: NaN is not JSON"),
    "Infinity": (b'{"input": [{"role":"user","n":-Infinity}]}', ":2:31: -Infinity is not JSON"),
    "not UTF-8": (b'{"input": [{"role":"user","content":"\xff\xfe"}]}', ":2:38: byte 0xff is not UTF-8"),
    "UTF-8 of a surrogate": (b'{"input": [{"role":"user","content":"\xed\xa0\x80"}]}', ":2:38: byte 0xed is not UTF-8"),
    "a zero byte": (b'{"input": [{"role":"us\x00er"}]}', ":2:23: a control character"),
    "only zero bytes": (b"\x00\x00\x00", ":2:1: a JSON value was expected"),
    "a comma too many": (b'{"input": [],}', ":2:13: a comma with nothing after it"),
    "100,000 levels": (b"[" * 100_000 + b"]" * 100_000, ":2:501: nested too deeply"),
    "100,000 levels in a conversation": (
        b'{"input": [{"role":"user","content":' + b'{"a":' * 100_000 + b"1" + b"}" * 100_000 + b"}]}",
        ":2:2522: nested too deeply",
    ),
    "2,000 levels": (b'{"input": [' + b"[" * 2000 + b"]" * 2000 + b"]}", ":2:510: nested too deeply"),
    "a string": (b'"hello"', ":2: "),
    "a number": (b"5", ":2: "),
    "null": (b"null", ":2: "),
    "another shape": (b'{"no": "input"}', ":2: "),
    "a list that is none": (b'{"input": {"role": "user"}}', ":2: "),
    "an entry that is none": (b'{"input": [1]}', ":2: entry 0 is not an object"),
}


@pytest.mark.parametrize(("bad", "what"), BAD_LINES.values(), ids=BAD_LINES)
@pytest.mark.parametrize("ending", [b"\n", b"\r\n"], ids=["LF", "CRLF"])
def test_bad_line_in_the_middle_is_named_and_the_good_are_worked_on(bad: bytes, what: str, ending: bytes) -> None:
    done = filtered(GOOD + ending + bad + ending + GOOD + ending)
    assert done.data == json.dumps(LEFT).encode() + ending + json.dumps(LEFT).encode() + ending
    [text] = said(done.faults)
    assert text.startswith(f"dump{what}")
    assert "\n" not in text
    assert len(text) < 200
    assert done.faults[0].help


@pytest.mark.parametrize(("bad", "what"), BAD_LINES.values(), ids=BAD_LINES)
def test_bad_line_first_and_last(bad: bytes, what: str) -> None:
    first = what.replace(":2", ":1", 1)
    if len(bad) > PREFIX:  # too long a first line to be told from a document
        assert refused(bad + b"\n" + GOOD).startswith("dump" + first)
        return
    done = filtered(bad + b"\n" + GOOD + b"\n" + bad)
    assert json.loads(done.data) == LEFT
    assert said(done.faults)[0].startswith("dump" + first)
    assert said(done.faults)[1].startswith("dump" + what.replace(":2", ":3", 1))


BAD_ENTRIES = {name: case for name, case in BAD_LINES.items() if '"input"' not in case[0].decode("latin-1")}


@pytest.mark.parametrize("bad", [case[0] for case in BAD_ENTRIES.values()] + [b"[]"], ids=[*BAD_ENTRIES, "a list"])
def test_bad_line_among_lines_of_one_item(bad: bytes) -> None:
    done = filtered(lines(USER, CALL) + bad + b"\n\n" + lines(USER))
    if bad == b'{"no": "input"}':  # an object is an item, of whatever kind
        assert done.data == lines(USER, json.loads(bad), USER)
        return
    assert done.data == lines(USER, USER)
    assert [text.startswith("dump:3") for text in said(done.faults)] == [True]


def test_chat_line_among_items_is_named_with_its_own_line() -> None:
    done = filtered(lines(*[USER, CALL] * 40) + lines(CHAT_CALL, USER))
    assert said(done.faults) == [
        "dump:81: entry 0 is a chat message, where the first records hold Responses items; the record was left out"
    ]
    assert done.data == lines(*[USER] * 41)


def test_fail_fast_stops_at_the_first_fault() -> None:
    raw = GOOD + b"\n{\n" + GOOD + b"\n"
    with pytest.raises(MalformedDump, match="ends too early") as caught:
        filter_bytes(raw, selection=Selection(fail_fast=True))
    assert caught.value.place.endswith("dump:2:2")


WHOLE = {
    "no byte": (b"", "dump: the file is empty"),
    "blank lines": (b"\n \n\r\n", "dump: the file is empty"),
    "a string": (b'"hello, world!"', "dump: of no format known here: it holds a string"),
    "a number": (b"42\n", "dump: of no format known here: it holds a number"),
    "null": (b"null", "dump: of no format known here: it holds null"),
    "true": (b"true", "dump: of no format known here: it holds a boolean"),
    "an empty object": (b"{}", "dump: of no format known here: it holds an empty object"),
    "numbers": (b"[1, 2]", "dump: of no format known here: it holds a list of 2: a number"),
    "words": (b"Dear diary,\ntoday I met an agent.", "dump:1:1: a JSON value was expected"),
    "cut": (b'[{"role": "user", "content": "hel', "dump:1:34: the line ends inside a string"),
    "cut and pretty": (b'[\n  {\n    "role": "user",\n', "dump:3:20: the file ends too early"),
    "cut with an item a line": (b'[\n{"role": "user"},\n{"role": "us', "dump:3:13: the file ends inside a string"),
    "NaN": (b'[{"role": "user", "n": NaN}]', "dump:1:24: NaN is not JSON"),
    "100,000 lists": (b"[" * 100_000, "dump:1:501: nested too deeply"),
    "100,000 objects": (b'{"a":' * 100_000, "dump:1:2501: nested too deeply"),
    "zero bytes": (b"\x00" * 50, "dump:1:1: a JSON value was expected"),
    "gzip": (gzip.compress(GOOD, mtime=0), "dump: this is gzip, not text"),
    "a ZIP archive": (b"PK\x03\x04\x14\x00", "dump: this is a ZIP archive, not text"),
    "a database": (
        b"SQLite format 3\x00\x10\x00",
        "dump: a SQLite database that can't be read: file is not a database",
    ),
    "a picture": (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "dump:1:1: byte 0x89 is not UTF-8"),
    "every byte": (bytes(range(1, 256)) * 3, "dump:"),
    "a lone surrogate as UTF-16": (b"\xff\xfe[\x00\x00\xd8", "dump: broken UTF-16"),
}


@pytest.mark.parametrize(("raw", "what"), WHOLE.values(), ids=WHOLE)
def test_file_with_no_good_record_is_an_error(raw: bytes, what: str) -> None:
    assert refused(raw).startswith(what)


@pytest.mark.parametrize("format_", ["items", "chat", "handoff", "runs", "runstate"])
@pytest.mark.parametrize(("raw", "what"), WHOLE.values(), ids=WHOLE)
def test_no_named_format_makes_sense_of_it_either(raw: bytes, what: str, format_: str) -> None:
    try:
        done = filter_bytes(raw, "remove_all_tools", selection=Selection(format=format_))
    except HandoffctlError:
        return
    assert done.faults or json.loads(done.data) == json.loads(raw)


@pytest.mark.parametrize("levels", [100, 400, 499 - 4])
def test_deep_but_good_is_read(levels: int) -> None:
    deep = b"[" * levels + b"]" * levels
    raw = b'{"input": [{"role": "user", "content": %s}, %s]}' % (deep, json.dumps(CALL).encode())
    for each in (raw, raw + b"\n" + raw, json.dumps(json.loads(raw), indent=1).encode()):
        done = filtered(each)
        assert done.faults == []
        assert b"function_call" not in done.data


@pytest.mark.parametrize("to", [None, "handoff", "items", "chat", "next-agent"])
@pytest.mark.parametrize("levels", [501, 700, 900, 930, 960, 980, 990, 1000, 3000])
def test_too_deep_is_read_or_named_never_a_crash(levels: int, to: str | None) -> None:
    deep = b"[" * levels + b"]" * levels
    item = b'{"type": "message", "role": "user", "content": %s}' % deep
    call = json.dumps(CALL).encode()
    chat = b'{"role":"assistant","content":%s,"tool_calls":[{"id":"c","function":{"name":"n"}}]}' % deep
    for raw in (
        b'{"input": [%s, %s], "x": 1}' % (item, call),
        b"[%s, %s]" % (chat, item),
        b'{"input_history": [%s, %s], "new_items": [{"type": "tool_call_item", "raw_item": %s}]}' % (item, call, item),
    ):
        for each in (raw, b"[\n " + raw[1:] if raw[:1] == b"[" else b"{\n " + raw[1:]):
            try:
                done = filter_bytes(each, "remove_all_tools", to=to)
            except InputError as error:
                assert "nested too deeply" in str(error)  # either way is right
                continue
            assert all("nested too deeply" in text for text in said(done.faults))
            assert done.faults or done.data.count(b"[") >= levels


def test_long_lines() -> None:
    for size in (300_000, 20_000_000):
        raw = lines(USER, {**USER, "content": "x" * size}, CALL)
        done = filtered(raw)
        assert done.faults == []
        assert done.data == lines(USER, {**USER, "content": "x" * size})
    raw = b'{"role": "user", "content": "' + b"\\u00e9" * 3_000_000
    done = filtered(lines(USER, CALL) + raw)
    assert said(done.faults)[0].startswith("dump:3:18000030: the line ends inside a string")


NUMBERS = [
    b"9007199254740993",
    b"12345678901234567890123",
    b"-1" + b"0" * 400,
    b"1" * 5000,
    b"1.00",
    b"1e5",
    b"-0",
    b"1e999",
]


@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: number[:8].decode())
def test_numbers_come_out_digit_for_digit(number: bytes) -> None:
    item = b'{"role": "user", "content": "x", "n": %s}' % number
    call = json.dumps(CALL).encode()
    message = b'{"role": "assistant", "content": "x", "n": %s, "tool_calls": [{"id": "c"}, {"n": %s}]}' % (
        number,
        number,
    )
    for raw, expected in (
        (b"[%s, %s]" % (item, call), b"[%s]" % item),
        (b'{"n": %s, "input": [%s, %s]}' % (number, item, call), b'{"n": %s, "input": [%s]}' % (number, item)),
        (b"[%s]" % message, b"[%s]" % message.replace(b', "tool_calls": [{"id": "c"}, {"n": %s}]' % number, b"")),
        (
            b'{"input_history": [%s, %s], "new_items": [], "n": %s}' % (item, call, number),
            b'{"input_history": [%s], "new_items": [], "n": %s}' % (item, number),
        ),
    ):
        done = filtered(raw)
        assert (done.data, done.faults) == (expected, [])
        assert filter_bytes(raw).data == raw


@pytest.mark.parametrize(
    "text",
    [
        '"\\ud800"',
        '"\\uDFFF\\uD800"',
        '"\\ud83d\\ude00"',
        '"\\u0000"',
        '"\\/"',
        '"\u2028\u2029\x85\x7f"',
        '"\ufeff"',
        '"\U0010ffff"',
    ],
    ids=ascii,
)
def test_strings_come_out_as_they_were(text: str) -> None:
    item = f'{{"role": "user", "content": {text}, {text}: 1.00}}'.encode()
    call = json.dumps(CALL).encode()
    for raw, expected in (
        (b"[%s, %s]" % (item, call), b"[%s]" % item),
        (b"%s\n%s\n" % (item, call), b"%s\n" % item),
        (
            b'{"input": [%s, %s], "z": %s}' % (item, call, text.encode()),
            b'{"input": [%s], "z": %s}' % (item, text.encode()),
        ),
        (
            b'{%s: 1.00, "input_history": [%s, %s], "new_items": []}' % (text.encode(), item, call),
            b'{%s: 1.00, "input_history": [%s], "new_items": []}' % (text.encode(), item),
        ),
    ):
        done = filtered(raw)
        assert (done.data, done.faults) == (expected, [])
        assert filter_bytes(raw).data == raw
        for to in ("handoff", "items", "chat", "next-agent"):
            assert all(map(json.loads, filter_bytes(raw, to=to, lines=True).data.splitlines()))


def test_lone_surrogate_in_an_indented_document_goes_to_other_formats() -> None:
    raw = json.dumps({"input": [{**USER, "content": "\ud800"}, CALL]}, indent=2).encode()
    for to in ("items", "handoff", "chat", "next-agent"):
        for each in (False, True):
            assert b"\\ud800" in filter_bytes(raw, to=to, lines=each).data


REPEATED = {
    "a list that stands twice": '{"input": [%s], "input": [%s]}',
    "with a member between": '{"input": [%s], "x": 1, "input": [%s]}',
    "escaped": '{"inp\\u0075t": [%s], "input": [%s]}',
    "the parts of a dump": '{"input_history": [%s], "input_history": [%s], "new_items": []}',
}


@pytest.mark.parametrize("shape", REPEATED.values(), ids=REPEATED)
@pytest.mark.parametrize("indented", [False, True], ids=["one line", "spread"])
def test_repeated_member_counts_once_and_leaves_nothing_behind(shape: str, indented: bool) -> None:
    hidden, shown = ({**CALL, "name": name} for name in ("HIDDEN", "SHOWN"))
    text = shape % (json.dumps(hidden), f"{json.dumps(USER)}, {json.dumps(shown)}")
    raw = (text.replace(", ", ",\n  ") if indented else text).encode()
    assert filter_bytes(raw).data == raw
    done = filtered(raw)
    assert b"HIDDEN" not in done.data
    assert b"SHOWN" not in done.data
    assert USER in (json.loads(done.data).get("input") or json.loads(done.data)["input_history"])


def test_repeated_keys_of_an_item_stay() -> None:
    twice = b'{"role":"user","content":"a","content":"b"},{"role":"user","role":"assistant","content":"c"}'
    raw = b'[%s,{"type":"reasoning"}]' % twice
    assert filtered(raw).data == raw.replace(b',{"type":"reasoning"}', b"")


GLUED = {
    "on a line": (GOOD + GOOD + b"\n" + GOOD + b"\n", 3),
    "in a document": (GOOD + b" " + GOOD, 2),
    "pretty-printed": (b"\n".join([json.dumps(CONVERSATION, indent=2).encode()] * 3), 3),
    "pretty-printed items": (b"\n\n".join(json.dumps(each, indent=2).encode() for each in (USER, CALL, USER)), 1),
    "items on a line": (b"".join(json.dumps(each).encode() for each in (USER, CALL, USER)) + b"\n" + lines(USER), 1),
}


@pytest.mark.parametrize(("raw", "conversations"), GLUED.values(), ids=GLUED)
def test_glued_values_are_records_of_their_own(raw: bytes, conversations: int) -> None:
    done = filter_bytes(raw)
    assert (done.data, done.faults) == (raw, [])
    done = filtered(raw)
    assert b"function_call" not in done.data
    assert done.data.count(b"hi") == raw.count(b"hi")
    assert sum(isinstance(each, Loaded) for each in Dump(str(file_of(raw)))) == conversations


def test_glued_line_with_a_bad_end_keeps_its_good_beginning() -> None:
    done = filtered(GOOD + GOOD[:19] + b"\n" + GOOD + b"\n")
    assert done.data == lines(LEFT, LEFT)
    assert said(done.faults)[0].startswith(f"dump:1:{len(GOOD) + 20}: ")
    done = filtered(GOOD + GOOD.replace(b"hi", b"\xff") + GOOD + b"\n")
    assert done.data == json.dumps(LEFT).encode() * 2 + b"\n"
    assert said(done.faults)[0].startswith(f"dump:1:{len(GOOD) + GOOD.index(b'hi') + 1}: byte 0xff")


def test_every_line_is_a_record_or_a_fault() -> None:
    """Whatever stands on the lines, the good and the bad ones together are all that are not blank."""
    pieces = [GOOD, b"", b" ", *(case[0] for case in BAD_LINES.values() if len(case[0]) < 500)]
    for shift in range(len(pieces)):
        chosen = [GOOD, *pieces[shift:], *pieces[:shift], GOOD]
        dump = Dump(str(file_of(b"\n".join(chosen))))
        seen = list(dump)
        blank = sum(isinstance(each, Gap) for each in seen)
        assert len(seen) - blank == sum(bool(each.strip()) for each in chosen)
        assert blank == sum(not each.strip() for each in chosen)


ENCODINGS: dict[str, Callable[[str], bytes]] = {
    "UTF-8 with a mark": lambda text: text.encode("utf-8-sig"),
    "UTF-16": lambda text: text.encode("utf-16"),
    "UTF-16 LE": lambda text: text.encode("utf-16-le"),
    "UTF-16 BE": lambda text: text.encode("utf-16-be"),
    "UTF-16 BE with a mark": lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
    "UTF-32": lambda text: text.encode("utf-32"),
}


@pytest.mark.parametrize("encode", ENCODINGS.values(), ids=ENCODINGS)
@pytest.mark.parametrize("ending", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_encodings(encode: Callable[[str], bytes], ending: str) -> None:
    text = ending.join(
        json.dumps(each, ensure_ascii=False) for each in ({**USER, "content": "héllo \u2028"}, CALL, USER)
    )
    for each in (text, text + ending):
        done = filtered(encode(each))
        left = each.replace(json.dumps(CALL) + ending, "")
        assert done.faults == []
        assert done.data.decode("utf-8-sig") == left
        bare = filter_bytes(encode(each)).data
        assert bare == encode(each) if encode is ENCODINGS["UTF-8 with a mark"] else bare.decode() == each


def test_mark_inside_a_file_is_text_or_a_fault() -> None:
    done = filtered(lines(USER) + b"\xef\xbb\xbf" + lines(USER, CALL))
    assert done.data == lines(USER)
    assert said(done.faults)[0].startswith("dump:2:1: ")


def test_folders_and_missing_files_are_named() -> None:
    for path, what in ((SAMPLES, "directory"), (SAMPLES / "missing.json", "No such file")):
        with pytest.raises(InputError, match=what):
            filter_file(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_file_that_may_not_be_read_is_named() -> None:
    path = file_of(GOOD)
    path.chmod(0)
    with pytest.raises(InputError, match="denied"):
        filter_file(path)
