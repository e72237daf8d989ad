"""`handoffctl schema`: JSON Schemas of the handoff dump and of the reports."""

from __future__ import annotations

from typing import Annotated

import typer

from handoffctl.cli import completion, options
from handoffctl.cli.printing import put

Name = Annotated[
    str,
    typer.Argument(
        metavar="[NAME]", help="handoff, report, diff, inspect, show or filter.", autocompletion=completion.schemas
    ),
]


def command(name: Name = "report", debug: options.Debug = False) -> None:
    """Print a JSON Schema: of the handoff dump, of all reports, or of one report.

    \b
    Example:
      handoffctl schema diff > diff.schema.json
    """
    import json

    from handoffctl.reports.schema import schema

    put(json.dumps(schema(name), indent=2))
