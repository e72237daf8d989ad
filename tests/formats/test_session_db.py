"""Session databases: read as the SDK reads them, without a trace of ours; written so that the SDK opens them."""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import sqlite3
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from agents import SQLiteSession
from agents.extensions.memory import AdvancedSQLiteSession

from handoffctl.conversations import Selection
from handoffctl.errors import HandoffctlError, InputError, UsageError
from handoffctl.loading import Dump, Loaded
from handoffctl.model import Transcript
from handoffctl.raw.reading import Reading
from tests.conftest import SAMPLES, RunCli
from tests.reading import filter_file

SAMPLE = SAMPLES / "session-db" / "support.db"
CASE = Path(__file__).parent.parent / "data" / "cases" / "B75_session_corrupt_row.sql"
USER = {"role": "user", "content": "zero"}
CALL = {"type": "function_call", "call_id": "c", "name": "n", "arguments": "{}"}
OUTPUT = {"type": "function_call_output", "call_id": "c", "output": "x"}
Items = Sequence[dict[str, Any]]


def made(path: Path, sessions: dict[str, Items]) -> Path:
    """A database of the SDK's own session class, its log written back into it."""

    async def fill() -> None:
        for name, items in sessions.items():
            session = SQLiteSession(name, path)
            await session.add_items(list(items))  # type: ignore[arg-type]
            session.close()

    asyncio.run(fill())
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    return path


def by_hand(path: Path, *statements: str) -> Path:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.executescript(statement)
    connection.commit()
    connection.close()
    return path


def items_of_sdk(path: Path, session: str) -> list[Any]:
    async def read() -> list[Any]:
        opened = SQLiteSession(session, path)
        items = await opened.get_items()
        opened.close()
        return items

    return asyncio.run(read())


def read(path: Path, **reading: Any) -> tuple[list[Transcript], list[str], tuple[str, ...]]:
    dump = Dump(str(path), None, Reading(**reading))
    notes = dump.notes
    transcripts: list[Transcript] = []
    faults: list[str] = []
    for each in dump:
        if isinstance(each, Loaded):
            transcripts += each.transcripts
        elif isinstance(each, HandoffctlError):
            faults.append(str(each).replace(f"{path.parent}/", ""))
    return transcripts, faults, notes


def state(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {each.name: (each.read_bytes(), each.stat().st_mtime_ns) for each in folder.iterdir()}


def test_each_session_is_a_conversation_with_the_sdks_own_items() -> None:
    transcripts, faults, _ = read(SAMPLE)
    assert [each.source.name for each in transcripts] == ["support-17", "support-18"]
    assert faults == []


def test_items_are_what_the_sdk_gives(tmp_path: Path) -> None:
    sessions: dict[str, Items] = {
        "b": [USER, CALL, OUTPUT],
        "a": [{"role": "user", "content": "é\u2028 ☃", "n": 2**70}],
        "": [CALL],
    }
    path = made(tmp_path / "x.db", sessions)
    transcripts, _, _ = read(path)
    assert [each.source.name for each in transcripts] == ["b", "a", ""]
    for transcript in transcripts:
        assert list(transcript.data.input_history) == items_of_sdk(path, transcript.source.name or "")


def test_nothing_changes_and_nothing_appears(tmp_path: Path) -> None:
    path = made(tmp_path / "x.db", {"a": [USER, CALL, OUTPUT]})
    before = state(tmp_path)
    assert list(before) == ["x.db"]
    for filters in ([], ["remove_all_tools"]):
        filter_file(path, *filters)
        assert state(tmp_path) == before


def test_an_open_writer_is_read_from_its_log_and_not_disturbed(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    writer = sqlite3.connect(path)
    writer.execute("PRAGMA journal_mode=WAL")
    writer.executescript(CASE.read_text().replace("not json {{{", '{"role":"user"}'))
    writer.commit()
    before = state(tmp_path)
    assert {"x.db", "x.db-wal", "x.db-shm"} == set(before)
    transcripts, faults, _ = read(path)
    assert (len(transcripts[0].data.input_history), faults) == (4, [])
    assert state(tmp_path) == before
    writer.close()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_nobody_may_write_to(tmp_path: Path) -> None:
    path = made(tmp_path / "x.db", {"a": [USER]})
    tmp_path.chmod(0o555)
    try:
        assert len(read(path)[0]) == 1
    finally:
        tmp_path.chmod(0o755)


def test_without_its_log_a_database_is_empty_and_that_is_said(tmp_path: Path) -> None:
    path = made(tmp_path / "x.db", {"a": []})
    with pytest.raises(InputError, match="no -wal file beside it: that was probably not copied"):
        read(path)


def test_a_broken_row_is_named_and_the_rest_is_read(tmp_path: Path) -> None:
    path = by_hand(tmp_path / "s.db", CASE.read_text())
    transcripts, faults, _ = read(path)
    assert faults == ["s.db: session s1, row 4: message_data is not JSON; left out"]
    assert [item["content"] for item in transcripts[0].data.input_history if not isinstance(item, str)] == [
        "zero",
        "one",
        "two",
    ]
    kept = filter_file(path, "truncate-history:n=2", to="items")
    assert [item["content"] for item in json.loads(kept.data)] == ["one", "two"]


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ("NULL", "message_data is no text"),
        ("5", "message_data is no text"),
        ("'[1]'", "message_data is no object"),
        ("x'ff7b7d'", "message_data is not JSON"),
        ("''", "message_data is not JSON"),
        (f"'{'[' * 3000}'", "message_data is not JSON"),
    ],
)
def test_rows_of_all_kinds_of_wrong(tmp_path: Path, value: str, what: str) -> None:
    table = "CREATE TABLE m (id INTEGER PRIMARY KEY, session_id, message_data)"
    good = json.dumps(USER)
    path = by_hand(
        tmp_path / "s.db",
        table,
        f"INSERT INTO m VALUES (1, 'a', {value}), (2, 'a', '{good}'), (3, 7, x'{good.encode().hex()}')",
    )
    transcripts, faults, _ = read(path)
    assert faults == [f"s.db: session a, row 1: {what}; left out"]
    assert [(each.source.name, list(each.data.input_history)) for each in transcripts] == [("a", [USER]), ("7", [USER])]


