"""Nothing changed, nothing different: every dump comes back byte for byte, in whatever style it was written."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handoffctl.formats import FORMATS
from handoffctl.kinds import removed_item_types
from handoffctl.model import HandoffInputData
from tests.conftest import SAMPLES
from tests.dumps import GOLDEN, load_json
from tests.reading import filter_bytes, filter_file

Writer = Callable[[Any], bytes]

STYLES: dict[str, Writer] = {
    "compact": lambda value: json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode(),
    "as json.dumps": lambda value: json.dumps(value).encode(),
    "unescaped": lambda value: json.dumps(value, ensure_ascii=False).encode() + b"\n",
    "indented by 1": lambda value: json.dumps(value, indent=1, ensure_ascii=False).encode() + b"\n",
    "indented by 2": lambda value: json.dumps(value, indent=2).encode(),
    "indented by 4, CRLF": lambda value: json.dumps(value, indent=4).replace("\n", "\r\n").encode() + b"\r\n",
    "indented by a tab": lambda value: json.dumps(value, indent="\t").encode() + b"\n",
    "byte order mark": lambda value: b"\xef\xbb\xbf" + json.dumps(value).encode() + b"\n\n",
    "spaces around": lambda value: b" \n\t" + json.dumps(value, separators=(" , ", " : ")).encode() + b" \r\n ",
}
every_style = pytest.mark.parametrize("style", STYLES.values(), ids=STYLES)
VECTORS = sorted((GOLDEN / "vectors").glob("[0-9]*.json"))
RUNS = sorted((GOLDEN / "runs").glob("*.json"))
WRITTEN = {name for name in FORMATS.builtin if FORMATS.get(name).writes}
FILES = sorted(path for path in SAMPLES.rglob("*") if path.is_file() and path.parent.name in WRITTEN)


def inputs() -> Iterator[Any]:
    for path in VECTORS:
        yield load_json(path)["input"]
    for path in RUNS:
        for call in load_json(path).get("filter_calls") or ():
            yield call["before"]


INPUTS = list(inputs())


def same(data: HandoffInputData) -> HandoffInputData:
    """A filter that makes new tuples of the very same items."""
    history = data.input_history
    return HandoffInputData(
        history if isinstance(history, str) else (*history,),
        (*data.pre_handoff_items,),
        (*data.new_items,),
        None,
        None if data.input_items is None else (*data.input_items,),
    )


def comes_back(raw: bytes, *filters: Any) -> None:
    for each in filters or ("noop", same):
        done = filter_bytes(raw, each)
        assert (done.data, done.faults) == (raw, [])


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SAMPLES)))
def test_sample_comes_back_byte_for_byte(path: Path) -> None:
    raw = path.read_bytes()
    assert filter_file(path).data == raw
    comes_back(raw)


@every_style
def test_every_recorded_filter_input_comes_back(style: Writer) -> None:
    for value in INPUTS:
        comes_back(style(value))


def test_recorded_filter_inputs_come_back_as_lines() -> None:
    for ending in (b"\n", b"\r\n"):
        raw = ending.join(json.dumps(value).encode() for value in INPUTS)
        comes_back(raw)
        comes_back(raw + ending)


FLAT = [
    value
    for path in RUNS
    for key in (
        "to_input_list_preserve_all",
        "to_input_list_normalized",
        "result_input",
        "session_items",
        "branch_items",
        "main_items",
    )
    if isinstance(value := load_json(path).get(key), list) and value and "raw_item" not in value[0]
]


@every_style
def test_every_recorded_input_list_comes_back(style: Writer) -> None:
    assert len(FLAT) > 100
    for value in FLAT[::2]:
        comes_back(style(value))


@every_style
def test_list_in_an_object_comes_back(style: Writer) -> None:
    for value in FLAT[::5]:
        comes_back(style({"input": value}))
        comes_back(style({"id": 7, "items": value, "metadata": {"input": []}}))


def test_input_lists_come_back_as_lines() -> None:
    for value in FLAT[::7]:
        lines = b"".join(json.dumps(item, ensure_ascii=False).encode() + b"\n" for item in value)
        comes_back(lines)
        comes_back(lines.rstrip(b"\n"))
        comes_back(lines.replace(b"\n", b"\n\n", 1))
        comes_back(lines.replace(b"\n", b"\r\n"))
    comes_back(b"".join(json.dumps(value).encode() + b"\n" for value in FLAT))
    comes_back(b"".join(json.dumps({"input": value}).encode() + b"\n" for value in FLAT))


@every_style
def test_filtered_dump_equals_the_value_filtered(style: Writer) -> None:
    """The bytes that are left say what the SDK's filter leaves, in the style that they came in."""
    for path in VECTORS:
        vector = load_json(path)
        left = filter_bytes(style(vector["input"]), "remove_all_tools").data
        expected = vector["remove_all_tools"]["data"]
        got = json.loads(left.decode("utf-8-sig"))
        assert {key: got.get(key) for key in expected} == expected, path.name
        assert style(got) == left, path.name


