"""Changes account for every item, and name the filter that made them."""

from __future__ import annotations

import sys
import time
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffctl.align import after_side, align, align_two
from handoffctl.item import Item, edit
from handoffctl.model import Change, HandoffInputData, RunItem, Step, segment_items


def user(text: str, **more: Any) -> Item:
    return Item.of({"role": "user", "content": text, **more})


def call(name: str, call_id: str, arguments: str = "{}") -> Item:
    return Item.of({"type": "function_call", "name": name, "call_id": call_id, "arguments": arguments})


def run_item(item: Item) -> RunItem:
    return RunItem("message_output_item", item, "Triage")


def history(*items: Item) -> HandoffInputData:
    return HandoffInputData(tuple(items))


def steps(*stages: HandoffInputData) -> list[Step]:
    return [Step(f"step{number}", before, after) for number, (before, after) in enumerate(pairwise(stages), 1)]


def told(changes: tuple[Change, ...]) -> list[tuple[str, int, str | None]]:
    return [(each.sign, each.index, each.by) for each in changes]


A, B, C, D = (user(text) for text in ("shoes arrived broken", "where is my order", "refund please", "thank you"))
SAID_TWICE = [user("yes"), user("yes")]
EDITED = edit(B, content="hidden")
COPY = {name: Item.of(item.to_dict()) for name, item in {"A": A, "B": B, "C": C}.items()}
KEPT = ("kept", 0, None)


