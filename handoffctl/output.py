"""Where results go: standard output, a file, a folder, the file itself; files are written whole or not at all."""

from __future__ import annotations

import filecmp
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import BinaryIO

from handoffctl.errors import UsageError

BUFFER = 1 << 20


class LeftAsItIs(Exception):
    """Raised where a file is written, so that the old one stays."""


@contextmanager
def written_file(path: str, *, backup: bool = False) -> Iterator[BinaryIO]:
    """A stream whose bytes become the file when all is well, and vanish when anything fails.

    The file keeps its permissions; one whose bytes would stay the same is left alone. `backup` leaves the old one
    beside it, as `NAME.bak`, `NAME.bak2` where there is one already, and so on. What is no regular file (a device, a
    pipe) is written to as it is.
    """
    target = Path(path).resolve() if Path(path).is_symlink() else Path(path)
    if target.exists() and not target.is_file():
        with _refusal_named(path), target.open("wb", BUFFER) as stream:
            yield stream
        return
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
    except LeftAsItIs:
        pass
    finally:
        Path(name).unlink(missing_ok=True)


def _put(written: Path, target: Path, *, backup: bool) -> None:
    if not target.exists():
        written.chmod(0o666 & ~_umask())
        written.replace(target)
        return
    if filecmp.cmp(written, target, shallow=False):
        return
    shutil.copymode(target, written)
    if backup:
        shutil.copy2(target, _unused(target))
    written.replace(target)


def _unused(target: Path) -> Path:
    """The first name for a backup that no older one has: an original is never lost to a second run."""
    names = (f"{target}.bak{number if number > 1 else ''}" for number in count(1))
    return next(Path(name) for name in names if not os.path.lexists(name))


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
    """Standard output as bytes, in large pieces. A reader that has seen enough (`| head`) ends it quietly."""
    sys.stdout.flush()
    try:
        with open(sys.stdout.fileno(), "wb", BUFFER, closefd=False) as stream:
            yield stream
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
