"""A session database as records: one for each session, its items in order."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from handoffctl.errors import InputError, MalformedDump, UsageError
from handoffctl.model import Source
from handoffctl.raw.databases import FAULTS, broken, has_log, opened_database
from handoffctl.raw.jsontext import decode
from handoffctl.raw.reading import SESSION_DATABASE, Reading
from handoffctl.raw.session_tables import Row, Table, branches, message_tables, session_ids, sessions, table_names
from handoffctl.records import Readable, Record

_ENVELOPE = "__enc__"
_SHOWN = 12


@dataclass
class SessionInput:
    """An opened session database. `notes` say which branches there are."""

    path: str
    connection: sqlite3.Connection
    tables: Sequence[Table]
    reading: Reading
    stack: ExitStack
    notes: tuple[str, ...] = ()
    prefix: bytes = b""
    container: str | None = SESSION_DATABASE
    at_once: int = 50
    seen: list[str] = field(default_factory=list)

    def close(self) -> None:
        self.stack.close()

    def __iter__(self) -> Iterator[Readable]:
        """A record for each session that is asked for, its broken rows named before it."""
        with self.stack:
            try:
                yield from self._records()
            except FAULTS as error:
                raise broken(self.path, error) from error
        if not self.seen:
            raise self._nothing()

    def _records(self) -> Iterator[Readable]:
        for table in self.tables:
            for session, rows in sessions(self.connection, table, self.reading.branch):
                self.seen.append(session)
                if self.reading.session in (None, session):
                    yield from self._session(session, rows)

    def _session(self, session: str, rows: Sequence[Row]) -> Iterator[Readable]:
        good: list[bytes] = []
        sealed = 0
        for row in rows:
            item = _item_of(row.data)
            if isinstance(item, str):
                yield self._fault(session, f"row {row.id}", item, "the SDK skips such a row too; delete or mend it")
            elif item.startswith(b"{") and b'"%s"' % _ENVELOPE.encode() in item and _ENVELOPE in decode(item):
                sealed += 1
            else:
                good.append(item)
        if sealed:
            what = f"{sealed} of {len(rows)} rows are encrypted (EncryptedSession)"
            yield self._fault(session, "", what, "they can only be read in the application, with its key")
        if good or not sealed:
            source = Source(self.path, len(self.seen), 0, session)
            yield Record(b"[" + b",".join(good) + b"]", source, "line", b"\n")

    def _fault(self, session: str, where: str, what: str, help: str) -> MalformedDump:
        place = f"{self.path}: session {session}"
        return MalformedDump(f"{what}; left out", place=f"{place}, {where}" if where else place, help=help)

    def _nothing(self) -> InputError:
        if self.path == "-" or has_log(self.path):
            return InputError("a session database without messages", place=self.path, help="no session has any yet")
        what = "a session database without messages, and no -wal file beside it: that was probably not copied"
        todo = "copy FILE-wal too, or let the application close its session first"
        return InputError(what, place=self.path, help=todo)


def open_sessions(path: str, head: bytes, rest: BinaryIO, reading: Reading) -> SessionInput:
    """Open a session database.

    Raises InputError where it is none or can't be read, UsageError for a session or branch that it doesn't have.
    """
    stack = ExitStack()
    try:
        connection = stack.enter_context(opened_database(path, head, rest))
        tables = message_tables(connection) or _no_tables(connection, path)
        known = [branches(connection, table) for table in tables]
        _check(connection, tables, known, reading, path)
        return SessionInput(path, connection, tables, reading, stack, tuple(_branch_notes(known, reading)))
    except BaseException as error:
        stack.close()
        if isinstance(error, FAULTS):
            raise broken(path, error) from error
        raise


def _no_tables(connection: sqlite3.Connection, path: str) -> list[Table]:
    names = ", ".join(table_names(connection)[:_SHOWN]) or "none"
    what = f"a SQLite database without messages of sessions; its tables: {names}"
    raise InputError(what, place=path, help="a table of messages has the columns session_id and message_data")


def _branch_notes(known: Sequence[dict[str, list[str]]], reading: Reading) -> Iterator[str]:
    for by_session in known:
        for session, names in by_session.items():
            if len(names) > 1 and reading.session in (None, session):
                yield f"session {session} has the branches {', '.join(names)}; read: {reading.branch or 'main'}"


def _check(
    connection: sqlite3.Connection,
    tables: Sequence[Table],
    known: Sequence[dict[str, list[str]]],
    reading: Reading,
    path: str,
) -> None:
    names = list(dict.fromkeys(name for by_session in known for each in by_session.values() for name in each))
    if reading.branch is not None and reading.branch not in names:
        told = f"there are: {', '.join(names)}" if names else "its sessions have no branches"
        raise UsageError("no such branch", place=f"{path} --branch {reading.branch}", help=told)
    if reading.session is not None:
        ids = [session for table in tables for session in session_ids(connection, table)]
        if ids and reading.session not in ids:
            told = f"there are: {', '.join(ids[:_SHOWN])}{' …' if len(ids) > _SHOWN else ''}"
            raise UsageError("no such session", place=f"{path} --session {reading.session}", help=told)


def _item_of(data: Any) -> bytes | str:
    """The JSON text of a stored item; what is wrong with it where it is none."""
    if not isinstance(data, bytes):
        return "message_data is no text"
    try:
        data.decode()
        value = decode(data)
    except (ValueError, RecursionError):
        return "message_data is not JSON"
    return data.strip() if isinstance(value, dict) else "message_data is no object"
