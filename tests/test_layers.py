"""Imports point one way: every module stands on a layer and imports from its own or from one below."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "handoffctl"

# From the ground up. A folder stands here as one name, all its modules on that layer.
LAYERS: list[set[str]] = [
    {"errors", "raw", "item", "model", "entries", "records", "output"},
    {"kinds", "registry", "transfers", "names", "running", "summary_record"},
    {"groups", "grouping", "wording", "tokens", "trimming", "summary", "secrets", "masking", "repairs"},
    {"handoffs", "split", "view", "align", "aligning", "counts", "bridge"},
    {"dialects", "dumps"},
    {"formats", "filters", "checks"},
    {"chain", "chains", "config", "loading", "conversations", "writing", "catalogue"},
    {"report", "reports"},
    {"renderers"},
    {"sdk", "bulk", "api", "difference"},
    {"__init__"},
    {"cli", "__main__"},
]
SIBLINGS_APART = {"formats", "filters", "checks"}
AT_HOME = {"typer": "cli", "click": "cli", "rich": "renderers"}
NAMELESS = {"utils", "util", "helpers", "helper", "common", "misc"}

MODULES = sorted(PACKAGE.rglob("*.py"))
every_module = pytest.mark.parametrize("path", MODULES, ids=[str(path.relative_to(PACKAGE)) for path in MODULES])


def parts_of(path: Path) -> list[str]:
    return list(path.relative_to(PACKAGE).with_suffix("").parts)


def layer_of(top: str) -> int:
    """The layer of a module or folder of the package, 0 for the ground."""
    return next((height for height, names in enumerate(LAYERS) if top in names), -1)


def imported_names(path: Path) -> Iterator[tuple[int, str]]:
    """Line and dotted name of every import of a module, those inside functions and by name included."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = ["handoffctl", *parts_of(path)[:-1]]
            above = package[: len(package) - node.level + 1] if node.level else []
            source = ".".join([*above, *([node.module] if node.module else [])])
            yield from ((node.lineno, f"{source}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and _imports_by_name(node):
            yield from ((node.lineno, str(name.value)) for name in node.args if isinstance(name, ast.Constant))


def _imports_by_name(call: ast.Call) -> bool:
    return getattr(call.func, "attr", getattr(call.func, "id", "")) == "import_module"


def own_imports(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Line and path within the package (`["filters", "noop"]`) of what a module imports from the package."""
    for line, name in imported_names(path):
        first, *parts = name.split(".")
        if first == "handoffctl":
            yield line, [*_module(parts)] or ["__init__"]


def _module(parts: list[str]) -> list[str]:
    """The leading parts that are a folder or a file; what follows is a name inside of it."""
    for length in range(len(parts), 0, -1):
        place = PACKAGE.joinpath(*parts[:length])
        if place.is_dir() or place.with_suffix(".py").is_file():
            return parts[:length]
    return []


@every_module
def test_module_stands_on_a_layer(path: Path) -> None:
    assert layer_of(parts_of(path)[0]) >= 0, f"{path.name}: give it a layer in the table of this test"


@every_module
def test_imports_come_from_the_same_layer_or_below(path: Path) -> None:
    mine = layer_of(parts_of(path)[0])
    upwards = [(line, ".".join(parts)) for line, parts in own_imports(path) if layer_of(parts[0]) > mine]
    assert upwards == []


@every_module
def test_formats_filters_and_checks_stay_apart(path: Path) -> None:
    folder, *rest = parts_of(path)
    if folder not in SIBLINGS_APART or rest == ["__init__"]:
        return
    wrong = [
        (line, ".".join(parts))
        for line, parts in own_imports(path)
        if parts[0] in SIBLINGS_APART and parts not in ([folder], [folder, *rest])
    ]
    assert wrong == []


@every_module
def test_heavy_libraries_are_imported_at_home_only(path: Path) -> None:
    top = parts_of(path)[0]
    strangers = [
        (line, name)
        for line, name in imported_names(path)
        if (home := AT_HOME.get(name.split(".")[0])) is not None and home != top
    ]
    assert strangers == []


@every_module
def test_nothing_prints(path: Path) -> None:
    calls = [node for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.Call)]
    assert [call.lineno for call in calls if isinstance(call.func, ast.Name) and call.func.id == "print"] == []


@every_module
def test_name_says_what_is_inside(path: Path) -> None:
    assert NAMELESS.isdisjoint(parts_of(path))


def test_layers_name_no_module_twice() -> None:
    names = [name for layer in LAYERS for name in layer]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import handoffctl.kinds", [["kinds"]]),
        ("from handoffctl.kinds import Kind", [["kinds"]]),
        ("from handoffctl import kinds", [["kinds"]]),
        ("from handoffctl import load", [["__init__"]]),
        ("from handoffctl.filters.noop import Noop", [["filters", "noop"]]),
        ("from handoffctl.filters import FILTERS", [["filters"]]),
        ("from . import remove_all_tools", [["filters", "remove_all_tools"]]),
        ("from .. import errors", [["errors"]]),
        ("from ..errors import UsageError", [["errors"]]),
        ("def late():\n    from handoffctl.kinds import Kind", [["kinds"]]),
        ("import_module('handoffctl.kinds')", [["kinds"]]),
        ("import json\nfrom os import path", []),
    ],
)
def test_every_way_to_import_is_seen(
    source: str, expected: list[list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "handoffctl"
    for name in ("errors", "kinds", "filters/noop", "filters/remove_all_tools", "filters/some_filter"):
        place = package / f"{name}.py"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(source if name.endswith("some_filter") else "")
    monkeypatch.setattr("tests.test_layers.PACKAGE", package)
    assert [parts for _, parts in own_imports(package / "filters/some_filter.py")] == expected
