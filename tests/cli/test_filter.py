"""`handoffctl filter` as a user runs it: streams, files, targets, exit codes."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import RunCli

PLAIN = b'[{"role": "user", "content": "hi"}]'
TOOLS = (
    b'[{"role": "user", "content": "hi"},'
    b' {"type": "function_call", "call_id": "c", "name": "look", "arguments": "{}"},'
    b' {"type": "function_call_output", "call_id": "c", "output": "ok"},'
    b' {"role": "assistant", "content": "hello"}]'
)
LEFT = b'[{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]'
HANDED_OVER = (
    b'[{"role": "user", "content": "hi"},'
    b' {"type": "function_call", "call_id": "h", "name": "transfer_to_b", "arguments": "{}"},'
    b' {"type": "function_call_output", "call_id": "h", "output": "{\\"assistant\\": \\"B\\"}"},'
    b' {"role": "assistant", "content": "this is B"}]'
)
REMOVE = ("-f", "remove_all_tools")


def test_one_document_in_is_one_document_out(run_cli: RunCli) -> None:
    done = run_cli("filter", *REMOVE, stdin=TOOLS + b"\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, LEFT + b"\n", b"")


def test_without_a_filter_everything_comes_through(run_cli: RunCli) -> None:
    assert run_cli("filter", stdin=TOOLS).stdout == TOOLS


def test_lines_stay_lines_and_untouched_ones_their_bytes(run_cli: RunCli) -> None:
    odd = b'{"input" :[{"content":"x\\u00e9", "role":"user"}],  "n":1.0}'
    done = run_cli("filter", *REMOVE, stdin=b'{"input": ' + TOOLS + b"}\n\n" + odd + b"\r\n")
    assert done.stdout == b'{"input": ' + LEFT + b"}\n\n" + odd + b"\r\n"


def test_several_files_come_as_one_line_each(run_cli: RunCli, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(json.dumps(json.loads(TOOLS), indent=2).encode())
    (tmp_path / "b.jsonl").write_bytes(PLAIN + b"\n" + PLAIN)
    done = run_cli("filter", "a.json", "b.jsonl", *REMOVE)
    assert [json.loads(line) for line in done.stdout.splitlines()] == [json.loads(LEFT)] + [json.loads(PLAIN)] * 2
    assert done.stdout.endswith(b"\n")


def test_indented_file_stays_indented(run_cli: RunCli, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(json.loads(TOOLS), indent=3) + "\n")
    done = run_cli("filter", "a.json", *REMOVE)
    assert done.stdout.decode() == json.dumps(json.loads(LEFT), indent=3) + "\n"


def test_output_file_is_written_whole_or_not_at_all(run_cli: RunCli, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    out.write_bytes(b"old")
    out.chmod(0o640)
    failed = run_cli("filter", "-f", "no_such_module:filter", "-o", "out.json", stdin=TOOLS)
    assert (failed.returncode, out.read_bytes()) == (4, b"old")
    (tmp_path / "broken.py").write_text(
        "def late(data):\n    if len(data.input_history) == 1:\n        raise ValueError('late')\n    return data\n"
    )
    late = run_cli("filter", "-f", "broken:late", "-o", "out.json", stdin=TOOLS + b"\n" + PLAIN)
    assert (late.returncode, out.read_bytes()) == (4, b"old")
    done = run_cli("filter", *REMOVE, "-o", "out.json", stdin=TOOLS)
    assert (done.returncode, done.stdout, out.read_bytes()) == (0, b"", LEFT)
    assert stat.S_IMODE(out.stat().st_mode) == 0o640
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix in (".part", ".json")) == ["out.json"]


@pytest.mark.parametrize("backup", [True, False])
def test_in_place_keeps_the_old_file_beside_it(run_cli: RunCli, tmp_path: Path, backup: bool) -> None:
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_bytes(TOOLS)
    done = run_cli("filter", "a.json", "b.json", *REMOVE, "--in-place", *([] if backup else ["--no-backup"]))
    assert (done.returncode, done.stdout) == (0, b"")
    assert [(tmp_path / name).read_bytes() for name in ("a.json", "b.json")] == [LEFT, LEFT]
    assert [(tmp_path / f"{name}.bak").exists() for name in ("a.json", "b.json")] == [backup, backup]


def test_folder_gets_each_file_under_its_own_name(run_cli: RunCli, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(TOOLS)
    (tmp_path / "b.json").write_bytes(PLAIN)
    assert run_cli("filter", "a.json", "b.json", *REMOVE, "--output-dir", "out/deep").returncode == 0
    assert (tmp_path / "out/deep/a.json").read_bytes() == LEFT
    assert (tmp_path / "out/deep/b.json").read_bytes() == PLAIN


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["-o", "x", "--in-place"], b"exclude each other"),
        (["--in-place"], b"--in-place has no file to write back to"),
        (["--output-dir", "x"], b"--output-dir needs a name of its own"),
        (["--to", "itmes"], b"did you mean items?"),
        (["--handoff", "0"], b"a number from 1, last, or all"),
        (["--handoff", "1", "--pending-handoff", "B"], b"exclude each other"),
        (["--handoff", "last", "--to", "items"], b"write part of a conversation"),
        (["--report", "--report-format", "xml"], b"human or json"),
        (["-f", "truncate-history:n=-1"], b"greater than or equal to 0"),
        (["--from", "chats"], b"did you mean chat?"),
        (["--no-such-option"], b"No such option"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_usage_exits_with_2_and_writes_nothing(run_cli: RunCli, arguments: list[str], what: bytes) -> None:
    done = run_cli("filter", *arguments, stdin=TOOLS)
    assert (done.returncode, done.stdout) == (2, b"")
    assert what in done.stderr
    assert done.stderr.startswith(b"handoffctl: ")
    assert b"\nhelp: " in done.stderr
    assert b"Traceback" not in done.stderr


def test_result_in_the_folder_of_its_file_is_refused(run_cli: RunCli, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(TOOLS)
    done = run_cli("filter", "a.json", *REMOVE, "--output-dir", ".")
    assert (done.returncode, (tmp_path / "a.json").read_bytes()) == (2, TOOLS)


def test_bad_line_is_named_and_the_rest_processed(run_cli: RunCli, tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_bytes(TOOLS + b'\n[{"role": "user", "content": "cut\n' + PLAIN + b"\n")
    done = run_cli("filter", "log.jsonl", *REMOVE)
    assert (done.returncode, done.stdout) == (3, LEFT + b"\n" + PLAIN + b"\n")
    first = b"handoffctl: log.jsonl:2:34: the line ends inside a string; the record was left out"
    assert done.stderr.splitlines()[0] == first


def test_fail_fast_stops_at_the_bad_line(run_cli: RunCli, tmp_path: Path) -> None:
    lines = [b'{"role": "user", "content": "one"}', b'{"role": "us', b'{"role": "user", "content": "two"}']
    (tmp_path / "log.jsonl").write_bytes(b"\n".join(lines))
    done = run_cli("filter", "log.jsonl", "--fail-fast")
    assert (done.returncode, done.stdout) == (3, b"")
    assert b"log.jsonl:2:13" in done.stderr


def test_unreadable_file_among_others_is_named(run_cli: RunCli, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(PLAIN)
    done = run_cli("filter", "none.json", "a.json")
    assert (done.returncode, done.stdout) == (3, PLAIN + b"\n")
    assert b"none.json: No such file or directory" in done.stderr


def test_terminal_codes_in_a_file_name_stay_visible_text(run_cli: RunCli) -> None:
    done = run_cli("filter", "a\x1b[31m.json")
    assert b"\x1b" not in done.stderr
    assert b"\\x1b[31m.json" in done.stderr


def test_next_agent_gets_exactly_the_models_input(run_cli: RunCli, samples: Path) -> None:
    done = run_cli("filter", samples / "handoff" / "refund.json", "--to", "next-agent")
    items = json.loads(done.stdout)
    assert items[-1]["type"] == "function_call_output"
    filtered = run_cli("filter", samples / "handoff" / "refund.json", *REMOVE, "--to", "next-agent")
    assert {item.get("type", "message") for item in json.loads(filtered.stdout)} <= {"message"}


def test_target_that_cannot_say_an_item_names_it(run_cli: RunCli) -> None:
    dump = b'[{"type": "reasoning", "id": "rs", "summary": []}, {"type": "message", "role": "user", "content": "hi"}]'
    done = run_cli("filter", "--to", "chat", stdin=dump)
    assert (done.returncode, json.loads(done.stdout)) == (0, [{"role": "user", "content": "hi"}])
    assert b"the target format can't say it: reasoning 1" in done.stderr
    assert run_cli("filter", "--to", "chat", "--strict", stdin=dump).returncode == 1


def test_chat_and_items_become_each_other(run_cli: RunCli) -> None:
    chat = run_cli("filter", "--to", "chat", stdin=TOOLS)
    assert json.loads(chat.stdout) == [
        {"role": "user", "content": "hi"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "c", "type": "function", "function": {"name": "look", "arguments": "{}"}}],
        },
        {"role": "tool", "tool_call_id": "c", "content": "ok"},
        {"role": "assistant", "content": "hello"},
    ]
    assert json.loads(run_cli("filter", "--to", "items", stdin=chat.stdout).stdout) == json.loads(TOOLS)


def test_format_without_a_writer_comes_out_as_handoff_and_says_so(run_cli: RunCli, samples: Path) -> None:
    done = run_cli("filter", samples / "runstate" / "finished.json", *REMOVE)
    assert done.returncode == 0
    assert {"input_history", "pre_handoff_items", "new_items"} <= set(json.loads(done.stdout))
    assert b"written as handoff: runstate has no writer" in done.stderr
    assert run_cli("filter", "-q", samples / "runstate" / "finished.json", *REMOVE).stderr == b""


def test_handoff_in_a_flat_dump_is_gone_back_to(run_cli: RunCli) -> None:
    done = run_cli("filter", "--handoff", "last", stdin=HANDED_OVER)
    data = json.loads(done.stdout)
    assert [item["content"] for item in data["input_history"]] == ["hi"]
    assert [each["type"] for each in data["new_items"]] == ["handoff_call_item", "handoff_output_item"]
    assert b"written as handoff: part of a conversation" in done.stderr
    missing = run_cli("filter", "--handoff", "2", stdin=HANDED_OVER)
    assert (missing.returncode, missing.stdout) == (3, b"")
    assert b"there is no handoff 2, the conversation has 1" in missing.stderr


def test_pending_handoff_is_added_as_new_items(run_cli: RunCli) -> None:
    done = run_cli("filter", "--pending-handoff", "Refund Agent", "--to", "next-agent", stdin=PLAIN)
    call, output = json.loads(done.stdout)[1:]
    assert (call["name"], output["output"]) == ("transfer_to_refund_agent", '{"assistant": "Refund Agent"}')


def test_all_handoffs_give_one_record_each(run_cli: RunCli) -> None:
    again = HANDED_OVER[:-1] + b"," + HANDED_OVER[1:].replace(b'"h"', b'"i"')
    done = run_cli("filter", "--handoff", "all", stdin=again)
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert (len(first["input_history"]), len(second["input_history"])) == (1, 5)


def test_named_chain_of_the_configuration_runs(run_cli: RunCli, tmp_path: Path) -> None:
    (tmp_path / "handoffctl.toml").write_text("[chains.billing]\nfilters = ['remove_all_tools']\n")
    assert run_cli("filter", "-c", "billing", stdin=TOOLS).stdout == LEFT
    assert run_cli("filter", "-f", "@billing", stdin=TOOLS).stdout == LEFT
    assert run_cli("filter", "-c", "billing", "--isolated", stdin=TOOLS).returncode == 2
    assert run_cli("filter", env={"HANDOFFCTL_FILTER_CHAIN": "billing"}, stdin=TOOLS).stdout == LEFT


def test_closed_pipe_ends_quietly(tmp_path: Path) -> None:
    (tmp_path / "many.jsonl").write_bytes((PLAIN + b"\n") * 200_000)
    command = f"{sys.executable} -m handoffctl filter many.jsonl | head -n 1"
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, check=False, env=dict(os.environ))
    assert done.stdout == PLAIN + b"\n"
    assert b"Traceback" not in done.stderr
    assert b"Broken" not in done.stderr


def test_pipe_streams_while_its_writer_goes_on(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "handoffctl", "filter", "-q", *REMOVE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=tmp_path,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    for _ in range(3):
        process.stdin.write(TOOLS + b"\n")
        process.stdin.flush()
        assert process.stdout.readline() == LEFT + b"\n"
    process.stdin.close()
    assert process.wait() == 0
    process.stdout.close()


def test_bug_of_ours_is_one_line_unless_debug_asks(run_cli: RunCli, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import handoffctl.raw.opening\n"
        "def broken(*_): raise RuntimeError('oh no')\n"
        "handoffctl.raw.opening.open_input = broken\n"
    )
    done = run_cli("filter", "x.json", env={"PYTHONPATH": str(tmp_path)})
    assert done.returncode == 70
    assert done.stderr.startswith(b"handoffctl: this is a bug: RuntimeError: oh no\nhelp: ")
    assert b"Traceback" in run_cli("filter", "x.json", "--debug", env={"PYTHONPATH": str(tmp_path)}).stderr


@pytest.mark.parametrize("command", ["filter", "filters", "formats", "chains"])
def test_help_shows_an_example(run_cli: RunCli, command: str) -> None:
    done = run_cli(command, "--help")
    assert done.returncode == 0
    assert b"Example" in done.stdout
    assert f"handoffctl {command}".encode() in done.stdout


def test_version_is_said_with_and_without_the_command_line(run_cli: RunCli) -> None:
    assert run_cli("--version").stdout == run_cli("--version", "filters").stdout == b"handoffctl 0.1.0\n"


def test_device_and_pipe_are_written_to_as_they_are(run_cli: RunCli, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        assert run_cli("filter", *REMOVE, "-o", str(pipe), stdin=TOOLS).returncode == 0
        assert reader.communicate()[0] == LEFT
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_second_run_in_place_keeps_the_first_backup(run_cli: RunCli, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(TOOLS)
    for _ in range(2):
        assert run_cli("filter", "a.json", *REMOVE, "--in-place").returncode == 0
    assert run_cli("filter", "a.json", "-f", "truncate-history:n=1", "--in-place").returncode == 0
    assert (tmp_path / "a.json.bak").read_bytes() == TOOLS
    assert (tmp_path / "a.json.bak2").read_bytes() == LEFT
    assert not (tmp_path / "a.json.bak3").exists()


@pytest.mark.parametrize("arguments", [["--in-place"], ["-o", "log.jsonl"]])
def test_file_with_a_bad_line_is_not_overwritten(run_cli: RunCli, tmp_path: Path, arguments: list[str]) -> None:
    raw = TOOLS + b"\n{broken\n" + PLAIN + b"\n"
    (tmp_path / "log.jsonl").write_bytes(raw)
    done = run_cli("filter", "log.jsonl", *REMOVE, *arguments)
    assert (done.returncode, (tmp_path / "log.jsonl").read_bytes()) == (3, raw)
    assert b"left as it is" in done.stderr


def test_format_without_a_writer_is_not_written_in_place(run_cli: RunCli, tmp_path: Path, samples: Path) -> None:
    raw = (samples / "runstate" / "finished.json").read_bytes()
    (tmp_path / "state.json").write_bytes(raw)
    done = run_cli("filter", "state.json", *REMOVE, "--in-place")
    assert (done.returncode, (tmp_path / "state.json").read_bytes()) == (2, raw)
    assert run_cli("filter", "state.json", "state.json", "--in-place").returncode == 2


def test_strict_leaves_out_what_the_target_cannot_say(run_cli: RunCli) -> None:
    dump = (
        b'[{"type": "reasoning", "id": "rs", "summary": []}]\n[{"type": "message", "role": "user", "content": "hi"}]\n'
    )
    done = run_cli("filter", "--to", "chat", "--strict", stdin=dump)
    assert (done.returncode, done.stdout) == (1, b'[{"role":"user","content":"hi"}]\n')
    assert b"chat can't say reasoning 1" in done.stderr


def test_chat_parts_become_responses_parts(run_cli: RunCli) -> None:
    dump = (
        b'[{"role": "user", "content": [{"type": "text", "text": "see"},'
        b' {"type": "image_url", "image_url": {"url": "https://a/b.png"}}]},'
        b' {"role": "assistant", "content": [{"type": "text", "text": "ok"}], "tool_calls":'
        b' [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},'
        b' {"role": "tool", "tool_call_id": "c", "content": [{"type": "text", "text": "out"}]}]'
    )
    user, said, _, output = json.loads(run_cli("filter", "--to", "items", stdin=dump).stdout)
    assert user["content"] == [
        {"type": "input_text", "text": "see"},
        {"type": "input_image", "image_url": "https://a/b.png", "detail": "auto"},
    ]
    assert said["content"] == [{"type": "output_text", "text": "ok", "annotations": []}]
    assert output["output"] == [{"type": "input_text", "text": "out"}]
    data = json.loads(run_cli("filter", "--to", "handoff", stdin=dump).stdout)
    assert data["input_history"][0] == user


def test_refusal_goes_under_its_own_key(run_cli: RunCli) -> None:
    dump = (
        b'[{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "a cat"},'
        b' {"type": "refusal", "refusal": "no more"}]}]'
    )
    assert json.loads(run_cli("filter", "--to", "chat", stdin=dump).stdout) == [
        {"role": "assistant", "content": "a cat", "refusal": "no more"}
    ]


def test_number_that_cannot_be_written_again_costs_its_record_only(run_cli: RunCli) -> None:
    dump = b'[{"type": "message", "role": "user", "content": 1e400}]\n' + PLAIN + b"\n"
    done = run_cli("filter", "--to", "chat", stdin=dump)
    assert (done.returncode, done.stdout) == (3, b'[{"role":"user","content":"hi"}]\n')


@pytest.mark.parametrize("command", ["--version", "filters"])
def test_full_and_closed_streams_end_without_a_traceback(tmp_path: Path, command: str) -> None:
    for redirection in ("> /dev/full", ">&-", "<&-", "2>&-"):
        line = f"{sys.executable} -m handoffctl {command} {redirection}"
        done = subprocess.run(["sh", "-c", line], cwd=tmp_path, capture_output=True, check=False)
        assert b"Traceback" not in done.stderr
        assert done.returncode == (2 if redirection == "> /dev/full" else 0)


@pytest.mark.parametrize("place", [".", "", "there.json/x.json"])
def test_place_that_cannot_be_written_is_no_bug(run_cli: RunCli, tmp_path: Path, place: str) -> None:
    (tmp_path / "there.json").write_bytes(PLAIN)
    done = run_cli("filter", "there.json", "-o", place)
    assert done.returncode == 2
    assert b"bug" not in done.stderr


def test_secrets_and_codes_in_messages_are_masked(run_cli: RunCli) -> None:
    done = run_cli("filter", stdin=b'{"ghp_abcdefghijklmnopqrstuvwxyz0123456789": 1}')
    assert done.returncode == 3
    assert b"abcdefghijklmnop" not in done.stderr


def test_handoffs_asked_for_where_there_are_none(run_cli: RunCli) -> None:
    for wanted in ("all", "last", "9" * 5000):
        done = run_cli("filter", "--handoff", wanted, stdin=PLAIN)
        assert done.returncode in (2, 3)
        assert b"bug" not in done.stderr
