"""Lines of styled pieces, with something at the right edge; drawn on paper they fit its width."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from handoffctl.renderers.cells import columns_of, cut
from handoffctl.renderers.paper import Paper

Style = Literal["", "dim", "bold", "removed", "added", "edited", "moved", "who", "handoff"]
# The sixteen colours that every terminal has, as its user chose them.
_CODES: dict[Style, str] = {
    "dim": "2",
    "bold": "1",
    "removed": "31",
    "added": "32",
    "edited": "33",
    "moved": "36",
    "who": "34",
    "handoff": "35",
}


class Piece(NamedTuple):
    """Some text in one style. It must be safe to show: `visible` was applied."""

    text: str
    style: Style = ""


@dataclass(frozen=True, slots=True)
class Line:
    """Pieces from the left, and what stands at the right edge; the left gives way where both don't fit.

    `is_whole` says that it is never cut: it is meant for programs.
    """

    left: Sequence[Piece] = ()
    right: Sequence[Piece] = ()
    is_whole: bool = False


def line(text: str = "", style: Style = "", right: str = "", right_style: Style = "dim") -> Line:
    """A line of one piece, or of two."""
    return Line((Piece(text, style),), (Piece(right, right_style),) if right else ())


def drawn(lines: Iterable[Line], paper: Paper) -> str:
    """The lines as text, one below the other, each with its line end; none is wider than the paper."""
    return "".join([f"{_drawn(each, paper)}\n" for each in lines])


def _drawn(each: Line, paper: Paper) -> str:
    if each.is_whole:
        return _colored(each.left, paper)
    right = shortened(each.right, paper.width)
    room = paper.width - width_of(right) - (2 if right else 0)
    left = shortened(each.left, room)
    gap = paper.width - width_of(left) - width_of(right) if right else 0
    if not right:
        left = _trimmed(left)
    return _colored((*left, Piece(" " * gap), *right), paper)


def width_of(pieces: Iterable[Piece]) -> int:
    """How many columns pieces take beside each other."""
    return sum([columns_of(piece.text) for piece in pieces])


def shortened(pieces: Sequence[Piece], columns: int) -> list[Piece]:
    """The pieces in at most so many columns; the one that crosses the edge is cut, those behind it are left out."""
    kept: list[Piece] = []
    for piece in pieces:
        width = columns_of(piece.text)
        if width > columns:
            kept.append(Piece(cut(piece.text, columns), piece.style))
            break
        kept.append(piece)
        columns -= width
    return kept


def _trimmed(pieces: list[Piece]) -> list[Piece]:
    """Without spaces at the end of the line."""
    while pieces and not pieces[-1].text.strip(" "):
        pieces = pieces[:-1]
    return [*pieces[:-1], Piece(pieces[-1].text.rstrip(" "), pieces[-1].style)] if pieces else []


def _colored(pieces: Iterable[Piece], paper: Paper) -> str:
    if not paper.colored:
        return "".join([piece.text for piece in pieces])
    return "".join([f"\x1b[{_CODES[style]}m{text}\x1b[0m" if style and text else text for text, style in pieces])
