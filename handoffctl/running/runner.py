"""What the SDK's runner leaves out of a model's input: orphans, and older items of the same id.

Source: `agents.run_internal.items` of openai-agents 0.24.0.
"""

from __future__ import annotations

from collections.abc import Sequence

from handoffctl.item import Item
from handoffctl.kinds import (
    ANCHORED_EARLIEST,
    ANONYMOUS_OUTPUTS,
    ANSWERED_BY,
    CALLERS,
    OUTPUT_TYPES,
    PLACEHOLDER_IDS,
    PROGRAM_OWNED,
)

NO_OUTPUT = "a call without an output"
NO_PROGRAM = "called by a program that is left out"
NO_FOLLOWER = "the reasoning of a call that is left out"

Identity = tuple[str, str, str]


def orphans(items: Sequence[Item]) -> dict[int, str]:
    """Index -> why the runner drops this item, among those that a run generated. Outputs without a call stay."""
    answered = {(str(item.type), item.call_id) for item in items if item.type in OUTPUT_TYPES}
    programs = _orphan_programs(items, answered)
    anonymous = _answered_by_order(items)
    reasons: dict[int, str] = {}
    for index, item in enumerate(items):
        program = program_of(item)
        if program in programs and item.type is not None:
            reasons[index] = NO_PROGRAM
        elif item.type in ANSWERED_BY and not (program and _is_pending_shell(item)) and index not in anonymous:
            if isinstance(item.call_id, str) and (ANSWERED_BY[item.type], item.call_id) in answered:
                continue
            if item.type in CALLERS and isinstance(item.call_id, str) and item.call_id not in programs:
                continue
            reasons[index] = NO_OUTPUT
    return reasons | _dangling_reasoning(items, reasons)


def program_of(item: Item) -> str | None:
    """The call id of the program that made this call; None for one that the model made itself."""
    caller = item.get("caller")
    if not isinstance(caller, dict) or caller.get("type") not in CALLERS:
        return None
    caller_id = caller.get("caller_id")
    return caller_id if isinstance(caller_id, str) else None


def latest(items: Sequence[Item]) -> list[int]:
    """The indexes of the items that are sent, in the order of sending.

    Of items that share an id the latest is sent, at the place of the earliest where others must follow it
    (calls, reasoning, requests for an approval), else at its own. Messages are never taken for each other.
    """
    newest: dict[Identity, int] = {}
    place: dict[Identity, int] = {}
    identities = [_identity(item) for item in items]
    for index, identity in enumerate(identities):
        if identity is not None:
            newest[identity] = index
            if identity not in place or items[index].type not in ANCHORED_EARLIEST:
                place[identity] = index
    return [
        index if identity is None else newest[identity]
        for index, identity in enumerate(identities)
        if identity is None or place[identity] == index
    ]


def _identity(item: Item) -> Identity | None:
    """What two items must share for one to replace the other; None for an item that nothing replaces."""
    if item.get("role") is not None or item.type == "message":
        return None
    type_ = str(item.get("type") or None)
    by_call = item.type in ANSWERED_BY or item.type in OUTPUT_TYPES
    item_id = None if item.id in PLACEHOLDER_IDS else item.id
    candidates = (
        ("call_id", item.call_id if by_call else None),
        ("id", item_id),
        ("call_id", item.call_id),
        ("approval_request_id", item.get("approval_request_id")),
    )
    return next(((key, type_, value) for key, value in candidates if isinstance(value, str)), None)


def _orphan_programs(items: Sequence[Item], answered: set[tuple[str, str | int | None]]) -> set[str]:
    """Call ids of programs that have no output and of whose work nothing is left."""
    alive = {program_of(item) for item in items if _keeps_program(item)}
    return {
        item.call_id
        for item in items
        if item.type in CALLERS
        and isinstance(item.call_id, str)
        and (ANSWERED_BY[item.type], item.call_id) not in answered
        and item.call_id not in alive
    }


def _keeps_program(item: Item) -> bool:
    return _is_pending_shell(item) or item.type in PROGRAM_OWNED or item.type in OUTPUT_TYPES


def _is_pending_shell(item: Item) -> bool:
    """Whether this call runs on the server, which gives its output later."""
    return item.type == "shell_call" and item.get("status") in (None, "in_progress")


def _answered_by_order(items: Sequence[Item]) -> set[int]:
    """Indexes of calls without an id after which as many outputs without an id follow."""
    answered: set[int] = set()
    outputs = 0
    for index in range(len(items) - 1, -1, -1):
        item = items[index]
        if item.type is None or isinstance(item.call_id, str):
            continue
        if item.type in ANONYMOUS_OUTPUTS:
            outputs += 1
        elif outputs and ANSWERED_BY.get(item.type) in ANONYMOUS_OUTPUTS:
            answered.add(index)
            outputs -= 1
    return answered


def _dangling_reasoning(items: Sequence[Item], dropped: dict[int, str]) -> dict[int, str]:
    """The reasoning that stands right before something dropped: a provider refuses it alone."""
    dangling: dict[int, str] = {}
    follower_dropped = False
    for index in range(len(items) - 1, -1, -1):
        if items[index].type != "reasoning":
            follower_dropped = index in dropped
        elif follower_dropped and index not in dropped:
            dangling[index] = NO_FOLLOWER
    return dangling
