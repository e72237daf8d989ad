"""Where results go: standard output, a file, a folder, the file itself; files are written whole or not at all."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from handoffctl.errors import UsageError

BUFFER = 1 << 20


@contextmanager
def written_file(path: str, *, backup: bool = False) -> Iterator[BinaryIO]:
    """A stream whose bytes become the file when all is well, and vanish when anything fails.

    The file keeps its permissions; `backup` leaves the old one beside it, as `NAME.bak`.
    """
    target = Path(path).resolve() if Path(path).is_symlink() else Path(path)
    with _refusal_named(path):
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    try:
        with os.fdopen(handle, "wb", BUFFER) as stream:
            yield stream
            with _refusal_named(path):
                stream.flush()
                os.fsync(stream.fileno())
        with _refusal_named(path):
            _put(Path(name), target, backup=backup)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _put(written: Path, target: Path, *, backup: bool) -> None:
    if target.exists():
        shutil.copymode(target, written)
        if backup:
            shutil.copy2(target, f"{target}.bak")
    else:
        written.chmod(0o666 & ~_umask())
    written.replace(target)


@contextmanager
def _refusal_named(path: str) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:  # a name with a zero byte is a ValueError
        what = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"can't write there: {what}", place=path) from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@contextmanager
def standard_output() -> Iterator[BinaryIO]:
    """Standard output as bytes, in large pieces; each piece at once where the input is a pipe that may wait."""
    sys.stdout.flush()
    with open(sys.stdout.fileno(), "wb", BUFFER, closefd=False) as stream:
        yield stream