# Members in any spelling that JSON allows; what a filter does not touch must keep it.
NUMBERS = st.sampled_from(["1.00", "1e5", "1E+2", "-0", "-0.0", "12345678901234567890123", "0.1e-7", "1e999", "5"])
STRINGS = st.sampled_from(
    [
        '"plain"',
        '"\\u00e9\\/"',
        '"é"',
        '"\\ud800"',
        '"\\ud83d\\ude00"',
        '"😀"',
        '"a\u2028b\u0085c"',
        '"\\n\\t\\""',
        '""',
    ]
)
SPACES = st.sampled_from(["", "", "", " ", "  ", "\n", "\r\n  ", "\t"])
KEYS = st.sampled_from(['"a"', '"b"', '"x-y"', '"\\u006b"', '" raw"', '" source"', '""', '"é"', '"a"'])


@st.composite
def texts_of(draw: st.DrawFn, depth: int = 2) -> str:
    """The text of a random value, white space and all."""
    kind = draw(st.integers(0, 4 if depth else 1))
    if kind == 0:
        return draw(NUMBERS)
    if kind == 1:
        return draw(STRINGS)
    if kind == 2:
        return draw(st.sampled_from(["true", "false", "null", "[]", "{ }", "[ ]"]))
    if kind == 3:
        return _joined(draw, "[]", draw(st.lists(texts_of(depth - 1), max_size=3)))
    pairs = draw(st.lists(st.tuples(KEYS, texts_of(depth - 1)), max_size=3))
    return _joined(draw, "{}", [f"{key}{draw(SPACES)}:{draw(SPACES)}{value}" for key, value in pairs])


def _joined(draw: st.DrawFn, brackets: str, members: list[str]) -> str:
    spaced = [draw(SPACES) + member + draw(SPACES) for member in members]
    return brackets[0] + (",".join(spaced) or draw(SPACES)) + brackets[1]


HEADS = [
    '"role":"user","content":"hi"',
    '"role": "assistant", "content": [{"type":"output_text","text":"x"}], "type" : "message"',
    '"type":"function_call","call_id":"c1","name":"REMOVED","arguments":"{}"',
    '"type":"function_call_output","call_id":"c1","output":"REMOVED"',
    '"type":"reasoning","id":"rs_REMOVED","summary":[]',
    '"type":"no_such_type"',
]


@st.composite
def items_of(draw: st.DrawFn) -> str:
    """The text of a random item with a known head."""
    pairs = draw(st.lists(st.tuples(KEYS, texts_of()), max_size=2))
    members = [draw(st.sampled_from(HEADS)), *(f"{key}{draw(SPACES)}:{draw(SPACES)}{value}" for key, value in pairs)]
    return _joined(draw, "{}", members)


@st.composite
def records_of(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A random record and the texts of its items, which begin with a call so that every dialect knows them."""
    items = [_joined(draw, "{}", [HEADS[2]]), *draw(st.lists(items_of(), max_size=5))]
    text = _joined(draw, "[]", items)
    shape = draw(
        st.sampled_from(["{}", '{{"input":{}}}', '{{ "id" : 1.0 ,\n"input" :{} }}', '{{"input": {},"z":[1e5]}}'])
    )
    return shape.format(text), items


@given(records_of())
@settings(max_examples=200)
def test_random_record_comes_back_in_any_spelling(record: tuple[str, list[str]]) -> None:
    comes_back(record[0].encode())


@given(records_of())
@settings(max_examples=200)
def test_untouched_items_keep_their_bytes_when_others_go(record: tuple[str, list[str]]) -> None:
    text, items = record
    done = filter_bytes(text.encode(), "remove_all_tools")
    assert done.faults == []
    kept = [item for item in items if not _is_removed(item)]
    assert len(kept) < len(items)
    left, position = done.data.decode(), 0
    for item in kept:
        position = left.index(item, position) + len(item)
    assert "REMOVED" not in left
    assert _size(left) == len(kept)
    around = text.partition(items[0])[0].rstrip("[ \t\r\n"), text.rpartition(items[-1])[2].lstrip("] \t\r\n")
    assert left.startswith(around[0])
    assert left.endswith(around[1])


def _is_removed(item: str) -> bool:
    type_ = json.loads(item).get("type")
    return isinstance(type_, str) and type_ in removed_item_types((0, 24, 0))


def _size(text: str) -> int:
    value = json.loads(text)
    return len(value if isinstance(value, list) else value["input"])
