"""Tables of a session database, found by their columns: whose they are is configurable, what they hold is not.

**Source**: `agents.memory.sqlite_session` and `agents.extensions.memory` of openai-agents 0.24.0.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from itertools import groupby
from typing import Any, NamedTuple

_MESSAGES = {"session_id", "message_data"}
_STRUCTURE = {"session_id", "message_id", "branch_id", "sequence_number"}
MAIN = "main"


class Row(NamedTuple):
    """One stored item. `id` is the row's own."""

    id: Any
    data: Any


class Table(NamedTuple):
    """A table of messages; `structure` is the one that says which branch each is of, None where there is none."""

    name: str
    structure: str | None
    order: str


def message_tables(connection: sqlite3.Connection) -> list[Table]:
    """The tables that hold messages of sessions, in the order in which they were made; empty where there are none."""
    columns = {name: _columns(connection, name) for name in table_names(connection)}
    structures = {_owner(connection, name): name for name, held in columns.items() if held >= _STRUCTURE}
    return [
        Table(name, structures.get(name), "id" if "id" in held else "rowid")
        for name, held in columns.items()
        if held >= _MESSAGES
    ]


def table_names(connection: sqlite3.Connection) -> list[str]:
    """The real tables: a virtual one would run code of its module, a view whatever it was made of."""
    query = "SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY rowid"
    rows = [(_text(name), _text(sql)) for name, sql in connection.execute(query)]
    return [name for name, sql in rows if not sql.upper().lstrip().startswith("CREATE VIRTUAL")]


def _columns(connection: sqlite3.Connection, table: str) -> set[str]:
    return {_text(row[1]).lower() for row in connection.execute(f"PRAGMA table_info({quoted(table)})")}


def _owner(connection: sqlite3.Connection, structure: str) -> str | None:
    """The table whose messages a structure table is about."""
    for row in connection.execute(f"PRAGMA foreign_key_list({quoted(structure)})"):
        if _text(row[3]).lower() == "message_id":
            return _text(row[2])
    return None


def quoted(name: str) -> str:
    """A name as SQL writes it, whatever it holds."""
    return '"' + name.replace('"', '""') + '"'


def sessions(connection: sqlite3.Connection, table: Table, branch: str | None) -> Iterator[tuple[str, list[Row]]]:
    """Each session of a table with its rows in order: those of one branch where it has branches, `main` by default.

    Sessions come in the order of their first rows. One without rows in that branch is left out.
    """
    messages, order = quoted(table.name), table.order
    query = (
        f"SELECT session_id, {order}, message_data, MIN({order}) OVER (PARTITION BY session_id) AS first"  # noqa: S608
        f" FROM {messages} ORDER BY first, session_id, {order}"
    )
    if table.structure is None:
        if branch is None:
            yield from _grouped(connection.execute(query))
        return
    structure = quoted(table.structure)
    with_branches = f"SELECT 1 FROM {structure} AS s WHERE s.session_id = m.session_id"  # noqa: S608
    picked = (
        "SELECT m.session_id, m.id, m.message_data, MIN(m.id) OVER (PARTITION BY m.session_id) AS first,"  # noqa: S608
        " s.sequence_number AS place"
        f" FROM {messages} AS m JOIN {structure} AS s ON s.message_id = m.id AND s.session_id = m.session_id"
        " WHERE s.branch_id = ?"
    )
    if branch is None:
        picked += (
            " UNION ALL SELECT m.session_id, m.id, m.message_data, MIN(m.id) OVER (PARTITION BY m.session_id), m.id"  # noqa: S608
            f" FROM {messages} AS m WHERE NOT EXISTS ({with_branches})"
        )
    yield from _grouped(connection.execute(f"{picked} ORDER BY first, 1, place", (branch or MAIN,)))


def session_ids(connection: sqlite3.Connection, table: Table) -> list[str]:
    """The sessions of a table, in the order of their first rows."""
    query = f"SELECT session_id FROM {quoted(table.name)} GROUP BY 1 ORDER BY MIN({table.order})"  # noqa: S608
    return [_text(session) for (session,) in connection.execute(query)]


def branches(connection: sqlite3.Connection, table: Table) -> dict[str, list[str]]:
    """The branches of each session by its id, in the order in which they were made; empty without branches."""
    if table.structure is None:
        return {}
    query = f"SELECT session_id, branch_id FROM {quoted(table.structure)} GROUP BY 1, 2 ORDER BY MIN(id)"  # noqa: S608
    found: dict[str, list[str]] = {}
    for session, branch in connection.execute(query):
        found.setdefault(_text(session), []).append(_text(branch))
    return found


def _grouped(rows: sqlite3.Cursor) -> Iterator[tuple[str, list[Row]]]:
    for session, group in groupby(rows, key=lambda row: row[0]):
        yield _text(session), [Row(row[1], row[2]) for row in group]


def _text(value: Any) -> str:
    return value.decode(errors="backslashreplace") if isinstance(value, bytes) else str("" if value is None else value)
