"""The parts of handoff input data as JSON members: wrapped or bare run items, read and written back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from handoffctl.dumps.flat import item_texts
from handoffctl.entries import Entries
from handoffctl.handoffs import classify_bare
from handoffctl.item import Item
from handoffctl.kinds import RUN_ITEM_CLASSES, run_item_type
from handoffctl.model import HandoffInputData, RunItem
from handoffctl.raw.jsontext import decode, encode
from handoffctl.raw.spans import member_spans
from handoffctl.raw.splice import with_members

SEGMENT_KEYS = ("pre_handoff_items", "new_items", "input_items")
_read_members = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


class Parts:
    """The members of one dump of handoff input data: its lists, to be put back where they stood."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        self.lists: dict[str, Entries] = {}
        self.data = self._read(members_of(raw))

    def _read(self, members: Mapping[str, bytes]) -> HandoffInputData:
        """Raises ValueError where a part is of another shape."""
        history = members.get("input_history", b"[]")
        segments = [self._run_items(key, members.get(key, b"null")) for key in SEGMENT_KEYS]
        return HandoffInputData(self._history(history), segments[0] or (), segments[1] or (), None, segments[2])

    def _history(self, raw: bytes) -> str | tuple[Item, ...]:
        if raw.lstrip()[:1] == b"[":
            self.lists["input_history"] = entries = Entries(raw, None)
            return entries.items()
        history = decode(raw)
        if not isinstance(history, str):
            raise ValueError("`input_history` is neither a string nor a list")
        return history

    def _run_items(self, key: str, raw: bytes) -> tuple[RunItem, ...] | None:
        if raw.strip() == b"null":
            return None
        if raw.lstrip()[:1] != b"[":
            raise ValueError(f"`{key}` is not a list")
        self.lists[key] = entries = Entries(raw, None)
        return run_items_of(entries)

    def written(self, after: HandoffInputData) -> bytes:
        """The dump with what became of its parts; parts that are the same objects keep their bytes."""
        changes: dict[str, bytes | None] = {}
        if after.input_history is not self.data.input_history:
            changes["input_history"] = self._history_text(after.input_history)
        for key in SEGMENT_KEYS:
            run_items: tuple[RunItem, ...] | None = getattr(after, key)
            if run_items is not getattr(self.data, key):
                changes[key] = b"null" if run_items is None else self._run_items_text(key, run_items)
        style = self.lists["input_history"].style if "input_history" in self.lists else Entries(self.raw, None).style
        return with_members(self.raw, changes, style) if changes else self.raw

    def _history_text(self, history: str | tuple[Item, ...]) -> bytes:
        if isinstance(history, str):
            return encode(history)
        entries = self.lists.get("input_history") or Entries(b"[]", None)
        return entries.rebuilt(item_texts(entries, history))

    def _run_items_text(self, key: str, run_items: Sequence[RunItem]) -> bytes:
        entries = self.lists.get(key) or Entries(b"[]", None)
        bare = any(each.wrapper is None for each in getattr(self.data, key) or ())
        return entries.rebuilt(item_texts(entries, [written_as(each, bare=bare) for each in run_items]))


def members_of(raw: bytes) -> dict[str, bytes]:
    """The bytes of each member of an object. Raises ValueError where the text is no JSON object."""
    try:
        return {key: bytes(value) for key, value in _read_members(raw).items()}
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        if raw.lstrip()[:1] != b"{":
            raise ValueError("not an object") from error
        return {key: raw[span.start : span.end] for key, span in member_spans(raw)}


def run_items_of(entries: Entries) -> tuple[RunItem, ...]:
    """Each entry as a run item, wrapped or bare. Raises ValueError where one is no object."""
    wrappers = entries.items()
    bare = {id(each.raw_item): each for each in classify_bare(tuple(w for w in wrappers if not _is_wrapper(w)))}
    return tuple(bare[id(w)] if id(w) in bare else unwrapped(w) for w in wrappers)


def unwrapped(wrapper: Item) -> RunItem:
    """The run item that a wrapper's object is. Agents may be names or objects with a `name`.

    Raises ValueError where it holds no raw item.
    """
    raw = members_of(wrapper.raw).get("raw_item", b"")
    if raw[:1] != b"{":
        raise ValueError(f"a {wrapper.type or 'run item'} without a `raw_item`")
    raw_item = Item.parse(raw)
    agent, source, target = (agent_name(wrapper.get(key)) for key in ("agent", "source_agent", "target_agent"))
    return RunItem(wrapper.type or "", raw_item, agent, source, target, wrapper)


def agent_name(agent: Any) -> str | None:
    """An agent's name, from the name itself or an object that has one; None where it does not say."""
    name = agent.get("name") if isinstance(agent, Mapping) else agent
    return name if isinstance(name, str) else None


def written_as(run_item: RunItem, *, bare: bool = False) -> Item:
    """The object that says a run item: its own wrapper, the bare item where that says it all, or a wrapper made now."""
    if run_item.wrapper is not None:
        return run_item.wrapper
    if bare or (run_item.raw_item.place is not None and _says_all(run_item)):
        return run_item.raw_item
    agents = {"agent": run_item.agent, "source_agent": run_item.source_agent, "target_agent": run_item.target_agent}
    named = [b',"%s":%s' % (key.encode(), encode({"name": name})) for key, name in agents.items() if name is not None]
    head = b'{"type":%s,"raw_item":%s' % (encode(run_item.type), run_item.raw_item.raw)
    return Item.parse(head + b"".join(named) + b"}")


def _says_all(run_item: RunItem) -> bool:
    """Whether the raw item alone tells the run item's class, and nobody knows whose it is."""
    return run_item.type == run_item_type(run_item.raw_item) and run_item.agent is None


def _is_wrapper(entry: Item) -> bool:
    return entry.type in RUN_ITEM_CLASSES or "raw_item" in entry


def dumped(data: HandoffInputData) -> bytes:
    """A dump of handoff input data, for a conversation that came in another shape."""
    history = encode(data.input_history) if isinstance(data.input_history, str) else _list_text(data.input_history)
    segments = [
        b'"%s":%s' % (key.encode(), _list_text([written_as(each) for each in run_items]))
        for key in SEGMENT_KEYS
        if (run_items := getattr(data, key)) is not None
    ]
    return b'{"input_history":' + history + b"," + b",".join(segments) + b"}"


def _list_text(items: Sequence[Item]) -> bytes:
    return b"[" + b",".join([item.raw for item in items]) + b"]"
