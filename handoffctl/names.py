"""The names and words that frameworks make of an agent's own name."""

from __future__ import annotations

from typing import Literal

from handoffctl.transfers import TOOL_PREFIX, transfer_text, transfer_tool_name

__all__ = ["as_tool_name", "handoff_description", "transfer_message", "transfer_tool_name"]


def as_tool_name(agent: str) -> str:
    """The name of the tool that an agent is to another one (`Agent.as_tool`), where nobody chose another."""
    return transfer_tool_name(agent).removeprefix(TOOL_PREFIX)


def transfer_message(to_agent: str, profile: Literal["sdk", "cai"] = "sdk") -> str:
    """What the output of a handoff says. CAI, and the SDK before 0.0.18, write the name unescaped: no JSON."""
    return transfer_text(to_agent) if profile == "sdk" else f"{{'assistant': '{to_agent}'}}"


def handoff_description(agent: str, about: str = "") -> str:
    """What the model reads about a handoff's tool. `about` is the agent's own handoff description."""
    return f"Handoff to the {agent} agent to handle the request. {about}"
