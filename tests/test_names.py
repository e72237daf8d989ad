"""File, registered name and class are one word in three spellings; what a new plugin needs is all there."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from handoffctl.filters import FILTERS
from handoffctl.formats import FORMATS
from handoffctl.registry import Registry, normalised

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "handoffctl"
FOLDERS = [name for name in ("filters", "formats", "renderers", "checks") if (PACKAGE / name).is_dir()]
# A renderer's folder may hold what several of them draw with; every file of the others is one plugin.
ONE_FILE_EACH = [folder for folder in FOLDERS if folder != "renderers"]
LONGEST_FUNCTION, LONGEST_FILE = 40, 250


def table_of(folder: str) -> dict[str, str]:
    """Name to `module:Symbol` of everything that a folder's table lists."""
    tables = [each for each in vars(import_module(f"handoffctl.{folder}")).values() if isinstance(each, Registry)]
    assert len(tables) == 1, f"handoffctl/{folder}/__init__.py holds one Registry"
    return tables[0].builtin


MEMBERS = [(folder, name, target) for folder in FOLDERS for name, target in table_of(folder).items()]
MODULES = sorted(PACKAGE.rglob("*.py"))
every_member = pytest.mark.parametrize(("folder", "name", "target"), MEMBERS, ids=[f"{f}/{n}" for f, n, _ in MEMBERS])
every_filter = pytest.mark.parametrize("name", FILTERS.builtin)
every_module = pytest.mark.parametrize("path", MODULES, ids=[str(path.relative_to(PACKAGE)) for path in MODULES])


@every_member
def test_file_name_and_class_are_one_word(folder: str, name: str, target: str) -> None:
    file = normalised(name)
    symbol = "".join(word.capitalize() for word in file.split("_"))
    assert target == f"handoffctl.{folder}.{file}:{symbol}"
    assert getattr(import_module(f"handoffctl.{folder}.{file}"), symbol).__name__ == symbol


@every_member
def test_member_has_a_test_of_its_own(folder: str, name: str, target: str) -> None:
    assert (ROOT / "tests" / folder / f"test_{normalised(name)}.py").is_file()


@pytest.mark.parametrize("folder", ONE_FILE_EACH)
def test_every_file_of_a_folder_stands_in_its_table(folder: str) -> None:
    files = {path.stem for path in (PACKAGE / folder).glob("*.py")} - {"__init__"}
    assert files == {normalised(name) for name in table_of(folder)}


@pytest.mark.parametrize("name", FORMATS.builtin)
def test_format_knows_its_name_and_has_a_sample(name: str) -> None:
    assert FORMATS.get(name).name == name
    assert any((ROOT / "sample_transcripts" / name).iterdir())


@every_filter
def test_filter_has_a_page_with_an_example(name: str) -> None:
    page = FILTERS.get(name).__doc__
    assert "Example: " in page
    assert "→" in page.partition("Example: ")[2]


@every_filter
def test_filter_says_whether_twice_is_once(name: str) -> None:
    assert isinstance(FILTERS.get(name).idempotent, bool)


@every_filter
def test_filter_is_frozen_and_explains_every_option(name: str) -> None:
    cls: Any = FILTERS.get(name)
    assert cls.__dataclass_params__.frozen
    hints = get_type_hints(cls, include_extras=True)
    unexplained = [
        field.name
        for field in dataclasses.fields(cls)
        if not any(isinstance(each, str) and each for each in getattr(hints[field.name], "__metadata__", ()))
    ]
    assert unexplained == []


@every_module
def test_functions_and_files_stay_short(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert source.count("\n") <= LONGEST_FILE
    assert [name for name, length in function_lengths(source) if length > LONGEST_FUNCTION] == []


@every_module
def test_module_has_a_docstring(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_bytes()))


def function_lengths(source: str) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, (node.end_lineno or node.lineno) - node.lineno + 1
