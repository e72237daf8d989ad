"""Bytes -> records with their places: encodings, lines, documents, entries that stand one a line."""

from __future__ import annotations

import codecs
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal

import msgspec

from handoffctl.errors import InputError, MalformedDump
from handoffctl.faults import diagnose, too_deep
from handoffctl.jsontext import decode
from handoffctl.model import Source
from handoffctl.spans import value_end

CHUNK = 1 << 18
PREFIX = 1 << 16
_check_json = msgspec.json.Decoder(msgspec.Raw).decode
_TRAILING = re.compile(r"trailing characters \(byte (\d+)\)")


class Record(msgspec.Struct, frozen=True, gc=False):
    """One JSON value with its place. `end` is what stood after it in the file: a line end, or nothing.

    `form` says what a record is of the file: the whole document, a line, or all lines together as a list of
    entries (then `raw` is that list, written here, `lines` are the entries' line numbers, from 1, and
    `verbatim` is their text with the blank lines between them).
    """

    raw: bytes
    source: Source
    form: Literal["document", "line", "entries"] = "document"
    end: bytes = b""
    lines: tuple[int, ...] = ()
    separator: bytes = b"\n"
    verbatim: bytes | None = None

    @property
    def untouched(self) -> bytes:
        """The bytes in the file that this record was read from, without its end."""
        return self.raw if self.verbatim is None else self.verbatim


class Gap(msgspec.Struct, frozen=True):
    """Blank lines between records, kept for a faithful copy."""

    raw: bytes


Readable = Record | MalformedDump | Gap


@dataclass(frozen=True)
class Input:
    """An opened file: how its records lie in it, and the bytes still to be read.

    `prefix` is a byte order mark to write back; `sample` the first values, for telling formats apart;
    `streams` says that it may never end.
    """

    path: str
    lines: bool
    prefix: bytes
    head: bytes
    rest: BinaryIO
    notes: tuple[str, ...] = ()

    def chunks(self) -> Iterator[bytes]:
        """All bytes, in pieces; the file is closed at its end, or when the reader stops before."""
        try:
            yield self.head
            read = getattr(self.rest, "read1", self.rest.read)
            while chunk := read(CHUNK):
                yield chunk
        finally:
            close(self.rest)

    def __iter__(self) -> Iterator[Readable]:
        """Records, gaps and bad records, in the order of the file."""
        if self.lines:
            return line_records(self.path, self.chunks())
        return document_records(self.path, b"".join(self.chunks()))


def open_input(path: str) -> Input:
    """Open a file or `-`, and look at its first 64 KiB. Raises InputError where there is nothing to read."""
    stream = _open(path)
    head = _read_prefix(stream)
    if not head.strip():
        close(stream)
        raise InputError("the file is empty", place=path, help="there is no conversation in it")
    encoding = _encoding(head)
    if encoding:
        try:
            text = (head + stream.read()).decode(encoding)
        except UnicodeDecodeError as error:
            close(stream)
            raise InputError(f"broken {encoding}: {error.reason}", place=path, help="save it as UTF-8") from error
        head, note = text.lstrip("\ufeff").encode(errors="surrogatepass"), f"read as {encoding}, written as UTF-8"
        return Input(path, _is_lines(head, whole=True), b"", head, stream, (note,))
    prefix = codecs.BOM_UTF8 if head.startswith(codecs.BOM_UTF8) else b""
    head = head[len(prefix) :]
    return Input(path, _is_lines(head, whole=len(head) < PREFIX), prefix, head, stream)


def _open(path: str) -> BinaryIO:
    if path == "-":
        return sys.stdin.buffer
    try:
        return Path(path).open("rb")
    except OSError as error:
        raise InputError(
            error.strerror or str(error), place=path, help="name a readable file, or - for stdin"
        ) from error


def close(stream: BinaryIO) -> None:
    """Close a file that was opened here; stdin is not ours to close."""
    if stream is not sys.stdin.buffer:
        stream.close()


def _read_prefix(stream: BinaryIO) -> bytes:
    """The first bytes: up to 64 KiB, but no more than is there once a line is complete, so that a pipe streams."""
    head = b""
    read = getattr(stream, "read1", stream.read)
    while len(head) < PREFIX and (chunk := read(PREFIX)):
        head += chunk
        if b"\n" in head.strip() and len(chunk) < PREFIX and stream is sys.stdin.buffer:
            break
    return head


def _encoding(head: bytes) -> str | None:
    """UTF-16 by its mark, or by the zero bytes that JSON in it must have; None for UTF-8."""
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


def is_json(raw: bytes) -> bool:
    """Whether the bytes begin with one complete JSON value, glued ones behind it allowed."""
    try:
        _check_json(raw)
    except msgspec.DecodeError as error:
        if _TRAILING.search(str(error)):
            return True
    except RecursionError:
        return False
    else:
        return True
    try:
        decode(raw)
    except (ValueError, RecursionError):
        return False
    return True


def line_records(path: str, chunks: Iterator[bytes]) -> Iterator[Readable]:
    """Each line as a record; lines end at LF alone, since U+2028 and its like are text."""
    number = count = 0
    for line, end in _split(chunks):
        number += 1
        if not line or line.isspace():
            yield Gap(line + end)
            continue
        count += 1
        if line.endswith(b"\r"):
            line, end = line[:-1], b"\r" + end  # noqa: PLW2901 - the same line without its end
        yield Record(line, Source(path, count, number), "line", end)


def _split(chunks: Iterator[bytes]) -> Iterator[tuple[bytes, bytes]]:
    pending: list[bytes] = []
    for chunk in chunks:
        first, *others = chunk.split(b"\n")
        pending.append(first)
        if others:
            yield b"".join(pending), b"\n"
            for line in others[:-1]:
                yield line, b"\n"
            pending = [others[-1]]
    if rest := b"".join(pending):
        yield rest, b""


def document_records(path: str, raw: bytes) -> Iterator[Readable]:
    """The document as one record; several values glued together as one record each."""
    try:
        _check_json(raw)
    except (msgspec.DecodeError, RecursionError):
        yield from glued_records(Record(raw, Source(path)))
    else:
        yield Record(raw, Source(path))


def glued_records(record: Record) -> Iterator[Record | MalformedDump]:
    """A record whose bytes hold several values one after the other, as one record each; what is no JSON as a fault."""
    raw, source = record.raw, record.source
    if too_deep(raw.decode("latin-1")) is not None:
        yield diagnose(raw, source)
        return
    text, start, number = raw.decode("latin-1"), 0, 0
    while rest := text[start:].lstrip(" \t\r\n"):
        start = len(text) - len(rest)
        place = Source(source.path, source.record + number, source.line + text.count("\n", 0, start))
        try:
            end = value_end(text, start)
        except ValueError:
            yield diagnose(raw if number == 0 else raw[start:], source if number == 0 else place)
            return
        after = len(text) - len(text[end:].lstrip(" \t\r\n"))
        last = after == len(text)
        if last and number == 0:
            yield record
            return
        between = raw[end:after] + (record.end if last else b"")
        yield Record(raw[start:end], place, record.form, between, record.lines)
        number, start = number + 1, end
