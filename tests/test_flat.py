"""A flat list: all parts one after the other, and new items in the style of the list."""

from __future__ import annotations

import json
from typing import Any

import pytest

from handoffctl.dumps.flat import flat_items, item_texts, joined
from handoffctl.entries import Entries
from handoffctl.item import Item, edit
from handoffctl.model import HandoffInputData, RunItem, Source
from handoffctl.records import Record

ONE, TWO, THREE, FOUR = (Item.of({"role": "user", "content": text}) for text in ("1", "2", "3", "é"))


def run(*items: Item) -> tuple[RunItem, ...]:
    return tuple(RunItem("input_item", item) for item in items)


def test_parts_one_after_the_other() -> None:
    assert flat_items(HandoffInputData((ONE,))) == (ONE,)
    assert flat_items(HandoffInputData((ONE,), run(TWO), run(THREE))) == (ONE, TWO, THREE)
    assert flat_items(HandoffInputData((ONE,), run(TWO), run(THREE), None, run(FOUR))) == (ONE, TWO, FOUR)
    assert flat_items(HandoffInputData((ONE,), (), run(THREE), None, ())) == (ONE,)
    assert flat_items(HandoffInputData("1", run(TWO))) == (ONE, TWO)
    assert flat_items(HandoffInputData("1")) == (ONE,)


@pytest.mark.parametrize("indent", [None, 1, 2, 4])
@pytest.mark.parametrize("ascii", [True, False])
def test_edited_and_new_items_look_like_the_others(indent: int | None, ascii: bool) -> None:
    values: list[dict[str, Any]] = [
        {"role": "user", "content": [{"text": "é"}]},
        {"role": "user", "content": "ü", "n": 1},
    ]
    record = {"id": 1, "input": values}
    raw = json.dumps(record, indent=indent, ensure_ascii=ascii).encode()
    entries = Entries(raw, "input")
    first, second = entries.items()
    changed = edit(first, content=[{"text": "è", "more": [1]}])
    new = Item.of({"role": "user", "content": [{"text": "ö"}]})
    texts = item_texts(entries, [changed, second, new])
    expected = [{**values[0], "content": [{"text": "è", "more": [1]}]}, values[1], new.to_dict()]
    done = entries.rebuilt(texts).decode()
    assert json.loads(done) == {**record, "input": expected}
    assert done == json.dumps(json.loads(done), indent=indent, ensure_ascii=ascii)


def test_items_of_lines_are_joined_by_line_ends() -> None:
    record = Record(b"[1,2]", Source("f"), "entries", b"", (1, 2), b"\r\n", b"1\r\n2")
    assert joined(record, Entries(record.raw, None), [b"1", b"2"]) == b"1\r\n2"
    assert joined(Record(b"[ 1, 2 ]", Source("f")), Entries(b"[ 1, 2 ]", None), [b"2"]) == b"[ 2 ]"
