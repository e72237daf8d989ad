"""What is in a file: sums, parts, growth; and who is who among several agents' runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from handoffctl.model import HandoffInputData, RunItem
from handoffctl.reports.cases import CaseReport
from tests.conftest import RunCli
from tests.conversing import assistant, call, handoff_data, output, reasoning, system, user
from tests.reporting import inspect_of, run_of, transcript

TRANSFER = [call("h", "transfer_to_b"), output("h", '{"assistant": "B"}')]


def case(*runs: object) -> CaseReport:
    [found] = inspect_of(*runs).cases  # type: ignore[arg-type]
    return found


def test_conversations_add_up() -> None:
    report = inspect_of(transcript([user("a b"), assistant("c")]), transcript([user("d"), *TRANSFER]))
    total = report.total
    assert (total.items, total.messages, total.tokens) == (5, 5, 8)
    assert total.kinds == {"message": 3, "call": 1, "output": 1}
    assert [each.handoffs for each in report.conversations] == [0, 1]
    assert report.anatomy is None


def test_a_file_without_conversations_is_empty() -> None:
    report = inspect_of()
    assert (report.conversations, report.total.items, report.anatomy) == ((), 0, None)


def test_parts_have_the_most_tokens_first() -> None:
    anatomy = inspect_of(transcript([user("a b c"), call(), output(text="d"), reasoning()])).anatomy
    assert anatomy is not None
    assert [(each.name, each.items, each.tokens, each.share) for each in anatomy.kinds] == [
        ("message", 1, 3, 0.5),
        ("call", 1, 2, 0.3333),
        ("output", 1, 1, 0.1667),
        ("reasoning", 1, 0, 0.0),
    ]
    assert [(each.name, each.items) for each in anatomy.tools] == [("look_up", 1)]
    assert [(each.name, each.items) for each in anatomy.roles] == [("user", 1), ("assistant", 2), ("tool", 1)]
    assert [each.index for each in anatomy.biggest] == [0, 1, 2, 3]
    assert anatomy.growth == (3, 5, 6, 6)


def test_growth_has_no_more_points_than_fit_a_line() -> None:
    anatomy = inspect_of(transcript([user("word")] * 1_000)).anatomy
    assert anatomy is not None
    assert len(anatomy.growth) == 60
    assert anatomy.growth[-1] == 1_000


def test_agents_are_counted_by_what_they_made() -> None:
    data = HandoffInputData((), (), (RunItem("message_output_item", assistant("one two"), "A"),))
    anatomy = inspect_of(transcript(data)).anatomy
    assert anatomy is not None
    assert [(each.name, each.items) for each in anatomy.agents] == [("A", 1)]
    assert anatomy.agent == "A"


def test_a_system_prompt_outside_the_list_is_named() -> None:
    one = transcript([system("In the list.")], instructions={"A": "In the list.", "B": "Not in the list."})
    anatomy = inspect_of(one).anatomy
    assert anatomy is not None
    assert [(each.agent, each.tokens) for each in anatomy.prompts] == [("B", 4)]


def test_a_receiver_is_known_by_its_name_where_no_parent_says_so() -> None:
    giver = run_of("A", [user(), TRANSFER[0]], stop_reason="handoff", output="")
    other = run_of("C", [user()], stop_reason="done", output="x")
    receiver = run_of("B", [user(), *TRANSFER, assistant()], stop_reason="done", output="x")
    runs = case(giver, other, receiver).runs
    assert [(each.agent, each.parent, each.relation, each.depth) for each in runs] == [
        ("A", None, None, 0),
        ("B", "A", "handoff", 1),
        ("C", None, None, 0),
    ]


def test_the_next_run_receives_where_no_name_says_so() -> None:
    giver = run_of("A", [user(), call("h", "pass_on")], stop_reason="handoff", output="")
    receiver = run_of("B", [user(), assistant()], output="x")
    [_, second] = case(giver, receiver).runs
    assert (second.relation, second.saw) == ("handoff", "the user's message")


def test_a_run_whose_parent_did_not_hand_over_was_a_tool() -> None:
    boss = run_of("boss", [user(), assistant()], stop_reason="done", output="x")
    found = case(boss, run_of("helper", [user()], parent="boss"), run_of("other", [user(), user()], parent="boss"))
    assert [(each.relation, each.saw, each.wrote_reply) for each in found.runs] == [
        (None, "the user's message", True),
        ("agent_as_tool", "one task string", False),
        ("agent_as_tool", "2 items", False),
    ]
    assert (found.handoffs, found.agents_as_tools, found.costs) == (0, 2, ())


def test_a_handoff_inside_a_tool_writes_no_reply() -> None:
    boss = run_of("boss", [user()], stop_reason="done", output="x")
    helper = run_of("A", [user(), TRANSFER[0]], parent="boss", stop_reason="handoff", output="")
    receiver = run_of("B", [user(), *TRANSFER], parent="A", output="x")
    assert [(each.depth, each.wrote_reply) for each in case(boss, helper, receiver).runs] == [
        (0, True),
        (1, False),
        (2, False),
    ]


def test_a_run_without_output_wrote_nothing() -> None:
    assert not case(run_of("A", [user()], stop_reason="max_turns", output="")).runs[0].wrote_reply


def test_parents_in_a_circle_lose_no_run() -> None:
    found = case(run_of("A", [user()], parent="B"), run_of("B", [user()], parent="A"))
    assert [(each.agent, each.depth) for each in found.runs] == [("A", 0), ("B", 1)]


def test_an_unknown_parent_is_none() -> None:
    assert case(run_of("A", [], parent="nobody")).runs[0].relation is None


@pytest.mark.parametrize(
    ("prompts", "whose", "cost"),
    [
        (["Be B."], ("own",), (2, 3, 5, 6, False)),
        (["Be B.", "Be A."], ("own", "A"), (2, 3, 6, 6, True)),
        (["Be A."], ("A",), (2, 2, 5, 5, True)),
        ([], (), (2, 2, 4, 5, False)),
    ],
    ids=["own", "own and kept", "kept", "none"],
)
def test_whose_system_prompt_and_what_the_handoff_adds(
    prompts: list[str], whose: tuple[str, ...], cost: tuple[int, int, int, int, bool]
) -> None:
    giver = run_of("A", [system("Be A."), user(), TRANSFER[0]], stop_reason="handoff", output="")
    receiver = run_of("B", [*map(system, prompts), user(), *TRANSFER, assistant()], output="x")
    found = case(giver, receiver)
    assert found.runs[1].system_prompts == whose
    [paid] = found.costs
    assert (paid.adds, paid.alone, paid.here, paid.with_prompt, paid.is_kept) == cost


def test_a_receiver_may_have_seen_more_than_the_user() -> None:
    giver = run_of("A", [user(), TRANSFER[0]], stop_reason="handoff", output="")
    receiver = run_of("B", [user(), assistant(), user(), *TRANSFER, assistant()], output="x")
    assert case(giver, receiver).runs[1].saw == "3 items + transfer + result"


def test_segments_are_parts_too() -> None:
    anatomy = inspect_of(transcript(handoff_data([user("a")], [assistant("b c")], TRANSFER))).anatomy
    assert anatomy is not None
    assert {each.name: each.items for each in anatomy.segments} == {"history": 1, "pre-handoff": 1, "new": 2}


def test_a_long_line_of_runs_is_no_recursion(tmp_path: Path, run_cli: RunCli) -> None:
    runs = [
        {"agent": f"a{n}", "stop_reason": "done", "parent": f"a{n - 1}", "messages": [{"role": "user", "content": "x"}]}
        for n in range(1200)
    ]
    (tmp_path / "runs.json").write_text(json.dumps({"runs": runs}))
    assert run_cli("inspect", "runs.json", "--format", "json").returncode == 0
