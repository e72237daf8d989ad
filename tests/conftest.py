"""Fixtures for every test: the samples, the command as a subprocess, one environment, the same random cases."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).parent.parent
SAMPLES = ROOT / "sample_transcripts"
PLAIN = {"NO_COLOR": "1", "COLUMNS": "80", "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1", "PAGER": "cat", "TZ": "UTC"}
DECORATED = ("FORCE_COLOR", "CLICOLOR_FORCE", "TERMINAL_WIDTH", "GITHUB_ACTIONS", "PY_COLORS")

# The same cases on every run and every machine; HYPOTHESIS_PROFILE=explore looks for new ones.
settings.register_profile("ci", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("explore", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No colour, 80 columns and none of the user's own settings, in this process and those that it starts."""
    for name in [*DECORATED, *(name for name in os.environ if name.startswith("HANDOFFCTL_"))]:
        monkeypatch.delenv(name, raising=False)
    for name, value in PLAIN.items():
        monkeypatch.setenv(name, value)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-goldens", action="store_true", help="write what is printed as what is expected")


@pytest.fixture
def update_goldens(request: pytest.FixtureRequest) -> bool:
    """Whether this run writes the expected outputs instead of comparing; not for several workers at once."""
    return bool(request.config.getoption("--update-goldens"))


@pytest.fixture
def samples() -> Path:
    """The folder of sample transcripts."""
    return SAMPLES


class RunCli(Protocol):
    """Runs `python -m handoffctl` with arguments; stdout and stderr of the result are bytes."""

    def __call__(
        self, *args: str | Path, stdin: bytes = b"", env: Mapping[str, str] | None = None, cwd: Path | None = None
    ) -> subprocess.CompletedProcess[bytes]: ...


@pytest.fixture
def run_cli(tmp_path: Path) -> RunCli:
    """Runs the command in a subprocess, in an empty folder unless `cwd` says where; `env` comes on top of ours."""

    def run(
        *args: str | Path, stdin: bytes = b"", env: Mapping[str, str] | None = None, cwd: Path | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "handoffctl", *map(str, args)]
        environment = {**os.environ, **(env or {})}
        folder = cwd or tmp_path
        return subprocess.run(command, input=stdin, env=environment, cwd=folder, capture_output=True, check=False)

    return run
