"""Two sides of a conversation as a diff report: a chain's steps, a recorded handoff, two files, two chains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from handoffctl.align import align, align_two
from handoffctl.model import SEGMENTS, Change, HandoffInputData, Segment, Step, Transcript
from handoffctl.reports.amounts import amount_of
from handoffctl.reports.diff import DiffBlock, DiffReport, Dropped, SegmentSize, ShownChange, Tally, Word
from handoffctl.reports.heading import heading_of
from handoffctl.reports.received import as_one_list, attributed
from handoffctl.reports.shown import Eye, ShownItem, placed_items
from handoffctl.view import RUNNER, as_next_agent, dropped_by_runner
from handoffctl.wording.words import edited_texts, word_changes

RECORDED = "the recorded filter"


def compare_steps(transcript: Transcript, steps: Sequence[Step], eye: Eye, *, each_step: bool = False) -> DiffReport:
    """What a chain's steps made of a conversation, as a whole or each apart; and what the runner drops besides."""
    blocks = tuple([_align_block(part, eye) for part in _parts(steps, each_step=each_step)])
    return DiffReport(heading_of(transcript, eye), blocks, tuple(_dropped(steps[-1].after, eye)))


def compare_received(transcript: Transcript, steps: Sequence[Step], eye: Eye, *, each_step: bool = False) -> DiffReport:
    """What the next agent's model receives without the chain and with it; the SDK's runner is the last step."""
    if each_step:
        last = steps[-1].after
        parts = [*_parts(steps, each_step=True), [Step(RUNNER, as_one_list(last), as_next_agent(last))]]
        return DiffReport(heading_of(transcript, eye), tuple([_align_block(part, eye) for part in parts]))
    before, after = as_next_agent(steps[0].before), as_next_agent(steps[-1].after)
    sent = [Step(step.name, as_one_list(step.before), as_one_list(step.after)) for step in steps]
    changes = attributed(align([Step(RUNNER, before, after)]), align(sent))
    block = _block(f"{_title(steps)} → {RUNNER}", changes, before, after, eye)
    return DiffReport(heading_of(transcript, eye), (block,))


def compare_two(
    transcript: Transcript, before: HandoffInputData, after: HandoffInputData, title: str, eye: Eye
) -> DiffReport:
    """Two sides of a conversation, whatever made the difference; `title` says which they are."""
    block = _block(title, align_two(before, after), before, after, eye)
    return DiffReport(heading_of(transcript, eye), (block,), compared=block.title)


def _parts(steps: Sequence[Step], *, each_step: bool) -> list[Sequence[Step]]:
    return [[step] for step in steps] if each_step else [steps]


def _title(steps: Sequence[Step]) -> str:
    return " → ".join([step.name for step in steps])


def _align_block(steps: Sequence[Step], eye: Eye) -> DiffBlock:
    return _block(_title(steps), align(steps), steps[0].before, steps[-1].after, eye)


def _block(
    title: str, changes: Sequence[Change], before: HandoffInputData, after: HandoffInputData, eye: Eye
) -> DiffBlock:
    olds, news = eye.items(before), eye.items(after)
    shown = tuple([_shown(each, olds, news, eye) for each in changes])
    return DiffBlock(
        eye.mask(title),
        shown,
        tuple(_sizes(olds, news, _set_segments(before, after))),
        amount_of(before, eye),
        amount_of(after, eye),
        tuple(_tallies(shown)),
        _same_start(shown),
        after.input_items is not None,
    )


def _shown(change: Change, olds: Sequence[ShownItem], news: Sequence[ShownItem], eye: Eye) -> ShownChange:
    item = news[change.index] if change.before is None else olds[change.index]
    if change.before is None and change.run_item is None:
        item = replace(item, agent=None)  # a filter wrote it, whoever spoke there before
    after: ShownItem | None = None
    words: tuple[Word, ...] = ()
    if change.sign == "edited" and change.before is not None and change.after is not None:
        texts = edited_texts(change.before, change.after)
        words = tuple([Word(sign, text) for sign, text in word_changes(*map(eye.mask, texts))])
        after = None if change.after_index is None else news[change.after_index]
    by = None if change.sign == "kept" else eye.name(change.by or None)
    return ShownChange(change.sign, by, item, after, words, change.after_index, change.after_segment)


def _set_segments(*sides: HandoffInputData) -> set[Segment]:
    """The segments that are told of even where they are empty: input items, once they are set, replace new ones."""
    return {"input"} if any(each.input_items is not None for each in sides) else set()


def _sizes(olds: Iterable[ShownItem], news: Iterable[ShownItem], told: set[Segment]) -> Iterator[SegmentSize]:
    before, after = Counter(each.segment for each in olds), Counter(each.segment for each in news)
    return (
        SegmentSize(each, before[each], after[each]) for each in SEGMENTS if before[each] or after[each] or each in told
    )


def _tallies(changes: Iterable[ShownChange]) -> Iterator[Tally]:
    """What each filter did, in the order in which they first did something."""
    counts: dict[str | None, Counter[str]] = {}
    for change in changes:
        if change.sign != "kept":
            counts.setdefault(change.by, Counter())[change.sign] += 1
    return (Tally(by, each["removed"], each["edited"], each["added"], each["moved"]) for by, each in counts.items())


def _same_start(changes: Iterable[ShownChange]) -> int:
    """The tokens that both sides begin with: what a provider's prompt cache still holds."""
    tokens = 0
    for change in changes:
        if change.sign != "kept":
            break
        tokens += change.item.tokens
    return tokens


def _dropped(data: HandoffInputData, eye: Eye) -> Iterator[Dropped]:
    dropped = dropped_by_runner(data)
    if dropped:
        items = dict(zip([id(item) for _, item, _ in placed_items(data)], eye.items(data), strict=True))
        for item, reason in dropped:
            if id(item) in items:
                yield Dropped(items[id(item)], reason)