def test_tables_of_any_name_and_without_an_id(tmp_path: Path) -> None:
    path = by_hand(
        tmp_path / "s.db",
        'CREATE TABLE "odd ""name" (message_data TEXT, Session_ID TEXT)',
        f"""INSERT INTO "odd ""name" VALUES ('{json.dumps(USER)}', 'a'), ('{json.dumps(CALL)}', 'a')""",
        "CREATE VIEW v AS SELECT 'x' AS session_id, '{}' AS message_data",
        "CREATE VIRTUAL TABLE f USING fts5(session_id, message_data)",
    )
    [transcript], faults, _ = read(path)
    assert list(transcript.data.input_history) == [USER, CALL]
    assert faults == []


def test_encrypted_rows_are_said_to_be(tmp_path: Path) -> None:
    sealed = {"__enc__": 1, "v": 1, "kid": "hkdf-v1", "payload": "gAAAA"}
    path = made(
        tmp_path / "x.db", {"a": [sealed, sealed], "b": [USER, sealed], "c": [{"role": "user", "content": "__enc__"}]}
    )
    transcripts, faults, _ = read(path)
    assert faults == [
        "x.db: session a: 2 of 2 rows are encrypted (EncryptedSession); left out",
        "x.db: session b: 1 of 2 rows are encrypted (EncryptedSession); left out",
    ]
    assert [each.source.name for each in transcripts] == ["b", "c"]


def branched(path: Path) -> None:
    async def fill() -> None:
        session = AdvancedSQLiteSession(session_id="a", db_path=path, create_tables=True)
        await session.add_items([USER, {"role": "assistant", "content": "one"}, {"role": "user", "content": "two"}])  # type: ignore[list-item]
        await session.create_branch_from_turn(2, "other")
        await session.add_items([{"role": "user", "content": "instead"}, CALL, OUTPUT])  # type: ignore[list-item]
        session.close()
        plain = AdvancedSQLiteSession(session_id="b", db_path=path, create_tables=True)
        await plain.add_items([USER])  # type: ignore[list-item]
        plain.close()

    asyncio.run(fill())


def items_of_branch(path: Path, branch: str) -> list[Any]:
    async def get() -> list[Any]:
        session = AdvancedSQLiteSession(session_id="a", db_path=path)
        items = await session.get_items(branch_id=branch)
        session.close()
        return items

    return asyncio.run(get())


@pytest.mark.parametrize("branch", [None, "main", "other"])
def test_branches_are_read_as_the_sdk_reads_them(tmp_path: Path, branch: str | None) -> None:
    path = tmp_path / "x.db"
    branched(path)
    transcripts, _, notes = read(path, branch=branch)
    by_name = {each.source.name: list(each.data.input_history) for each in transcripts}
    assert by_name["a"] == items_of_branch(path, branch or "main")
    assert ("b" in by_name) == (branch != "other")
    assert notes == (f"session a has the branches main, other; read: {branch or 'main'}",)


