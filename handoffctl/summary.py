"""The text of a nested history: a conversation as one assistant message, and back.

Source: `agents.handoffs.history` of openai-agents 0.24.0.
"""

from __future__ import annotations

from collections.abc import Iterable

from handoffctl.item import Item
from handoffctl.running.replay import without_metadata
from handoffctl.summary_record import is_numbered, parsed, written

PREAMBLE = "For context, here is the conversation so far between the user and the previous agent:"
LEGACY_PREAMBLE = "For context, here is the conversation so far:"
START = "<CONVERSATION HISTORY>"
END = "</CONVERSATION HISTORY>"
EMPTY = "(no previous turns recorded)"


def summary_message(items: Iterable[Item], start: str = START, end: str = END) -> Item:
    """One assistant message whose text holds every item as a numbered record, between the markers."""
    records = [f"{number}. {written(item)}" for number, item in enumerate(items, 1)]
    text = "\n".join([PREAMBLE, start, *(records or [EMPTY]), end])
    return Item.of({"role": "assistant", "content": text})


def parse_summary(message: Item, start: str = START, end: str = END, *, correct: bool = False) -> list[Item] | None:
    """The items that a summary was written of, as far as its text tells; None for any other message.

    Only the whole content of an assistant message counts: a string that begins and ends as `summary_message`
    writes it, or with the older preamble. The SDK breaks records at every line separator that Python knows
    (U+2028, NEL, form feed, …), so that it misreads those that hold one; `correct` breaks them at LF alone.
    """
    content = message.get("content") if message.role == "assistant" else None
    if not isinstance(content, str):
        return None
    preamble, _, wrapped = content.partition("\n")
    opening, closing = f"{start}\n", f"\n{end}"
    if preamble not in (PREAMBLE, LEGACY_PREAMBLE) or not (wrapped.startswith(opening) and wrapped.endswith(closing)):
        return None
    body = wrapped[len(opening) : -len(closing)]
    items = map(parsed, records_of(body.split("\n") if correct else body.splitlines()))
    return [item for item in items if item is not None]


def flattened(items: Iterable[Item], start: str = START, end: str = END, *, correct: bool = False) -> list[Item]:
    """The items with every summary among them replaced by what it says, without the SDK's own metadata."""
    flat: list[Item] = []
    for item in items:
        nested = parse_summary(item, start, end, correct=correct)
        flat += [without_metadata(item)] if nested is None else nested
    return flat


def records_of(lines: Iterable[str]) -> list[str]:
    """The records that lines make. A numbered line begins one and what follows belongs to it; blank lines are none."""
    records: list[list[str]] = []
    open_record = False
    for line in lines:
        if not line.strip():
            continue
        numbered = is_numbered(line)
        if open_record and not numbered:
            records[-1].append(line.rstrip())
        else:
            records.append([line.strip()])
            open_record = numbered
    return ["\n".join(record) for record in records]
