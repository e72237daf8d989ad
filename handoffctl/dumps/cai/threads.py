"""Exchanges put together into conversations: one goes on as long as each request holds the one before it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from handoffctl.dumps.cai.lines import Exchange
from handoffctl.raw.jsontext import decode


@dataclass
class Thread:
    """One conversation: the messages of its last request, then what the last completion added.

    `agents` tells by the index of a message which agent made it, `prompts` the system prompt of each agent.
    """

    messages: list[bytes] = field(default_factory=list)
    agents: dict[int, str] = field(default_factory=dict)
    prompts: dict[str, str] = field(default_factory=dict)
    reply: bytes | None = None
    agent: str | None = None
    unanswered: int | None = None
    """The line of a last request that no completion answers, from 0; None where one does."""

    def holds(self, messages: list[bytes]) -> bool:
        """Whether these messages begin with all of this conversation's last request."""
        count = len(self.messages)
        return len(messages) >= count and all(map(_is_same, self.messages, messages[:count]))

    def go_on(self, exchange: Exchange) -> None:
        """The next exchange of this conversation."""
        if exchange.request is not None:
            self.messages = exchange.messages
        self.unanswered = exchange.request if exchange.completion is None else None
        self.reply = exchange.reply
        if exchange.agent is not None:
            self.agent = exchange.agent
            self.agents[len(self.messages)] = exchange.agent
            if exchange.prompt is not None:
                self.prompts[exchange.agent] = exchange.prompt

    @property
    def all_messages(self) -> list[bytes]:
        """Everything that was said, in order."""
        return self.messages if self.reply is None else [*self.messages, self.reply]


def threads_of(exchanges: Iterable[Exchange]) -> list[Thread]:
    """The conversations of a log, by their first lines: parallel agents have one each, and so has a cut history."""
    threads: list[Thread] = []
    for exchange in exchanges:
        if exchange.request is None and threads:
            threads[-1].go_on(_after(threads[-1], exchange))
            continue
        held = [thread for thread in threads if thread.holds(exchange.messages)]
        if held:
            longest = max(reversed(held), key=lambda thread: len(thread.messages))
            longest.go_on(exchange)
        else:
            thread = Thread()
            thread.go_on(exchange)
            threads.append(thread)
    return threads


def _after(thread: Thread, exchange: Exchange) -> Exchange:
    """A completion without a request of its own, as one whose request held all that was said before."""
    exchange.messages = thread.all_messages
    exchange.request = 0
    return exchange


def _is_same(one: bytes, other: bytes) -> bool:
    """Whether two messages are the same but for marks of a prompt cache, which wander."""
    return one == other or (b"cache_control" in one + other and _plain(one) == _plain(other))


def _plain(raw: bytes) -> object:
    return _without_marks(decode(raw))


def _without_marks(value: object) -> object:
    if isinstance(value, dict):
        return {key: _without_marks(member) for key, member in value.items() if key != "cache_control"}
    if isinstance(value, list):
        return [_without_marks(member) for member in value]
    return value
