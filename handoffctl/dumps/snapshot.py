"""One RunState: its three parts at each handoff, and what of them a filter had already rewritten."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from handoffctl.dumps.parts import members_of, run_items_of
from handoffctl.entries import Entries
from handoffctl.handoffs import transfer_output
from handoffctl.item import Item
from handoffctl.kinds import Kind, kind_of
from handoffctl.model import HandoffInputData, RunItem
from handoffctl.raw.jsontext import decode
from handoffctl.transfers import TOOL_PREFIX

_HANDOFF_OUTPUT = "handoff_output_item"
_APPROVAL = "tool_approval_item"
REWRITTEN = (
    "a filter had rewritten the history before this was saved: recoverable are the model's outputs "
    "(model_responses) and the session's items (session_items), not the history that the filter got"
)


class Snapshot:
    """A RunState's members, decoded when they are asked for. Raises ValueError where one has another shape."""

    def __init__(self, raw: bytes) -> None:
        self._members = members_of(raw)
        if "original_input" not in self._members:
            raise ValueError("no `original_input` in this record")
        self.evidence = "the snapshot's own turns"

    def value(self, key: str) -> Any:
        """The value of a member; None where there is none."""
        return decode(self._members.get(key, b"null"))

    @cached_property
    def history(self) -> str | tuple[Item, ...]:
        """The current history: what the run was given, or what a filter made of it."""
        raw = self._members["original_input"]
        if raw.lstrip()[:1] == b"[":
            return Entries(raw, None).items()
        text = decode(raw)
        if not isinstance(text, str):
            raise ValueError("`original_input` is neither a string nor a list")
        return text

    @cached_property
    def generated(self) -> tuple[RunItem, ...]:
        """The run items that the model sees, oldest first."""
        return self._run_items("generated_items")

    @cached_property
    def session_items(self) -> tuple[RunItem, ...]:
        """The run items that a session holds, oldest first; they differ from `generated` after a filter."""
        return self._run_items("session_items")

    def _run_items(self, key: str) -> tuple[RunItem, ...]:
        raw = self._members.get(key, b"[]")
        return run_items_of(Entries(raw, None)) if raw.lstrip()[:1] == b"[" else ()

    @cached_property
    def _responses(self) -> list[list[dict[str, Any]]]:
        """What each model response put out, oldest first."""
        responses = self.value("model_responses")
        outputs = (
            [each.get("output") for each in responses if isinstance(each, dict)] if isinstance(responses, list) else []
        )
        return [[item for item in output if isinstance(item, dict)] for output in outputs if isinstance(output, list)]

    def whole(self) -> HandoffInputData:
        """The conversation as it stands: the history, then every generated item."""
        return HandoffInputData(self.history, self.generated)

    def splits(self) -> tuple[HandoffInputData, ...]:
        """What each handoff's filter got, oldest first; the one that still waits last."""
        splits = []
        for end, run_item in enumerate(self.generated):
            if run_item.type == _HANDOFF_OUTPUT:
                start = self._turn_start(run_item.raw_item.call_id, end)
                splits.append(self._split(self.generated[:start], self.generated[start : end + 1]))
        pending = self._pending()
        return (*splits, pending) if pending else tuple(splits)

    def told(self, data: HandoffInputData) -> str:
        """By which evidence the data was split off, and how much of the run came after it."""
        later = len(self.generated) - len(data.pre_handoff_items) - len(data.new_items)
        return f"{self.evidence}; {later} later items are not there yet" if later > 0 else self.evidence

    def _split(self, pre: tuple[RunItem, ...], new: tuple[RunItem, ...]) -> HandoffInputData:
        return HandoffInputData(self.history, pre, new)

    def _turn_start(self, call_id: str | int | None, end: int) -> int:
        """The first generated item of the response that called: the turn of the handoff begins there."""
        for output in reversed(self._responses):
            marks = {_mark(item.get("type"), item.get("call_id"), item.get("id")) for item in output}
            if not any(item.get("type") == "function_call" and item.get("call_id") == call_id for item in output):
                continue
            for index, run_item in enumerate(self.generated[: end + 1]):
                raw = run_item.raw_item
                if kind_of(raw) is not Kind.OUTPUT and _mark_of(raw) in marks:
                    return index
        return next(
            (i for i, each in enumerate(self.generated[:end]) if each.raw_item.call_id == call_id),
            end,
        )

    @property
    def is_interrupted(self) -> bool:
        """Whether the run waits, for an approval or to go on."""
        return self.value("current_step") is not None

    def _pending(self) -> HandoffInputData | None:
        """The data of a handoff that the model called and the run has not done yet, its output made up."""
        processed = self.value("last_processed_response")
        handoffs = processed.get("handoffs") if isinstance(processed, dict) else None
        if not isinstance(handoffs, list) or not handoffs or self.value("current_step") is None:
            return None
        call = Item.of(_dict(_dict(handoffs[0]).get("tool_call")))
        start = self._pending_start(_dict(processed))
        new = tuple(each for each in self.generated[start:] if each.type != _APPROVAL)
        self.evidence = "the snapshot's own turns; the last handoff still waits, its output was made up"
        source = new[0].agent if new else None
        return self._split(self.generated[:start], (*new, transfer_output(call, source)))

    def _pending_start(self, processed: dict[str, Any]) -> int:
        owned = self.value("current_response_generated_item_ownership")
        start = _dict(owned).get("start")
        if isinstance(start, int) and 0 <= start <= len(self.generated):
            return start
        approvals = sum(1 for each in self.generated if each.type == _APPROVAL)
        new = processed.get("new_items")
        return max(0, len(self.generated) - (len(new) if isinstance(new, list) else 0) - approvals)

    def notes(self) -> tuple[str, ...]:
        """What can't be recovered, where a filter had rewritten the data before the snapshot was taken."""
        there = {_mark_of(each.raw_item) for each in self.generated}
        done = {_mark_of(each.raw_item) for each in self.session_items if each.type != _APPROVAL}
        called = {
            _mark(item.get("type"), item.get("call_id"), item.get("id"))
            for output in self._responses
            for item in output
            if item.get("type") == "function_call" and str(item.get("name", "")).startswith(TOOL_PREFIX)
        }
        lost = (called | done) - there
        return (REWRITTEN,) if lost else ()


def _mark_of(item: Item) -> tuple[str, str]:
    return _mark(item.type, item.call_id, item.id)


def _mark(type_: Any, call_id: Any, id_: Any) -> tuple[str, str]:
    """What tells an item of a response: its type with the call id, or else the id."""
    return str(type_), str(call_id if call_id is not None else id_)


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
