"""A conversation to read: as it stands, or as one agent's model receives it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from handoffctl.reports.amounts import Amount, amount_of
from handoffctl.reports.heading import Heading, heading_of
from handoffctl.reports.received import Seen
from handoffctl.reports.shown import Eye, ShownItem


@dataclass(frozen=True, slots=True)
class ShowReport:
    """A conversation, item by item: `seen` says whether it is all, what an agent's model receives, or an agent's run.
    `turn` is what the agent that hands over had before it in the turn that it did it in.

    `agent` is that agent, None where nobody knows its name. `chain` names the filters that it went through; empty for
    none.
    """

    report: Literal["show"] = field(default="show", kw_only=True)
    heading: Heading
    seen: Literal["all", "received", "run", "turn"]
    agent: str | None
    chain: str
    amount: Amount
    items: tuple[ShownItem, ...]


def report_conversation(seen: Seen, eye: Eye, *, chain: str = "") -> ShowReport:
    """What is seen of a conversation, perhaps after a chain."""
    heading = heading_of(seen.transcript, eye)
    items = eye.items(seen.data)
    return ShowReport(heading, seen.kind, eye.name(seen.agent), eye.mask(chain), amount_of(seen.data, eye), items)
