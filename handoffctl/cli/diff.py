"""`handoffctl diff`: what a chain of filters makes of a conversation, item by item."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from handoffctl.cli import completion, options
from handoffctl.cli.bundles import bundled
from handoffctl.cli.look import Look


@dataclass(frozen=True)
class Comparing:
    """What is compared, and how it is drawn."""

    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="CHAIN",
            help="A second chain, to compare both results.",
            autocompletion=completion.chains,
        ),
    ] = None
    as_: Annotated[
        str | None, typer.Option("--as", metavar="next-agent", help="Compare what the next agent's model receives.")
    ] = None
    steps: Annotated[bool, typer.Option("--steps", help="A comparison for each filter.")] = False
    view: Annotated[
        str,
        typer.Option(
            "--view",
            metavar="VIEW",
            help="How it is drawn: unified, split, stat, names or patch.",
            autocompletion=completion.views,
        ),
    ] = "unified"
    exit_code: Annotated[bool, typer.Option("--exit-code", help="Leave with 1 where anything differs.")] = False


@bundled
def command(
    *,
    files: options.Files = None,
    filters: options.Filters,
    comparing: Comparing,
    input: options.Input,
    look: Look,
    debug: options.Debug = False,
) -> None:
    """Show what filters make of a conversation; or two files, two chains, or what a recorded handoff's filter did.

    \b
    Examples:
      handoffctl diff refund.json -f remove_all_tools
      handoffctl diff refund.json -c billing --against strict --view stat
      handoffctl diff before.json after.json --exit-code
    """
    from handoffctl.cli.diffing import Diffing

    paths = options.files_or_stdin(files)
    raise typer.Exit(Diffing(filters, comparing, input.selection(), look).run(paths))
