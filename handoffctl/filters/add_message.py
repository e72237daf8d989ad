"""A message put before or behind the conversation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from handoffctl.errors import UsageError
from handoffctl.item import Item
from handoffctl.model import HandoffInputData, RunItem, history_items

_NAME = "add-message"


@dataclass(frozen=True)
class AddMessage:
    """Put a message with this text at the start of the history, or at the end of what the next agent sees.

    At the end it comes after the handoff: an input item where there are such, else a new item. A string history becomes
    a list, since it is one message and there are now two. Each run adds one more.

    Example: text=Be brief.: user, reply → developer, user, reply
    """

    idempotent: ClassVar[bool] = False

    text: Annotated[str, "what the message says"] = ""
    role: Annotated[Literal["user", "assistant", "system", "developer"], "who says it"] = "developer"
    at: Annotated[Literal["start", "end"], "where it stands"] = "start"

    def __post_init__(self) -> None:
        if not self.text:
            raise UsageError("text is needed", place=_NAME, help=f'{_NAME}:text="Be brief."')

    def __call__(self, data: HandoffInputData) -> HandoffInputData:
        message = Item.of({"role": self.role, "content": self.text})
        if self.at == "start":
            return data.clone(input_history=(message, *history_items(data)))
        added = RunItem("input_item", message)
        if data.input_items is not None:
            return data.clone(input_items=(*data.input_items, added))
        return data.clone(new_items=(*data.new_items, added))
