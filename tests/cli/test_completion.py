"""What a shell is offered at the tabulator key; never a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from handoffctl.cli.completion import SCHEMAS
from handoffctl.reports.schema import NAMES
from tests.conftest import RunCli

CHAINS = '[chains.billing]\nfilters = ["noop"]\n[chains.strict]\nfilters = ["noop"]\n'


def completed(run_cli: RunCli, *words: str, shell: str = "bash") -> list[str]:
    """What is offered for the last of these words."""
    environ = {"_HANDOFFCTL_COMPLETE": f"complete_{shell}", "COMP_CWORD": str(len(words))}
    spelled = " ".join(["handoffctl", *words])
    if shell == "bash":
        environ["COMP_WORDS"] = spelled
    else:
        environ |= {"_TYPER_COMPLETE_ARGS": spelled, "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    done = run_cli(env=environ)
    assert done.stderr == b""
    return done.stdout.decode().split()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["diff", "x", "-f", "remove"], ["remove_all_tools"]),
        (["diff", "x", "-f", "@"], ["@billing", "@strict"]),
        (["diff", "x", "-c", "b"], ["billing"]),
        (["diff", "--against", ""], ["billing", "strict"]),
        (["diff", "--isolated", "-c", ""], []),
        (["show", "--from", "run"], ["runstate", "runs"]),
        (["filter", "--to", "n"], ["next-agent"]),
        (["diff", "--view", "s"], ["split", "stat"]),
        (["diff", "--format", "json"], ["json", "jsonl"]),
        (["inspect", "--counter", ""], ["approx", "chars", "words"]),
        (["filters", "remove"], ["remove_all_tools"]),
        (["formats", "ch"], ["chat"]),
        (["chains", ""], ["billing", "strict"]),
        (["schema", "dif"], ["diff"]),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("shell", ["bash", "fish"])
def test_values_are_offered(run_cli: RunCli, tmp_path: Path, words: list[str], offered: list[str], shell: str) -> None:
    (tmp_path / "handoffctl.toml").write_text(CHAINS)
    found = completed(run_cli, *words, shell=shell)
    assert [each for each in found if each in offered] == offered
    assert all(each.startswith(words[-1]) for each in found)
    assert len(found) == len(offered) or words[-1] in ("remove", "ch")


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["truncate-history", ":", "un"], "unit="),
        (["truncate-history", ":", "n", "=", "2,un"], "2,unit="),
        (["truncate-history:un"], "unit="),
        (["truncate-history", ":", "unit", "=", "turns,un"], None),
        (["no-such-filter", ":"], None),
        (["no.module:function", ":"], None),
    ],
    ids=["an option", "a second one", "not broken", "one that is given", "no such filter", "a function"],
)
def test_options_of_a_filter_in_bash(run_cli: RunCli, words: list[str], offered: str | None) -> None:
    assert completed(run_cli, "diff", "x", "-f", *words) == ([offered] if offered else [])


def test_options_of_a_filter_in_another_shell_come_with_its_name(run_cli: RunCli) -> None:
    found = completed(run_cli, "diff", "x", "-f", "truncate-history:un", shell="fish")
    assert found == ["truncate-history:unit="]


def test_a_word_with_its_option_in_bash(run_cli: RunCli) -> None:
    assert completed(run_cli, "diff", "--view", "=", "s") == ["split", "stat"]


def test_a_broken_configuration_completes_nothing(run_cli: RunCli, tmp_path: Path) -> None:
    (tmp_path / "handoffctl.toml").write_text("[chains")
    assert completed(run_cli, "diff", "-c", "") == []


def test_words_that_are_no_words_complete_nothing_of_ours(run_cli: RunCli) -> None:
    done = run_cli(env={"_HANDOFFCTL_COMPLETE": "complete_bash", "COMP_WORDS": "handoffctl", "COMP_CWORD": "x"})
    assert b"truncate" not in done.stdout


def test_schemas_are_those_that_there_are() -> None:
    assert SCHEMAS == NAMES
