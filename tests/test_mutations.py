"""Samples with mutations: whatever comes in, what goes wrong is an error of ours with its place, never a crash."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from handoffctl.errors import HandoffctlError
from handoffctl.writing import TARGETS
from tests.conftest import SAMPLES
from tests.dumps import GOLDEN, load_json
from tests.reading import Filtered, filter_bytes

Path_ = tuple[str | int, ...]

ODD: list[Any] = [
    None, 0, -1, 2**70, 1.5, True, "", "x", "\ud800", [], {}, [1, 2], [None], [[]], ["x"], {"a": 1}, {"name": 1},
    [{"type": "x"}], [{"name": None, "id": [], "function": 3}], [{"type": "custom", "custom": [1]}],
    {"role": "user"}, {"name": ["A"]}, {" raw": 1, " source": {}, " place": [0]}, "transfer_to_x",
    json.loads("[" * 200 + "]" * 200), json.loads('{"a":' * 200 + "1" + "}" * 200),
]  # fmt: skip
PIECES = [
    b'"',
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\n",
    b"\r",
    b"\xff",
    b"\x00",
    b"NaN",
    b"\xe2\x80\xa8",
    b"{}",
    b"\\ud800",
]
PLACE = re.compile(r"dump(:\d+){0,2}: .", re.DOTALL)


def originals() -> Iterator[bytes]:
    for path in sorted(SAMPLES.rglob("*.json*")):
        yield path.read_bytes()
    for number in (7, 20, 33):
        [path] = (GOLDEN / "vectors").glob(f"{number:03d}_*.json")
        yield json.dumps(load_json(path)["input"]).encode()


ORIGINALS = list(originals())


def flip_bytes(chance: random.Random, raw: bytes) -> bytes:
    mutated = bytearray(raw)
    for _ in range(chance.randint(1, 4)):
        mutated[chance.randrange(len(mutated))] ^= 1 << chance.randrange(8)
    return bytes(mutated)


def cut(chance: random.Random, raw: bytes) -> bytes:
    start = chance.randrange(len(raw))
    return raw[:start] + (raw[start + chance.randrange(1, 60) :] if chance.random() < 0.5 else b"")


def insert(chance: random.Random, raw: bytes) -> bytes:
    position, other = chance.randrange(len(raw)), chance.randrange(len(raw))
    piece = chance.choice([*PIECES, raw[other : other + chance.randrange(80)]])
    return raw[:position] + piece + raw[position:]


def change_lines(chance: random.Random, raw: bytes) -> bytes:
    lines = raw.split(b"\n")
    index = chance.randrange(len(lines))
    kind = chance.randrange(4)
    if kind == 0:
        del lines[index]
    elif kind == 1:
        lines.insert(index, chance.choice(lines))
    elif kind == 2:
        lines.insert(index, chance.choice(PIECES) * chance.randint(1, 3))
    else:
        chance.shuffle(lines)
    return b"\n".join(lines)


def change_values(chance: random.Random, raw: bytes) -> bytes:
    """Some values of other types, some swapped, some members gone."""
    values, lines = values_of(raw)
    for _ in range(chance.randint(1, 3)):
        index = chance.randrange(len(values))
        paths = list(paths_of(values[index]))
        path, other = chance.choice(paths), chance.choice(paths)
        new = chance.choice([*ODD, value_at(values[index], other)])
        values[index] = replaced(values[index], path, new, gone=chance.random() < 0.1)
    ascii_, indent = chance.random() < 0.5, None if lines else chance.choice([None, 2])
    text = "\n".join(json.dumps(value, ensure_ascii=ascii_, indent=indent) for value in values)
    return text.encode(errors="backslashreplace")


def values_of(raw: bytes) -> tuple[list[Any], bool]:
    try:
        return [json.loads(raw)], False
    except ValueError:
        return [json.loads(line) for line in raw.split(b"\n") if line.strip()], True


def paths_of(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    yield path
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in members:
        yield from paths_of(member, (*path, key))


def value_at(value: Any, path: Path_) -> Any:
    for key in path:
        value = value[key]
    return value


def replaced(value: Any, path: Path_, new: Any, *, gone: bool = False) -> Any:
    """The value with another one at a path, or with none there."""
    if not path:
        return new
    key, *rest = path
    pairs = list(value.items() if isinstance(value, dict) else enumerate(value))
    changed = [
        (name, replaced(member, tuple(rest), new, gone=gone) if name == key else member)
        for name, member in pairs
        if not (gone and name == key and not rest)
    ]
    return dict(changed) if isinstance(value, dict) else [member for _, member in changed]


MUTATIONS: list[Callable[[random.Random, bytes], bytes]] = [
    flip_bytes, cut, insert, change_lines, change_values, change_values, change_values,
]  # fmt: skip


def mutated_samples(seed: int, count: int) -> Iterator[bytes]:
    chance = random.Random(seed)
    for _ in range(count):
        yield chance.choice(MUTATIONS)(chance, chance.choice(ORIGINALS))


def attempt(raw: bytes, *filters: str, to: str | None = None) -> Filtered | None:
    """What comes out; None where the whole file is refused, in one line with its place."""
    try:
        done = filter_bytes(raw, *filters, to=to)
    except HandoffctlError as error:
        check_said([error])
        return None
    check_said(done.faults)
    return done


def check_said(faults: list[HandoffctlError]) -> None:
    for fault in faults:
        assert PLACE.search(str(fault)), str(fault)
        assert fault.help
        assert len(str(fault)) < 2000


def check(raw: bytes) -> None:
    done = attempt(raw)
    if done is None:
        assert attempt(raw, "remove_all_tools") is None
        return
    clean = not done.faults and not done.dump.notes[: bool(done.dump.input.notes)]
    if clean and done.dump.format.writes:
        assert done.data == raw
    left = attempt(raw, "remove_all_tools")
    assert left is not None
    assert len(left.faults) == len(done.faults)
    if left.data.strip():
        again = attempt(left.data, "remove_all_tools")
        if again is not None and again.dump.format is left.dump.format:
            assert again.data == left.data


@pytest.mark.parametrize("seed", range(4))
def test_mutated_samples_are_read_or_refused(seed: int) -> None:
    for raw in mutated_samples(seed, 500):
        check(raw)


@pytest.mark.parametrize("to", TARGETS)
def test_mutated_samples_go_into_every_format_or_are_refused(to: str) -> None:
    for raw in mutated_samples(99, 250):
        attempt(raw, to=to)


TYPES: list[Any] = [None, 5, "x", [5], {"a": {}}]


def with_odd_members(original: bytes) -> Iterator[bytes]:
    """Each key of the first record in turn: null, a number, a string, a list, an object, nothing."""
    value = values_of(original)[0][0]
    for path in {shape(path): path for path in paths_of(value)}.values():
        for new in TYPES:
            yield json.dumps(replaced(value, path, new)).encode()
        yield json.dumps(replaced(value, path, None, gone=True)).encode()


@pytest.mark.parametrize("original", ORIGINALS, ids=range(len(ORIGINALS)))
def test_members_of_odd_types(original: bytes) -> None:
    for number, raw in enumerate(with_odd_members(original)):
        if number % 5 == 0:  # six for each key, so that every key has its turn, and every type
            attempt(raw, "remove_all_tools")


@pytest.mark.slow
@pytest.mark.parametrize("original", ORIGINALS, ids=range(len(ORIGINALS)))
def test_every_member_of_every_odd_type(original: bytes) -> None:
    for raw in with_odd_members(original):
        check(raw)


def shape(path: Path_) -> Path_:
    """Entries of one list are alike."""
    return tuple(0 if isinstance(key, int) else key for key in path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 150))
def test_many_more_mutated_samples(seed: int) -> None:
    for raw in mutated_samples(seed, 1000):
        check(raw)
        attempt(raw, to=random.Random(seed).choice(list(TARGETS)))
