"""One record of a nested history's summary: an item as a line of text, and back.

Source: `agents.handoffs.history` of openai-agents 0.24.0.
"""

from __future__ import annotations

import json
from typing import Any

from handoffctl.item import Item
from handoffctl.kinds import ROLES
from handoffctl.raw.jsontext import refuse_constant
from handoffctl.running.replay import without, without_metadata

NO_ROLE = "developer"
"""The role that a record means whose name stands alone."""


def written(item: Item) -> str:
    """The record of an item: `role: content` where the content is one line, else its JSON.

    Of a message on one line nothing but role, name and content is kept. The SDK looks for LF and CR alone, so
    other line separators stay in the line, where its own parser then breaks it.
    """
    content = item.get("content")
    if item.role is not None and (content is None or (isinstance(content, str) and not _has_line_ends(content))):
        speaker = f"{item.role} ({item.name})" if item.name else item.role
        return f"{speaker}: {content or ''}"
    payload = without(without_metadata(item), "provider_data").to_dict()
    return json.dumps(payload, ensure_ascii=False)


def parsed(record: str) -> Item | None:
    """The item that a record says, with or without its number; None where it says none.

    Whatever stands before the first colon counts as a role, so most text makes a message.
    """
    text = _without_number(record.strip())
    item = _json_item(text)
    if item is not None:
        return item
    speaker, colon, content = text.partition(":")
    if not colon:
        return _bare_message(text)
    if not speaker.strip():
        return None
    role, name = _role_and_name(speaker.strip())
    if role not in ROLES:
        typed = _json_item(content.strip(), role)
        if typed is not None:
            return typed
    return _message(role, name, content.strip())


def is_numbered(line: str) -> bool:
    """Whether a record begins in this line."""
    number, dot, _ = line.lstrip().partition(".")
    return bool(dot) and number.isdigit()


def _has_line_ends(text: str) -> bool:
    return "\n" in text or "\r" in text


def _without_number(text: str) -> str:
    return text.partition(".")[2].lstrip() if is_numbered(text) else text


def _json_item(text: str, type_: str | None = None) -> Item | None:
    """The item of a JSON object; `type_` is the type that stood before it, as the SDK wrote it once."""
    try:
        value = json.loads(text, parse_constant=refuse_constant)
        if not isinstance(value, dict):
            return None
        return without_metadata(without(Item.of(value if type_ is None else value | {"type": type_}), "provider_data"))
    except (ValueError, RecursionError):
        return None


def _bare_message(text: str) -> Item | None:
    """An empty message of a known role, as the SDK before 0.20.0 wrote it; prose is none."""
    known = text[: text.rfind("(")].strip() if text.endswith(")") and "(" in text else text
    return _message(*_role_and_name(text), "") if known in ROLES else None


def _role_and_name(speaker: str) -> tuple[str, str | None]:
    if speaker.endswith(")") and "(" in speaker:
        role, _, name = speaker[:-1].rpartition("(")
        if name.strip():
            return role.strip() or NO_ROLE, name.strip()
    return speaker or NO_ROLE, None


def _message(role: str, name: str | None, content: str) -> Item:
    named: dict[str, Any] = {"name": name} if name else {}
    return Item.of({"role": role, **named, "content": content})
