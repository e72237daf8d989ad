"""`handoffctl filter`: conversations in, conversations out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from handoffctl.cli import completion, options
from handoffctl.cli.bundles import bundled


@dataclass(frozen=True)
class Output:
    """Where results go, and as what."""

    output: Annotated[str | None, typer.Option("-o", "--output", metavar="OUT", help="Write to this file.")] = None
    output_dir: Annotated[
        str | None, typer.Option("--output-dir", metavar="DIR", help="Write each file there under its own name.")
    ] = None
    in_place: Annotated[
        bool, typer.Option("--in-place", help="Write each file back, the old one beside it as FILE.bak.")
    ] = False
    backup: Annotated[bool, typer.Option("--backup/--no-backup", help="Keep the old file with --in-place.")] = True
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="FORMAT",
            help="handoff, items, chat, anthropic, session-db or next-agent; else as it came.",
            autocompletion=completion.targets,
        ),
    ] = None
    strict: Annotated[bool, typer.Option("--strict", help="What the target format can't say is an error.")] = False


@dataclass(frozen=True)
class Report:
    """What is said on standard error of what was done."""

    report: Annotated[bool, typer.Option("--report", help="Say on stderr what was removed, by which filter.")] = False
    report_format: Annotated[
        str, typer.Option("--report-format", metavar="human|json", help="The report's format.")
    ] = "human"
    tokens: Annotated[bool, typer.Option("--tokens", help="Count tokens for the report.")] = False
    counter: options.Counter = "approx"
    quiet: options.Quiet = False


@bundled
def command(
    *,
    files: options.Files = None,
    filters: options.Filters,
    input: options.Input,
    output: Output,
    report: Report,
    debug: options.Debug = False,
) -> None:
    """Run filters over saved conversations; write them as they came, or in another format.

    \b
    Examples:
      cat dump.jsonl | handoffctl filter -f remove_all_tools > out.jsonl
      handoffctl filter refund.json -c billing --to next-agent
      handoffctl filter *.json -f truncate-history:n=20,unit=turns --in-place
    """
    from handoffctl.cli.filtering import Filtering

    paths = options.files_or_stdin(files)
    raise typer.Exit(Filtering(filters.built(), input.selection(), output, report).run(paths))
