"""The first lines of a report: what it is of, and what one should know of how it was read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from handoffctl.renderers.cells import columns_of, wrapped
from handoffctl.renderers.lines import Line, Piece, Style, line
from handoffctl.reports.heading import Heading, ShownHandoff
from handoffctl.wording.escape import visible

SEPARATOR = " · "


def heading_lines(heading: Heading, columns: int, *more: str) -> Iterator[Line]:
    """File, format, handoff and split; then its notes."""
    handoff = f"{agents(heading.handoff)} ({visible(heading.handoff.evidence)})" if heading.handoff else ""
    yield from flow((place(heading), heading.format, handoff, *more), columns, "bold")
    yield from flow((f"split: {visible(heading.split)}",), columns, "dim")
    yield from note_lines((*heading.notes, *served(heading)), columns)


def place(heading: Heading) -> str:
    """`file`, with the record and the name where they are needed to find the conversation."""
    name = f"#{visible(heading.name)}" if heading.name else ""
    record = f":{heading.line}" if heading.line > 1 else ""
    return f"{visible(heading.file)}{record}{name}"


def agents(handoff: ShownHandoff) -> str:
    """`Triage Agent → Refund Agent`; `?` for one that the dump does not name."""
    sign = "→" if handoff.certain else "→?"
    return f"{visible(handoff.from_agent or '?')} {sign} {visible(handoff.to_agent or '?')}"


def served(heading: Heading) -> Iterator[str]:
    """What a filter can't reach: items that a server holds."""
    for key in heading.served:
        yield f"{key} is set: a server holds earlier items, which no filter reaches"


def note_lines(notes: Iterable[str], columns: int) -> Iterator[Line]:
    """Each note, wrapped under itself."""
    for note in notes:
        for number, text in enumerate(wrapped(visible(note), columns - 6)):
            yield line(f"{'note: ' if number == 0 else '      '}{text}", "dim")


def flow(pieces: Sequence[str], columns: int, style: Style = "", indent: str = "") -> Iterator[Line]:
    """The pieces with ` · ` between them, in as many lines as they need; empty pieces are left out.

    A piece longer than a line is wrapped. The first piece alone has the style, unless it is `dim`, which all have.
    """
    rest: Style = style if style == "dim" else ""
    row: list[Piece] = []
    room = columns
    for number, piece in enumerate([each for each in pieces if each]):
        its_style = rest if number else style
        if row and columns_of(piece) + len(SEPARATOR) <= room:
            row += [Piece(SEPARATOR, rest), Piece(piece, its_style)]
            room -= columns_of(piece) + len(SEPARATOR)
            continue
        if row:
            yield Line(row)
        texts = [f"{indent}{each}" for each in wrapped(piece, columns - len(indent))]
        texts[0] = texts[0] if number else texts[0].removeprefix(indent)
        yield from (line(each, its_style) for each in texts[:-1])
        row, room = [Piece(texts[-1], its_style)], columns - columns_of(texts[-1])
    if row:
        yield Line(row)
