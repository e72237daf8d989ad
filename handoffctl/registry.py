"""One Registry for every plugin family: the built-in table first, then entry points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from importlib import import_module
from typing import Any

from handoffctl.errors import PluginError, UsageError


def normalised(name: str) -> str:
    """A name with `_` for `-`: users may write either."""
    return name.replace("-", "_")


def suggestion(name: str, known: Iterator[str] | list[str]) -> str:
    """`did you mean X?`, or nothing where no known name is close."""
    by_normalised = {normalised(each): each for each in known}
    close = get_close_matches(normalised(name), list(by_normalised), n=1, cutoff=0.6)
    return f"did you mean {by_normalised[close[0]]}?" if close else ""


class Registry:
    """The members of one plugin family by name, imported when they are asked for.

    `builtin` maps a name to `module:Symbol`. Other packages register under the entry-point group; a built-in
    name can't be taken over.
    """

    def __init__(self, noun: str, group: str, builtin: Mapping[str, str]) -> None:
        self.noun = noun
        self.group = group
        self.builtin = dict(builtin)

    def names(self) -> list[str]:
        """Built-in names in the table's order, then those of other packages, sorted."""
        return [*self.builtin, *sorted(name for name in self._foreign() if name not in self.builtin)]

    def get(self, name: str) -> Any:
        """The member of that name. Raises UsageError for an unknown one, PluginError where its import fails."""
        wanted = normalised(name)
        for known, target in self.builtin.items():
            if normalised(known) == wanted:
                module, _, symbol = target.partition(":")
                return getattr(import_module(module), symbol)
        for known, entry_point in self._foreign().items():
            if normalised(known) == wanted:
                return _load(entry_point, self.noun)
        hint = suggestion(name, self.names())
        listing = f"`handoffctl {self.noun}s` lists them all"
        raise UsageError(f"no such {self.noun}", place=name, help=f"{hint} {listing}".strip())

    def _foreign(self) -> dict[str, Any]:
        from importlib.metadata import entry_points

        return {each.name: each for each in entry_points(group=self.group)}


def _load(entry_point: Any, noun: str) -> Any:
    try:
        return entry_point.load()
    except (Exception, SystemExit) as error:
        place = f"{noun} {entry_point.name} ({entry_point.value})"
        raise PluginError(f"failed to import: {type(error).__name__}: {error}", place=place) from error
