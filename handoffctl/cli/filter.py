"""`handoffctl filter`: conversations in, conversations out."""

from __future__ import annotations

from typing import Annotated

import typer

from handoffctl.cli import options
from handoffctl.errors import UsageError

Out = Annotated[str | None, typer.Option("-o", "--output", metavar="OUT", help="Write to this file.")]
OutDir = Annotated[
    str | None, typer.Option("--output-dir", metavar="DIR", help="Write each file there under its own name.")
]
InPlace = Annotated[bool, typer.Option("--in-place", help="Write each file back, the old one beside it as FILE.bak.")]
Backup = Annotated[bool, typer.Option("--backup/--no-backup", help="Keep the old file with --in-place.")]
To = Annotated[
    str | None, typer.Option("--to", metavar="FORMAT", help="handoff, items, chat or next-agent; else as it came.")
]
Report = Annotated[bool, typer.Option("--report", help="Say on stderr what was removed, by which filter.")]
ReportFormat = Annotated[str, typer.Option("--report-format", metavar="human|json", help="The report's format.")]
Tokens = Annotated[bool, typer.Option("--tokens", help="Count tokens for the report.")]
Strict = Annotated[bool, typer.Option("--strict", help="What the target format can't say is an error.")]


def command(
    files: options.Files = None,
    filters: options.Filters = None,
    chain: options.ChainName = None,
    output: Out = None,
    output_dir: OutDir = None,
    in_place: InPlace = False,
    backup: Backup = True,
    to: To = None,
    from_: options.From = None,
    handoff: options.Handoff = None,
    pending: options.Pending = None,
    handoff_tools: options.HandoffTools = None,
    record: options.RecordNumber = None,
    fail_fast: options.FailFast = False,
    report: Report = False,
    report_format: ReportFormat = "human",
    tokens: Tokens = False,
    counter: options.Counter = "approx",
    strict: Strict = False,
    config: options.ConfigFile = None,
    isolated: options.Isolated = False,
    quiet: options.Quiet = False,
    debug: options.Debug = False,
) -> None:
    """Run filters over saved conversations; write them as they came, or in another format.

    \b
    Examples:
      cat dump.jsonl | handoffctl filter -f remove_all_tools > out.jsonl
      handoffctl filter refund.json -c billing --to next-agent
      handoffctl filter *.json -f truncate-history:n=20,unit=turns --in-place
    """
    from handoffctl.chain import Chain
    from handoffctl.cli.filtering import Filtering, destination_of

    paths = options.files_or_stdin(files)
    selection = options.selection_of(from_, handoff, pending, handoff_tools, record, fail_fast)
    if selection.splits and (in_place or to not in (None, "handoff", "next-agent")):
        what = "--handoff and --pending-handoff write part of a conversation"
        raise UsageError(what, help="--to handoff or --to next-agent, and not --in-place")
    filtering = Filtering(
        options.chain_of(chain, filters, config, isolated) or Chain(()),
        selection,
        to,
        destination_of(paths, output, output_dir, in_place=in_place, backup=backup),
        report=(report_format if report else None),
        counter=(counter if tokens else None),
        strict=strict,
        quiet=quiet,
    )
    raise typer.Exit(filtering.run(paths))
