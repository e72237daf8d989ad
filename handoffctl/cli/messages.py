"""What goes to standard error: one line of what is wrong, one of what to do."""

from __future__ import annotations

import contextlib
import sys
from collections import Counter
from typing import TYPE_CHECKING

from handoffctl.errors import HandoffctlError
from handoffctl.wording.escape import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from handoffctl.item import Item
    from handoffctl.model import Transcript
    from handoffctl.writing import Losses

MOST = 20
"""Faults of one kind that are told one by one; the rest are counted."""


def say(text: str) -> None:
    """One line to standard error; a character that the terminal can't say comes out escaped."""
    stream = sys.stderr
    line = text.encode(stream.encoding or "utf-8", errors="backslashreplace").decode(stream.encoding or "utf-8")
    with contextlib.suppress(OSError):  # nobody to tell: the exit code still says it
        stream.write(f"{line}\n")
        stream.flush()


def tell(error: HandoffctlError) -> None:
    """An error with its place and what to do about it."""
    say(f"handoffctl: {shown(str(error))}")
    if error.help:
        say(f"help: {shown(error.help)}")


def shown(text: str) -> str:
    """Text that may come from a transcript or a plugin: secrets masked, control characters visible."""
    from handoffctl.secrets import Mask

    return visible(Mask()(text))


def tell_bug(error: BaseException) -> None:
    """An error that is a fault of ours."""
    say(f"handoffctl: this is a bug: {type(error).__name__}: {shown(str(error))}")
    say("help: run the same command with --debug and report what it prints")


class Complaints:
    """Tells the first faults and counts all; the worst decides the exit code."""

    def __init__(self) -> None:
        self.count = 0
        self.codes: set[int] = set()
        self._last_help = ""

    def __call__(self, error: HandoffctlError) -> None:
        """Tell one more fault. The same help is given once."""
        self.count += 1
        self.codes.add(error.exit_code)
        if self.count > MOST:
            return
        say(f"handoffctl: {shown(str(error))}")
        if error.help and error.help != self._last_help:
            say(f"help: {shown(error.help)}")
            self._last_help = error.help

    def close(self) -> int:
        """Say how many faults were not told one by one; the exit code: 4 before 3 before 1, 0 without faults."""
        if self.count > MOST:
            say(f"… and {self.count - MOST:,} more")
        return max(self.codes, default=0)


class Lost:
    """What the target format could not say: item by item where that is asked for, else counted by type."""

    def __init__(self, *, itemised: bool = False) -> None:
        self.counts: Counter[str] = Counter()
        self.itemised = itemised

    def add(self, transcript: Transcript, losses: Losses) -> None:
        """The items of one conversation that were left out."""
        room = MOST - self.counts.total() if self.itemised else 0
        from handoffctl.writing import loss_name

        self.counts.update(map(loss_name, losses))
        if room > 0:
            for line in _named_one_by_one(transcript, losses[:room]):
                say(f"handoffctl: {shown(line)}")

    def tell(self) -> None:
        """Say what was lost, unless every item of it was named."""
        if self.counts and not (self.itemised and self.counts.total() <= MOST):
            listing = ", ".join(f"{visible(name)} {number:,}" for name, number in self.counts.items())
            say(f"handoffctl: left out, since the target format can't say it: {listing}")


def _named_one_by_one(transcript: Transcript, losses: Losses) -> Iterator[str]:
    """A line for each loss: its item's place in the conversation, counted from 0 as `show` does, and its ids."""
    from handoffctl.model import segment_items
    from handoffctl.writing import loss_name

    places = {id(item): index for index, (_, item) in enumerate(segment_items(transcript.whole or transcript.data))}
    for loss in losses:
        origin: Item | None = loss.item
        while origin is not None and id(origin) not in places:
            origin = origin.source
        place = f"item {places[id(origin)]}, " if origin is not None else ""
        name = " ".join(str(each) for each in (loss_name(loss), loss.item.id or loss.item.call_id) if each)
        yield f"{transcript.source.place}: {place}{name}: left out, since the target format can't say it"
