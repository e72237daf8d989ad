"""Several agents' runs of one case: who ran, for whom, how it stopped, and what each agent saw.

**Source**: handoffctl's own, for comparing a handoff with an agent used as a tool.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from handoffctl.dialects.chat import ChatEntries
from handoffctl.dialects.chat_entries import entries_of, no_message_says
from handoffctl.dumps.detection import Evidence, Sample, container_of, votes
from handoffctl.dumps.flat import flat_items, item_texts
from handoffctl.entries import Entries
from handoffctl.kinds import INSTRUCTION_ROLES
from handoffctl.model import HandoffInputData, Source, Transcript
from handoffctl.raw.faults import malformed
from handoffctl.raw.jsontext import decode
from handoffctl.records import Record

_ABOUT = ("stop_reason", "output", "parent")


class Runs:
    """One case as several agents ran it: `{"runs": [{"agent", "stop_reason", "output", "parent", "messages"}]}`.

    Read and written, each run as a conversation of its own; `messages` are chat messages or Responses items. A
    round trip keeps every byte. `parent` names the run that handed over, or that used this agent as a tool: a run
    whose parent stopped with `handoff` got the conversation, any other got one task string.
    """

    name: ClassVar[str] = "runs"
    writes: ClassVar[bool] = True

    def sniff(self, sample: Sample) -> Evidence | None:
        for value in sample.values:
            runs = value.get("runs") if isinstance(value, dict) else None
            if isinstance(runs, list) and any(isinstance(run, dict) and container_of(run) for run in runs):
                return Evidence("`runs`, each with its messages", 3, key="runs")
        return None

    def read(self, record: Record, evidence: Evidence) -> Sequence[Transcript]:  # noqa: ARG002 - one shape for all
        runs = Entries(record.raw, "runs")
        return tuple(_run(runs, index, record.source, self.name) for index in range(len(runs.raws)))

    def write(self, record: Record, results: Sequence[tuple[Transcript, HandoffInputData]]) -> bytes:
        runs: Entries = results[0][0].layout[0]
        texts = [bytes(raw) for raw in runs.raws]
        for transcript, after in results:
            if after is not transcript.data:
                _, index, messages = transcript.layout
                texts[index] = messages.rebuilt(_texts(messages, after, record.source))
        return runs.rebuilt(texts)


def _texts(messages: Entries, after: HandoffInputData, source: Source) -> list[bytes]:
    items = flat_items(after)
    if not isinstance(messages, ChatEntries):
        return item_texts(messages, items)
    texts, unsaid = entries_of(items, messages)
    if unsaid:
        raise malformed(source, *no_message_says(unsaid))
    return texts


def _run(runs: Entries, index: int, source: Source, name: str) -> Transcript:
    raw = bytes(runs.raws[index])
    run: dict[str, Any] = decode(raw)
    if not isinstance(run, dict) or not isinstance(run.get("messages"), list):
        raise ValueError(f"run {index} has no list of messages")
    tally = votes(run["messages"])
    messages = Entries(raw, "messages") if tally.responses > tally.chat else ChatEntries(raw, "messages")
    items = messages.items()
    agent = run.get("agent") if isinstance(run.get("agent"), str) else None
    first = items[0] if items and items[0].role in INSTRUCTION_ROLES else None
    return Transcript(
        HandoffInputData(items),
        Source(source.path, source.record, source.line, agent or f"run {index + 1}"),
        name,
        (runs, index, messages),
        instructions={agent or "": str(first.get("content"))} if first is not None else {},
        agent=agent,
        about={key: run[key] for key in _ABOUT if key in run},
    )
