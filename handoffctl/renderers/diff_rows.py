"""One changed item as a line: sign first, then who, then what, and at the right edge the filter that did it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from handoffctl.renderers.amounts import tokens_of
from handoffctl.renderers.cells import ELLIPSIS, columns_of, cut, cut_start, fitted
from handoffctl.renderers.lines import Line, Piece, Style
from handoffctl.renderers.who import what, who
from handoffctl.reports.diff import ShownChange, Word
from handoffctl.reports.shown import ShownItem
from handoffctl.wording.escape import visible

SIGNS = {"kept": " ", "removed": "-", "added": "+", "edited": "~", "moved": ">"}
STYLES: dict[str, Style] = {"removed": "removed", "added": "added", "edited": "edited", "moved": "moved", "kept": ""}
LONGEST_KEPT_RUN = 6
_SAME_COLUMNS = 24


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of a table of items, the same for all its lines. `by` is the most that a filter's name may take."""

    width: int
    index: int
    who: int
    by: int

    @classmethod
    def of(cls, items: Iterable[ShownItem], width: int) -> Layout:
        """What these items need, within reason."""
        longest, last = 0, 0
        for item in items:
            longest = max(longest, columns_of(who(item)))
            last = max(last, item.index)
        return cls(width, max(2, len(str(last))), min(longest, max(22, width // 5)), max(24, width // 4))

    def room(self, right: str) -> int:
        """The columns that are left for the words, beside what stands at the right edge."""
        return self.width - (self.index + self.who + 6) - (columns_of(right) + 2 if right else 0)


def folded(changes: Sequence[ShownChange]) -> Iterator[ShownChange | list[ShownChange]]:
    """The changes in order, long runs of kept ones as one list."""
    run: list[ShownChange] = []
    for change in changes:
        if change.sign == "kept":
            run.append(change)
            continue
        yield from _run(run)
        run = []
        yield change
    yield from _run(run)


def _run(run: list[ShownChange]) -> Iterator[ShownChange | list[ShownChange]]:
    if len(run) > LONGEST_KEPT_RUN:
        yield run
    else:
        yield from run


def row(change: ShownChange | list[ShownChange], layout: Layout) -> Line:
    """A change's line, or one for a run of kept items."""
    if isinstance(change, list):
        return folded_row(change, layout)
    style = STYLES[change.sign]
    right = cut(visible(short_name(change.by)), layout.by) if change.by else tokens_of(change.item.tokens)
    room = layout.room(right)
    words = edited_words(change.words, room) if change.words else [Piece(_what(change, room), style)]
    return Line((*head(change.item, SIGNS[change.sign], style, layout), *words), (Piece(right, "dim"),))


def short_name(by: str) -> str:
    """Filters without their options; the footer has them."""
    return ", ".join([each.partition(":")[0] if "=" in each else each for each in by.split(", ")])


def folded_row(run: Sequence[ShownChange], layout: Layout) -> Line:
    """`… 14 kept`, with their tokens together."""
    text = f"  {' ' * layout.index}{ELLIPSIS} {len(run):,} kept"
    return Line((Piece(text, "dim"),), (Piece(tokens_of(sum([each.item.tokens for each in run])), "dim"),))


def head(item: ShownItem, sign: str, style: Style, layout: Layout) -> tuple[Piece, ...]:
    """Sign, index and who made it."""
    return (
        Piece(f"{sign} ", style),
        Piece(f"{item.index:>{layout.index}}  ", style or "dim"),
        Piece(f"{fitted(who(item), layout.who)}  ", style or "who"),
    )


def _what(change: ShownChange, room: int) -> str:
    if change.sign == "moved" and change.after_segment is not None:
        target = f"→ {change.after_segment} {change.after_index}  "
        return target + what(change.item, room - len(target))
    return what(change.item, room)


def edited_words(words: Sequence[Word], room: int) -> list[Piece]:
    """Both texts woven together, `[-old-]{+new+}`, around the first place that differs."""
    pieces: list[Piece] = []
    for number, word in enumerate(words):
        text = visible(word.text)
        if word.sign == "same":
            is_last = number == len(words) - 1
            if not pieces:
                text = cut_start(text, max(_SAME_COLUMNS, room // 3))
            elif not is_last and columns_of(text) > 2 * _SAME_COLUMNS:
                text = f"{cut(text, _SAME_COLUMNS)} {cut_start(text, _SAME_COLUMNS)}"
            pieces.append(Piece(text))
        else:
            pieces += _marked(word.sign == "removed", text, room)
        room -= sum([columns_of(piece.text) for piece in pieces[-1:]])
    return pieces


def _marked(is_removed: bool, text: str, room: int) -> list[Piece]:  # noqa: FBT001 - one of two signs
    start, end = ("[-", "-]") if is_removed else ("{+", "+}")
    text = cut(text, max(_SAME_COLUMNS, room // 2))
    return [Piece(f"{start}{text}{end}", "removed" if is_removed else "added")]
