"""What is in a file: its conversations, and one conversation taken apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as changed
from itertools import accumulate
from typing import Literal

from msgspec.structs import replace

from handoffctl.counts import role_of
from handoffctl.dumps.timeline import Moment
from handoffctl.handoffs import find_handoffs
from handoffctl.kinds import INSTRUCTION_ROLES, Kind
from handoffctl.model import Transcript, segment_items
from handoffctl.reports.amounts import Amount, amount_of, total_of
from handoffctl.reports.cases import CaseReport, case_of
from handoffctl.reports.heading import Heading, ShownHandoff, agent_in_charge, heading_of, shown_handoff
from handoffctl.reports.shown import Eye, ShownItem
from handoffctl.wording.texts import text_of

_BIGGEST = 5
_GROWTH_POINTS = 60


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a conversation: its items, its tokens, and what share of all tokens that is, from 0 to 1."""

    name: str
    items: int
    tokens: int
    share: float


@dataclass(frozen=True, slots=True)
class Prompt:
    """A system prompt that stands outside the list of items, and so isn't counted with them."""

    agent: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Anatomy:
    """One conversation taken apart. Parts come with the most tokens first.

    `growth` is the number of tokens so far, after each of up to 60 stretches of equal length. `agent` is the one that
    answers next.
    """

    segments: tuple[Share, ...]
    kinds: tuple[Share, ...]
    roles: tuple[Share, ...]
    agents: tuple[Share, ...]
    tools: tuple[Share, ...]
    growth: tuple[int, ...]
    biggest: tuple[ShownItem, ...]
    handoffs: tuple[ShownHandoff, ...]
    prompts: tuple[Prompt, ...]
    agent: str | None


@dataclass(frozen=True, slots=True)
class ConversationReport:
    """One conversation of a file: where it is, how much it is, how many handoffs were done in it, what happened when.

    `timeline` is empty where the dump has none.
    """

    heading: Heading
    amount: Amount
    handoffs: int
    timeline: tuple[Moment, ...]


@dataclass(frozen=True, slots=True)
class InspectReport:
    """One file. `anatomy` is of its only conversation, None where it has several; `cases` are of several agents' runs.

    `why` is by what its format was told.
    """

    report: Literal["inspect"] = field(default="inspect", kw_only=True)
    file: str
    format: str
    why: str
    notes: tuple[str, ...]
    conversations: tuple[ConversationReport, ...]
    total: Amount
    cases: tuple[CaseReport, ...]
    anatomy: Anatomy | None


def everything(transcript: Transcript) -> Transcript:
    """The conversation with what came after the handoff that it is split at."""
    if transcript.whole is None:
        return transcript
    return replace(transcript, data=transcript.whole, whole=None, split="history, then all items of the run")


def report_file(
    file: str, format: str, why: str, notes: Iterable[str], records: Iterable[Sequence[Transcript]], eye: Eye
) -> InspectReport:
    """What the conversations of one file are, given by record. Only one record at a time is held in memory."""
    rows: list[ConversationReport] = []
    cases: list[CaseReport] = []
    first: Transcript | None = None
    for record in records:
        transcripts = [everything(each) for each in record]
        seeing = eye.on(*[each.data for each in transcripts])
        rows += [_conversation(each, seeing) for each in transcripts]
        cases += [case_of(transcripts, seeing)] if format == "runs" and transcripts else []
        first = transcripts[0] if len(rows) == 1 else None
    return InspectReport(
        eye.mask(file),
        format,
        why,
        tuple([eye.mask(note) for note in notes]),
        tuple(rows),
        total_of([row.amount for row in rows], eye.unit),
        tuple(cases),
        None if first is None else anatomy_of(first, eye.on(first.data)),
    )


def _conversation(transcript: Transcript, eye: Eye) -> ConversationReport:
    done = [each for each in find_handoffs(transcript.data, tool_globs=eye.handoff_tools) if each.output is not None]
    timeline = tuple([_masked(each, eye) for each in transcript.about.get("timeline", ())])
    return ConversationReport(heading_of(transcript, eye), amount_of(transcript.data, eye), len(done), timeline)


def _masked(moment: Moment, eye: Eye) -> Moment:
    return changed(
        moment,
        kind=eye.mask(moment.kind),
        name=eye.name(moment.name),
        from_agent=eye.name(moment.from_agent),
        to_agent=eye.name(moment.to_agent),
        error=eye.name(moment.error),
    )


def anatomy_of(transcript: Transcript, eye: Eye) -> Anatomy:
    """One conversation taken apart."""
    items = eye.items(transcript.data)
    handoffs = find_handoffs(transcript.data, tool_globs=eye.handoff_tools)
    return Anatomy(
        _shares(items, [each.segment for each in items]),
        _shares(items, [each.kind for each in items]),
        _shares(items, [eye.name(role_of(item)) for _, item in segment_items(transcript.data)]),
        _shares(items, [each.agent for each in items]),
        _shares(items, [each.name for each in items], counted=Kind.CALL),
        _growth([each.tokens for each in items]),
        tuple(sorted(items, key=lambda each: -each.tokens)[:_BIGGEST]),
        tuple([shown_handoff(each, eye) for each in handoffs]),
        tuple(_prompts(transcript, eye)),
        agent_in_charge(transcript.data, eye),
    )


def _shares(
    items: Sequence[ShownItem], names: Iterable[str | None], *, counted: Kind | None = None
) -> tuple[Share, ...]:
    """The parts by name; what has no name is in none. `counted` is the kind whose items are counted, all for None."""
    counts: Counter[str] = Counter()
    tokens: Counter[str] = Counter()
    for item, name in zip(items, names, strict=True):
        if name is not None:
            counts[name] += counted is None or item.kind is counted
            tokens[name] += item.tokens
    total = sum([item.tokens for item in items]) or 1
    return tuple([Share(name, counts[name], size, round(size / total, 4)) for name, size in tokens.most_common()])


def _growth(tokens: Sequence[int]) -> tuple[int, ...]:
    sums = list(accumulate(tokens))
    points = min(len(sums), _GROWTH_POINTS)
    return tuple([sums[(point + 1) * len(sums) // points - 1] for point in range(points)])


def _prompts(transcript: Transcript, eye: Eye) -> Iterator[Prompt]:
    inside = {text_of(item) for _, item in segment_items(transcript.data) if item.role in INSTRUCTION_ROLES}
    for agent, prompt in transcript.instructions.items():
        if prompt not in inside:
            yield Prompt(eye.mask(agent), eye.counter(prompt))
