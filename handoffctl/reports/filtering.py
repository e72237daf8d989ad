"""What filtering many conversations did, added up as they pass: the report on standard error."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from handoffctl.align import align
from handoffctl.counts import Counts, count, load_counter
from handoffctl.errors import UsageError
from handoffctl.model import Step, Transcript
from handoffctl.raw.jsontext import encode
from handoffctl.tokens import TextCounter
from handoffctl.wording.escape import visible


@dataclass
class Amounts:
    """Sums on one side of the chain. `tokens` are None where nobody counts them."""

    items: int = 0
    messages: int = 0
    bytes: int = 0
    tokens: int | None = None

    def add(self, counts: Counts) -> None:
        """One conversation more."""
        self.items += counts.items
        self.messages += counts.messages
        self.bytes += counts.bytes
        if counts.tokens is not None:
            self.tokens = (self.tokens or 0) + counts.tokens


@dataclass(frozen=True)
class FilterReport:
    """What `handoffctl filter` did. `by_filter` counts removed, edited, added and moved items for each filter.

    `changed` counts conversations, `broken` records that were left out, `lost` by type the items that the target
    format can't say; `seconds` is the wall's time.
    """

    conversations: int
    changed: int
    broken: int
    before: Amounts
    after: Amounts
    by_filter: dict[str, dict[str, int]]
    lost: dict[str, int]
    seconds: float
    report: str = "filter"


@dataclass
class Tally:
    """Adds up what happens to each conversation."""

    format: str = "human"
    counter: TextCounter | None = None
    conversations: int = 0
    changed: int = 0
    before: Amounts = field(default_factory=Amounts)
    after: Amounts = field(default_factory=Amounts)
    by_filter: dict[str, Counter[str]] = field(default_factory=dict)
    started: float = field(default_factory=time.perf_counter)

    @classmethod
    def made(cls, format: str, counter: str | None) -> Tally:
        """A tally that will report in a format. Raises UsageError for an unknown format or counter."""
        if format not in ("human", "json"):
            raise UsageError("no such format", place=f"--report-format {format}", help="human or json")
        return cls(format, load_counter(counter) if counter else None)

    def add(self, transcript: Transcript, steps: Sequence[Step]) -> None:
        """One conversation's steps."""
        self.conversations += 1
        before, after = transcript.data, steps[-1].after if steps else transcript.data
        counts = count(before, counter=self.counter)
        self.before.add(counts)
        self.after.add(counts if after is before else count(after, counter=self.counter))
        if after is before:
            return
        self.changed += 1
        for change in align(steps):
            if change.by is not None:
                self.by_filter.setdefault(change.by, Counter())[change.sign] += 1

    def text(self, *, broken: int, lost: Mapping[str, int]) -> str:
        """The report, without a line end: two lines for a person, or one JSON object."""
        by_filter = {name: dict(signs) for name, signs in self.by_filter.items()}
        seconds = time.perf_counter() - self.started
        report = FilterReport(
            self.conversations, self.changed, broken, self.before, self.after, by_filter, dict(lost), round(seconds, 3)
        )
        return encode(asdict(report)).decode() if self.format == "json" else human(report)


def human(report: FilterReport) -> str:
    """The report for a person: how much is left, and which filter did how much."""
    noun = "conversation" if report.conversations == 1 else "conversations"
    parts = [
        f"{report.conversations:,} {noun}",
        _arrow(report.before.items, report.after.items, "items"),
        _arrow(report.before.messages, report.after.messages, "messages"),
    ]
    if report.before.tokens is not None:
        parts.append(_token_part(report.before.tokens, report.after.tokens or 0))
    if report.seconds >= 1:
        parts.append(f"{report.seconds:.1f} s")
    did = [f"{visible(name)} {_signs(signs)}" for name, signs in report.by_filter.items()]
    did = [*(did or ["nothing changed"]), *_lost(report.lost), f"{report.broken:,} broken"]
    return " · ".join(parts) + "\n" + " · ".join(did)


def _lost(lost: Mapping[str, int]) -> list[str]:
    return [f"{sum(lost.values()):,} left out: the target format can't say them"] if lost else []


def _arrow(before: int, after: int, noun: str) -> str:
    return f"{before:,} {noun}" if before == after else f"{before:,} → {after:,} {noun}"


def _token_part(before: int, after: int) -> str:
    share = f" (−{100 * (before - after) / before:.0f} %)" if after < before else ""
    return f"~{before:,} → ~{after:,} tokens{share}"


def _signs(signs: dict[str, int]) -> str:
    """`12` for removed items alone, which are the usual thing; else each number with its word."""
    if set(signs) == {"removed"}:
        return f"{signs['removed']:,}"
    return ", ".join(f"{number:,} {sign}" for sign, number in signs.items())
