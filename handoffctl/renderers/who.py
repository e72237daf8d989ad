"""An item in a few words: who made it, and what it is."""

from __future__ import annotations

from handoffctl.kinds import Kind
from handoffctl.renderers.cells import columns_of, cut
from handoffctl.reports.shown import ShownItem
from handoffctl.wording.escape import visible

EMPTY = "(empty)"


def who(item: ShownItem) -> str:
    """Role or agent, and what it did: `user`, `Triage Agent → call`, `tool output`."""
    agent = visible(item.agent or "")
    if item.kind is Kind.MESSAGE:
        return agent if agent and item.role == "assistant" else visible(item.role or "message")
    if item.kind is Kind.OUTPUT:
        return "handoff output" if item.handoff else "tool output"
    if item.kind is Kind.CALL:
        return f"{agent or 'assistant'} → {'handoff' if item.handoff else 'call'}"
    if item.kind is Kind.REASONING:
        return f"{agent} · reasoning" if agent else "reasoning"
    if item.kind is Kind.UNKNOWN:
        return f"unknown {visible(item.type or '')}".rstrip()
    return visible(item.type or str(item.kind)).replace("_", " ")


def what(item: ShownItem, columns: int) -> str:
    """The tool and the start of the words, on one line; an output that has no room shows its length instead."""
    name = visible(item.name or "")
    if item.handoff and item.kind is Kind.OUTPUT and item.to_agent:
        return visible(item.to_agent)
    media = _media(item, columns // 2)
    words = first_line(_without_media(item))
    columns -= columns_of(media) + 2 if media else 0
    if item.handoff and words == "{}":
        words = ""
    if item.kind is Kind.OUTPUT and columns_of(name) + 2 + columns_of(words[: columns + 1]) > columns:
        words = f"{len(item.text):,} characters"
    if media:
        words = cut(words, columns - (columns_of(name) + 2 if name else 0))
    shown = "  ".join([each for each in (name, words, media) if each])
    return shown or EMPTY


def _media(item: ShownItem, columns: int) -> str:
    """The note of its first image, audio or file, and how many more there are; empty without any."""
    first, *others = [visible(each) for each in item.media] or [""]
    more = f" +{len(others):,}" if others else ""
    return cut(first, columns - len(more)) + more


def _without_media(item: ShownItem) -> str:
    if not item.media:
        return item.text
    return "\n".join([each for each in item.text.split("\n") if each not in item.media])


def first_line(text: str) -> str:
    """The first line that says something, with `…` where more follow."""
    stripped = text.strip()
    head, newline, _ = stripped[:10_000].partition("\n")
    return visible(head.rstrip()) + (" …" if newline else "")
