"""`handoffctl show` as a user runs it; the pager."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from handoffctl.cli.paging import pager_command
from tests.conftest import SAMPLES, RunCli

REFUND = SAMPLES / "handoff/refund.json"


def test_what_the_next_agent_receives(run_cli: RunCli) -> None:
    done = run_cli("show", REFUND, "-f", "remove_all_tools", "--as", "next-agent")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"what Refund Agent's model receives \xc2\xb7 3 items \xc2\xb7 3 messages" in done.stdout


def test_what_an_agent_saw(run_cli: RunCli) -> None:
    done = run_cli("show", SAMPLES / "runs/refund-handoff.json", "--as", "Triage Agent")
    assert b"Triage Agent's own run" in done.stdout
    assert b"You handle refunds" not in done.stdout


def test_an_unknown_agent(run_cli: RunCli) -> None:
    done = run_cli("show", SAMPLES / "runs/refund-handoff.json", "--as", "Refund")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"did you mean Refund Agent?" in done.stderr


def test_a_long_line_is_cut_and_its_length_told(run_cli: RunCli) -> None:
    done = run_cli("show", stdin=b'[{"role": "user", "content": "' + b"long " * 60_000 + b'"}]')
    assert b"300,000 characters in all" in done.stdout
    assert len(done.stdout) < 5_000


def test_hostile_names_of_files_are_shown_escaped(run_cli: RunCli, tmp_path: Path) -> None:
    name = "a\x1b[31m\u202e[bold].json"
    (tmp_path / name).write_text('[{"role": "user", "content": "Hi."}]')
    for done in (run_cli("show", name), run_cli("show", f"no{name}")):
        assert b"\x1b" not in done.stdout + done.stderr
        assert b"a\\x1b[31m\xe2\x9f\xa8U+202E\xe2\x9f\xa9[bold].json" in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("environ", "command"),
    [
        ({"PAGER": ""}, None),
        ({"PAGER": "cat"}, None),
        ({"PAGER": "no-such-program-here"}, None),
        ({"PAGER": "sh -c 'cat -n'"}, ["sh", "-c", "cat -n"]),
    ],
)
def test_pager(environ: dict[str, str], command: list[str] | None) -> None:
    assert pager_command(environ) == command


def on_terminal(*arguments: str | Path, pager: str) -> str:
    """What a terminal shows of a command that runs in it."""
    main, child = pty.openpty()
    environ = {**os.environ, "PAGER": pager, "TERM": "xterm"}
    command = [sys.executable, "-m", "handoffctl", *map(str, arguments)]
    shown = b""
    with subprocess.Popen(command, stdin=child, stdout=child, stderr=child, env=environ) as process:
        os.close(child)
        try:
            while chunk := os.read(main, 4096):
                shown += chunk
        except OSError:  # the terminal's other end is closed
            pass
        process.wait()
    os.close(main)
    return shown.decode()


def test_on_a_terminal_it_goes_through_the_pager() -> None:
    assert "seen by the pager: split: the dump's own parts" in on_terminal(
        "show", REFUND, pager="sed 's/^/seen by the pager: /'"
    )


def test_a_pager_that_is_left_early_is_no_error() -> None:
    shown = on_terminal("diff", REFUND, "-f", "noop", "--view", "stat", pager="true")
    assert "Traceback" not in shown
    assert "bug" not in shown


def test_json_is_not_paged() -> None:
    assert on_terminal("show", REFUND, "--format", "jsonl", pager="sed s/^/paged/").startswith('{"report"')


def test_the_agent_that_hands_over(run_cli: RunCli) -> None:
    done = run_cli("show", REFUND, "--as", "Triage Agent")
    assert b"what Triage Agent's model received in the turn that it hands over in" in done.stdout
    assert b"7 items" in done.stdout


def test_runs_have_no_next_agent(run_cli: RunCli) -> None:
    done = run_cli("show", SAMPLES / "runs/refund-handoff.json", "--as", "next-agent")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"there are: Triage Agent, Refund Agent" in done.stderr
