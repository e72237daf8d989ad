"""What is compared with what: a conversation before and after a chain, two chains, a recorded handoff, two files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from handoffctl.chain import Chain, run
from handoffctl.errors import InputError, UsageError
from handoffctl.model import HandoffInputData, Step, Transcript
from handoffctl.reports.comparing import RECORDED, compare_received, compare_steps, compare_two
from handoffctl.reports.diff import DiffReport
from handoffctl.reports.shown import Eye
from handoffctl.view import as_next_agent

NOTHING_HELP = "-f SPEC or -c CHAIN says what to run; a second file, or a recorded handoff, is compared as it is"


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked. With `against` the results of two chains are compared; `next_agent` compares what the model gets.

    `each_step` gives a comparison for each filter. Without a chain, a recorded handoff shows what its own filter did.
    """

    chain: Chain | None = None
    against: Chain | None = None
    each_step: bool = False
    next_agent: bool = False

    def __post_init__(self) -> None:
        if self.against is not None and self.chain is None:
            raise UsageError("--against compares two chains", help="-c CHAIN or -f SPEC names the first")
        if self.against is not None and self.each_step:
            raise UsageError("--against compares results, --steps filters", help="take one of them")


def answer(transcript: Transcript, question: Question, eye: Eye) -> DiffReport:
    """The comparison for one conversation. Raises UsageError where there is nothing to compare."""
    if question.chain is not None and question.against is not None:
        return _two_chains(transcript, question.chain, question.against, eye, next_agent=question.next_agent)
    steps = _steps(transcript, question.chain)
    seeing = eye.on(transcript.data, steps[-1].after)
    compare = compare_received if question.next_agent else compare_steps
    return compare(transcript, steps, seeing, each_step=question.each_step)


def _steps(transcript: Transcript, chain: Chain | None) -> Sequence[Step]:
    data = transcript.data
    if chain is not None:
        return run(chain, data) or (Step("no filter", data, data),)
    if transcript.after is not None:
        return (Step(RECORDED, data, transcript.after),)
    raise UsageError("there is nothing to compare", place=transcript.source.place, help=NOTHING_HELP)


def _two_chains(transcript: Transcript, chain: Chain, against: Chain, eye: Eye, *, next_agent: bool) -> DiffReport:
    before, after = chain(transcript.data), against(transcript.data)
    if next_agent:
        before, after = as_next_agent(before), as_next_agent(after)
    title = f"{chain.name} against {against.name}"
    return compare_two(transcript, before, after, title, eye.on(before, after))


def compare_files(
    before: Sequence[Transcript], after: Sequence[Transcript], eye: Eye, *, next_agent: bool = False
) -> list[DiffReport]:
    """The conversations of two files, one by one. Raises InputError where one file has more of them."""
    if len(before) != len(after):
        places = f"{before[0].source.path} and {after[0].source.path}" if before and after else "the files"
        what = f"can't be compared: they hold {len(before)} and {len(after)} conversations"
        raise InputError(what, place=places, help="--record N takes the same one of each")
    return [_two(one, other, eye, next_agent=next_agent) for one, other in zip(before, after, strict=True)]


def _two(before: Transcript, after: Transcript, eye: Eye, *, next_agent: bool) -> DiffReport:
    def looked_at(data: HandoffInputData) -> HandoffInputData:
        return as_next_agent(data) if next_agent else data

    one, other = looked_at(before.data), looked_at(after.data)
    return compare_two(before, one, other, f"against {after.source.place}", eye.on(one, other))
