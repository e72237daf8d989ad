"""Filters from outside: entry points of another package, and functions named on the command line."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from handoffctl.chain import build_chain
from handoffctl.errors import PluginError, UsageError
from handoffctl.filters import FILTERS
from handoffctl.item import Item
from handoffctl.model import HandoffInputData, RunItem

from .conftest import RunCli

USER, REPLY = Item.of({"role": "user", "content": "hi"}), Item.of({"role": "assistant", "content": "hello"})
DATA = HandoffInputData((USER, REPLY), new_items=(RunItem("message_output_item", REPLY),))

SOURCE = '''
"""Filters of another package."""
from dataclasses import dataclass

def users(data):
    """Keep what users said. Nothing else."""
    return data.clone(input_history=tuple(item for item in data.input_history if item["role"] == "user"))

def dicts(data):
    return data.clone(input_history=[{**item, "seen": True} for item in data.input_history])

def boom(data):
    raise RuntimeError("the database is away")

def text(data):
    return "no data at all"

def numbers(data):
    return data.clone(input_history=(1, 2))

def raw_run_items(data):
    return data.clone(new_items=({"type": "message"},))

@dataclass(frozen=True)
class First:
    """Keep the first items.

    Example: a, b → a
    """
    n: int = 1

    def __call__(self, data):
        return data.clone(input_history=data.input_history[: self.n])

class Plain:
    def __init__(self, word="x"):
        if word == "bad":
            raise KeyError(word)
        self.word = word

    def __call__(self, data):
        return data

constant = 3
'''
ENTRY_POINTS = """[handoffctl.filters]
users-only = foreign_filters:users
first = foreign_filters:First
plain = foreign_filters:Plain
broken = foreign_missing:users
noop = foreign_filters:boom
"""


@pytest.fixture
def foreign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder as an installed package would leave it: a module and a dist-info with entry points."""
    (tmp_path / "foreign_filters.py").write_text(SOURCE)
    info = tmp_path / "foreign_filters-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: foreign-filters\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    sys.modules.pop("foreign_filters", None)


def test_entry_points_stand_beside_the_built_in_filters(foreign: Path) -> None:
    assert {"users-only", "first", "remove_all_tools"} <= set(FILTERS.names())
    assert build_chain(["users_only"])(DATA).input_history == (USER,)
    assert build_chain(["first:n=0"])(DATA).input_history == ()
    assert build_chain(["plain:word=y"])(DATA) is DATA


def test_built_in_name_cannot_be_taken_over(foreign: Path) -> None:
    assert build_chain(["noop"])(DATA) is DATA


def test_plain_function_has_no_options(foreign: Path) -> None:
    with pytest.raises(UsageError, match="no options"):
        build_chain(["users-only:n=1"])


@pytest.mark.parametrize(
    ("spec", "what"),
    [
        ("broken", "failed to import: ModuleNotFoundError"),
        ("plain:word=bad", "could not be made: KeyError"),
        ("plain:other=1", "could not be made: TypeError"),
        ("foreign_filters:nothing", "there is no nothing in foreign_filters"),
        ("foreign_filters:constant", "is a int, not a function"),
        ("no_such_module:filter", "failed to import: ModuleNotFoundError"),
    ],
)
def test_plugin_that_cannot_be_had_names_itself(foreign: Path, spec: str, what: str) -> None:
    with pytest.raises(PluginError) as raised:
        build_chain([spec])
    assert what in raised.value.what
    assert spec.partition(":")[0] in raised.value.place


@pytest.mark.parametrize(
    ("function", "what"),
    [
        ("boom", "raised RuntimeError: the database is away"),
        ("text", "returned str instead of HandoffInputData"),
        ("numbers", "an item is a int, not a mapping"),
        ("raw_run_items", "a run item is a dict"),
    ],
)
def test_plugin_that_fails_names_itself_its_step_and_its_error(foreign: Path, function: str, what: str) -> None:
    chain = build_chain(["noop", f"foreign_filters:{function}"])
    with pytest.raises(PluginError) as raised:
        chain(DATA)
    assert what in raised.value.what
    assert raised.value.place == f"step 2, foreign_filters:{function}"


def test_plain_dicts_and_lists_become_items(foreign: Path) -> None:
    after = build_chain(["foreign_filters:dicts"])(DATA)
    assert isinstance(after.input_history, tuple)
    assert [dict(item) for item in after.input_history if isinstance(item, Item)] == [
        {"role": "user", "content": "hi", "seen": True},
        {"role": "assistant", "content": "hello", "seen": True},
    ]
    assert after.new_items is DATA.new_items


