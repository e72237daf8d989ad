"""A diff with all words, in the form that tools for patches colour and fold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from handoffctl.renderers.diff_rows import SIGNS
from handoffctl.renderers.headings import place
from handoffctl.renderers.lines import Line, Style, line
from handoffctl.renderers.who import who
from handoffctl.reports.diff import DiffReport, ShownChange
from handoffctl.reports.shown import ShownItem
from handoffctl.wording.escape import visible, visible_lines

_STYLES: dict[str, Style] = {"-": "removed", "+": "added", " ": ""}


def patch_lines(report: DiffReport) -> Iterator[Line]:
    """Every changed item with all its words, and the kept ones beside them; no line is cut."""
    name = place(report.heading)
    for block in report.blocks:
        if not block.is_changed:
            continue
        yield _whole(f"--- {name}", "bold")
        yield _whole(f"+++ {name}: {visible(block.title)}", "bold")
        for size in block.segments:
            changes = [each for each in block.changes if each.item.segment == size.segment]
            shown = list(_near_changes(changes))
            if shown:
                yield _whole(f"@@ {size.segment}, {size.before:,} → {size.after:,} items @@", "moved")
                for change in shown:
                    yield from _change_lines(change)


def _near_changes(changes: list[ShownChange]) -> Iterator[ShownChange]:
    for place_, change in enumerate(changes):
        if any(each.sign != "kept" for each in changes[max(0, place_ - 1) : place_ + 2]):
            yield change


def _change_lines(change: ShownChange) -> Iterator[Line]:
    if change.sign == "edited" and change.after is not None:
        yield from _item_lines("-", change.item, "".join([word.text for word in change.words if word.sign != "added"]))
        yield from _item_lines(
            "+", change.after, "".join([word.text for word in change.words if word.sign != "removed"])
        )
    elif change.sign == "moved":
        yield from _item_lines("-", change.item, change.item.text)
        yield _whole(f"+{change.after_index} {who(change.item)}: moved to {change.after_segment}", "added")
    else:
        yield from _item_lines(SIGNS[change.sign], change.item, change.item.text)


def _item_lines(sign: str, item: ShownItem, text: str) -> Iterator[Line]:
    style = _STYLES[sign]
    yield _whole(f"{sign}{item.index} {who(item)} {visible(item.name or '')}".rstrip(), style)
    for each in visible_lines(text).split("\n"):
        yield _whole(f"{sign}    {each}".rstrip(), style)


def _whole(text: str, style: Style) -> Line:
    return replace(line(text, style), is_whole=True)
