"""The command without a command, and `chains` without a configuration."""

from __future__ import annotations

from tests.conftest import RunCli


def test_alone_it_shows_its_help(run_cli: RunCli) -> None:
    done = run_cli()
    assert (done.returncode, done.stderr) == (2, b"")
    assert done.stdout == run_cli("--help").stdout
    assert done.stdout.startswith(b"Usage: handoffctl [OPTIONS] COMMAND")


def test_a_wrong_option_before_any_command_points_to_the_whole_help(run_cli: RunCli) -> None:
    assert b"`handoffctl --help`" in run_cli("--no-such-option").stderr


def test_isolated_chains_say_why_there_are_none(run_cli: RunCli) -> None:
    assert run_cli("chains", "--isolated").stdout == b"no chains: --isolated leaves the configuration out\n"
    done = run_cli("chains", "big", "--isolated")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"--isolated leaves the configuration out" in done.stderr
