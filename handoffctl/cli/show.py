"""`handoffctl show`: a conversation to read, or what one agent sees of it."""

from __future__ import annotations

from typing import Annotated

import typer

from handoffctl.cli import options
from handoffctl.cli.bundles import bundled
from handoffctl.cli.look import Look

As = Annotated[
    str | None,
    typer.Option("--as", metavar="AGENT", help="What an agent's model receives: next-agent, or an agent's name."),
]


@bundled
def command(
    *,
    files: options.Files = None,
    as_: As = None,
    filters: options.Filters,
    input: options.Input,
    look: Look,
    debug: options.Debug = False,
) -> None:
    """Show a conversation, before or after filters; or just what the next agent's model receives.

    \b
    Examples:
      handoffctl show session.json
      handoffctl show refund.json -f remove_all_tools --as next-agent
      handoffctl show runs.json --as "Refund Agent"
    """
    from handoffctl.cli.reporting import Reporting
    from handoffctl.reports.showing import showings

    paths = options.files_or_stdin(files)
    reporting = Reporting(input.selection(), look, is_paged=True)
    eye, chain = reporting.eye, filters.built()
    reports = (
        report
        for opened in reporting.files(paths)
        for transcripts in reporting.records(opened)
        for report in showings(transcripts, chain, as_, eye)
    )
    raise typer.Exit(reporting.put(reports))
