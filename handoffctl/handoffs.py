"""Where a conversation moves from one agent to another, and by what that is recognised."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import NamedTuple

from handoffctl.grouping.answers import find_answers
from handoffctl.item import Item
from handoffctl.kinds import run_item_type
from handoffctl.model import Handoff, HandoffInputData, RunItem, history_items
from handoffctl.transfers import (
    TOOL_PREFIX,
    agent_of_tool,
    is_ignored,
    read_transfer,
    transfer_text,
    transfer_tool_name,
)

_CALL, _OUTPUT = "handoff_call_item", "handoff_output_item"


class Entry(NamedTuple):
    """An item of the conversation, with its wrapper where it stands in a run."""

    item: Item
    run_item: RunItem | None = None


class _Sighting(NamedTuple):
    output: int | None
    to_agent: str | None
    evidence: str
    certain: bool = True


def conversation(data: HandoffInputData) -> tuple[Entry, ...]:
    """History, pre-handoff and new items as one list, oldest first."""
    history = [Entry(item) for item in history_items(data)]
    return (*history, *(Entry(each.raw_item, each) for each in (*data.pre_handoff_items, *data.new_items)))


def find_handoffs(data: HandoffInputData, *, tool_globs: Iterable[str] = ()) -> tuple[Handoff, ...]:
    """Every handoff, oldest first; a call whose output isn't there yet is one too, with `output` None.

    Certain are those whose output says who takes over, whose run item is a handoff's, or whose tool has a
    name that `tool_globs` match; a name that only begins with `transfer_to_` is a guess. A handoff that was
    ignored for another one of its turn is none. Where only the tool's name tells the agent, `to_agent` is
    the known agent with such a tool, or what the name says.
    """
    return handoffs_among(conversation(data), tool_globs=tool_globs)


def handoffs_among(entries: Sequence[Entry], *, tool_globs: Iterable[str] = ()) -> tuple[Handoff, ...]:
    """`find_handoffs` over any entries, by their positions."""
    globs = tuple(tool_globs)
    answers = find_answers([entry.item for entry in entries])
    seen = [(call, _sighting(entries, call, outputs, globs)) for call, outputs in answers.outputs.items()]
    seen_alone = [(None, _by_outputs(entries, [output])) for output in answers.orphans]
    found = [_handoff(entries, call, sighting) for call, sighting in (*seen, *seen_alone) if sighting]
    found.sort(key=lambda each: (each.output if each.call is None else each.call) or 0)
    return tuple(_with_agents(found, entries))


def _sighting(entries: Sequence[Entry], call: int, outputs: Sequence[int], globs: Sequence[str]) -> _Sighting | None:
    if seen := _by_outputs(entries, outputs):
        return seen
    if any(is_ignored(entries[output].item) for output in outputs):
        return None
    item, run_item = entries[call]
    name, output = item.name or "", outputs[0] if outputs else None
    by_class = run_item is not None and run_item.type == _CALL
    if by_class and run_item is not None and run_item.wrapper is not None:
        return _Sighting(output, None, f"run item {_CALL}")
    matching = [glob for glob in globs if fnmatchcase(name, glob)]
    if matching:
        return _Sighting(output, None, f"tool name matches {matching[0]}")
    if by_class and not name.startswith(TOOL_PREFIX):
        return _Sighting(output, None, f"run item {_CALL}")
    if name.startswith(TOOL_PREFIX) and item.type == "function_call":
        return _Sighting(output, None, f"tool name begins with {TOOL_PREFIX}", certain=False)
    return None


def _by_outputs(entries: Sequence[Entry], outputs: Iterable[int]) -> _Sighting | None:
    for output in outputs:
        item, run_item = entries[output]
        transfer = read_transfer(item)
        # A class that nobody recorded was told by the words: they are the evidence then.
        if run_item is not None and run_item.type == _OUTPUT and (run_item.wrapper is not None or transfer is None):
            said = transfer.to_agent if transfer else None
            return _Sighting(output, run_item.target_agent or said, f"run item {_OUTPUT}")
        if transfer:
            return _Sighting(output, transfer.to_agent, transfer.evidence)
    return None


def _handoff(entries: Sequence[Entry], call: int | None, seen: _Sighting) -> Handoff:
    name = "" if call is None else entries[call].item.name or ""
    return Handoff(
        "handoff",
        name,
        call,
        seen.output,
        seen.to_agent,
        _from_agent(entries, call, seen.output),
        seen.evidence,
        seen.certain,
    )


def _from_agent(entries: Sequence[Entry], call: int | None, output: int | None) -> str | None:
    for position in (output, call):
        run_item = None if position is None else entries[position].run_item
        if run_item is not None and (run_item.source_agent or run_item.agent):
            return run_item.source_agent or run_item.agent
    return None


def _with_agents(found: Sequence[Handoff], entries: Sequence[Entry]) -> list[Handoff]:
    """The handoffs with the agents that only the rest of the conversation tells."""
    agents = [each.to_agent for each in found]
    agents += [agent for _, run_item in entries if run_item for agent in (run_item.agent, run_item.target_agent)]
    by_tool = {transfer_tool_name(agent): agent for agent in reversed(agents) if agent}
    complete: list[Handoff] = []
    for each in found:
        to_agent = each.to_agent or by_tool.get(each.tool_name) or agent_of_tool(each.tool_name)
        from_agent = each.from_agent or (complete[-1].to_agent if complete else None)
        complete.append(replace(each, to_agent=to_agent, from_agent=from_agent))
    return complete


def last_agent(data: HandoffInputData, handoffs: Sequence[Handoff]) -> str | None:
    """The agent in charge at the end: who took over last, or made the last run item; None where nothing says."""
    taken_over = {each.output: each.to_agent for each in handoffs if each.output is not None}
    entries = conversation(data)
    for position in reversed(range(len(entries))):
        run_item = entries[position].run_item
        agent = taken_over.get(position) or (run_item.agent if run_item else None)
        if agent:
            return agent
    return None


def transfer_output(call: Item, source_agent: str | None, to_agent: str | None = None) -> RunItem:
    """The output that a handoff's call will get, made up; the agent is read off the tool's name where none is given."""
    name = to_agent or agent_of_tool(call.name or "") or call.name or ""
    output = {"call_id": call.call_id, "output": transfer_text(name), "type": "function_call_output"}
    return RunItem(_OUTPUT, Item.of(output), source_agent, source_agent, name)


def classify_bare(items: Sequence[Item]) -> tuple[RunItem, ...]:
    """Bare items of a run as run items, without agents.

    A call answered by a handoff's output is a handoff's call, and so is one that was ignored for another;
    everything else is what its type says.
    """
    answers = find_answers(items)
    types: dict[int, str] = {}
    targets: dict[int, str] = {}
    for call, outputs in (*answers.outputs.items(), (None, answers.orphans)):
        for output in outputs:
            transfer = read_transfer(items[output])
            if transfer:
                types[output], targets[output] = _OUTPUT, transfer.to_agent
            if call is not None and (transfer or is_ignored(items[output])):
                types[call] = _CALL
    return tuple(
        RunItem(types.get(position) or run_item_type(item), item, target_agent=targets.get(position))
        for position, item in enumerate(items)
    )