def test_command_line_runs_functions_and_exits_with_4_where_one_fails(foreign: Path, run_cli: RunCli) -> None:
    dump = b'[{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]\n'
    good = run_cli("filter", "-f", "foreign_filters:users", stdin=dump, env={"PYTHONPATH": str(foreign)})
    assert (good.returncode, good.stdout) == (0, b'[{"role": "user", "content": "hi"}]\n')
    bad = run_cli("filter", "-f", "noop", "-f", "foreign_filters:boom", stdin=dump, env={"PYTHONPATH": str(foreign)})
    assert (bad.returncode, bad.stdout) == (4, b"")
    assert b"step 2, foreign_filters:boom: raised RuntimeError: the database is away" in bad.stderr
    assert b"Traceback" not in bad.stderr


def test_function_beside_the_working_directory_is_found(foreign: Path, run_cli: RunCli) -> None:
    done = run_cli("filter", "-f", "foreign_filters:users", stdin=b'[{"role": "user", "content": "hi"}]', cwd=foreign)
    assert done.returncode == 0
    assert done.stdout == b'[{"role": "user", "content": "hi"}]'


SDK_FILTERS = '''
"""Filters as people write them for the SDK."""
from __future__ import annotations
import agents
from agents import HandoffInputData
from agents.items import ReasoningItem

def annotated(data: HandoffInputData) -> HandoffInputData:
    return data

def dotted(data: agents.HandoffInputData):
    return data

def by_class(data):
    return data.clone(new_items=tuple(i for i in data.new_items if not isinstance(i, ReasoningItem)))

def ours(data):
    print("seen")
    return data

async def later(data):
    return data

def leave(data):
    raise SystemExit(0)

class Picky:
    def __init__(self, needed):
        pass
'''


@pytest.fixture
def sdk_filters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "written_for_sdk.py").write_text(SDK_FILTERS)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    sys.modules.pop("written_for_sdk", None)


@pytest.mark.parametrize(
    "spec",
    [
        "agents.extensions.handoff_filters:remove_all_tools",
        "agents.handoffs:nest_handoff_history",
        "written_for_sdk:annotated",
        "written_for_sdk:dotted",
        "written_for_sdk:by_class",
    ],
)
def test_filter_for_the_sdks_classes_is_refused_not_run_in_vain(sdk_filters: None, spec: str) -> None:
    with pytest.raises(PluginError, match="works on the classes of `agents`"):
        build_chain([spec])


def test_what_a_plugin_prints_goes_to_stderr(sdk_filters: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert build_chain(["written_for_sdk:ours"])(DATA) is DATA
    assert capsys.readouterr() == ("", "seen\n")


@pytest.mark.parametrize(("function", "what"), [("later", "is an async function"), ("leave", "raised SystemExit: 0")])
def test_plugin_that_does_not_return_is_named(sdk_filters: None, function: str, what: str) -> None:
    with pytest.raises(PluginError, match=what):
        build_chain([f"written_for_sdk:{function}"])(DATA)


def test_class_that_needs_arguments_is_named(sdk_filters: None) -> None:
    with pytest.raises(PluginError, match="could not be made: TypeError"):
        build_chain(["written_for_sdk:Picky"])


def test_module_beside_the_configuration_is_found(foreign: Path, run_cli: RunCli) -> None:
    (foreign / "handoffctl.toml").write_text("[chains]\nusers = ['foreign_filters:users']\n")
    (foreign / "deep").mkdir()
    done = run_cli("filter", "-c", "users", stdin=b'[{"role": "user", "content": "hi"}]', cwd=foreign / "deep")
    assert (done.returncode, done.stdout) == (0, b'[{"role": "user", "content": "hi"}]')


def test_file_in_the_folder_stands_in_for_no_installed_module(foreign: Path) -> None:
    (foreign / "rich.py").write_text("raise RuntimeError('hostile')")
    (foreign / "dump.json").write_bytes(b'[{"role": "user", "content": "hi"}]')
    command = [sys.executable, "-P", "-m", "handoffctl", "show", "dump.json", "-f", "foreign_filters:users"]
    assert subprocess.run(command, cwd=foreign, capture_output=True, check=False).returncode == 0
