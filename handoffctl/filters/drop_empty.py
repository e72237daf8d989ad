"""Messages with nothing in them, taken out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from handoffctl.grouping.placed import Scope
from handoffctl.grouping.segment_pick import without
from handoffctl.item import Item
from handoffctl.kinds import TEXT_PARTS, Kind, kind_of
from handoffctl.model import HandoffInputData


@dataclass(frozen=True)
class DropEmpty:
    """Take out messages with nothing in them: no content, an empty text, no parts, or only empty texts.

    Providers refuse some of these. Blank is not empty: white space stays unless `blank=true`. A refusal, an image, a
    file or any unknown part is something. Outputs are no messages: an empty output stays, its call needs it.

    Example: user, "" , reply → user, reply
    """

    idempotent: ClassVar[bool] = True

    blank: Annotated[bool, "take out messages of white space alone too"] = False
    scope: Annotated[Scope, "the segments to work on; `new` includes the input items"] = "all"

    def __call__(self, data: HandoffInputData) -> HandoffInputData:
        return without(data, self._is_empty, scope=self.scope)

    def _is_empty(self, item: Item) -> bool:
        if kind_of(item) is not Kind.MESSAGE or item.get("refusal"):
            return False
        return self._says_nothing(item.get("content"))

    def _says_nothing(self, content: Any) -> bool:
        if isinstance(content, str):
            return not (content.strip() if self.blank else content)
        if isinstance(content, list):
            return all(self._is_empty_part(part) for part in content)
        return content is None

    def _is_empty_part(self, part: Any) -> bool:
        if isinstance(part, str):
            return self._says_nothing(part)
        return isinstance(part, dict) and part.get("type") in TEXT_PARTS and self._says_nothing(part.get("text", ""))