@pytest.mark.parametrize(
    ("stages", "expected"),
    [
        pytest.param([history(A, B), history(A, B)], [KEPT, ("kept", 1, None)], id="nothing changed"),
        pytest.param(
            [history(A, B, C), history(A, C)], [KEPT, ("removed", 1, "step1"), ("kept", 2, None)], id="one gone"
        ),
        pytest.param([history(), history(A)], [("added", 0, "step1")], id="one new"),
        pytest.param(
            [history(A, B), history(A, EDITED)], [KEPT, ("edited", 1, "step1")], id="an edit knows its source"
        ),
        pytest.param(
            [history(A, B), history(A, edit(EDITED, content="more"))],
            [KEPT, ("edited", 1, "step1")],
            id="edited twice in one step",
        ),
        pytest.param(
            [history(A, B), history(A, EDITED), history(A, edit(EDITED, content="x"))],
            [KEPT, ("edited", 1, "step1, step2")],
            id="edited by two filters names both",
        ),
        pytest.param(
            [history(A, B), history(A, EDITED), history(A)],
            [KEPT, ("removed", 1, "step2")],
            id="edited then removed is removed by the second",
        ),
        pytest.param(
            [history(A, B), history(A, EDITED), history(A, B)],
            [KEPT, ("kept", 1, None)],
            id="edited and restored is kept",
        ),
        pytest.param(
            [history(A), history(A, B), history(A, EDITED)],
            [KEPT, ("added", 1, "step1, step2")],
            id="added then edited is added",
        ),
        pytest.param([history(A), history(A, B), history(A)], [KEPT], id="added then removed leaves no trace"),
        pytest.param(
            [history(A, B, C), history(B, C), history(B)],
            [("removed", 0, "step1"), ("kept", 1, None), ("removed", 2, "step2")],
            id="each removal by its own filter",
        ),
        pytest.param(
            [history(A, B, C, D), history(D, A, B, C)],
            [KEPT, ("kept", 1, None), ("kept", 2, None), ("moved", 3, "step1")],
            id="one put first has moved and the others have not",
        ),
        pytest.param(
            [history(A, B, C), history(C, A, B), history(A, B, C)],
            [KEPT, ("kept", 1, None), ("kept", 2, None)],
            id="moved there and back is kept",
        ),
        pytest.param(
            [HandoffInputData((A,), (), (run_item(B),)), history(A, B)],
            [KEPT, ("moved", 1, "step1")],
            id="from new to history",
        ),
        pytest.param(
            [HandoffInputData((A,), (), (run_item(B),)), history(A, EDITED)],
            [KEPT, ("edited", 1, "step1")],
            id="moved and edited is edited",
        ),
        pytest.param(
            [
                HandoffInputData((A,), (), (run_item(B),)),
                HandoffInputData((A,), (), (run_item(B),), None, (run_item(B),)),
            ],
            [KEPT, ("kept", 1, None), ("added", 2, "step1")],
            id="the same object in another segment too is added there",
        ),
        pytest.param(
            [
                HandoffInputData((A,), (), (run_item(B),), None, (run_item(B),)),
                HandoffInputData((A,), (), (run_item(B),)),
            ],
            [KEPT, ("kept", 1, None), ("removed", 2, "step1")],
            id="the same object in two segments goes from its own",
        ),
        pytest.param(
            [history(A, B, C), history(COPY["A"], COPY["C"])],
            [KEPT, ("removed", 1, "step1"), ("kept", 2, None)],
            id="equal copies are kept",
        ),
        pytest.param(
            [history(user("one", id="m1"), A), history(user("other", id="m1"), COPY["A"])],
            [("edited", 0, "step1"), ("kept", 1, None)],
            id="same id and other content is edited",
        ),
        pytest.param(
            [history(call("f", "c1"), call("f", "c2")), history(call("f", "c2", '{"a":1}'))],
            [("removed", 0, "step1"), ("edited", 1, "step1")],
            id="same call id and other arguments is edited",
        ),
        pytest.param(
            [
                history(user("a b c", id="__fake_id__"), user("d e f", id="__fake_id__")),
                history(user("x y z", id="__fake_id__")),
            ],
            [("removed", 0, "step1"), ("removed", 1, "step1"), ("added", 0, "step1")],
            id="a placeholder id tells nothing",
        ),
        pytest.param(
            [history(user("a b c", id="m"), user("d e f", id="m")), history(user("x y z", id="m"))],
            [("removed", 0, "step1"), ("removed", 1, "step1"), ("added", 0, "step1")],
            id="an id that two items carry tells nothing",
        ),
        pytest.param(
            [
                HandoffInputData((user("a b c", id="m"),), (), (run_item(user("d e f", id="m")),)),
                HandoffInputData((user("x", id="m"),), (), (run_item(user("y", id="m")),)),
            ],
            [("edited", 0, "step1"), ("edited", 1, "step1")],
            id="an id that two segments have counts in each",
        ),
        pytest.param(
            [
                history(A, user("the card is 4111 of mine"), C),
                history(COPY["A"], user("the card is *** of mine"), COPY["C"]),
            ],
            [KEPT, ("edited", 1, "step1"), ("kept", 2, None)],
            id="a masked copy in the same place is edited",
        ),
        pytest.param(
            [history(A, user("long " * 200), C), history(COPY["A"], user("long " * 5 + "…"), COPY["C"])],
            [KEPT, ("edited", 1, "step1"), ("kept", 2, None)],
            id="a clipped copy in the same place is edited",
        ),
        pytest.param(
            [history(A, B, C), history(COPY["A"], user("nothing in common"), COPY["C"])],
            [KEPT, ("removed", 1, "step1"), ("added", 1, "step1"), ("kept", 2, None)],
            id="a removal and what stands for it",
        ),
        pytest.param(
            [history(*SAID_TWICE, A), history(user("yes"), COPY["A"])],
            [("removed", 0, "step1"), ("kept", 1, None), ("kept", 2, None)],
            id="of equal ones the newer stayed",
        ),
        pytest.param(
            [history(user("yes"), A, user("yes"), B, C), history(A, user("yes"), C, D)],
            [
                ("removed", 0, "step1"),
                ("kept", 1, None),
                ("kept", 2, None),
                ("removed", 3, "step1"),
                ("kept", 4, None),
                ("added", 3, "step1"),
            ],
            id="equal ones are matched between their neighbours first",
        ),
        pytest.param([HandoffInputData("hello"), HandoffInputData("hello")], [KEPT], id="the same string history"),
        pytest.param(
            [HandoffInputData("hello"), HandoffInputData("bye")], [("edited", 0, "step1")], id="another string history"
        ),
        pytest.param(
            [HandoffInputData("hello"), history(user("hello"))], [KEPT], id="a string and a message that says it"
        ),
        pytest.param(
            [HandoffInputData((A,), (run_item(B),), (run_item(C),)), HandoffInputData((A, D), (), (run_item(C),))],
            [KEPT, ("added", 1, "step1"), ("removed", 1, "step1"), ("kept", 2, None)],
            id="what is added stays in its segment",
        ),
        pytest.param(
            [HandoffInputData((A,), (), (run_item(B), run_item(C))), history(C, A, B), history(A, B, C)],
            [KEPT, ("moved", 1, "step1"), ("moved", 2, "step1, step2")],
            id="moved by two filters names both",
        ),
    ],
)
def test_changes_between_stages(stages: list[HandoffInputData], expected: list[tuple[str, int, str | None]]) -> None:
    assert told(align(steps(*stages))) == expected


