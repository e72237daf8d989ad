"""Every agent name that the frameworks' own functions were recorded on."""

from __future__ import annotations

import pytest

from handoffctl.names import as_tool_name, handoff_description, transfer_message, transfer_tool_name
from tests.dumps import load_json

NAMES: list[dict[str, str]] = load_json("names.json")
every_name = pytest.mark.parametrize("row", NAMES, ids=[repr(row["agent_name"]) for row in NAMES])


@every_name
def test_transfer_tool(row: dict[str, str]) -> None:
    assert transfer_tool_name(row["agent_name"]) == row["sdk_tool_name"] == row["cai_tool_name"]


@every_name
def test_agent_as_a_tool(row: dict[str, str]) -> None:
    assert as_tool_name(row["agent_name"]) == row["sdk_as_tool_name"]


@every_name
def test_transfer_message(row: dict[str, str]) -> None:
    assert transfer_message(row["agent_name"]) == row["sdk_transfer_message"]
    assert transfer_message(row["agent_name"], "cai") == row["cai_transfer_message"]


@every_name
def test_description(row: dict[str, str]) -> None:
    assert handoff_description(row["agent_name"]) == row["sdk_description"]


def test_description_tells_about_the_agent() -> None:
    assert handoff_description("Refunds", "Gives money back.").endswith("the request. Gives money back.")
