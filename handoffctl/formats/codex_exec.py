"""What `codex exec --json` prints: the events of one run, which tell less than the run's rollout.

**Source**: `codex-rs/exec/src/exec_events.rs` of Codex.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import ClassVar

from handoffctl.dumps.codex.stream import EVENTS, Stream
from handoffctl.dumps.detection import Evidence, Sample
from handoffctl.entries import Entries
from handoffctl.model import HandoffInputData, Transcript
from handoffctl.raw.jsontext import decode
from handoffctl.records import Record

_NO_PROMPT = "the stream of codex exec holds no user messages; the session's rollout has the whole conversation"


class CodexExec:
    """The stream of `codex exec --json`: `{"type": "thread.started"}`, `{"type": "item.completed", "item": …}` a line.

    Read: agent messages, reasoning and web searches; commands, file changes and MCP calls, each a call with its output
    and the item's id. An item that is told of several times counts once, as it was last told of. The stream has no
    user messages, no system prompt and no tool's real name, and that is said, as are lists of tasks and errors, which
    are no part of the conversation: the rollout of the same session (format `codex`) has all of it. Not written: a
    filtered one comes out as `handoff`. It shows no handoffs.
    """

    name: ClassVar[str] = "codex-exec"
    writes: ClassVar[bool] = False

    def sniff(self, sample: Sample) -> Evidence | None:
        kinds = [value.get("type") for value in sample.values if isinstance(value, dict) and "payload" not in value]
        events = [kind for kind in kinds if isinstance(kind, str) and kind in EVENTS]
        if not events:
            return None
        return Evidence(f"{len(events)} of {len(sample.values)} lines are events of codex exec", 3, "entries")

    def read(self, record: Record, evidence: Evidence) -> Sequence[Transcript]:
        stream = Stream(decode(raw) for raw in Entries(record.raw, evidence.key).raws)
        return (
            Transcript(
                HandoffInputData(stream.items),
                record.source,
                self.name,
                about={"id": stream.thread} if stream.thread else {},
                notes=(_NO_PROMPT, *_notes(stream)),
            ),
        )

    def write(self, record: Record, results: Sequence[tuple[Transcript, HandoffInputData]]) -> bytes:
        raise NotImplementedError  # `writes` is False: nobody asks


def _notes(stream: Stream) -> Iterator[str]:
    if stream.untold:
        counts = ", ".join(f"{name} {count:,}" for name, count in Counter(stream.untold).items())
        yield f"left out, as no part of the conversation: {counts}"
    if stream.problems:
        more = f" (the last of {len(stream.problems):,})" if len(stream.problems) > 1 else ""
        yield f"the run told of an error: {stream.problems[-1]}{more}"
