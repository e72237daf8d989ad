"""Several agents' runs of one case: who handed over to whom, who saw what, whose system prompt, who wrote the reply."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from handoffctl.grouping.messages import count_messages
from handoffctl.handoffs import find_handoffs
from handoffctl.item import Item
from handoffctl.kinds import INSTRUCTION_ROLES, Kind, is_model_made, kind_of
from handoffctl.model import Handoff, Transcript, segment_items
from handoffctl.reports.shown import Eye
from handoffctl.transfers import transfer_tool_name
from handoffctl.wording.texts import text_of

Relation = Literal["handoff", "agent_as_tool"]


@dataclass(frozen=True, slots=True)
class RunReport:
    """One agent's run. `relation` is how it came to run, `parent` from whom; None for the first of a case.

    `system_prompt` names whose prompts lead the conversation: `own`, or another agent's; empty for none. `depth`
    counts the runs above it.
    """

    agent: str
    parent: str | None
    relation: Relation | None
    depth: int
    messages: int
    items: int
    tokens: int
    system_prompts: tuple[str, ...]
    saw: str
    wrote_reply: bool
    stop_reason: str | None
    is_last: bool


@dataclass(frozen=True, slots=True)
class HandoffCost:
    """What a handoff adds to the messages that its receiver sees.

    `alone` is without it, `here` as it is, `with_prompt` with the giver's system prompt kept (None where that agent
    has none); `is_kept` says that `here` holds that prompt.
    """

    from_agent: str
    to_agent: str
    adds: int
    alone: int
    here: int
    without_prompt: int
    with_prompt: int | None
    is_kept: bool


@dataclass(frozen=True, slots=True)
class CaseReport:
    """One case. `runs` stand below the run that they came from, in the order of the file."""

    record: int
    runs: tuple[RunReport, ...]
    handoffs: int
    agents_as_tools: int
    costs: tuple[HandoffCost, ...]


def case_of(transcripts: Sequence[Transcript], eye: Eye) -> CaseReport:
    """What the runs of one record have to do with each other."""
    case = _Case([_Run(each, eye) for each in transcripts])
    costs = [_cost(run, case.runs[run.giver], eye) for run in case.runs if run.relation == "handoff" and run.transfer]
    return CaseReport(
        transcripts[0].source.record,
        tuple([case.report(run, depth, eye) for run, depth in case.in_order()]),
        sum(run.relation == "handoff" for run in case.runs),
        sum(run.relation == "agent_as_tool" for run in case.runs),
        tuple(costs),
    )


class _Run:
    """One run while it is looked at; `giver` is the place of the run that it came from, -1 for none."""

    def __init__(self, transcript: Transcript, eye: Eye) -> None:
        self.transcript = transcript
        self.agent = transcript.agent or transcript.source.name or "?"
        self.items = [item for _, item in segment_items(transcript.data)]
        self.handoffs = find_handoffs(transcript.data, tool_globs=eye.handoff_tools)
        self.stop_reason = transcript.about.get("stop_reason")
        self.giver = -1
        self.relation: Relation | None = None

    @property
    def hands_over(self) -> bool:
        """Whether it stopped with a handoff, and so wrote no reply."""
        return self.stop_reason == "handoff" and not self.transcript.about.get("output")

    @property
    def transfer(self) -> Handoff | None:
        """The done handoff to this run's own agent, as it saw it."""
        done = [each for each in self.handoffs if each.output is not None and _is_to(each, self.agent)]
        return done[-1] if done else None

    @property
    def prompts(self) -> list[str]:
        """The system prompts that lead the list."""
        found = []
        for item in self.items:
            if item.role not in INSTRUCTION_ROLES:
                break
            found.append(text_of(item))
        return found

    def given(self) -> list[Item]:
        """What it was given: up to the handoff that it came by, or to the first thing that it made itself."""
        transfer = self.transfer if self.relation == "handoff" else None
        if transfer is not None and transfer.output is not None:
            items = self.items[: transfer.output + 1]
        else:
            items = self.items[: next((at for at, item in enumerate(self.items) if is_model_made(item)), None)]
        return [item for item in items if item.role not in INSTRUCTION_ROLES]


def _is_to(handoff: Handoff, agent: str) -> bool:
    return handoff.to_agent == agent or handoff.tool_name == transfer_tool_name(agent)


