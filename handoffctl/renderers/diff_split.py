"""A diff with before and after side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from handoffctl.renderers.cells import cut, fitted
from handoffctl.renderers.diff_rows import SIGNS, STYLES, Layout, edited_words, folded, folded_row, short_name
from handoffctl.renderers.lines import Line, Piece, shortened, width_of
from handoffctl.renderers.who import what, who
from handoffctl.reports.diff import ShownChange
from handoffctl.reports.shown import ShownItem
from handoffctl.wording.escape import visible

NARROWEST_SPLIT = 120
_GUTTER = 4


def split_rows(changes: Sequence[ShownChange], layout: Layout) -> Iterator[Line]:
    """Each change as one line: what it was at the left, the sign, what it is at the right."""
    for each in folded(changes):
        yield folded_row(each, layout) if isinstance(each, list) else _row(each, layout)


def _row(change: ShownChange, layout: Layout) -> Line:
    half = (layout.width - _GUTTER) // 2
    style = STYLES[change.sign]
    old = _side(change, change.item, "added", half, layout)
    new = _side(change, change.after or change.item, "removed", half, layout)
    sign = Piece(f" {SIGNS[change.sign]}  ", style)
    return Line((*old, Piece(" " * (half - width_of(old))), sign, *new))


def _side(change: ShownChange, item: ShownItem, missing: str, half: int, layout: Layout) -> list[Piece]:
    """One half of a line; the filter's name where this side has no item."""
    if change.sign == missing:
        return [Piece(cut(visible(short_name(change.by or "")), half), "dim")]
    is_after = missing == "removed"
    index = change.after_index if is_after and change.after_index is not None else item.index
    start = f"{index:>{layout.index}}  {fitted(who(item), min(layout.who, half // 3))}  "
    room = half - len(start)
    unwanted = "removed" if is_after else "added"
    words = [word for word in change.words if word.sign != unwanted]
    said = edited_words(words, room) if change.words else [Piece(what(item, room), STYLES[change.sign])]
    return shortened([Piece(start, STYLES[change.sign] or "who"), *said], half)
