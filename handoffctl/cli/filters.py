"""`handoffctl filters`: what filters there are, and each one's page."""

from __future__ import annotations

from typing import Annotated

import typer

from handoffctl.cli import completion, options
from handoffctl.cli.printing import put

Name = Annotated[
    str | None,
    typer.Argument(metavar="[NAME]", help="One filter, for its page.", autocompletion=completion.filter_names),
]


def command(name: Name = None, debug: options.Debug = False) -> None:
    """List the filters, or explain one.

    \b
    Example:
      handoffctl filters truncate-history
    """
    from handoffctl.catalogue import listing, page
    from handoffctl.filters import FILTERS
    from handoffctl.wording.escape import visible_lines

    put(visible_lines(listing(FILTERS) if name is None else page(FILTERS, name)))
