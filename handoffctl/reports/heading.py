"""What a report is of: the file, the conversation in it, and the moment at which it is looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from handoffctl.handoffs import find_handoffs, last_agent
from handoffctl.model import Handoff, HandoffInputData, Transcript
from handoffctl.reports.shown import Eye


@dataclass(frozen=True, slots=True)
class ShownHandoff:
    """One handoff, with its evidence; `certain` is False for a guess. Positions count from 0 over all segments."""

    kind: Literal["handoff", "agent_as_tool"]
    from_agent: str | None
    to_agent: str | None
    tool: str
    evidence: str
    certain: bool
    call: int | None
    output: int | None


@dataclass(frozen=True, slots=True)
class Heading:
    """Where a conversation came from. `record` and `line` count from 1; `name` is a session's or an agent's.

    `handoff` is the one that the data is at, None where it is at none. `split` says which split was used, by which
    evidence. `served` names what a server holds besides, such as `previous_response_id`.
    """

    file: str
    format: str
    record: int
    line: int
    name: str | None
    handoff: ShownHandoff | None
    split: str
    served: tuple[str, ...]
    notes: tuple[str, ...]


_SERVED = ("previous_response_id", "conversation_id")


def heading_of(transcript: Transcript, eye: Eye) -> Heading:
    """The heading of a conversation."""
    source = transcript.source
    return Heading(
        eye.mask(source.path),
        transcript.format,
        source.record,
        source.line,
        eye.name(source.name),
        handoff_at(transcript.data, eye),
        eye.mask(transcript.split),
        tuple([key for key in _SERVED if transcript.about.get(key)]),
        tuple([eye.mask(note) for note in transcript.notes]),
    )


def handoff_at(data: HandoffInputData, eye: Eye) -> ShownHandoff | None:
    """The handoff that the new items are of; of several the last one that was done. None where there is none."""
    new = data.new_items
    handoffs = find_handoffs(data, tool_globs=eye.handoff_tools)
    count = len(tuple(data.pre_handoff_items)) + (1 if isinstance(data.input_history, str) else len(data.input_history))
    here = [each for each in handoffs if any(count <= at < count + len(new) for at in places_of(each))]
    done = [each for each in here if each.output is not None]
    return shown_handoff((done or here)[-1], eye) if here else None


def places_of(handoff: Handoff) -> list[int]:
    """Where its call and its output stand, as far as they are there."""
    return [at for at in (handoff.call, handoff.output) if at is not None]


def shown_handoff(handoff: Handoff, eye: Eye) -> ShownHandoff:
    """A handoff with its names masked."""
    return ShownHandoff(
        handoff.kind,
        eye.name(handoff.from_agent),
        eye.name(handoff.to_agent),
        eye.mask(handoff.tool_name),
        eye.mask(handoff.evidence),
        handoff.certain,
        handoff.call,
        handoff.output,
    )


def agent_in_charge(data: HandoffInputData, eye: Eye) -> str | None:
    """The agent that answers next, None where nothing says."""
    return eye.name(last_agent(data, find_handoffs(data, tool_globs=eye.handoff_tools)))
