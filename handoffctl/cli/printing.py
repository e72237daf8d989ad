"""Text to standard output; hostile characters were made visible before."""

from __future__ import annotations

import sys


def put(text: str) -> None:
    """Text with one line end; a character that the terminal can't say comes out escaped."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, errors="backslashreplace").decode(encoding).rstrip("\n") + "\n")
    sys.stdout.flush()
