"""Rollouts of Codex: the log of a session, one line for each thing that happened.

**Source**: `codex-rs/protocol/src/protocol.rs` of Codex at 001cb8e, and rollouts since the first half of 2025.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from handoffctl.dumps.codex.lines import NEW_TYPES, is_silent
from handoffctl.dumps.codex.rollout import SUMMARY, Rollout
from handoffctl.dumps.codex.writing import lines_of
from handoffctl.dumps.detection import Evidence, Sample
from handoffctl.dumps.flat import flat_items
from handoffctl.model import HandoffInputData, Transcript
from handoffctl.records import Record

_EVENTS_GO = "event_msg lines say the conversation's words once more: a filter that changes it leaves them out"


class Codex:
    """A Codex session's rollout, new or old: `{"timestamp", "type", "payload"}` a line, or bare items.

    Read: `response_item` payloads and the bare items of old rollouts are the conversation, as the model sees it now.
    A `compacted` line's `replacement_history`, or else its message as the assistant's text, takes the place of all
    before it, and turns that were rolled back are left out; both are said, and stay in the file. Settings, state,
    events and snapshots are no part of the conversation. A sub-agent's rollout is a file of its own; its agent and its
    parent are read.

    Written: every untouched line keeps its bytes; an edited item is put into its line; a new one gets a line with the
    time of the line before. Since `event_msg` lines repeat what the conversation says, a rollout that a filter changed
    has only those left that hold no words (token counts, starts and aborts of turns, rollbacks), and a changed
    compaction has its items in `replacement_history` and no message. What stood before a compaction, turns that were
    rolled back, and the session's own instructions stay as they are: no filter sees them. A handoff shows as a call
    and its output.
    """

    name: ClassVar[str] = "codex"
    writes: ClassVar[bool] = True

    def sniff(self, sample: Sample) -> Evidence | None:
        objects = [value for value in sample.values if isinstance(value, dict)]
        new = [each for each in objects if "payload" in each and _text(each.get("type")) in NEW_TYPES]
        if new:
            note = _EVENTS_GO if any(map(_repeats_words, new)) else None
            why = f"{len(new)} of {len(sample.values)} lines are a rollout's: a type and its payload"
            return Evidence(why, 3, "entries", note=note)
        if any("record_type" in each and "type" not in each for each in objects) or any(map(_is_old_head, objects[:1])):
            return Evidence("the head or the state lines of an old rollout", 3, "entries")
        return None

    def read(self, record: Record, evidence: Evidence) -> Sequence[Transcript]:  # noqa: ARG002 - one shape for all
        rollout = Rollout(record.raw)
        agent = _agent(rollout)
        instructions = _instructions(rollout)
        return (
            Transcript(
                HandoffInputData(rollout.conversation),
                record.source,
                self.name,
                rollout,
                instructions={agent or "": instructions} if instructions else {},
                agent=agent,
                about=dict(_about(rollout)),
                notes=tuple(_notes(rollout, record.lines)),
            ),
        )

    def write(self, record: Record, results: Sequence[tuple[Transcript, HandoffInputData]]) -> bytes:
        ((transcript, after),) = results
        text = record.untouched
        end = b"" if record.end else text[len(text.rstrip()) :]  # a file of one line is a document, its end in it
        return record.separator.join(lines_of(transcript.layout, flat_items(after))) + end


def _is_old_head(value: dict[str, Any]) -> bool:
    """Whether this is the first line of a rollout of the time before lines had types."""
    return {"id", "timestamp"} <= value.keys() and not {"instructions", "git"}.isdisjoint(value) and "type" not in value


def _repeats_words(line: dict[str, Any]) -> bool:
    return line["type"] == "event_msg" and not is_silent(line["payload"])


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _subagent(rollout: Rollout) -> Any:
    source = rollout.settings("source")
    return source.get("subagent") if isinstance(source, dict) else None


def _spawn(rollout: Rollout) -> dict[str, Any]:
    """What the rollout of a sub-agent says of how it was started; empty for any other."""
    said = _subagent(rollout)
    spawn = said.get("thread_spawn") if isinstance(said, dict) else None
    return spawn if isinstance(spawn, dict) else {}


def _agent(rollout: Rollout) -> str | None:
    """The name of the sub-agent whose rollout this is: its role, its nickname, or what kind it is."""
    for holder in (_spawn(rollout).get, rollout.settings):
        for key in ("agent_role", "agent_nickname"):
            if name := _text(holder(key)):
                return name
    said = _subagent(rollout)
    return _text(said.get("other") if isinstance(said, dict) else said) or None


def _instructions(rollout: Rollout) -> str:
    """The session's system prompt, empty where the rollout has none."""
    base = rollout.settings("base_instructions")
    return _text(rollout.settings("instructions")) or _text(base.get("text") if isinstance(base, dict) else base)


def _about(rollout: Rollout) -> Iterator[tuple[str, Any]]:
    found = {
        **{key: rollout.settings(key) for key in ("id", "cwd", "cli_version")},
        "model": rollout.settings("model", "turn_context"),
        "parent": _spawn(rollout).get("parent_thread_id") or rollout.settings("parent_thread_id"),
    }
    yield from ((key, value) for key, value in found.items() if isinstance(value, str))


def _notes(rollout: Rollout, numbers: Sequence[int]) -> Iterator[str]:
    at = rollout.compaction
    if at is not None:
        what = f"compacted at line {numbers[at] if at < len(numbers) else at + 1}"
        alone = ", and its message stands for them" if (at, SUMMARY) in rollout.living else ""
        yield f"{what}: {rollout.compacted_away:,} earlier items are no longer of the conversation{alone}"
    if rollout.rolled_back:
        yield f"turns were rolled back: {rollout.rolled_back:,} items of theirs are no longer of the conversation"
    if at is not None or rollout.rolled_back:
        yield "such items stay in the file as they are: no filter sees them"
