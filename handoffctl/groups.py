"""Pairs and bundles: which items stand or fall together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from handoffctl.grouping.answers import Answers, find_answers
from handoffctl.item import Item
from handoffctl.kinds import ANSWERED_BY, CALLERS, INSTRUCTION_ROLES, Kind, is_model_made, kind_of


class Pair(NamedTuple):
    """A call with all that belongs to it, as positions that count from 0; no filter takes a part of it alone.

    `call` is the call, or an approval request whose call never came. `outputs` are its own, oldest first,
    empty where it has none. `others` are its approval's request, response and placeholder, and for a
    program the calls that it made, with their outputs.
    """

    call: int
    outputs: tuple[int, ...] = ()
    others: tuple[int, ...] = ()

    @property
    def indexes(self) -> tuple[int, ...]:
        """All positions, ascending."""
        return tuple(sorted((self.call, *self.outputs, *self.others)))


class Bundle(NamedTuple):
    """What a model emitted together, with all outputs; or one item that stands alone.

    `indexes` are ascending positions. They are not always neighbours: an output may stand later.
    """

    indexes: tuple[int, ...]


def pairs(items: Sequence[Item]) -> tuple[Pair, ...]:
    """Every call with all that belongs to it, by the position of the first item; no item is in two pairs.

    Outputs without a call are in none.
    """
    answers = find_answers(items)
    return _pairs(_united(items, answers), answers)


def _pairs(united: _Sets, answers: Answers) -> tuple[Pair, ...]:
    found = []
    for members in united.members():
        call = next((each for each in members if each in answers.outputs), members[0])
        if len(members) > 1 or call in answers.outputs:
            outputs = tuple(answers.outputs.get(call, ()))
            others = tuple([each for each in members if each != call and each not in outputs])
            found.append(Pair(call, outputs, others))
    return tuple(found)


def bundles(items: Sequence[Item]) -> tuple[Bundle, ...]:
    """Every item in exactly one bundle, by the position of the first item.

    Neighbours that a model made are one bundle, with all their outputs and whatever else belongs to their
    pairs. Messages without reasoning or calls beside them stand alone, as does everything unknown.
    """
    return _bundles(items, find_answers(items))


def _bundles(items: Sequence[Item], answers: Answers) -> tuple[Bundle, ...]:
    united = _united(items, answers)
    for run in _runs(items):
        if any(kind_of(items[each]) is not Kind.MESSAGE for each in run):
            for before, after in pairwise(run):
                united.unite(before, after)
    return tuple([Bundle(tuple(members)) for members in united.members()])


def protected(items: Iterable[Item]) -> int:
    """How many system and developer messages lead the list."""
    count = 0
    for item in items:
        if kind_of(item) is not Kind.MESSAGE or item.role not in INSTRUCTION_ROLES:
            break
        count += 1
    return count


def pending_calls(items: Sequence[Item]) -> tuple[int, ...]:
    """Positions of the calls whose output may still come: without one, and in the last bundle.

    There no call may have an output yet, but for one that waits for an approval. Any other call without
    an output is broken. A hosted call is complete in itself and never pending.
    """
    answers = find_answers(items)
    if not items:
        return ()
    last = next(each.indexes for each in _bundles(items, answers) if each.indexes[-1] == len(items) - 1)
    answered = any(answers.outputs.get(each) for each in last)
    waiting = set(answers.repeats.values())
    return tuple(
        each
        for each in last
        if answers.outputs.get(each) == []
        and (items[each].type or "") in ANSWERED_BY
        and (each in waiting or not answered)
    )


def _runs(items: Sequence[Item]) -> list[list[int]]:
    """Neighbours that a model made, with no output and no message of another role between them."""
    found: list[list[int]] = []
    is_open = False
    for position, item in enumerate(items):
        if not is_model_made(item):
            is_open = False
        elif is_open:
            found[-1].append(position)
        else:
            found.append([position])
            is_open = True
    return found


def _united(items: Sequence[Item], answers: Answers) -> _Sets:
    """The items in sets of what belongs to one pair; everything else alone."""
    united = _Sets(len(items))
    for call, outputs in answers.outputs.items():
        for output in outputs:
            united.unite(call, output)
    for placeholder, call in answers.repeats.items():
        united.unite(call, placeholder)
    if any(kind_of(item) is Kind.APPROVAL for item in items):
        _unite_approvals(items, united)
    if any(item.type in CALLERS for item in items):
        _unite_callers(items, united)
    return united


def _unite_approvals(items: Sequence[Item], united: _Sets) -> None:
    """A request with its response, and with the call that it was for."""
    requests: dict[Any, int] = {}
    for position, item in enumerate(items):
        wanted = item.get("approval_request_id")
        if isinstance(wanted, str):
            if wanted in requests:
                united.unite(requests[wanted], position)
        elif kind_of(item) is Kind.APPROVAL:
            requests[item.id] = position


def _unite_callers(items: Sequence[Item], united: _Sets) -> None:
    """A program with the calls that it made, and their outputs."""
    callers: dict[Any, int] = {}
    for position, item in enumerate(items):
        caller = item.get("caller")
        if isinstance(caller, dict) and isinstance(caller.get("caller_id"), str):
            program = callers.get(caller["caller_id"])
            if program is not None and str(caller.get("type")) in CALLERS:
                united.unite(program, position)
        if item.type in CALLERS:
            callers[item.call_id] = position


class _Sets:
    """Disjoint sets of positions; each is known by its first member."""

    def __init__(self, size: int) -> None:
        self._parents = list(range(size))

    def unite(self, one: int, other: int) -> None:
        first, second = sorted((self._first(one), self._first(other)))
        self._parents[second] = first

    def members(self) -> list[list[int]]:
        """The sets by their first members, each ascending."""
        found: dict[int, list[int]] = {}
        for position in range(len(self._parents)):
            found.setdefault(self._first(position), []).append(position)
        return list(found.values())

    def _first(self, position: int) -> int:
        parents = self._parents
        while parents[position] != position:
            parents[position] = parents[parents[position]]  # halve the path: keeps the whole near O(n)
            position = parents[position]
        return position
