"""What a user asks of reading: which conversation of a file that holds many, and how much is read at most."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reading:
    """How files are read, the same for every file of a command.

    `session` is the id of one conversation, None for all; `branch` names one branch of a session that has several.
    """

    session: str | None = None
    branch: str | None = None


EVERYTHING = Reading()
"""What is read where nothing else is asked for."""

SESSION_DATABASE = "session database"
"""The container of records that were taken out of a SQLite file."""
