"""`handoffctl formats`: what can be read, each format's page, and what a file is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from handoffctl.cli import completion, options
from handoffctl.cli.printing import put
from handoffctl.errors import HandoffctlError, UsageError

if TYPE_CHECKING:
    from handoffctl.loading import Dump

Names = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[NAME | FILES…]",
        help="One format, for its page; with --detect, files.",
        autocompletion=completion.formats,
    ),
]
Detect = Annotated[bool, typer.Option("--detect", help="Say what each file is, and by what.")]


def command(names: Names = None, detect: Detect = False, debug: options.Debug = False) -> None:
    """List the formats, explain one, or say what a file is.

    \b
    Examples:
      handoffctl formats items
      handoffctl formats --detect dump.jsonl
    """
    from handoffctl.catalogue import listing, page
    from handoffctl.formats import FORMATS
    from handoffctl.wording.escape import visible_lines

    if detect:
        raise typer.Exit(_detect(options.files_or_stdin(names)))
    if names and len(names) > 1:
        raise UsageError("one page at a time", place=" ".join(names), help="name one format, or --detect files")
    put(visible_lines(page(FORMATS, names[0]) if names else listing(FORMATS)))


def _detect(paths: list[str]) -> int:
    """Say what each file is; the exit code of what could not be told."""
    from handoffctl.cli.messages import Complaints, shown
    from handoffctl.loading import Dump

    complaints = Complaints()
    for path in paths:
        try:
            dump = Dump(path)
        except HandoffctlError as error:
            complaints(error)
            continue
        dump.close()
        for line in _verdict(path, dump):
            put(shown(line))
    return complaints.close()


def _verdict(path: str, dump: Dump) -> Iterator[str]:
    """What a file is, by which evidence, and what else it might be."""
    yield f"{path}: {dump.format.name}: {dump.evidence.why}"
    for other, evidence in dump.ranking[1:2]:
        if dump.evidence.score - evidence.score > 1:
            break
        closeness = "as likely" if evidence.score == dump.evidence.score else "less likely"
        yield f"  or {other.name} ({closeness}): {evidence.why}"
    for note in dump.notes:
        yield f"  {note}"