def test_no_steps_are_no_changes() -> None:
    assert align([]) == ()


def test_numbers_too_large_and_nesting_too_deep_are_compared() -> None:
    deep: list[Any] = []
    for _ in range(300):
        deep = [deep]
    large = user("n", big=2**80, nested=deep)
    assert told(align(steps(history(large), history(Item.of(large.to_dict()))))) == [KEPT]
    assert told(align(steps(history(large), history(edit(large, big=2**81))))) == [("edited", 0, "step1")]


def test_nesting_beyond_json_is_compared_by_its_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_deep(*_: object, **__: object) -> str:
        raise RecursionError

    large = user("n", big=2**80)
    copy, edited = Item.parse(large.raw), edit(large, content="m")
    monkeypatch.setattr("handoffctl.aligning.likeness.json.dumps", too_deep)
    assert told(align(steps(history(large), history(copy)))) == [KEPT]
    assert told(align(steps(history(large), history(edited)))) == [("edited", 0, "step1")]


def test_run_item_is_the_shown_side_and_after_is_placed() -> None:
    old, new = run_item(B), run_item(EDITED)
    (change,) = align([Step("redact", HandoffInputData((), (old,)), HandoffInputData((), (), (new,)))])
    assert (change.sign, change.segment, change.after_segment, change.after_index) == (
        "edited",
        "pre-handoff",
        "new",
        0,
    )
    assert change.before is B
    assert change.after is EDITED
    assert change.run_item is new


@pytest.mark.parametrize(
    ("before", "after", "sign"),
    [
        ("hi", [{"type": "text", "text": "hi", "cache_control": {"type": "ephemeral"}}], "kept"),
        ("hi", [{"type": "output_text", "text": "hi", "annotations": [], "logprobs": []}], "kept"),
        ("hi", [{"type": "input_text", "text": "ho"}], "edited"),
        ("hi", [{"type": "output_text", "text": "hi", "annotations": [{"type": "url_citation"}]}], "edited"),
        (["hi"], ["hi"], "kept"),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], [{"type": "text", "text": "a"}], "edited"),
    ],
    ids=[
        "a block and its cache mark",
        "idle keys",
        "other words",
        "a citation counts",
        "a list of strings",
        "a part less",
    ],
)
def test_two_files_are_compared_by_what_they_say(before: Any, after: Any, sign: str) -> None:
    one = history(Item.of({"role": "user", "content": before, "id": "m"}))
    other = history(Item.of({"cache_control": {}, "id": "m", "content": after, "type": "message", "role": "user"}))
    (change,) = align_two(one, other, by="b.json")
    assert (change.sign, change.by) == (sign, None if sign == "kept" else "b.json")


def test_two_files_in_two_key_orders_are_the_same() -> None:
    one = history(Item.parse(b'{"role": "user", "content": "which four?"}'), user("these"))
    other = history(Item.parse(b'{"content":[{"text":"which four?","type":"text"}],"role":"user"}'), user("these"))
    assert {each.sign for each in align_two(one, other)} == {"kept"}


TEXTS = st.sampled_from(["yes", "no", "where is my order", "my card is 4111 please hide it", ""])
ITEMS = st.one_of(
    st.builds(user, TEXTS),
    st.builds(call, st.sampled_from(["f", "g"]), st.sampled_from(["c1", "c2"])),
    st.builds(lambda text, key: user(text, id=key), TEXTS, st.sampled_from(["m1", "m2"])),
)
LISTS = st.lists(ITEMS, max_size=8).map(tuple)
RUNS = LISTS.map(lambda items: tuple(run_item(each) for each in items))
DATA = st.builds(HandoffInputData, st.one_of(LISTS, TEXTS), RUNS, RUNS, st.none(), st.one_of(st.none(), RUNS))


