"""A file or standard input, opened: its encoding, and whether it holds a value a line or one document."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

from handoffctl.errors import InputError
from handoffctl.raw.reading import EVERYTHING, Reading
from handoffctl.records import Readable, document_records, is_json, line_records

MAGIC = b"SQLite format 3\x00"
CHUNK = 1 << 18
PREFIX = 1 << 16

_CONTAINERS = {
    b"\x1f\x8b": "this is gzip, not text",
    b"PK\x03\x04": "this is a ZIP archive, not text",
    b"(\xb5/\xfd": "this is zstd, not text",
}


class Input(Protocol):
    """An opened file, whatever holds its records: lines, a document, a database.

    `prefix` is a byte order mark to write back. `container` says what was unpacked to get at the records, None for
    text that holds JSON; `at_once` is how many records can be looked at without waiting for more to come.
    """

    @property
    def path(self) -> str: ...
    @property
    def prefix(self) -> bytes: ...
    @property
    def notes(self) -> tuple[str, ...]: ...
    @property
    def container(self) -> str | None: ...
    @property
    def at_once(self) -> int: ...

    def __iter__(self) -> Iterator[Readable]: ...

    def close(self) -> None:
        """Close the file, where reading stopped before its end."""


@dataclass(frozen=True)
class TextInput:
    """An opened text file: how its records lie in it, and the bytes still to be read.

    `prefix` is a byte order mark to write back; `head` the first bytes, which `rest` gives no more.
    """

    path: str
    lines: bool
    prefix: bytes
    head: bytes
    rest: BinaryIO
    notes: tuple[str, ...] = ()
    container: str | None = None

    @property
    def at_once(self) -> int:
        return max(1, self.head.count(b"\n"))

    def close(self) -> None:
        close(self.rest)

    def __iter__(self) -> Iterator[Readable]:
        """Records, gaps and bad records, in the order of the file, which is closed at its end or when that comes
        before."""
        try:
            if self.lines:
                yield from line_records(self.path, self._lines())
            else:
                yield from document_records(self.path, self.head + self.rest.read())
        finally:
            close(self.rest)

    def _lines(self) -> Iterator[bytes]:
        """Lines with their ends, each as soon as it has come."""
        *lines, last = self.head.split(b"\n")
        for line in lines:
            yield line + b"\n"
        if line := last + self.rest.readline():
            yield line
        yield from self.rest


def open_input(path: str, reading: Reading = EVERYTHING) -> Input:
    """Open a file or `-`, and look at its first 64 KiB. Raises InputError where there is nothing to read."""
    stream = _open(path)
    head, ended = _read_prefix(stream)
    encoding = _encoding(head)
    prefix, whole = b"", encoding is not None or (len(head) < PREFIX and ended)
    notes: tuple[str, ...] = (f"read as {encoding}, written as UTF-8",) if encoding else ()
    if encoding:
        head = _decoded(head, stream, encoding, path)
    elif head.startswith(codecs.BOM_UTF8):
        prefix, head = codecs.BOM_UTF8, head[len(codecs.BOM_UTF8) :]
    if head.startswith(MAGIC):
        from handoffctl.raw.session_input import open_sessions

        try:
            return open_sessions(path, head, stream, reading)
        finally:
            close(stream)
    for magic, what in _CONTAINERS.items():
        if head.startswith(magic):
            close(stream)
            raise InputError(what, place=path, help="unpack it first, or name the dump inside")
    if not head.strip():
        close(stream)
        raise InputError("the file is empty", place=path, help="there is no conversation in it")
    lines = _is_lines(head, whole=whole) or (not (ended or encoding) and _begins_with_a_line(head))
    return TextInput(path, lines, prefix, head, stream, notes)


def _decoded(head: bytes, stream: BinaryIO, encoding: str, path: str) -> bytes:
    """The whole file as UTF-8 without a mark."""
    try:
        text = (head + stream.read()).decode(encoding)
    except UnicodeDecodeError as error:
        close(stream)
        raise InputError(f"broken {encoding}: {error.reason}", place=path, help="save it as UTF-8") from error
    return text.removeprefix("\ufeff").encode(errors="surrogatepass")


def _open(path: str) -> BinaryIO:
    if path == "-":
        return sys.stdin.buffer
    try:
        return Path(path).open("rb", CHUNK)
    except (OSError, ValueError) as error:  # a name with a zero byte is a ValueError
        raise InputError(_reason(error), place=path, help="name a readable file, or - for stdin") from error


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def close(stream: BinaryIO) -> None:
    """Close a file that was opened here; stdin is not ours to close."""
    if stream is not sys.stdin.buffer:
        stream.close()


def _read_prefix(stream: BinaryIO) -> tuple[bytes, bool]:
    """The first 64 KiB and whether they are all; of stdin no more than has come once a line is complete.

    A pipe must stream: its first line is worked on before the second one comes.
    """
    head = b""
    read = getattr(stream, "read1", stream.read)
    while len(head) < PREFIX or not head.strip():
        chunk = read(PREFIX)
        if not chunk:
            return head, True
        head += chunk
        if stream is sys.stdin.buffer and b"\n" in head.lstrip():
            break
    return head, False


def _begins_with_a_line(head: bytes) -> bool:
    """Whether the first line is a JSON value of its own, with more to come perhaps."""
    first, end, _ = head.lstrip().partition(b"\n")
    return bool(end) and is_json(first)


def _encoding(head: bytes) -> str | None:
    """UTF-16 or UTF-32 by its mark, UTF-16 also by the zero bytes that JSON in it must have; None for UTF-8."""
    if head.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "UTF-32"
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "UTF-16"
    if len(head) > 3 and 0 in head[:2] and head[0] != head[1]:
        return "UTF-16-LE" if head[1] == 0 else "UTF-16-BE"
    return None


def _is_lines(head: bytes, *, whole: bool) -> bool:
    """Whether a file holds one JSON value a line rather than one document."""
    lines = [line for line in head.split(b"\n") if line.strip()]
    if len(lines) < 2:
        return False
    if is_json(lines[0]):
        return True
    if whole and is_json(head):
        return False
    complete = lines[1:] if whole else lines[1:-1]
    good = sum(1 for line in complete if line.lstrip()[:1] in (b"{", b"[") and is_json(line))
    return good * 2 >= len(complete) > 0
