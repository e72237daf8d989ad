"""A diff for a terminal, in the views that go down one column: unified, stat, names and patch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from handoffctl.kinds import Kind
from handoffctl.renderers.amounts import from_to, percent
from handoffctl.renderers.diff_patch import patch_lines
from handoffctl.renderers.diff_rows import SIGNS, Layout, folded, row
from handoffctl.renderers.diff_split import NARROWEST_SPLIT, split_rows
from handoffctl.renderers.headings import flow, heading_lines
from handoffctl.renderers.lines import Line, line
from handoffctl.renderers.paper import Paper
from handoffctl.renderers.who import who
from handoffctl.reports.diff import DiffBlock, DiffReport, Dropped, SegmentSize, ShownChange, Tally
from handoffctl.wording.escape import visible

_MOST_DROPPED = 5
REPLACED_NEW = "the next agent gets the input items in place of the new ones; --as next-agent shows what it receives"


def diff_lines(report: DiffReport, paper: Paper) -> Iterator[Line]:
    """The report in the paper's view."""
    if paper.view == "names":
        yield from _names(report)
        return
    if paper.view == "patch":
        yield from patch_lines(report)
        return
    yield from heading_lines(report.heading, paper.width, visible(report.compared))
    if paper.view == "split" and paper.width < NARROWEST_SPLIT:
        yield line(f"--view split needs {NARROWEST_SPLIT} columns; this is unified", "dim")
    for number, block in enumerate(report.blocks, 1):
        yield line()
        if len(report.blocks) > 1:
            yield line(f"step {number} of {len(report.blocks)}: {visible(block.title)}", "bold")
        yield from block_lines(block, paper)
        yield line()
        yield from footer(block, paper.width)
    yield from _dropped(report.dropped, paper.width)
    if report.replaces_new:
        yield from flow((REPLACED_NEW,), paper.width, "dim")


def block_lines(block: DiffBlock, paper: Paper) -> Iterator[Line]:
    """Each segment's line and, but for `stat`, its items."""
    layout = Layout.of([change.item for change in block.changes], paper.width)
    for size in block.segments:
        yield segment_line(size)
        if paper.view == "stat":
            continue
        changes = [each for each in block.changes if each.item.segment == size.segment]
        if paper.view == "split" and paper.width >= NARROWEST_SPLIT:
            yield from split_rows(changes, layout)
        else:
            yield from (row(each, layout) for each in folded(changes))


def segment_line(size: SegmentSize) -> Line:
    """`history … 4 → 3 items`."""
    return line(size.segment, "bold", from_to(size.before, size.after, "item"), "")


def footer(block: DiffBlock, columns: int) -> Iterator[Line]:
    """The summary that one would paste into a pull request, each line in itself."""
    yield from flow(summary(block), columns)
    first, *others = kinds(block) or [""]
    yield from flow((f"by kind: {first}" if first else "", *others), columns)
    yield from flow((*tallies(block.tallies), same_start(block)), columns)


def summary(block: DiffBlock) -> tuple[str, str, str]:
    """Items, messages and tokens before and after."""
    before, after = block.before, block.after
    less = percent(before.tokens, after.tokens)
    tokens = f"~{before.tokens:,} → ~{after.tokens:,} {after.unit}{f' ({less})' if less else ''}"
    return from_to(before.items, after.items, "item"), from_to(before.messages, after.messages, "message"), tokens


def kinds(block: DiffBlock) -> list[str]:
    """Each kind's items before and after, in the order of the taxonomy."""
    before, after = block.before.kinds, block.after.kinds
    names = [str(kind) for kind in Kind if str(kind) in before or str(kind) in after]
    return [f"{name} {before.get(name, 0):,} → {after.get(name, 0):,}" for name in names]


def tallies(each_filter: Sequence[Tally]) -> list[str]:
    """`removed by remove_all_tools 5, truncate-history 2`, for each thing that was done."""
    said = []
    for sign in ("removed", "edited", "added", "moved"):
        counts = [(each.by, getattr(each, sign)) for each in each_filter if getattr(each, sign)]
        named = ", ".join(f"{visible(by)} {count:,}" for by, count in counts if by)
        if named:
            said.append(f"{sign} by {named}")
        said += [f"{sign} {count:,}" for by, count in counts if not by]
    return said or ["nothing changed"]


def same_start(block: DiffBlock) -> str:
    """What both sides begin with: a prompt cache still serves that much."""
    return f"same start: ~{block.same_start:,} {block.before.unit}" if block.tallies else ""


def _dropped(dropped: Sequence[Dropped], columns: int) -> Iterator[Line]:
    if not dropped:
        return
    shown = dropped_texts(dropped[:_MOST_DROPPED])
    more = [f"… {len(dropped) - _MOST_DROPPED:,} more"] if len(dropped) > _MOST_DROPPED else []
    yield from flow(("the runner drops besides: " + shown[0], *shown[1:], *more), columns, "dim", indent="  ")


def dropped_texts(dropped: Sequence[Dropped]) -> list[str]:
    """Each item that the runner drops in a few words, with the reason."""
    return [
        " ".join([str(item.index), who(item), *([visible(item.name)] if item.name else []), f"({reason})"])
        for item, reason in [(each.item, each.reason) for each in dropped]
    ]


def _names(report: DiffReport) -> Iterator[Line]:
    """Sign, index, type, tool and filter of what isn't as it was, with tabs between them."""
    for block in report.blocks:
        for change in block.changes:
            if change.sign != "kept":
                yield replace(line("\t".join(_columns(change))), is_whole=True)


def _columns(change: ShownChange) -> tuple[str, ...]:
    item = change.item
    type_ = item.type or item.role or str(item.kind)
    return (SIGNS[change.sign], str(item.index), *map(visible, (type_, item.name or "", change.by or "")))