@st.composite
def changed(draw: st.DrawFn, data: HandoffInputData) -> HandoffInputData:
    """What some filter may make of the data: items left out, edited, copied, put elsewhere, added."""
    pool = [item for _, item in segment_items(data)]
    picked = draw(st.lists(st.sampled_from(pool), max_size=8)) if pool else []
    acts = st.sampled_from(
        [lambda item: item, lambda item: Item.of(item.to_dict()), lambda item: edit(item, content="x")]
    )
    made = [draw(acts)(item) for item in picked] + draw(st.lists(ITEMS, max_size=2))
    made = draw(st.permutations(made))
    cut = draw(st.integers(0, len(made)))
    history_after = data.input_history if draw(st.booleans()) else tuple(made[:cut])
    return HandoffInputData(history_after, data.pre_handoff_items, tuple(run_item(each) for each in made[cut:]))


@st.composite
def stages(draw: st.DrawFn) -> list[HandoffInputData]:
    found = [draw(DATA)]
    for _ in range(draw(st.integers(1, 3))):
        found.append(draw(changed(found[-1])))
    return found


@given(stages())
def test_changes_account_for_every_item(found: list[HandoffInputData]) -> None:
    changes = align(steps(*found))
    before = [item for _, item in segment_items(found[0])]
    after = [item for _, item in segment_items(found[-1])]
    signs = Counter(each.sign for each in changes)
    assert signs["kept"] + signs["removed"] + signs["edited"] + signs["moved"] == len(before)
    assert sorted(each.index for each in changes if each.before is not None) == list(range(len(before)))
    assert sorted(each.after_index for each in changes if each.after_index is not None) == list(range(len(after)))
    shown = after_side(changes)
    assert all(one is other for one, other in zip(shown, after, strict=True)) or isinstance(
        found[-1].input_history, str
    )
    assert shown == after


@given(stages())
def test_changes_say_what_they_are(found: list[HandoffInputData]) -> None:
    for change in align(steps(*found)):
        assert (change.by is None) == (change.sign == "kept")
        assert (change.before is None) == (change.sign == "added")
        assert (change.after is None) == (change.sign == "removed")
        if change.sign in ("kept", "moved"):
            assert change.before == change.after
        if change.sign == "kept":
            assert change.segment == change.after_segment


@given(DATA)
def test_equal_inputs_give_only_kept(data: HandoffInputData) -> None:
    copy = data.clone(
        input_history=data.input_history
        if isinstance(data.input_history, str)
        else tuple(Item.of(each.to_dict()) for each in data.input_history)
    )
    for after in (data, copy):
        assert {each.sign for each in align(steps(data, after))} <= {"kept"}
        assert {each.sign for each in align_two(data, after)} <= {"kept"}


def numbered(count: int) -> list[Item]:
    return [user(f"message {number} of many, with some words") for number in range(count)]


MANY = numbered(10_000)


def is_traced() -> bool:
    """Whether coverage is measured, which costs several times the work itself."""
    coverage = sys.modules.get("coverage")
    return coverage is not None and coverage.Coverage.current() is not None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (MANY, MANY[5_000:]),
        (MANY, [edit(each, content="x") for each in MANY]),
        (MANY, [Item.of(each.to_dict()) for each in MANY[::2]]),
        (MANY, MANY[::-1]),
        (MANY, [user(f"other {number} of few without any") for number in range(10_000)]),
        ([user("yes") for _ in MANY], [user("yes") for _ in MANY[::2]]),
    ],
    ids=["cut", "all edited", "copied", "turned round", "all replaced", "all the same"],
)
def test_ten_thousand_items_take_under_a_second(before: list[Item], after: list[Item]) -> None:
    start = time.process_time()
    changes = align(steps(history(*before), history(*after)))
    assert time.process_time() - start < (5 if is_traced() else 1)
    assert len(after_side(changes)) == len(after)
