"""`handoffctl convert`: conversations in another format, nothing filtered."""

from __future__ import annotations

from typing import Annotated

import typer

from handoffctl.cli import completion, options
from handoffctl.cli.bundles import bundled

To = Annotated[
    str,
    typer.Option("--to", metavar="FORMAT", help="The format to write.", autocompletion=completion.targets),
]
Out = Annotated[str | None, typer.Option("-o", "--output", metavar="OUT", help="Write to this file.")]
OutDir = Annotated[
    str | None, typer.Option("--output-dir", metavar="DIR", help="Write each file there under its own name.")
]
Strict = Annotated[bool, typer.Option("--strict", help="What the target format can't say is an error.")]


@bundled
def command(
    *,
    files: options.Files = None,
    to: To,
    output: Out = None,
    output_dir: OutDir = None,
    strict: Strict = False,
    input: options.Input,
    quiet: options.Quiet = False,
    debug: options.Debug = False,
) -> None:
    """Write conversations in another format; what that one can't say is named on standard error, item by item.

    \b
    Examples:
      handoffctl convert session.json --to chat
      handoffctl convert logs/*.jsonl --to handoff --output-dir dumps
    """
    from handoffctl.cli.filter import Output, Report
    from handoffctl.cli.filtering import Filtering

    paths = options.files_or_stdin(files)
    destination = Output(output, output_dir, to=to, strict=strict)
    raise typer.Exit(Filtering(None, input.selection(), destination, Report(quiet=quiet), converts=True).run(paths))
