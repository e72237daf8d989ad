"""Everything that handoffctl writes as JSON, and the dumps that it reads, are what their schemas say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from handoffctl.errors import UsageError
from handoffctl.model import HandoffInputData
from handoffctl.report import Report
from handoffctl.reports.schema import NAMES, schema
from tests.conftest import SAMPLES, RunCli
from tests.conversing import assistant, call, handoff_data, output, system, user
from tests.reporting import diff_of, hostile_items, inspect_of, run_of, show_of, text, transcript

TRANSFER = [call("h", "transfer_to_b"), output("h", '{"assistant": "B"}')]
DATA = handoff_data([user("Hi."), call(), output()], [call("lost")], TRANSFER)
NESTED = HandoffInputData("Hi.", DATA.pre_handoff_items, DATA.new_items, None, DATA.new_items)
RUNS = (
    run_of("A", [system(), user(), TRANSFER[0]], stop_reason="handoff", output=""),
    run_of("B", [user(), *TRANSFER, assistant()], output="x"),
)
REPORTS: dict[str, Report] = {
    "diff": diff_of(transcript(DATA), "remove_all_tools", "truncate-history:n=1", each_step=True),
    "diff with edits": diff_of(transcript(DATA, after=handoff_data([user("Ho."), assistant()]))),
    "diff of a string": diff_of(transcript(NESTED), "remove_all_tools", next_agent=True),
    "diff of hostile text": diff_of(hostile_items(), "remove_all_tools"),
    "inspect": inspect_of(transcript(DATA, instructions={"A": "Be A."}, notes=("odd",))),
    "inspect several": inspect_of(transcript(DATA), transcript(hostile_items())),
    "inspect runs": inspect_of(*RUNS),
    "show": show_of(transcript(DATA)),
    "show as received": show_of(hostile_items(), agent="next-agent"),
}


def check(value: Any, name: str) -> None:
    jsonschema.Draft202012Validator(schema(name)).validate(value)


@pytest.mark.parametrize("name", NAMES)
def test_every_schema_is_one(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(name))


@pytest.mark.parametrize("name", REPORTS)
def test_every_report_is_what_its_schema_says(name: str) -> None:
    value = json.loads(text(REPORTS[name], "json"))
    check(value, value["report"])
    check(value, "report")


@pytest.mark.parametrize("name", ["diff", "inspect", "show"])
def test_a_schema_refuses_what_is_no_such_report(name: str) -> None:
    others = [json.loads(text(report, "json")) for key, report in REPORTS.items() if not key.startswith(name)]
    for value in (*others, {}, [], {**others[0], "report": name}):
        with pytest.raises(jsonschema.ValidationError):
            check(value, name)


def records(path: Path) -> list[Any]:
    raw = path.read_text(encoding="utf-8")
    return [json.loads(each) for each in raw.splitlines()] if path.suffix == ".jsonl" else [json.loads(raw)]


@pytest.mark.parametrize("path", sorted((SAMPLES / "handoff").iterdir()), ids=lambda path: path.name)
def test_the_samples_are_handoff_dumps(path: Path) -> None:
    for record in records(path):
        check(record, "handoff")


def test_what_filter_writes_is_a_handoff_dump(run_cli: RunCli) -> None:
    done = run_cli("filter", SAMPLES / "items/spanish.json", "--handoff", "last", "--to", "handoff")
    check(json.loads(done.stdout), "handoff")


@pytest.mark.parametrize("tokens", [(), ("--tokens",)])
def test_the_report_of_filter_is_what_its_schema_says(run_cli: RunCli, tokens: tuple[str, ...]) -> None:
    arguments = (SAMPLES / "items/conversations.jsonl", "-f", "remove_all_tools", "--report", "--report-format", "json")
    value = json.loads(run_cli("filter", *arguments, *tokens).stderr)
    check(value, "filter")
    check(value, "report")


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError) as caught:
        schema("handof")
    assert caught.value.help.startswith("did you mean handoff? there are: ")


def test_command_prints_a_schema(run_cli: RunCli) -> None:
    assert json.loads(run_cli("schema", "diff").stdout) == schema("diff")
    assert json.loads(run_cli("schema").stdout) == schema("report")
    assert run_cli("schema", "nonsense").returncode == 2
