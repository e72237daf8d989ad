"""Speed counts only where the results agree: every program's output compared, record by record."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import orjson

from benchmarks.processes import run
from benchmarks.programs import Program


class Disagreement(Exception):
    """Two programs gave different results for one record."""


def agree(programs: Mapping[str, Program], path: Path, folder: Path) -> None:
    """Run each over a file and compare what they give as values. Raises Disagreement."""
    outputs = {name: folder / f"out-{number}.jsonl" for number, name in enumerate(programs)}
    try:
        for name, program in programs.items():
            run(program(path), outputs[name])
        first, *others = programs
        for other in others:
            _compare(outputs[first], outputs[other], f"{first} and {other} on {path.name}")
    finally:
        for output in outputs.values():
            output.unlink(missing_ok=True)


def unchanged(program: Program, path: Path, folder: Path) -> None:
    """Run a program over a file that it has nothing to do in. Raises Disagreement where a byte differs."""
    output = folder / "out.jsonl"
    try:
        run(program(path), output)
        with path.open("rb") as before, output.open("rb") as after:
            for number, (line, written) in enumerate(zip(before, after, strict=True), 1):
                if line != written:
                    raise Disagreement(f"{path.name}:{number} did not come out as it went in")
    finally:
        output.unlink(missing_ok=True)


def _compare(one: Path, other: Path, what: str) -> None:
    with one.open("rb") as ours, other.open("rb") as theirs:
        for number, (mine, yours) in enumerate(zip(ours, theirs, strict=True), 1):
            if orjson.loads(mine) != orjson.loads(yours):
                raise Disagreement(f"{what}, record {number}")
