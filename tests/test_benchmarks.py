"""The benchmark on its small size: every program gives the same results, and every number comes out of one command.

The numbers themselves depend on the machine, and are not asserted.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks import corpus as corpora
from benchmarks.agreement import Disagreement, agree, unchanged
from benchmarks.corpus import corpus
from benchmarks.processes import run
from benchmarks.table import Row, markdown
from tests.conftest import ROOT

PROMISED = {
    "Responses items : orjson and a list comprehension": ("≥", 0.9),
    "Responses items : jq": ("≥", 5),
    "Responses items : json and the SDK's filter": ("≥", 1.5),
    "chat : orjson and a list comprehension": ("≥", 0.6),
    "nothing to filter : orjson and a list comprehension": ("≥", 2.5),
    "peak memory": ("≤", 80),
    "peak memory, a file 4 times as long": ("≤", 80),
    "`diff` of one conversation, 10,000 items": ("≤", 3),
    "start-up of `--version` : typer program": ("≤", 1.25),
}


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(corpora.CONVERSATIONS, "small", 40)
    monkeypatch.setattr(corpora, "ITEMS_OF_LONG", 30)


def test_all_programs_agree_and_each_number_is_measured(tmp_path: Path) -> None:
    """The command itself fails where any result differs from the floor's, jq's or the SDK script's."""
    command = [sys.executable, "-m", "benchmarks.run", "--size", "small", "--rounds", "1", "--json"]
    done = subprocess.run(
        [*command, "--data", str(tmp_path)], cwd=ROOT, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    rows: list[dict[str, Any]] = json.loads(done.stdout)
    assert {row["what"]: (row["bound"], row["target"]) for row in rows if row["target"]} == PROMISED
    assert [row["what"] for row in rows if row["value"] is None and not row["note"]] == []
    assert sorted(path.name for path in (tmp_path / "small").glob("out*")) == []


@pytest.mark.usefixtures("few")
def test_the_files_are_the_same_every_time(tmp_path: Path) -> None:
    one, other = corpus("small", tmp_path / "one"), corpus("small", tmp_path / "other")
    for name in ("responses", "chat", "untouched", "long"):
        assert one.path(name).read_bytes() == other.path(name).read_bytes()


@pytest.mark.usefixtures("few")
def test_half_of_the_lines_are_not_ascii(tmp_path: Path) -> None:
    lines = corpus("small", tmp_path).path("responses").read_bytes().splitlines()
    assert [line.isascii() for line in lines] == [False, True] * 20


@pytest.mark.usefixtures("few")
def test_files_are_kept_until_the_generator_changes(tmp_path: Path) -> None:
    path = corpus("small", tmp_path).path("chat")
    path.write_text("mine\n")
    assert corpus("small", tmp_path).path("chat").read_text() == "mine\n"
    (tmp_path / "small" / "edition").write_text("an older one")
    assert corpus("small", tmp_path).path("chat").read_text() != "mine\n"


def _print(text: str) -> tuple[str, ...]:
    return sys.executable, "-c", f"print({text!r})"


def test_different_results_are_told(tmp_path: Path) -> None:
    programs = {"a": lambda _: _print('{"x": 1}'), "b": lambda _: _print('{"x":1}'), "c": lambda _: _print('{"x": 2}')}
    with pytest.raises(Disagreement, match="a and c on file, record 1"):
        agree(programs, tmp_path / "file", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_byte_changed_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text('{"x": 1}\n')
    unchanged(lambda _: _print('{"x": 1}'), tmp_path / "file", tmp_path)
    with pytest.raises(Disagreement, match="file:1"):
        unchanged(lambda _: _print('{"x":1}'), tmp_path / "file", tmp_path)


def test_a_program_that_fails_stops_the_benchmark() -> None:
    with pytest.raises(subprocess.CalledProcessError) as failed:
        run((sys.executable, "-c", "raise SystemExit('broken')"))
    assert failed.value.stderr == "broken\n"


def test_memory_and_time_are_those_of_the_process() -> None:
    done = run((sys.executable, "-c", "import time; held = b'x' * 90_000_000; time.sleep(0.2)"))
    assert done.seconds >= 0.2 > done.cpu
    assert done.peak > 90_000_000


RATIO = Row("a", 2, "×", "2 ms", "1 ms")


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        pytest.param(replace(RATIO, target=0.9), "| a | 2 ms | 1 ms | 2.00 | ≥ 0.9 | yes |", id="met"),
        pytest.param(
            replace(RATIO, target=1.25, bound="≤"), "| a | 2 ms | 1 ms | 2.00 | ≤ 1.25 | **no** |", id="missed"
        ),
        pytest.param(RATIO, "| a | 2 ms | 1 ms | 2.00 |  |  |", id="no target"),
        pytest.param(
            Row("a", 41.36, "MB", target=80, bound="≤"), "| a | 41.36 MB |  |  | ≤ 80 MB | yes |", id="memory"
        ),
        pytest.param(
            Row("a", None, target=5, note="no jq here"), "| a | no jq here |  |  | ≥ 5 |  |", id="not measured"
        ),
    ],
)
def test_rows_of_the_table(row: Row, expected: str) -> None:
    assert markdown([row]).splitlines()[2] == expected
