"""`handoffctl formats`: the list, a page, and what files are."""

from __future__ import annotations

from pathlib import Path

import pytest

from handoffctl.formats import FORMATS
from tests.conftest import ROOT, SAMPLES, RunCli


def test_list_has_every_format_with_its_first_sentence(run_cli: RunCli) -> None:
    listed = run_cli("formats").stdout.decode()
    for name in FORMATS.builtin:
        assert f"\n{name} " in f"\n{listed}"


@pytest.mark.parametrize("name", FORMATS.builtin)
def test_page_says_what_is_read_and_how_a_handoff_shows(name: str, run_cli: RunCli) -> None:
    page = " ".join(run_cli("formats", name).stdout.decode().split())
    assert page.startswith(f"{name} ")
    assert "Read" in page
    assert "andoff" in page


def test_one_page_at_a_time(run_cli: RunCli) -> None:
    done = run_cli("formats", "items", "chat")
    assert done.returncode == 2
    assert b"one page at a time" in done.stderr


@pytest.mark.parametrize("name", FORMATS.builtin)
def test_format_has_a_sample_and_a_row_in_the_docs(name: str) -> None:
    assert [path for path in (SAMPLES / name).rglob("*") if path.is_file()]
    assert f"\n| `{name}` |" in (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")


def test_detect_says_what_each_file_is(run_cli: RunCli, tmp_path: Path) -> None:
    files = [SAMPLES / "items" / "session.json", SAMPLES / "runs" / "refund-alone.json"]
    done = run_cli("formats", "--detect", *map(str, files))
    first, second = done.stdout.decode().splitlines()
    assert first == f"{files[0]}: items: 11 of 13 entries have a Responses type"
    assert second == f"{files[1]}: runs: `runs`, each with its messages"
    assert (done.returncode, done.stderr) == (0, b"")


def test_detect_names_the_runner_up_where_it_is_close(run_cli: RunCli) -> None:
    dump = b'[{"role":"user","content":"x"},{"type":"function_call","call_id":"c","name":"n","arguments":"{}"}]'
    done = run_cli("formats", "--detect", stdin=b'{"input_history":[],"messages":' + dump + b"}")
    assert done.stdout.decode().splitlines() == [
        "-: handoff: `input_history`: a dump of HandoffInputData",
        "  or items (less likely): 1 of 2 entries have a Responses type",
    ]


def test_detect_goes_on_after_a_file_that_is_nothing_known(run_cli: RunCli, tmp_path: Path) -> None:
    odd = tmp_path / "odd.json"
    odd.write_text('{"a": 1}')
    done = run_cli("formats", "--detect", str(odd), str(SAMPLES / "items" / "session.json"))
    assert done.returncode == 3
    assert b"of no format known here: it holds an object with a" in done.stderr
    assert b"session.json: items" in done.stdout


def test_detect_shows_hostile_names_and_keys_escaped(run_cli: RunCli, tmp_path: Path) -> None:
    odd = tmp_path / "o\x1b[31m.json"
    odd.write_text('{"k\\u001b[2J": 1}')
    done = run_cli("formats", "--detect", str(odd))
    assert b"\x1b" not in done.stderr + done.stdout