class _Case:
    """The runs of a case, each tied to the one that it came from."""

    def __init__(self, runs: list[_Run]) -> None:
        self.runs = runs
        for place, run in enumerate(runs):
            run.giver = self._giver(place)
        for run in runs:
            if run in self._above(run):  # parents that go round in a circle: the first of them begins
                run.giver = -1
            if run.giver >= 0:
                run.relation = "handoff" if runs[run.giver].hands_over else "agent_as_tool"

    def _giver(self, place: int) -> int:
        """The run that `parent` names, -1 for none.

        Where no parent is said: the last one before that stopped with a handoff to this agent, or the one just
        before where it stopped with a handoff to nobody that is here.
        """
        parent = self.runs[place].transcript.about.get("parent")
        others = [at for at in range(len(self.runs)) if at != place]
        if isinstance(parent, str):
            named = [at for at in others if self.runs[at].agent == parent]
            return max([at for at in named if at < place], default=named[0] if named else -1)
        giving = [at for at in others if at < place and self.runs[at].hands_over]
        named = [at for at in giving if self._hands_to(at, place)]
        is_next = place - 1 in giving and not any(self._hands_to(place - 1, at) for at in range(len(self.runs)))
        return max(named, default=place - 1 if is_next else -1)

    def _hands_to(self, giver: int, receiver: int) -> bool:
        return any(_is_to(each, self.runs[receiver].agent) for each in self.runs[giver].handoffs)

    def _above(self, run: _Run) -> list[_Run]:
        """The runs that it came from, the nearest first."""
        above: list[_Run] = []
        while run.giver >= 0 and self.runs[run.giver] not in above:
            run = self.runs[run.giver]
            above.append(run)
        return above

    def in_order(self) -> Iterator[tuple[_Run, int]]:
        """Each run with its depth, below the one that it came from."""
        below: dict[int, list[int]] = {}
        for place, run in enumerate(self.runs):
            below.setdefault(run.giver, []).append(place)
        waiting = [(place, 0) for place in reversed(below.get(-1, []))]
        while waiting:
            place, depth = waiting.pop()
            yield self.runs[place], depth
            waiting += [(each, depth + 1) for each in reversed(below.get(place, []))]

    def _wrote_reply(self, run: _Run) -> bool:
        """Whether its words went to the user: it handed nothing over, and nobody had asked it as a tool."""
        is_empty = run.transcript.about.get("output", "?") in ("", None)
        asked = any(each.relation == "agent_as_tool" for each in (run, *self._above(run)))
        return not (run.hands_over or is_empty or asked)

    def _owners(self, run: _Run) -> Iterator[str]:
        """For each leading system prompt the agent above that it belongs to, or `own`."""
        above = {each.prompts[0]: each.agent for each in reversed(self._above(run)) if each.prompts}
        return (above.get(prompt, "own") for prompt in run.prompts)

    def report(self, run: _Run, depth: int, eye: Eye) -> RunReport:
        """What the report says of a run."""
        wrote = self._wrote_reply(run)
        return RunReport(
            eye.mask(run.agent),
            eye.name(self.runs[run.giver].agent) if run.giver >= 0 else None,
            run.relation,
            depth,
            count_messages(run.items),
            len(run.items),
            sum(map(eye.tokens, run.items)),
            tuple([eye.mask(each) for each in self._owners(run)]),
            _saw(run),
            wrote,
            eye.name(run.stop_reason),
            wrote and run.relation == "handoff",
        )


def _saw(run: _Run) -> str:
    given = run.given()
    transfer = run.transfer if run.relation == "handoff" else None
    rest = given[: -len([at for at in (transfer.call, transfer.output) if at is not None])] if transfer else given
    is_user = len(rest) == 1 and kind_of(rest[0]) is Kind.MESSAGE and rest[0].role == "user"
    if transfer:
        return f"{'user' if is_user else f'{len(rest)} items'} + transfer + result"
    if is_user:
        return "one task string" if run.relation == "agent_as_tool" else "the user's message"
    return f"{len(rest)} items" if rest else "nothing"


def _cost(run: _Run, giver: _Run, eye: Eye) -> HandoffCost:
    transfer = run.transfer
    places = {at for at in (transfer.call, transfer.output) if at is not None} if transfer else set()
    prompt = giver.prompts[0] if giver.prompts else None
    kept = run.prompts.count(prompt) if prompt is not None else 0
    here = count_messages(run.items)
    bare = count_messages([item for at, item in enumerate(run.items) if at not in places])
    without = here - kept
    return HandoffCost(
        eye.mask(giver.agent),
        eye.mask(run.agent),
        here - bare,
        bare - kept,
        here,
        without,
        None if prompt is None else without + 1,
        kept > 0,
    )
