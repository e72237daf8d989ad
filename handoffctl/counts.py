"""How much a conversation is: items, messages, bytes and tokens, by kind, role, agent, tool and segment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from itertools import accumulate, takewhile
from typing import NamedTuple, TypeVar

from handoffctl.errors import UsageError
from handoffctl.grouping.messages import count_messages
from handoffctl.item import Item
from handoffctl.kinds import Kind, is_model_made, kind_of
from handoffctl.model import HandoffInputData, Segment, run_segments, segment_items
from handoffctl.registry import Registry, suggestion
from handoffctl.tokens import TextCounter, estimate_tokens, item_tokens
from handoffctl.wording.texts import label_of, media_parts

COUNTERS = Registry(
    "counter",
    "handoffctl.counters",
    {
        "approx": "handoffctl.tokens:estimate_tokens",
        "chars": "handoffctl.tokens:count_characters",
        "words": "handoffctl.tokens:count_words",
    },
)
_Name = TypeVar("_Name", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Counts:
    """How much the items are, over the segments as one list. Each mapping has its most frequent names first.

    `by_role` counts calls and reasoning as `assistant` and outputs as `tool`, as a chat list would; what has no
    role is in none. `by_agent` has run items alone, `by_tool` calls alone, `by_segment` is empty for a bare list of
    items. `bytes` are of the items' JSON text. `tokens` are None where no counter was given.
    """

    items: int
    messages: int
    by_kind: Mapping[Kind, int]
    by_role: Mapping[str, int]
    by_agent: Mapping[str, int]
    by_tool: Mapping[str, int]
    by_segment: Mapping[Segment, int]
    media: int
    bytes: int
    tokens: int | None = None


class Comparison(NamedTuple):
    """The counts before and after a chain."""

    before: Counts
    after: Counts


def count(what: HandoffInputData | Iterable[Item], *, counter: TextCounter | None = None) -> Counts:
    """The counts of handoff input data, or of a list of items; tokens only with a counter, they take their time."""
    if isinstance(what, HandoffInputData):
        placed = list(segment_items(what))
        items, segments = [item for _, item in placed], [segment for segment, _ in placed]
        agents = [each.agent for _, run_items in run_segments(what) for each in run_items]
    else:
        items, segments, agents = list(what), [], []
    kinds = [kind_of(item) for item in items]
    return Counts(
        items=len(items),
        messages=count_messages(items),
        by_kind=_frequencies(kinds),
        by_role=_frequencies(map(role_of, items)),
        by_agent=_frequencies(agents),
        by_tool=_frequencies([label_of(item) for item, kind in zip(items, kinds, strict=True) if kind is Kind.CALL]),
        by_segment=_frequencies(segments),
        media=sum([len(media_parts(item)) for item in items]),
        bytes=sum([len(item.raw) for item in items]),
        tokens=None if counter is None else sum([item_tokens(item, counter) for item in items]),
    )


def role_of(item: Item) -> str | None:
    """The role that an item has in a chat list; None for what has no place there."""
    if item.role is not None:
        return item.role
    if kind_of(item) is Kind.OUTPUT:
        return "tool"
    return "assistant" if is_model_made(item) else None


def biggest(items: Iterable[Item], most: int, counter: TextCounter = estimate_tokens) -> list[tuple[int, int]]:
    """Position (from 0) and tokens of the items with the most tokens, largest first; at most so many."""
    sizes = [(position, item_tokens(item, counter)) for position, item in enumerate(items)]
    return nlargest(most, sizes, key=lambda each: each[1])


def growth(items: Iterable[Item], counter: TextCounter = estimate_tokens) -> tuple[int, ...]:
    """Tokens of the conversation up to and with each item."""
    return tuple(accumulate([item_tokens(item, counter) for item in items]))


def common_prefix_tokens(before: Sequence[Item], after: Sequence[Item], counter: TextCounter = estimate_tokens) -> int:
    """Tokens of the items that both begin with: what a provider's prompt cache can still use."""
    both = takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False))
    return sum([item_tokens(item, counter) for item, _ in both])


def load_counter(name: str) -> TextCounter:
    """The counter of that name. Raises UsageError for an unknown one, PluginError where its import fails."""
    try:
        found: TextCounter = COUNTERS.get(name)
    except UsageError as error:
        known = COUNTERS.names()
        help_ = f"{suggestion(name, known)} there are: {', '.join(known)}".strip()
        raise UsageError(error.what, place=name, help=help_) from error
    return found


def _frequencies(names: Iterable[_Name | None]) -> dict[_Name, int]:
    return dict(Counter([name for name in names if name is not None]).most_common())
