"""`handoffctl diff` as a user runs it: what is compared, exit codes, what is not said."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from tests.conftest import SAMPLES, RunCli

REFUND = SAMPLES / "handoff/refund.json"
RECORDED = SAMPLES / "handoff/recorded.jsonl"
REMOVE = ("-f", "remove_all_tools")


def test_a_chain_is_shown_item_by_item(run_cli: RunCli) -> None:
    done = run_cli("diff", REFUND, *REMOVE)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"-  7  Triage Agent \xe2\x86\x92 handoff  transfer_to_refund_agent" in done.stdout
    assert max(map(len, done.stdout.decode().split(" · ", 1)[1].splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "code"),
    [((*REMOVE,), 1), (("-f", "noop"), 0), ((*REMOVE, "--view", "stat", "--format", "json"), 1)],
    ids=["a difference", "none", "in any format"],
)
def test_exit_code_says_whether_anything_differs(run_cli: RunCli, arguments: tuple[str, ...], code: int) -> None:
    assert run_cli("diff", REFUND, *arguments, "--exit-code").returncode == code
    assert run_cli("diff", REFUND, *arguments).returncode == 0


def test_two_files(run_cli: RunCli, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('[{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "Hello."}]')
    (tmp_path / "b.json").write_text('[{"role": "user", "content": "Hi."}]')
    done = run_cli("diff", "a.json", "b.json", "--view", "names", "--exit-code")
    assert (done.returncode, done.stdout) == (1, b"-\t1\tassistant\t\t\n")
    assert run_cli("diff", "a.json", "a.json", "--exit-code").returncode == 0


def test_two_chains(run_cli: RunCli, tmp_path: Path) -> None:
    chains = '[chains.a]\nfilters = ["remove_all_tools"]\n[chains.b]\nfilters = ["noop"]\n'
    (tmp_path / "handoffctl.toml").write_text(chains)
    [block] = json.loads(run_cli("diff", REFUND, "-c", "a", "--against", "b", "--format", "json").stdout)["blocks"]
    assert (block["title"], block["tallies"][0]["added"]) == ("a against b", 6)


def test_recorded_handoffs_need_no_chain(run_cli: RunCli) -> None:
    lines = run_cli("diff", RECORDED, "--format", "json").stdout.splitlines()
    tallies = [json.loads(line)["blocks"][0]["tallies"] for line in lines]
    assert [[(each["by"], each["removed"]) for each in one] for one in tallies] == [
        [("the recorded filter", 6)],
        [],
        [("the recorded filter", 2)],
    ]


def test_one_record_of_many(run_cli: RunCli) -> None:
    done = run_cli("diff", RECORDED, "--record", "2", "--format", "json")
    assert json.loads(done.stdout)["heading"]["record"] == 2


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ((REFUND,), 2, b"refund.json: there is nothing to compare\nhelp: -f SPEC or -c CHAIN says what to run"),
        ((REFUND, *REMOVE, "--view", "spilt"), 2, b"--view spilt: no such view\nhelp: did you mean split?"),
        ((REFUND, *REMOVE, "--as", "Bob"), 2, b"--as Bob: "),
        (
            (REFUND, *REMOVE, "--format", "jason"),
            2,
            b"jason: no such format\nhelp: did you mean json?",
        ),
        ((REFUND, *REMOVE, "--counter", "guess"), 2, b"guess: no such counter"),
        ((REFUND, "--against", "b"), 2, b""),
        (("missing.json", *REMOVE), 3, b"missing.json: No such file"),
        ((REFUND, REFUND, REFUND), 2, b"diff compares two files, or each one with a chain; here are 3 and no chain"),
        ((REFUND, *REMOVE, "--view", "foo"), 2, b"no such view\nhelp: there are: unified, split, stat, names, patch\n"),
        (
            (REFUND, "-c", "big", "--isolated"),
            2,
            b"-c big: no such chain\nhelp: --isolated leaves the configuration out",
        ),
        ((REFUND, "-f", "@big", "--isolated"), 2, b"-f @big: no such chain\nhelp: --isolated leaves"),
        ((REFUND, "-c"), 2, b"`handoffctl diff --help` shows the options"),
    ],
    ids=[
        "nothing to compare",
        "view",
        "agent",
        "format",
        "counter",
        "no such chain",
        "no such file",
        "three files",
        "a view like no other",
        "isolated",
        "isolated in a spec",
        "an option without its value",
    ],
)
def test_what_cannot_be_done_is_one_line_and_its_help(
    run_cli: RunCli, arguments: tuple[str | Path, ...], code: int, said: bytes
) -> None:
    done = run_cli("diff", *arguments)
    assert (done.returncode, done.stdout) == (code, b"")
    assert said in done.stderr
    assert done.stderr.count(b"\n") == 2


def test_a_bad_line_is_named_and_the_good_ones_are_compared(run_cli: RunCli, tmp_path: Path) -> None:
    good = '[{"role": "user", "content": "Hi."}]'
    (tmp_path / "log.jsonl").write_text(f'{good}\n[{{"role": \n{good}\n')
    done = run_cli("diff", "log.jsonl", "-f", "noop", "--format", "jsonl")
    assert (done.returncode, done.stdout.count(b"\n")) == (3, 2)
    assert b"log.jsonl:2" in done.stderr


def test_one_missing_file_among_several_is_named(run_cli: RunCli) -> None:
    done = run_cli("diff", "missing.json", REFUND, *REMOVE)
    assert done.returncode == 3
    assert b"remove_all_tools 6" in done.stdout


def test_secrets_are_masked_unless_revealed(run_cli: RunCli) -> None:
    dump = b'[{"role": "user", "content": "my password=hunter-number-2"}]'
    assert b"hunter" not in run_cli("diff", *REMOVE, stdin=dump).stdout
    assert b"hunter-number-2" in run_cli("diff", *REMOVE, "--reveal", stdin=dump).stdout


def test_colour_where_it_is_asked_for(run_cli: RunCli) -> None:
    assert b"\x1b[31m-" in run_cli("diff", REFUND, *REMOVE, "--color", "always").stdout
    assert b"\x1b[31m-" in run_cli("diff", REFUND, *REMOVE, env={"FORCE_COLOR": "1", "NO_COLOR": ""}).stdout
    assert b"\x1b" not in run_cli("diff", REFUND, *REMOVE).stdout


def test_a_terminal_without_unicode_gets_escapes(run_cli: RunCli) -> None:
    done = run_cli("diff", REFUND, *REMOVE, env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\\u2192" in done.stdout


def test_a_conversation_of_10_000_items_takes_under_three_seconds(run_cli: RunCli, tmp_path: Path) -> None:
    items = []
    for number in range(2_500):
        items += [
            {"role": "user", "content": f"Question {number} about an order, please."},
            {"type": "function_call", "call_id": f"c{number}", "name": "look_up", "arguments": '{"id": 1}'},
            {"type": "function_call_output", "call_id": f"c{number}", "output": "found " * 60},
            {"role": "assistant", "content": "Here is what I found for you. " * 4},
        ]
    (tmp_path / "big.json").write_text(json.dumps(items))
    start = time.perf_counter()
    done = run_cli("diff", "big.json", *REMOVE)
    assert b"10,000 \xe2\x86\x92 5,000 items" in done.stdout
    assert time.perf_counter() - start < 6  # alone it is half of three; other tests run beside this one
