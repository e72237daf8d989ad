"""A filtered conversation as bytes: back into its own record, or in another format."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import is_

import msgspec

from handoffctl.dialects.chat_entries import entries_of
from handoffctl.dialects.chat_losses import members_lost
from handoffctl.dialects.chat_parts import responses_item
from handoffctl.dumps.flat import flat_items
from handoffctl.dumps.parts import SEGMENT_KEYS, dumped
from handoffctl.errors import UsageError
from handoffctl.item import Item
from handoffctl.model import HandoffInputData, Loss, RunItem
from handoffctl.raw.jsontext import style_of
from handoffctl.records import Record
from handoffctl.registry import suggestion

_LINE_BREAK = re.compile(rb"[ \t]*[\r\n]+[ \t\r\n]*")

Losses = list[Loss]
"""What the target format can't say, in the order of the conversation for each target."""


def loss_name(loss: Loss) -> str:
    """The type of the item that is lost, with the member where only that is."""
    name = loss.item.type or loss.item.role or "unknown"
    return name if loss.member is None else f"{name} ({loss.member})"


def _list(texts: Sequence[bytes]) -> bytes:
    return b"[" + b",".join(texts) + b"]"


def _as_handoff(data: HandoffInputData, losses: Losses) -> bytes:
    losses += lost_on_reading(flat_items(data))
    return dumped(_in_responses(data))


def _as_items(data: HandoffInputData, losses: Losses) -> bytes:
    losses += lost_on_reading(flat_items(data))
    return _list([item.raw for item in responses_items(data)])


def lost_on_reading(items: Iterable[Item]) -> Iterator[Loss]:
    """What items don't say of the messages that they came from: it stays behind wherever they go."""
    for item in items:
        if (place := item.place) is not None:
            for member in place[0].lost_members(*place[1:]):
                yield Loss(item, member)


def responses_items(data: HandoffInputData) -> tuple[Item, ...]:
    """All parts one after the other, as Responses items whatever they came from."""
    return flat_items(_in_responses(data))


def _as_next_agent(data: HandoffInputData, losses: Losses) -> bytes:
    from handoffctl.view import model_input

    items = model_input(_in_responses(data))
    losses += lost_on_reading(items)
    return _list([item.raw for item in items])


def _in_responses(data: HandoffInputData) -> HandoffInputData:
    """The same data with what came from chat messages as Responses items, their parts included."""
    history = data.input_history
    if not isinstance(history, str):
        history = tuple(map(responses_item, history))
    parts = {
        key: None if (run_items := getattr(data, key)) is None else tuple(map(_in_responses_too, run_items))
        for key in SEGMENT_KEYS
    }
    return data.clone(input_history=history, **parts)


def _in_responses_too(run_item: RunItem) -> RunItem:
    raw_item = responses_item(run_item.raw_item)
    return run_item if raw_item is run_item.raw_item else run_item.with_raw_item(raw_item)


def _as_chat(data: HandoffInputData, losses: Losses) -> bytes:
    items = flat_items(data)
    texts, unsaid = entries_of(items)
    losses += map(Loss, unsaid)
    losses += members_lost(items)
    losses += lost_on_reading(items)
    return _list(texts)


def _as_anthropic(data: HandoffInputData, losses: Losses) -> bytes:
    from handoffctl.dialects.anthropic.conversation import request_of

    return request_of(responses_items(data), losses)


SESSIONS = "session-db"
"""The target that is one file for all conversations: their items go into it."""

TARGETS: dict[str, Callable[[HandoffInputData, Losses], bytes]] = {
    "handoff": _as_handoff,
    "items": _as_items,
    "chat": _as_chat,
    "anthropic": _as_anthropic,
    "next-agent": _as_next_agent,
    SESSIONS: _as_items,
}
"""What `--to` may name: a function from the data to one JSON document, which adds what it can't say to the losses."""


def target(name: str) -> Callable[[HandoffInputData, Losses], bytes]:
    """The writer that `--to` names. Raises UsageError for an unknown one."""
    wanted = name.replace("_", "-")
    if wanted not in TARGETS:
        hint = suggestion(name, list(TARGETS))
        raise UsageError("no such format to write", place=f"--to {name}", help=f"{hint} {', '.join(TARGETS)}".strip())
    return TARGETS[wanted]


def is_same(before: HandoffInputData, after: HandoffInputData) -> bool:
    """Whether a filter left everything: the same objects in the same order, in whatever tuples."""
    if before is after:
        return True
    history = before.input_history, after.input_history
    if isinstance(history[0], str) or isinstance(history[1], str):
        same_history = history[0] == history[1]
    else:
        same_history = _are_same(*history)
    return same_history and all(_are_same(getattr(before, key), getattr(after, key)) for key in SEGMENT_KEYS)


def _are_same(before: Sequence[object] | None, after: Sequence[object] | None) -> bool:
    if before is None or after is None:
        return before is after
    return len(before) == len(after) and all(map(is_, before, after))


def in_style(text: bytes, record: Record) -> bytes:
    """A new document indented as the record it came from is; one line where that is a line."""
    indent = style_of(record.raw).indent if record.form == "document" else None
    return _formatted(text, indent) if indent else text


def one_line(text: bytes) -> bytes:
    """A JSON document on one line, its values' own spelling kept."""
    return _formatted(text, -1) if b"\n" in text or b"\r" in text else text


def _formatted(text: bytes, indent: int) -> bytes:
    try:
        return msgspec.json.format(text, indent=indent)
    except (msgspec.DecodeError, RecursionError):  # a lone surrogate; strings hold no line breaks, so all can go
        return _LINE_BREAK.sub(b"", text)
