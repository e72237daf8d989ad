"""`handoffctl inspect`: what is in a file, and what several agents' runs have to do with each other."""

from __future__ import annotations

import typer

from handoffctl.cli import options
from handoffctl.cli.bundles import bundled
from handoffctl.cli.look import Look


@bundled
def command(*, files: options.Files = None, input: options.Input, look: Look, debug: options.Debug = False) -> None:
    """Count conversations and take them apart: kinds, growth, the biggest items, agents, handoffs.

    \b
    Examples:
      handoffctl inspect session.json
      handoffctl inspect log.jsonl --record 3
      handoffctl inspect runs.json --format markdown
    """
    from handoffctl.cli.reporting import Reporting
    from handoffctl.reports.inspection import report_file

    paths = options.files_or_stdin(files)
    reporting = Reporting(input.selection(), look)
    eye = reporting.eye
    reports = (
        report_file(
            opened.dump.input.path,
            opened.dump.format.name,
            opened.dump.evidence.why,
            opened.dump.notes,
            reporting.records(opened),
            eye,
        )
        for opened in reporting.files(paths)
    )
    raise typer.Exit(reporting.put(reports))