def test_unknown_session_or_branch_names_those_that_exist(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    branched(path)
    with pytest.raises(UsageError) as raised:
        read(path, branch="nope")
    assert raised.value.help == "there are: main, other"
    with pytest.raises(UsageError) as raised:
        read(path, session="nope")
    assert raised.value.help == "there are: a, b"
    assert [each.source.name for each in read(path, session="b")[0]] == ["b"]


def test_other_databases_are_refused_with_their_tables(tmp_path: Path) -> None:
    path = by_hand(tmp_path / "x.db", "CREATE TABLE checkpoints (thread_id, checkpoint)")
    with pytest.raises(InputError, match="without messages of sessions; its tables: checkpoints"):
        read(path)
    with pytest.raises(InputError, match="its tables: none"):
        read(by_hand(tmp_path / "y.db", "PRAGMA user_version = 3"))


def test_many_sessions_take_one_pass(tmp_path: Path) -> None:
    rows = ",".join(f"('s{number % 10_000}', '{json.dumps(USER)}')" for number in range(20_000))
    path = by_hand(
        tmp_path / "x.db", "CREATE TABLE m (id INTEGER PRIMARY KEY, session_id, message_data)",
        f"INSERT INTO m (session_id, message_data) VALUES {rows}",
    )  # fmt: skip
    started = time.process_time()
    transcripts, _, _ = read(path)
    assert [len(each.data.input_history) for each in transcripts] == [2] * 10_000
    assert time.process_time() - started < 5


def test_broken_bytes_are_an_error_with_a_place(tmp_path: Path) -> None:
    original = SAMPLE.read_bytes()
    chance = random.Random(7)
    path = tmp_path / "x.db"
    read_ones = 0
    for _ in range(300):
        raw = bytearray(original)
        for _ in range(chance.randint(1, 40)):
            raw[chance.randrange(16, len(raw))] = chance.randrange(256)
        path.write_bytes(raw[: chance.choice([len(raw), chance.randrange(17, len(raw))])])
        started = time.process_time()
        try:
            read_ones += bool(read(path)[0])
        except HandoffctlError as error:
            assert str(path) in str(error)
            assert error.help
        assert time.process_time() - started < 1
    assert read_ones > 10


def test_a_new_database_is_one_that_the_sdk_reads(run_cli: RunCli, tmp_path: Path) -> None:
    new = tmp_path / "new.db"
    assert run_cli("convert", str(SAMPLE), "--to", "session-db", "-o", str(new)).stderr == b""
    for name in ("support-17", "support-18"):
        copy = tmp_path / "copy.db"
        shutil.copyfile(SAMPLE, copy)
        assert items_of_sdk(new, name) == items_of_sdk(copy, name)
    done = run_cli(
        "filter", str(SAMPLE), "-f", "remove_all_tools", "--to", "session_db", "-o", str(tmp_path / "less.db")
    )
    assert done.returncode == 0
    assert [item.get("type", "message") for item in items_of_sdk(tmp_path / "less.db", "support-17")] == ["message"] * 3


def test_conversations_without_an_id_get_one_of_their_file(run_cli: RunCli, tmp_path: Path) -> None:
    lines = tmp_path / "chats.jsonl"
    lines.write_text(json.dumps([USER, CALL]) + "\n" + json.dumps([USER]) + "\n")
    new = tmp_path / "new.db"
    done = run_cli("convert", str(lines), str(lines), str(SAMPLE), "--to", "session-db", "-o", str(new))
    assert done.returncode == 0
    names = [each.source.name for each in read(new)[0]]
    assert names == ["chats-1", "chats-2", "chats-1-2", "chats-2-2", "support-17", "support-18"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--to", "session-db"], b"a session database is one file"),
        (["--to", "session-db", "-o", "-"], b"a session database is one file"),
        (["--to", "session-db", "--output-dir", "."], b"a session database is one file"),
    ],
)
def test_where_a_database_can_not_go(arguments: list[str], said: bytes, run_cli: RunCli) -> None:
    done = run_cli("filter", str(SAMPLE), *arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert said in done.stderr


def test_source_is_never_written(run_cli: RunCli, tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    shutil.copyfile(SAMPLE, path)
    for arguments in (["--to", "session-db", "-o", str(path)], ["--in-place"]):
        done = run_cli("filter", str(path), "-f", "remove_all_tools", *arguments)
        assert done.returncode == 2
        assert path.read_bytes() == SAMPLE.read_bytes()


def test_database_from_standard_input(run_cli: RunCli) -> None:
    done = run_cli("filter", "-f", "remove_all_tools", "--session", "support-18", stdin=SAMPLE.read_bytes())
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 1)


Command = Callable[..., list[str]]


@pytest.mark.parametrize("command", [["inspect"], ["show"], ["diff", "-f", "remove_all_tools"]])
def test_one_session_for_every_command(command: list[str], run_cli: RunCli) -> None:
    shown = run_cli(*command, str(SAMPLE), "--session", "support-18").stdout.decode()
    assert "Norway" in shown
    assert "parcel" not in shown


def test_session_picks_a_conversation_of_other_files_too(run_cli: RunCli) -> None:
    runs = str(SAMPLES / "runs" / "refund-handoff.json")
    assert b"transfer" in run_cli("show", runs, "--session", "Triage Agent").stdout
    done = run_cli("inspect", runs, "--session", "nobody")
    assert done.returncode == 2
    assert b"there are: Triage Agent, Refund Agent" in done.stderr
    assert Selection(reading=Reading("x")).reading.session == "x"
