"""Whole-program goldens: `tests/cases/<story>/cmd` run as it stands gives `stdout`, `stderr` (if any) and `exit`.

A case runs in a folder with the sample transcripts and whatever else its own folder holds. `--update-goldens` writes
what is printed as what is expected.
"""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest

from tests.conftest import ROOT, SAMPLES, RunCli

CASES = sorted(path.parent for path in (ROOT / "tests/cases").glob("*/cmd"))
RESULTS = ("stdout", "stderr", "exit")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case: Path, run_cli: RunCli, tmp_path: Path, update_goldens: bool) -> None:
    shutil.copytree(SAMPLES, tmp_path / "sample_transcripts")
    for path in case.iterdir():
        if path.name not in ("cmd", *RESULTS):
            shutil.copy(path, tmp_path)
    program, *arguments = shlex.split((case / "cmd").read_text(encoding="utf-8"))
    assert program == "handoffctl"
    done = run_cli(*arguments)
    found = {"stdout": done.stdout, "stderr": done.stderr, "exit": f"{done.returncode}\n".encode()}
    if update_goldens:
        for name, content in found.items():
            (case / name).write_bytes(content) if content else (case / name).unlink(missing_ok=True)
    expected = {name: (case / name).read_bytes() if (case / name).is_file() else b"" for name in RESULTS}
    assert {name: content.decode() for name, content in found.items()} == {
        name: content.decode() for name, content in expected.items()
    }


def test_there_are_cases() -> None:
    assert len(CASES) > 10
