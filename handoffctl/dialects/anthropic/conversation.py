"""New messages for items, as the Anthropic API takes them: calls with their text, outputs in one user message."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

import msgspec

from handoffctl.dialects.anthropic.saying import (
    CALLS,
    OUTPUTS,
    Blocks,
    call_block,
    content_of,
    output_block,
    own_blocks,
)
from handoffctl.item import Item
from handoffctl.kinds import INSTRUCTION_ROLES, Kind, kind_of
from handoffctl.model import Loss
from handoffctl.raw.jsontext import COMPACT, Style, encode

_ROLES = {"user": "user", "assistant": "assistant", "system": "system", "developer": "system"}
Holds = Literal["thoughts", "words", "calls", "outputs"]


@dataclass
class NewMessage:
    """A message while it is put together. `words` is its content where that is one text."""

    role: str
    holds: Holds
    blocks: list[bytes | msgspec.Raw] = field(default_factory=list)
    words: str | None = None

    def text(self, style: Style) -> bytes:
        """Its JSON."""
        if self.words is not None and not self.blocks:
            return encode({"role": self.role, "content": self.words}, style)
        comma, colon = style.item_separator.encode(), style.key_separator.encode()
        content = b"[" + comma.join(self._all_blocks(style)) + b"]"
        head = encode("role", style) + colon + encode(self.role, style)
        return b"{" + head + comma + encode("content", style) + colon + content + b"}"

    def _all_blocks(self, style: Style) -> Iterator[bytes | msgspec.Raw]:
        if self.words:
            yield encode({"type": "text", "text": self.words}, style)
        yield from self.blocks


def new_messages(items: Iterable[Item], style: Style, losses: list[Loss]) -> list[NewMessage]:
    """The messages that say these items, in their order. What none can say is added to the losses.

    Calls and thoughts join the assistant's message before them, outputs that follow each other are one message.
    """
    messages: list[NewMessage] = []
    for item in items:
        said = _said(item, style, losses)
        if said is None:
            continue
        role, holds, content = said
        last = messages[-1] if messages else None
        if last is None or not _joins(last, role, holds):
            last = NewMessage(role, holds)
            messages.append(last)
        last.holds = holds
        if isinstance(content, str):
            last.words = content if not last.blocks else None
            last.blocks += [] if last.words is not None else [encode({"type": "text", "text": content}, style)]
        else:
            last.blocks += content
    return messages


def _joins(last: NewMessage, role: str, holds: Holds) -> bool:
    """Whether an item of this kind stands in the message before it."""
    if last.role != role:
        return False
    if holds == "words":
        return last.holds == "thoughts"
    if holds == "thoughts":
        return last.holds == "thoughts"
    return last.holds == "outputs" if holds == "outputs" else last.holds in ("thoughts", "words", "calls")


def _said(item: Item, style: Style, losses: list[Loss]) -> tuple[str, Holds, str | Blocks] | None:
    """The role of an item's message, what it holds, and the item's content there; None where none can say it."""
    kind, own = kind_of(item), own_blocks(item)
    lost: list[str] = []
    said: tuple[str, Holds, str | Blocks] | None = None
    if kind is Kind.MESSAGE and item.role in _ROLES:
        content = own if own is not None else content_of(item, style, lost)
        said = (_ROLES[item.role], "words", content) if content or not lost else None
    elif item.type in CALLS:
        said = ("assistant", "calls", own or [encode(call_block(item, lost), style)])
    elif item.type in OUTPUTS:
        said = ("user", "outputs", own or [encode(output_block(item, lost), style)])
    elif own is not None:
        said = ("assistant", "thoughts" if kind is Kind.REASONING else "calls", own)
    losses += [Loss(item)] if said is None else [Loss(item, name) for name in dict.fromkeys(lost)]
    return said


def request_of(items: Sequence[Item], losses: list[Loss]) -> bytes:
    """The `system` prompt and the `messages` of a request: the leading instructions stand outside the list."""
    count = next((at for at, item in enumerate(items) if not _instructs(item)), len(items))
    texts = [content_of(item, COMPACT, []) for item in items[:count]]
    messages = b",".join(message.text(COMPACT) for message in new_messages(items[count:], COMPACT, losses))
    system = b'"system":' + _system(texts) + b"," if texts else b""
    return b"{" + system + b'"messages":[' + messages + b"]}"


def _instructs(item: Item) -> bool:
    return kind_of(item) is Kind.MESSAGE and item.role in INSTRUCTION_ROLES


def _system(texts: Sequence[str | list[bytes]]) -> bytes:
    if len(texts) == 1 and isinstance(texts[0], str):
        return encode(texts[0])
    blocks = [encode({"type": "text", "text": text}) if isinstance(text, str) else b",".join(text) for text in texts]
    return b"[" + b",".join(block for block in blocks if block) + b"]"
