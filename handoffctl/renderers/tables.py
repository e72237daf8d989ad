"""Tables without rules: columns as wide as they need, numbers at the right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from handoffctl.renderers.cells import columns_of, cut, fitted
from handoffctl.renderers.lines import Line, Piece, Style

GAP = "  "


def table(
    header: Sequence[str], rows: Sequence[Sequence[str]], columns: int, *, numbers: Sequence[int] = ()
) -> Iterator[Line]:
    """A header and its rows; `numbers` are the columns to align at the right, counted from 0.

    Where it is too wide, the widest column that isn't numbers gives way.
    """
    widths = _widths([header, *rows], columns, numbers)
    yield _row(header, widths, numbers, "dim")
    for each in rows:
        yield _row(each, widths, numbers, "")


def natural_width(rows: Sequence[Sequence[str]]) -> int:
    """How many columns the rows need to be shown whole."""
    widths = [max(columns_of(row[column]) for row in rows) for column in range(len(rows[0]))]
    return sum(widths) + len(GAP) * (len(widths) - 1)


def _widths(rows: Sequence[Sequence[str]], columns: int, numbers: Sequence[int]) -> list[int]:
    widths = [max(columns_of(row[column]) for row in rows) for column in range(len(rows[0]))]
    words = [column for column in range(len(widths)) if column not in numbers]
    while words and sum(widths) + len(GAP) * (len(widths) - 1) > columns:
        widest = max(words, key=lambda column: widths[column])
        if widths[widest] <= 4:
            break
        widths[widest] -= 1
    return widths


def _row(cells: Sequence[str], widths: Sequence[int], numbers: Sequence[int], style: Style) -> Line:
    pieces = []
    for column, (text, width) in enumerate(zip(cells, widths, strict=True)):
        shown = cut(text, width).rjust(width) if column in numbers else fitted(text, width)
        pieces.append(Piece(f"{GAP if column else ''}{shown}", style or ("who" if column == 0 else "")))
    return Line(pieces)


BAR, PARTS = 20, "▏▎▍▌▋▊▉█"
LEVELS = "▁▂▃▄▅▆▇█"


def bar(share: float, width: int = BAR) -> str:
    """A bar of up to so many columns for a share from 0 to 1; the thinnest one for anything above 0."""
    eighths = round(share * width * 8) or (1 if share > 0 else 0)
    full, rest = divmod(min(eighths, width * 8), 8)
    return "█" * full + (PARTS[rest - 1] if rest else "")


def sparkline(values: Sequence[int]) -> str:
    """One block for each value, from the lowest for 0 to the highest for the largest."""
    largest = max(values, default=0) or 1
    return "".join([LEVELS[min(len(LEVELS) - 1, value * len(LEVELS) // (largest + 1))] for value in values])
