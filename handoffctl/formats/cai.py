"""Session logs of CAI (Cybersecurity AI).

**Source**: `cai/sdk/agents/run_to_jsonl.py` of CAI at 7ec0b4c, and a log that its recorder wrote.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, ClassVar

from handoffctl.dialects.chat import ChatEntries
from handoffctl.dialects.chat_parts import responses_item
from handoffctl.dumps.cai.lines import EVENTS, exchanges, is_completion, is_request, said_in_events
from handoffctl.dumps.cai.threads import Thread, threads_of
from handoffctl.dumps.detection import Evidence, Sample
from handoffctl.entries import Entries
from handoffctl.groups import pairs
from handoffctl.handoffs import classify_bare, find_handoffs
from handoffctl.item import Item
from handoffctl.kinds import ANSWERED_BY, is_model_made
from handoffctl.model import HandoffInputData, RunItem, Source, Transcript
from handoffctl.records import Record
from handoffctl.split import split_at

_FROM_EVENTS = "the log holds no request: built from its events, which have no outputs of tools"


class Cai:
    """A CAI session: requests, completions and events, one a line.

    Read: each request repeats the whole history, so a conversation is its last request with the completion that
    answers it; outputs are in the request after their call. A request that doesn't hold the one before it begins
    another conversation: a parallel agent's, or one whose history was cut. System prompts are kept as the agents'
    instructions, outside of the list. The events, and the key in the first line, are no part of it. A last output that
    was never logged is said.

    Not written: the same words stand in requests, completions and events, so that a log that is written back would
    still say what a filter took out. It comes out as `handoff`, or what `--to` names. A handoff shows as a call and
    its output `{'assistant': 'NAME'}`, with both agents' names.
    """

    name: ClassVar[str] = "cai"
    writes: ClassVar[bool] = False

    def sniff(self, sample: Sample) -> Evidence | None:
        lines = [value for value in sample.values if isinstance(value, dict)]
        events = sum(1 for line in lines if line.get("event") in EVENTS and "timestamp" in line)
        pairs_seen = sum(
            1
            for before, after in pairwise(lines)
            if is_request(before) and is_completion(after) and ("agent_name" in after or "cost" in after)
        )
        if not events and not pairs_seen:
            return None
        why = f"{events} events and {pairs_seen} requests with their completions among {len(lines)} lines"
        return Evidence(why, 3, "entries")

    def read(self, record: Record, evidence: Evidence) -> Sequence[Transcript]:  # noqa: ARG002 - one shape for all
        lines = [bytes(raw) for raw in Entries(record.raw, None).raws]
        threads = threads_of(exchanges(lines))
        if not threads:
            said = said_in_events(lines)
            return (_transcript(Thread(said), record.source, (_FROM_EVENTS,)),) if said else ()
        names = _names(threads) if len(threads) > 1 else [None]
        return tuple(
            _transcript(thread, _named(record.source, name), tuple(_notes(thread, record.lines)))
            for thread, name in zip(threads, names, strict=True)
        )

    def write(self, record: Record, results: Sequence[tuple[Transcript, HandoffInputData]]) -> bytes:
        raise NotImplementedError  # `writes` is False: nobody asks


def _named(source: Source, name: str | None) -> Source:
    return Source(source.path, source.record, source.line, name)


def _names(threads: Sequence[Thread]) -> list[str | None]:
    """The last agent of each conversation, numbered where it has several."""
    names: list[str | None] = []
    for thread in threads:
        agent = name = thread.agent or "conversation"
        number = 1
        while name in names:
            number += 1
            name = f"{agent} ({number})"
        names.append(name)
    return names


def _transcript(thread: Thread, source: Source, notes: tuple[str, ...]) -> Transcript:
    entries = ChatEntries(b"[" + b",".join(thread.all_messages) + b"]", None)
    items = tuple(map(responses_item, entries.items()))
    data = HandoffInputData(items)
    agents = _agents(items, thread.agents)
    found = find_handoffs(data)
    done = [each for each in found if each.output is not None]
    return Transcript(
        data,
        source,
        Cai.name,
        instructions=thread.prompts,
        agent=thread.agent,
        splits=tuple(_with_agents(split_at(data, done, number), agents) for number in range(1, len(done) + 1)),
        whole=_whole(items, agents),
        notes=(*notes, *_missing(items)),
    )


def _agents(items: Sequence[Item], by_entry: dict[int, str]) -> dict[int, str | None]:
    """The agent of each item, by the item's identity: who made it, or whose call it answers."""
    agents: dict[int, str | None] = {}
    current: str | None = None
    for item in items:
        if is_model_made(item):
            current = by_entry.get(item.place[1] if item.place else -1)
        if item.role not in ("user", "system", "developer"):
            agents[id(item)] = current
    return agents


def _with_agents(data: HandoffInputData, agents: dict[int, str | None]) -> HandoffInputData:
    return data.clone(
        pre_handoff_items=tuple(_by(each, agents) for each in data.pre_handoff_items),
        new_items=tuple(_by(each, agents) for each in data.new_items),
    )


def _by(run_item: RunItem, agents: dict[int, str | None]) -> RunItem:
    agent = agents.get(id(run_item.raw_item))
    if agent is None:
        return run_item
    giver = agent if run_item.type == "handoff_output_item" else run_item.source_agent
    return replace(run_item, agent=agent, source_agent=giver)


def _whole(items: tuple[Item, ...], agents: dict[int, str | None]) -> HandoffInputData:
    """Everything, with the agents' names: what came before any agent spoke is the history, the rest their run."""
    start = next((index for index, item in enumerate(items) if is_model_made(item)), len(items))
    run = tuple(_by(each, agents) for each in classify_bare(items[start:]))
    return HandoffInputData(items[:start], run)


def _notes(thread: Thread, lines: Sequence[int]) -> Iterator[str]:
    if thread.unanswered is not None:
        at = lines[thread.unanswered] if thread.unanswered < len(lines) else thread.unanswered + 1
        yield f"the request in line {at} has no completion: the last turn is missing"


def _missing(items: Sequence[Item]) -> Iterator[str]:
    """What is said of calls whose output no request holds."""
    lost: list[Any] = [
        items[pair.call].name or items[pair.call].type
        for pair in pairs(items)
        if not pair.outputs and _is_call(items[pair.call])
    ]
    if lost:
        yield f"the log ends before the output of {', '.join(map(str, lost))}"


def _is_call(item: Item) -> bool:
    return item.type in ANSWERED_BY
