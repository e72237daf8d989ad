"""A new session database, as the Agents SDK's SQLiteSession makes it, filled with conversations.

**Source**: `agents.memory.sqlite_session` of openai-agents 0.24.0.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from handoffctl.item import Item
from handoffctl.model import Source

_SCHEMA = """
CREATE TABLE agent_sessions (
    session_id TEXT PRIMARY KEY,
    created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
    updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP
);
CREATE TABLE agent_messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT NOT NULL,
    message_data TEXT NOT NULL,
    created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
    FOREIGN KEY (session_id) REFERENCES agent_sessions (session_id) ON DELETE CASCADE
);
CREATE INDEX idx_agent_messages_session_id ON agent_messages (session_id, id);
"""
_PIECE = 1 << 20


class SessionStore:
    """Conversations go in one by one; `pieces` gives the database's bytes, once, at the end."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="handoffctl-")
        self._path = Path(self._folder.name) / "sessions.db"
        self._connection = sqlite3.connect(self._path)
        self._connection.executescript(_SCHEMA)
        self._names: set[str] = set()

    def add(self, source: Source, items: Sequence[Item]) -> str:
        """One conversation as a session; the id that it got: its own where it has one, else made of its file's name."""
        name = self._unused(source.name or f"{Path(source.path).stem.strip('-') or 'session'}-{source.record}")
        self._connection.execute("INSERT INTO agent_sessions (session_id) VALUES (?)", (name,))
        rows = [(name, item.raw.decode()) for item in items]
        self._connection.executemany("INSERT INTO agent_messages (session_id, message_data) VALUES (?, ?)", rows)
        return name

    def pieces(self) -> Iterator[bytes]:
        """The database's bytes; nothing can be added any more."""
        self._connection.commit()
        self._connection.close()
        with self._path.open("rb") as stream:
            while piece := stream.read(_PIECE):
                yield piece

    def close(self) -> None:
        """Forget everything."""
        self._connection.close()
        self._folder.cleanup()

    def _unused(self, wanted: str) -> str:
        name = wanted.encode(errors="backslashreplace").decode()  # a lone surrogate is no text to SQLite
        number = 1
        while name in self._names:
            number += 1
            name = f"{wanted}-{number}"
        self._names.add(name)
        return name
