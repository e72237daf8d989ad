"""Samples with mutations: whatever comes in, what goes wrong is an error of ours with its place, never a crash."""

from __future__ import annotations

import json
import random
import re
import time
import tracemalloc
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from handoffctl.errors import HandoffctlError, MalformedDump
from handoffctl.loading import Dump, Loaded
from handoffctl.raw.opening import TextInput
from handoffctl.writing import TARGETS
from tests.conftest import SAMPLES
from tests.dumps import GOLDEN, load_json
from tests.reading import Filtered, file_of, filter_bytes

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
PLACE = re.compile(r"dump(:\d+)?(:\d+)?(?:: |, )", re.DOTALL)


def originals() -> Iterator[bytes]:
    for path in sorted(path for path in SAMPLES.rglob("*") if path.is_file()):
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
    """Some values of other types, some swapped, some members gone; another mutation where there are no values."""
    if not holds_values(raw):
        return chance.choice([flip_bytes, cut, insert, change_lines])(chance, raw)
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


@cache
def holds_values(raw: bytes) -> bool:
    """Whether a file is JSON or JSON Lines, rather than a database or a text."""
    try:
        return bool(values_of(raw)[0])
    except ValueError:
        return False


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
    started = time.process_time()
    try:
        done = filter_bytes(raw, *filters, to=to)
    except HandoffctlError as error:
        check_said([error])
        return None
    finally:
        assert time.process_time() - started < 1
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


@pytest.mark.parametrize("seed", range(10))
def test_mutated_samples_are_read_or_refused(seed: int) -> None:
    for raw in mutated_samples(seed, 500):
        check(raw)


@pytest.mark.parametrize("to", TARGETS)
def test_mutated_samples_go_into_every_format_or_are_refused(to: str) -> None:
    for raw in mutated_samples(99, 250):
        attempt(raw, to=to)


JSON = list(filter(holds_values, ORIGINALS))
TYPES: list[Any] = [None, 5, "x", [5], {"a": {}}]


@pytest.mark.parametrize("seed", range(500, 504))
def test_every_line_is_read_or_named(seed: int) -> None:
    """What a file with one value a line holds is worked on, or told with its place: no line is passed over."""
    counted = 0
    for raw in mutated_samples(seed, 250):
        try:
            dump = Dump(str(file_of(raw)))
        except HandoffctlError:
            continue
        if isinstance(dump.input, TextInput) and dump.input.lines:
            text = raw.removeprefix(b"\xef\xbb\xbf") if not dump.input.notes else None
            done = lines_done(dump)
            if text is not None:
                counted += 1
                assert done >= {number for number, line in enumerate(text.split(b"\n"), 1) if line.strip()}
        dump.close()
    assert counted > 50


def lines_done(dump: Dump) -> set[int]:
    """The numbers of the lines that were read, and of those that were named."""
    done: set[int] = set()
    for each in dump:
        if isinstance(each, Loaded):
            done |= set(each.record.lines) or {each.record.source.line}
        elif isinstance(each, MalformedDump):
            found = PLACE.search(str(each))
            assert found is not None
            done.add(int((found[1] or ":1")[1:]))
    return done


@pytest.mark.parametrize("seed", range(600, 602))
def test_memory_is_bounded_by_the_file(seed: int) -> None:
    """No file makes reading take more than ten times its size, however it is broken."""
    chance = random.Random(seed)
    for _ in range(12):
        original = chance.choice(ORIGINALS)
        raw = chance.choice(MUTATIONS)(chance, original * (400_000 // len(original)) if b"\n" in original else original)
        tracemalloc.start()
        attempt(raw)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 10 * len(raw) + (2 << 20), (peak, len(raw), raw[:200])


def with_odd_members(original: bytes) -> Iterator[bytes]:
    """Each key of the first record in turn: null, a number, a string, a list, an object, nothing."""
    value = values_of(original)[0][0]
    for path in {shape(path): path for path in paths_of(value)}.values():
        for new in TYPES:
            yield json.dumps(replaced(value, path, new)).encode()
        yield json.dumps(replaced(value, path, None, gone=True)).encode()


@pytest.mark.parametrize("original", JSON, ids=range(len(JSON)))
def test_members_of_odd_types(original: bytes) -> None:
    for number, raw in enumerate(with_odd_members(original)):
        if number % 5 == 0:  # six for each key, so that every key has its turn, and every type
            attempt(raw, "remove_all_tools")


@pytest.mark.slow
@pytest.mark.parametrize("original", JSON, ids=range(len(JSON)))
def test_every_member_of_every_odd_type(original: bytes) -> None:
    for raw in with_odd_members(original):
        check(raw)


def shape(path: Path_) -> Path_:
    """Entries of one list are alike."""
    return tuple(0 if isinstance(key, int) else key for key in path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1200))
def test_many_more_mutated_samples(seed: int) -> None:
    for raw in mutated_samples(seed, 1000):
        check(raw)
        attempt(raw, to=random.Random(seed).choice(list(TARGETS)))
