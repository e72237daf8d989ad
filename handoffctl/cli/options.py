"""Options that several commands share, each with its help once, bundled by what they mean together."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from handoffctl.cli import completion
from handoffctl.errors import UsageError

if TYPE_CHECKING:
    from handoffctl.chain import Chain
    from handoffctl.conversations import Selection

Files = Annotated[
    list[str] | None,
    typer.Argument(metavar="FILES…", help="Saved conversations; - is stdin, and the default in a pipe."),
]
Debug = Annotated[bool, typer.Option("--debug", help="Tracebacks instead of one line.")]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="Only errors on stderr.")]
Counter = Annotated[
    str,
    typer.Option(
        "--counter",
        metavar="NAME",
        help="How tokens are counted: approx, chars or words.",
        autocompletion=completion.counters,
    ),
]
ConfigFile = Annotated[
    str | None, typer.Option("--config", metavar="FILE", help="The configuration, instead of the nearest.")
]
Isolated = Annotated[bool, typer.Option("--isolated", help="No configuration file.")]


@dataclass(frozen=True)
class Input:
    """What is read: how, and which moment of which conversations."""

    format: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="FORMAT",
            help="What the files are; else it is detected.",
            autocompletion=completion.formats,
        ),
    ] = None
    handoff: Annotated[
        str | None,
        typer.Option("--handoff", metavar="N|last|all", help="Go back to a handoff in the dump and split there."),
    ] = None
    pending_handoff: Annotated[
        str | None,
        typer.Option("--pending-handoff", metavar="NAME", help="As if it were handed over to that agent now."),
    ] = None
    handoff_tool: Annotated[
        list[str] | None,
        typer.Option("--handoff-tool", metavar="GLOB", help="Tools that hand over, under names of their own."),
    ] = None
    session: Annotated[
        str | None, typer.Option("--session", metavar="ID", help="Only that conversation of a file that holds several.")
    ] = None
    branch: Annotated[
        str | None, typer.Option("--branch", metavar="NAME", help="That branch of sessions that have some; else main.")
    ] = None
    record: Annotated[
        int | None, typer.Option("--record", metavar="N", min=1, help="Only the Nth record of the file.")
    ] = None
    fail_fast: Annotated[bool, typer.Option("--fail-fast", help="Stop at the first bad record.")] = False

    def selection(self) -> Selection:
        """Which conversations, and which moment of them. Raises UsageError where options exclude each other."""
        from handoffctl.conversations import Selection
        from handoffctl.raw.reading import Reading

        tools = tuple(self.handoff_tool or ())
        reading = Reading(self.session, self.branch)
        return Selection(self.format, self.handoff, self.pending_handoff, tools, self.record, self.fail_fast, reading)


@dataclass(frozen=True)
class Filters:
    """Which filters run, and where named chains come from."""

    filter: Annotated[
        list[str] | None,
        typer.Option(
            "-f",
            "--filter",
            metavar="SPEC",
            help="A filter: NAME, NAME:option=value,…, module:function or @chain.",
            autocompletion=completion.filter_specs,
        ),
    ] = None
    chain: Annotated[
        str | None,
        typer.Option(
            "-c",
            "--chain",
            metavar="CHAIN",
            help="A named chain of the configuration.",
            autocompletion=completion.chains,
        ),
    ] = None
    config: ConfigFile = None
    isolated: Isolated = False

    def built(self) -> Chain | None:
        """The chain that -c and -f mean, the named one first; None where neither is given.

        Raises UsageError or PluginError.
        """
        if self.chain is None and not self.filter:
            return None
        from handoffctl.chain import Chain, build_chain, load_chain
        from handoffctl.config import load_config

        if self.isolated:
            self._refuse_chains()
        loaded = load_config(self.config, isolated=self.isolated)
        parts = [load_chain(self.chain, loaded)] if self.chain is not None else []
        parts += [build_chain(self.filter, loaded)] if self.filter else []
        steps = tuple(step for part in parts for step in part.steps)
        return Chain(steps, " ".join(part.name for part in parts), parts[0].description)

    def _refuse_chains(self) -> None:
        specs = [f"-f {each}" for each in self.filter or () if each.startswith("@")]
        for place in ([f"-c {self.chain}"] if self.chain is not None else []) + specs:
            raise left_out(place)


@dataclass(frozen=True)
class Display:
    """How what is printed looks."""

    reveal: Annotated[bool, typer.Option("--reveal", help="Don't mask secrets in what is printed.")] = False
    width: Annotated[
        int | None, typer.Option("--width", metavar="COLUMNS", min=40, help="Columns to fill; else the terminal's.")
    ] = None
    color: Annotated[str, typer.Option("--color", metavar="auto|always|never", help="When to colour.")] = "auto"


def left_out(place: str) -> UsageError:
    """What is wrong with a named chain where no configuration is read."""
    return UsageError("no such chain", place=place, help="--isolated leaves the configuration out; chains are in it")


def files_or_stdin(files: list[str] | None) -> list[str]:
    """The files named; stdin where none is and something is piped in. Raises UsageError where there is neither."""
    if files:
        return files
    if sys.stdin.isatty():
        raise UsageError("no file named, and nothing is piped in", help="name a file, or - for stdin")
    return ["-"]
