"""Many conversations through one chain: records stream through, and memory is bounded by the largest one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from handoffctl.chain import Chain, run
from handoffctl.conversations import Opened
from handoffctl.errors import FilterRefused, HandoffctlError, MalformedDump
from handoffctl.item import Item
from handoffctl.loading import Loaded
from handoffctl.model import HandoffInputData, Source, Step, Transcript
from handoffctl.raw.faults import malformed
from handoffctl.raw.jsontext import UnwritableNumber
from handoffctl.records import Gap
from handoffctl.writing import Losses, in_style, is_same, loss_name, one_line, responses_items, target

Observer = Callable[[Transcript, tuple[Step, ...]], None]
"""Told of each conversation's steps; for reports."""

_STRICT = "without --strict the rest of the conversation is written"

Store = Callable[[Source, Sequence[Item]], object]
"""Takes the items of a conversation, for a target that is no text."""

Complain = Callable[[HandoffctlError], None]
"""Told of each record that was left out, and why."""


@dataclass(frozen=True, slots=True)
class FilterJob:
    """What to do with each conversation. `to` names a format; None keeps each record's own.

    `lines` puts each record on one line. `lost` is told what the target format can't say; with `strict` such a
    conversation is left out. `whole` takes a conversation with what came after its handoff.
    `store` takes what is left of each instead of writing it: nothing comes out then. `tell` gets
    each conversation of which its reader has something to say.
    """

    chain: Chain
    to: str | None
    lines: bool
    complain: Complain
    observe: Observer | None = None
    lost: Callable[[Transcript, Losses], None] | None = None
    strict: bool = False
    whole: bool = False
    store: Store | None = None
    tell: Callable[[Transcript], None] | None = None

    def run(self, transcript: Transcript) -> HandoffInputData:
        """What the chain makes of one conversation."""
        if self.whole and transcript.whole is not None:
            transcript = replace(transcript, data=transcript.whole, whole=None)
        if self.observe is None:
            return self.chain(transcript.data)
        steps = run(self.chain, transcript.data)
        self.observe(transcript, steps)
        return steps[-1].after if steps else transcript.data


def filtered(opened: Opened, job: FilterJob) -> Iterator[bytes]:
    """The file's bytes after the chain, in pieces; what could not be read is told, and left out.

    Raises PluginError where a foreign filter fails.
    """
    to = target_of(opened, job)
    if to is None and not job.lines and opened.dump.input.prefix:
        yield opened.dump.input.prefix
    for each in opened:
        if isinstance(each, Loaded):
            _tell(each, job)
            try:
                yield from _same_format(opened, each, job) if to is None else _other_format(each, job, to)
            except (FilterRefused, MalformedDump) as error:
                job.complain(error)
            except UnwritableNumber as error:
                job.complain(malformed(each.record.source, str(error), "a number is too large to be written again"))
        elif isinstance(each, MalformedDump):
            job.complain(each)
        elif isinstance(each, Gap) and to is None and not job.lines:
            yield each.raw


def _tell(loaded: Loaded, job: FilterJob) -> None:
    for transcript in loaded.transcripts:
        if transcript.notes and job.tell is not None:
            job.tell(transcript)


def named(losses: Losses) -> str:
    """The types of the items that are lost whole or in part, each with how many there are."""
    counts = Counter(map(loss_name, losses))
    return ", ".join(f"{name} {number:,}" for name, number in counts.items())


def target_of(opened: Opened, job: FilterJob) -> str | None:
    """The format to write; None for the file's own. A format without a writer comes out as `handoff`."""
    own = opened.dump.format
    if job.to is not None and (job.to != own.name or opened.selection.splits):
        return job.to
    if not own.writes or opened.selection.splits:
        return "handoff"
    return None


def _same_format(opened: Opened, loaded: Loaded, job: FilterJob) -> Iterator[bytes]:
    record = loaded.record
    results = [(transcript, job.run(transcript)) for transcript in loaded.transcripts]
    if all(is_same(transcript.data, after) for transcript, after in results):
        text = record.untouched
    else:
        text = opened.dump.format.write(record, results)
    if not job.lines:
        yield text + record.end
    elif record.form == "entries":
        yield text.rstrip(b"\r\n") + b"\n"
    else:
        yield one_line(text.strip()) + b"\n"


def _other_format(loaded: Loaded, job: FilterJob, to: str) -> Iterator[bytes]:
    write = target(to)
    for transcript in loaded.transcripts:
        if transcript.missing is not None:
            what = f"there is no conversation in it: {transcript.missing}"
            job.complain(MalformedDump(what, place=transcript.source.place, help="`handoffctl inspect` shows what is"))
            continue
        losses: Losses = []
        after = job.run(transcript)
        text = write(after, losses)
        if losses and job.strict:
            raise FilterRefused(
                f"{to} can't say {named(losses)}; left out", place=transcript.source.place, help=_STRICT
            )
        if losses and job.lost is not None:
            job.lost(transcript, losses)
        if job.store is not None:
            job.store(transcript.source, responses_items(after))
            continue
        alone = not job.lines and len(loaded.transcripts) == 1
        yield (in_style(text, loaded.record) if alone else one_line(text)) + b"\n"
