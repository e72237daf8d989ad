"""Text for Markdown: whatever a transcript says is text there, never a link, a heading, a mention or HTML."""

from __future__ import annotations

import re
from collections.abc import Sequence

from handoffctl.wording.escape import visible

_SPECIAL = re.compile(r"[&<>`*_\[\]\\|~@#!$^]|(?<=www)\.|:(?=//)")
_FENCE = re.compile(r"`{3,}")


def plain(text: str) -> str:
    """The text as inline Markdown of no meaning; references to characters stand for its signs."""
    return _SPECIAL.sub(lambda found: f"&#{ord(found[0])};", visible(text))


def code(text: str) -> str:
    """The text as inline code; empty for none."""
    return f"<code>{plain(text)}</code>" if text else ""


def fenced(text: str, language: str = "") -> str:
    """Lines as a code block, fenced with more backticks than any line has. They must be safe to show already."""
    longest = max((len(each) for each in _FENCE.findall(text)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}\n"


def rows(header: Sequence[str], cells: Sequence[Sequence[str]], numbers: Sequence[int] = ()) -> str:
    """A table of cells that are Markdown already; `numbers` are the columns to align at the right, from 0."""
    rule = ["--:" if column in numbers else "---" for column in range(len(header))]
    return "".join([f"| {' | '.join(each)} |\n" for each in (header, rule, *cells)])
