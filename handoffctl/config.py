"""`handoffctl.toml`, or `[tool.handoffctl]` in pyproject.toml: the nearest one upwards."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from handoffctl.errors import UsageError

FILE_NAME = "handoffctl.toml"
_CHAIN_KEYS = {"description", "filters"}


@dataclass(frozen=True, slots=True)
class NamedChain:
    """A chain as it is configured: steps are specs, or tables with `use` and options."""

    name: str
    steps: tuple[Any, ...]
    description: str = ""
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Config:
    """What a configuration file says. `path` is None where there is none."""

    path: str | None = None
    chains: Mapping[str, NamedChain] = field(default_factory=dict)


def load_config(path: str | None = None, *, isolated: bool = False, start: Path | None = None) -> Config:
    """The configuration: the file named, or by HANDOFFCTL_CONFIG, or the nearest one upwards from `start`.

    Raises UsageError where a file can't be read or says something that can't be meant.
    """
    if isolated:
        return Config()
    named = path or os.environ.get("HANDOFFCTL_CONFIG")
    if named:
        return _config(Path(named), _read(Path(named)))
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        own, project = folder / FILE_NAME, folder / "pyproject.toml"
        if own.is_file():
            return _config(own, _read(own))
        if project.is_file() and b"[tool.handoffctl" in project.read_bytes():
            return _config(project, _read(project))
    return Config()


def _read(path: Path) -> dict[str, Any]:
    import tomllib

    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(error.strerror or str(error), place=str(path), help="--config FILE names it") from error
    except (ValueError, RecursionError) as error:  # TOML errors and broken UTF-8 are ValueErrors
        raise UsageError(f"is no TOML: {error}", place=str(path)) from error
    if path.name == "pyproject.toml":
        tool = table.get("tool")
        table = tool.get("handoffctl", {}) if isinstance(tool, dict) else {}
    return table


def _config(path: Path, table: Mapping[str, Any]) -> Config:
    chains = table.get("chains", {})
    if not isinstance(chains, dict):
        raise UsageError("`chains` is not a table", place=str(path), help="[chains.NAME] begins a chain")
    return Config(str(path), {name: _chain(path, name, chain) for name, chain in chains.items()})


def _chain(path: Path, name: str, table: Any) -> NamedChain:
    table_name = "tool.handoffctl.chains" if path.name == "pyproject.toml" else "chains"
    place = f"{path} [{table_name}.{name}]"
    steps = table.get("filters") if isinstance(table, dict) else table
    if not isinstance(steps, list):
        raise UsageError("a chain is a list of filters", place=place, help='filters = ["remove_all_tools"]')
    unknown = set(table) - _CHAIN_KEYS if isinstance(table, dict) else set()
    if unknown:
        keys = ", ".join(sorted(_CHAIN_KEYS))
        raise UsageError(f"no such key: {', '.join(sorted(unknown))}", place=place, help=f"a chain has {keys}")
    description = table.get("description", "") if isinstance(table, dict) else ""
    return NamedChain(name, tuple(steps), str(description), place)
