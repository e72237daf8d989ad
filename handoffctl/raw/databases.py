"""SQLite databases opened so that nothing of them changes, and nothing appears beside them."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from handoffctl.errors import InputError

FAULTS = (sqlite3.Error, UnicodeDecodeError)
"""What comes of a broken file: SQLite's own errors, or one of putting its broken words into an error."""

_BESIDE = ("-wal", "-journal")
_MOST_TRIES = 5


@contextmanager
def opened_database(path: str, head: bytes, rest: BinaryIO) -> Iterator[sqlite3.Connection]:
    """A connection that only reads. Raises InputError where the file is broken.

    Without a `-wal` or journal beside it the file is opened as it is; SQLite is told that it can't change. With one, or
    from standard input, a private copy is opened: SQLite would write to the file's neighbours.
    """
    with tempfile.TemporaryDirectory(prefix="handoffctl-") as folder:
        uri = _uri_of_input(head, rest, Path(folder)) if path == "-" else _uri(Path(path), Path(folder))
        try:
            connection = sqlite3.connect(uri, uri=True)
        except FAULTS as error:
            raise broken(path, error) from error
        try:
            connection.text_factory = bytes  # a text may be no UTF-8
            for setting in ("query_only=ON", "trusted_schema=OFF", "cell_size_check=ON", "mmap_size=0"):
                connection.execute(f"PRAGMA {setting}")
            yield connection
        except FAULTS as error:
            raise broken(path, error) from error
        finally:
            connection.close()


def broken(path: str, error: Exception) -> InputError:
    """What SQLite says of a file that it can't read."""
    what = "its schema is broken" if isinstance(error, UnicodeDecodeError) else error
    return InputError(f"a SQLite database that can't be read: {what}", place=path, help="restore it from a backup")


def has_log(path: str) -> bool:
    """Whether a write-ahead log or a journal lies beside the file."""
    return any(Path(path + suffix).exists() for suffix in _BESIDE)


def _uri(path: Path, folder: Path) -> str:
    if not has_log(str(path)):
        return f"{path.resolve().as_uri()}?mode=ro&immutable=1"
    for _ in range(_MOST_TRIES):
        before = _state(path)
        for suffix in ("", *_BESIDE):
            with suppress(FileNotFoundError):
                shutil.copyfile(f"{path}{suffix}", folder / f"copy.db{suffix}")
        if _state(path) == before:
            break
    return f"{(folder / 'copy.db').as_uri()}?mode=rw"


def _state(path: Path) -> list[tuple[int, int] | None]:
    """What tells a file from the one that it was before somebody wrote to it."""
    state: list[tuple[int, int] | None] = []
    for suffix in ("", *_BESIDE):
        try:
            stat = Path(f"{path}{suffix}").stat()
            state.append((stat.st_size, stat.st_mtime_ns))
        except FileNotFoundError:
            state.append(None)
    return state


def _uri_of_input(head: bytes, rest: BinaryIO, folder: Path) -> str:
    copy = folder / "copy.db"
    with copy.open("wb") as stream:
        stream.write(head)
        shutil.copyfileobj(rest, stream)
    return f"{copy.as_uri()}?mode=ro&immutable=1"
