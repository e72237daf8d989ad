"""The control: a filter that changes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from handoffctl.model import HandoffInputData


@dataclass(frozen=True)
class Noop:
    """Change nothing: the control that any other filter is measured against.

    Example: user, call, output, reply → the same
    """

    idempotent: ClassVar[bool] = True

    def __call__(self, data: HandoffInputData) -> HandoffInputData:
        return data
