"""How much there is: items, messages, tokens, bytes, and of which kinds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from handoffctl.counts import count
from handoffctl.item import Item
from handoffctl.model import HandoffInputData, segment_items
from handoffctl.reports.shown import Eye


@dataclass(frozen=True, slots=True)
class Amount:
    """`messages` are what a chat list would have as entries; `tokens` are estimated; `bytes` are of the items' JSON.

    Texts are counted in `unit`: tokens, or what the counter counts instead, such as words. `kinds` counts items by
    kind, most frequent first. `media` are images, audio clips and files.
    """

    items: int = 0
    messages: int = 0
    tokens: int = 0
    bytes: int = 0
    media: int = 0
    kinds: Mapping[str, int] = field(default_factory=dict)
    unit: str = "tokens"


def amount_of(data: HandoffInputData, eye: Eye) -> Amount:
    """How much the segments hold together."""
    items: list[Item] = [item for _, item in segment_items(data)]
    counts = count(items)
    kinds = {str(kind): number for kind, number in counts.by_kind.items()}
    tokens = sum(map(eye.tokens, items))
    return Amount(counts.items, counts.messages, tokens, counts.bytes, counts.media, kinds, eye.unit)


def total_of(amounts: Iterable[Amount], unit: str = "tokens") -> Amount:
    """How much several conversations are together."""
    total, kinds = Amount(), Counter[str]()
    for each in amounts:
        kinds.update(each.kinds)
        total = Amount(
            total.items + each.items,
            total.messages + each.messages,
            total.tokens + each.tokens,
            total.bytes + each.bytes,
            total.media + each.media,
        )
    return replace(total, kinds=dict(kinds.most_common()), unit=unit)
