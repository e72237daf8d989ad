"""`handoffctl formats`: what can be read, each format's page, and what a file is."""

from __future__ import annotations

from typing import Annotated

import typer

from handoffctl.cli import completion, options
from handoffctl.cli.printing import put

Name = Annotated[
    str | None,
    typer.Argument(metavar="[NAME]", help="One format, for its page.", autocompletion=completion.formats),
]
Detect = Annotated[list[str] | None, typer.Option("--detect", metavar="FILE", help="Say what a file is, and by what.")]


def command(name: Name = None, detect: Detect = None, debug: options.Debug = False) -> None:
    """List the formats, explain one, or say what a file is.

    \b
    Examples:
      handoffctl formats items
      handoffctl formats --detect dump.jsonl
    """
    from handoffctl.catalogue import listing, page
    from handoffctl.formats import FORMATS
    from handoffctl.wording.escape import visible, visible_lines

    if detect:
        from handoffctl.loading import Dump

        for path in detect:
            dump = Dump(path)
            put(visible(f"{path}: {dump.format.name}: {dump.evidence.why}"))
            for note in dump.notes:
                put(f"  {visible(note)}")
        return
    put(visible_lines(listing(FORMATS) if name is None else page(FORMATS, name)))
