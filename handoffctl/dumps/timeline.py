"""What a dump says of when things happened, beside or instead of the conversation."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Moment:
    """One span of time, such as an agent's run, a call, a handoff. A timeline has them in the order of their start.

    `depth` counts from 0 and says inside how many others it is. `start` is seconds after the first one, `seconds` how
    long it took; None where the dump does not say. `from_agent` and `to_agent` are a handoff's alone.
    """

    kind: str
    depth: int
    name: str | None = None
    from_agent: str | None = None
    to_agent: str | None = None
    start: float | None = None
    seconds: float | None = None
    error: str | None = None
