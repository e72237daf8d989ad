"""What one agent's model receives: the data as one list, and who changed what of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from handoffctl.errors import UsageError
from handoffctl.handoffs import find_handoffs
from handoffctl.item import Item
from handoffctl.model import Change, Filter, HandoffInputData, Transcript, history_items
from handoffctl.registry import suggestion
from handoffctl.reports.heading import agent_in_charge, handoff_at
from handoffctl.reports.shown import Eye
from handoffctl.split import split_at
from handoffctl.view import as_next_agent

NEXT_AGENT = "next-agent"


def as_one_list(data: HandoffInputData) -> HandoffInputData:
    """The items that the next agent is meant to get, all as history; input items in place of new ones where set."""
    last = data.new_items if data.input_items is None else data.input_items
    run_items = (*data.pre_handoff_items, *last)
    return HandoffInputData((*history_items(data), *(each.raw_item for each in run_items)))


def attributed(received: Iterable[Change], by_chain: Iterable[Change]) -> tuple[Change, ...]:
    """The changes of what is received, each by the filter of the chain that made it; else by the runner, as it came."""
    names: dict[int | bytes, str] = {}
    for change in by_chain:
        for item in (change.before, change.after):
            if item is not None and change.by:
                names[id(item)] = change.by
                names.setdefault(item.raw, change.by)
    return tuple([_by(each, names) for each in received])


def _by(change: Change, names: Mapping[int | bytes, str]) -> Change:
    if not change.by:
        return change
    items = [*_origins(change.before), *_origins(change.after)]
    # By object; by its text for what has none that lasts: a string history is made an item at every look.
    keys: list[int | bytes] = [*[id(item) for item in items], *[item.raw for item in items]]
    found = next((names[key] for key in keys if key in names), None)
    return replace(change, by=found) if found else change


def _origins(item: Item | None) -> Iterator[Item]:
    """The item, and those that it was edited from."""
    while item is not None:
        yield item
        item = item.source


@dataclass(frozen=True, slots=True)
class Seen:
    """What is seen of a conversation: all of it, what an agent's model receives, an agent's own run, or a turn's start.

    A turn is of the agent that hands over in it: what its model received before it did.
    """

    transcript: Transcript
    data: HandoffInputData
    kind: Literal["all", "received", "run", "turn"] = "all"
    agent: str | None = None


def seen_by(transcripts: Sequence[Transcript], agent: str | None, filter_: Filter, eye: Eye) -> list[Seen]:
    """Each conversation after a filter; with an agent, those that it saw, as its model receives them.

    `next-agent` is whoever answers next. A run of the agent's own is what it saw; else it is what the last handoff to
    it gave. Raises UsageError where no such agent is there.
    """
    if agent is None:
        return [Seen(each, filter_(each.data)) for each in transcripts]
    if agent.replace("_", "-") == NEXT_AGENT:
        return [*_by_next_agent(transcripts, agent, filter_, eye)]
    runs = [each for each in transcripts if each.agent == agent and each.format == "runs"]
    own = [Seen(each, filter_(each.data), "run", agent) for each in runs]
    return own or _handed_over(transcripts, agent, filter_, eye)


def _by_next_agent(transcripts: Sequence[Transcript], agent: str, filter_: Filter, eye: Eye) -> Iterator[Seen]:
    """What whoever answers next receives; of runs, of those that are looked at in the moment of a handoff."""
    handing = [each for each in transcripts if each.format != "runs" or each.data.new_items]
    if not handing and transcripts:
        names = ", ".join(dict.fromkeys([each.agent for each in transcripts if each.agent]))
        what = "`runs` has no next agent: it holds each agent's own run"
        help_ = f"--as NAME shows one's run; there are: {names}"
        raise UsageError(what, place=f"--as {agent}", help=help_ if names else "leave out --as")
    for each in handing:
        yield Seen(each, as_next_agent(filter_(each.data)), "received", agent_in_charge(each.data, eye))


def _givers(transcripts: Sequence[Transcript], eye: Eye) -> list[str]:
    """The agents that hand over, as far as their names are known."""
    handoffs = [each for one in transcripts for each in find_handoffs(one.data, tool_globs=eye.handoff_tools)]
    return list(dict.fromkeys([each.from_agent for each in handoffs if each.kind == "handoff" and each.from_agent]))


def _own_turns(transcripts: Sequence[Transcript], agent: str, eye: Eye) -> list[Seen]:
    """What the agent's model received in the turn that it hands over in: all but that turn's items.

    Only where the new items are that turn; before the handoff no filter of it had run.
    """
    found = []
    for each in transcripts:
        handoff = handoff_at(each.data, eye)
        if handoff is not None and handoff.from_agent == eye.name(agent):
            found.append(Seen(each, as_next_agent(each.data.clone(new_items=(), input_items=None)), "turn", agent))
    return found


def _handed_over(transcripts: Sequence[Transcript], agent: str, filter_: Filter, eye: Eye) -> list[Seen]:
    known = {each.agent for each in transcripts if each.agent}
    found: list[Seen] = []
    for transcript in transcripts:
        found_here = find_handoffs(transcript.data, tool_globs=eye.handoff_tools)
        handoffs = [each for each in found_here if each.kind == "handoff"]
        known |= {each.to_agent for each in handoffs if each.to_agent}
        numbers = [number for number, each in enumerate(handoffs, 1) if each.to_agent == agent]
        if numbers:
            data = filter_(split_at(transcript.data, handoffs, numbers[-1]))
            found.append(Seen(transcript, as_next_agent(data), "received", agent))
    if not found:
        names = sorted(known)
        givers = _givers(transcripts, eye)
        turns = [each for each in givers if each not in known and _own_turns(transcripts, each, eye)]
        listed = f"there are: {', '.join((NEXT_AGENT, *names, *turns))}"
        if agent not in givers:
            raise UsageError(
                "no such agent here",
                place=f"--as {agent}",
                help=f"{suggestion(agent, [*names, *givers])} {listed}".strip(),
            )
        found = _own_turns(transcripts, agent, eye)
        if not found:
            what = "this agent hands over here, but the dump does not say what its model received before"
            raise UsageError(what, place=f"--as {agent}", help=listed)
    return found
