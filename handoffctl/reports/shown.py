"""An item as it is shown: who, what, and its words, with secrets masked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from handoffctl.grouping.answers import find_answers
from handoffctl.handoffs import find_handoffs
from handoffctl.item import Item
from handoffctl.kinds import Kind, is_model_made, kind_of
from handoffctl.model import Handoff, HandoffInputData, RunItem, Segment, history_items, run_segments
from handoffctl.secrets import Mask
from handoffctl.tokens import MEDIA_TOKENS, TextCounter, count_characters, count_words, estimate_tokens, item_tokens
from handoffctl.wording.texts import label_of, media_parts, text_of


@dataclass(frozen=True, slots=True)
class ShownItem:
    """One item. `index` counts from 0 over all segments as one list.

    `agent` made it, None where the dump does not say. `name` is the tool's, of an output the tool's that it came
    from. `to_agent` takes over, on a handoff's call and output. `text` is what a person reads of it, whole, media as
    notes; `media` are these notes alone. `tokens` are estimated.
    """

    index: int
    segment: Segment
    kind: Kind
    type: str | None
    role: str | None
    agent: str | None
    name: str | None
    call_id: str | None
    handoff: bool
    to_agent: str | None
    tokens: int
    text: str
    media: tuple[str, ...] = ()


NO_SECRETS = Mask()
_MEDIA_STARTS = tuple(f"[{kind}" for kind in MEDIA_TOKENS)
_UNITS: dict[TextCounter, str] = {count_characters: "chars", count_words: "words"}


def unit_of(counter: TextCounter) -> str:
    """What a counter counts: `chars` and `words` by theirs, `tokens` by any other."""
    return _UNITS.get(counter, "tokens")


@dataclass(frozen=True)
class Eye:
    """How items are looked at: what is masked, and how tokens are counted; `unit` is what the counter counts.

    Texts and tokens of an item are found once; before and after a chain share most of their items.
    """

    counter: TextCounter = estimate_tokens
    mask: Callable[[str], str] = NO_SECRETS
    handoff_tools: tuple[str, ...] = ()
    unit: str = "tokens"
    _seen: dict[int, tuple[Item, str, int]] = field(default_factory=dict)

    def on(self, *conversations: HandoffInputData) -> Eye:
        """An eye for these conversations: what is secret somewhere in them is masked everywhere."""
        if not isinstance(self.mask, Mask):
            return replace(self, _seen={})
        texts = (text_of(item) for each in conversations for _, item, _ in placed_items(each))
        return replace(self, mask=Mask.of(texts), _seen={})

    def words(self, item: Item) -> str:
        """What a person reads of an item, masked."""
        return self._look(item)[1]

    def media(self, item: Item) -> tuple[str, ...]:
        """The notes of its images, audio and files, masked; empty for most."""
        words = self.words(item)
        if not any(start in words for start in _MEDIA_STARTS):
            return ()
        return tuple([self.mask(each.note) for each in media_parts(item)])

    def tokens(self, item: Item) -> int:
        """The item's tokens."""
        return self._look(item)[2]

    def _look(self, item: Item) -> tuple[Item, str, int]:
        seen = self._seen.get(id(item))
        if seen is None:
            seen = self._seen[id(item)] = (item, self.mask(text_of(item)), item_tokens(item, self.counter))
        return seen

    def name(self, name: str | int | None) -> str | None:
        """A name or an id, masked."""
        return None if name is None else self.mask(str(name))

    def items(self, data: HandoffInputData) -> tuple[ShownItem, ...]:
        """Every item of the data, all segments as one list."""
        placed = tuple(placed_items(data))
        context = _Context(placed, find_handoffs(data, tool_globs=self.handoff_tools))
        return tuple([self._shown(index, each, context) for index, each in enumerate(placed)])

    def _shown(self, index: int, placed: Placed, context: _Context) -> ShownItem:
        segment, item, _ = placed
        kind = kind_of(item)
        handoff = context.handoffs.get(index)
        return ShownItem(
            index,
            segment,
            kind,
            self.name(item.type),
            self.name(item.role),
            self.name(context.agents[index]),
            self.name(context.names.get(index)),
            self.name(item.call_id),
            handoff is not None,
            self.name(handoff.to_agent) if handoff else None,
            self.tokens(item),
            self.words(item),
            self.media(item),
        )


UNMASKED = Eye(mask=str)
"""Shows secrets too."""

Placed = tuple[Segment, Item, RunItem | None]
"""An item with its segment, and its wrapper where it stands in a run."""


def placed_items(data: HandoffInputData) -> Iterator[Placed]:
    """Every item with its segment and wrapper: history, pre-handoff, new, then input items where they are set."""
    for item in history_items(data):
        yield "history", item, None
    for segment, run_items in run_segments(data):
        for run_item in run_items:
            yield segment, run_item.raw_item, run_item


class _Context:
    """What only the items around one tell of it."""

    def __init__(self, placed: Sequence[Placed], handoffs: Sequence[Handoff]) -> None:
        items = [item for _, item, _ in placed]
        self.handoffs = {at: each for each in handoffs for at in (each.call, each.output) if at is not None}
        self.names = dict(_names(items))
        self.agents = tuple(_agents(placed, handoffs))


def _names(items: Sequence[Item]) -> Iterator[tuple[int, str]]:
    """Positions of calls and outputs with their tool's name."""
    answers = find_answers(items)
    for call, outputs in (*answers.outputs.items(), *((each, [at]) for at, each in answers.repeats.items())):
        for position in (call, *outputs):
            yield position, label_of(items[call])
    for output in answers.orphans:
        if items[output].name:
            yield output, label_of(items[output])


def _agents(placed: Iterable[Placed], handoffs: Sequence[Handoff]) -> Iterator[str | None]:
    """For each item the agent that made it: as its wrapper says, else the one that took over last before it."""
    taking_over = {each.output: each.to_agent for each in handoffs if each.certain}
    agent = handoffs[0].from_agent if handoffs else None
    for position, (_, item, run_item) in enumerate(placed):
        said = run_item.agent if run_item else None
        yield said or (agent if is_model_made(item) else None)
        agent = taking_over.get(position) or agent
