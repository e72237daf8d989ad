"""Long output on a terminal goes through the user's pager."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping

_PLAIN = ("", "cat")


def put_pieces(pieces: Iterable[str], *, is_paged: bool = False) -> None:
    """Text in pieces to standard output; through the pager where that is asked for and this is a terminal."""
    pager = pager_command(os.environ) if is_paged and sys.stdout.isatty() else None
    if pager is None:
        for piece in pieces:
            sys.stdout.write(_encodable(piece, sys.stdout.encoding or "utf-8"))
        sys.stdout.flush()
    else:
        _page(pieces, pager)


def pager_command(environ: Mapping[str, str]) -> list[str] | None:
    """PAGER's words; `less`, if there is one, where it isn't set; None for none."""
    said = environ.get("PAGER")
    words = ["less"] if said is None else shlex.split(said)
    if not words or words[0] in _PLAIN or shutil.which(words[0]) is None:
        return None
    return words


def _page(pieces: Iterable[str], pager: list[str]) -> None:
    # F: no paging for what fits the screen. R: our colours. X: leave the text where it was.
    environ = {"LESS": "FRX", "LESSCHARSET": "utf-8", **os.environ}
    # The user's own PAGER, as every program runs it.
    process = subprocess.Popen(pager, stdin=subprocess.PIPE, env=environ, encoding="utf-8")  # noqa: S603
    try:
        with process.stdin or sys.stdout as stream:
            for piece in pieces:
                stream.write(piece)
    except BrokenPipeError:  # the reader has seen enough
        pass
    finally:
        process.wait()


def _encodable(text: str, encoding: str) -> str:
    """The text with an escape for what the terminal can't say."""
    return text.encode(encoding, errors="backslashreplace").decode(encoding)
