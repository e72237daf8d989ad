"""Session databases of the Agents SDK: SQLiteSession, AdvancedSQLiteSession, SQLAlchemySession on SQLite.

**Source**: `agents.memory.sqlite_session`, `agents.extensions.memory` of openai-agents 0.24.0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from handoffctl.dumps.detection import Evidence, Sample
from handoffctl.entries import Entries
from handoffctl.model import HandoffInputData, Transcript
from handoffctl.raw.reading import SESSION_DATABASE
from handoffctl.records import Record


class SessionDb:
    """Sessions in a SQLite file, each a conversation of its own; found by columns, whatever the tables are called.

    Read: all sessions, or the one that `--session` names; of a session with branches `main`, or what `--branch` names.
    The file, its `-wal` and its `-shm` stay as they are. A row that is no JSON is named by its id; encrypted rows are
    counted. Not written in place: `--to session-db -o NEW.db` makes a new one, without that they come out as `handoff`.
    A handoff shows as a call and its output; which agent wrote an item is not stored.
    """

    name: ClassVar[str] = "session-db"
    writes: ClassVar[bool] = False

    def sniff(self, sample: Sample) -> Evidence | None:
        if sample.container != SESSION_DATABASE:
            return None
        return Evidence("a SQLite table with session_id and message_data", 4)

    def read(self, record: Record, evidence: Evidence) -> Sequence[Transcript]:  # noqa: ARG002 - one shape for all
        items = Entries(record.raw, None).items()
        return (Transcript(HandoffInputData(items), record.source, self.name),)

    def write(self, record: Record, results: Sequence[tuple[Transcript, HandoffInputData]]) -> bytes:
        raise NotImplementedError  # `writes` is False: nobody asks
