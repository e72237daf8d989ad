"""Conversations to read: as they are, after a chain, as an agent sees them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from handoffctl.chain import Chain
from handoffctl.errors import UsageError
from handoffctl.model import Transcript
from handoffctl.reports.received import seen_by
from handoffctl.reports.show import ShowReport, report_conversation
from handoffctl.reports.shown import Eye


def showings(
    transcripts: Sequence[Transcript], chain: Chain | None, agent: str | None, eye: Eye
) -> Iterator[ShowReport]:
    """One report for each conversation of a record; with an agent, for each that it saw.

    Raises UsageError where no such agent is there, PluginError where a foreign filter fails.
    """
    for seen in seen_by(transcripts, agent, chain or Chain(()), eye):
        if seen.kind == "turn" and chain is not None:
            what = "this agent hands over: its own turn comes before the filter"
            raise UsageError(what, place=f"--as {agent}", help="leave out -f and -c")
        seeing = eye.on(seen.transcript.data, seen.data)
        yield report_conversation(seen, seeing, chain="" if chain is None else chain.name)
