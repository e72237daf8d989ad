"""Options that several commands share, each with its help once; and what they mean together."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from handoffctl.chain import Chain
from handoffctl.config import Config
from handoffctl.conversations import Selection
from handoffctl.errors import UsageError

Files = Annotated[
    list[str] | None,
    typer.Argument(metavar="FILES…", help="Saved conversations; - is stdin, and the default in a pipe."),
]
From = Annotated[str | None, typer.Option("--from", metavar="FORMAT", help="What the files are; else it is detected.")]
Filters = Annotated[
    list[str] | None,
    typer.Option(
        "-f", "--filter", metavar="SPEC", help="A filter: NAME, NAME:option=value,…, module:function or @chain."
    ),
]
ChainName = Annotated[
    str | None, typer.Option("-c", "--chain", metavar="CHAIN", help="A named chain of the configuration.")
]
Handoff = Annotated[
    str | None,
    typer.Option("--handoff", metavar="N|last|all", help="Go back to a handoff in the dump and split there."),
]
Pending = Annotated[
    str | None, typer.Option("--pending-handoff", metavar="NAME", help="As if it were handed over to that agent now.")
]
HandoffTools = Annotated[
    list[str] | None,
    typer.Option("--handoff-tool", metavar="GLOB", help="Tools that hand over, under names of their own."),
]
RecordNumber = Annotated[
    int | None, typer.Option("--record", metavar="N", min=1, help="Only the Nth conversation record.")
]
FailFast = Annotated[bool, typer.Option("--fail-fast", help="Stop at the first bad record.")]
ConfigFile = Annotated[
    str | None, typer.Option("--config", metavar="FILE", help="The configuration, instead of the nearest.")
]
Isolated = Annotated[bool, typer.Option("--isolated", help="No configuration file.")]
Debug = Annotated[bool, typer.Option("--debug", help="Tracebacks instead of one line.")]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="Only errors on stderr.")]
Counter = Annotated[
    str, typer.Option("--counter", metavar="NAME", help="How tokens are counted: approx, chars or words.")
]
Reveal = Annotated[bool, typer.Option("--reveal", help="Don't mask secrets in what is printed.")]
Width = Annotated[
    int | None, typer.Option("--width", metavar="COLUMNS", min=40, help="Columns to fill; else the terminal's.")
]
Color = Annotated[str, typer.Option("--color", metavar="auto|always|never", help="When to colour.")]


def files_or_stdin(files: list[str] | None) -> list[str]:
    """The files named; stdin where none is and something is piped in. Raises UsageError where there is neither."""
    if files:
        return files
    if sys.stdin.isatty():
        raise UsageError("no file named, and nothing is piped in", help="name a file, or - for stdin")
    return ["-"]


def selection_of(
    format: str | None,
    handoff: str | None = None,
    pending: str | None = None,
    handoff_tools: list[str] | None = None,
    record: int | None = None,
    fail_fast: bool = False,
) -> Selection:
    """Which conversations, and which moment of them."""
    return Selection(format, handoff, pending, tuple(handoff_tools or ()), record, fail_fast)


def chain_of(name: str | None, specs: list[str] | None, config: str | None, isolated: bool) -> Chain | None:
    """The chain that -c or -f mean; the named one first where both are given, None where neither is.

    Raises UsageError or PluginError.
    """
    if name is None and not specs:
        return None
    from handoffctl.chain import build_chain, load_chain
    from handoffctl.config import load_config

    loaded: Config = load_config(config, isolated=isolated)
    parts = [load_chain(name, loaded)] if name is not None else []
    parts += [build_chain(specs, loaded)] if specs else []
    steps = tuple(step for part in parts for step in part.steps)
    return Chain(steps, " ".join(part.name for part in parts), parts[0].description)
