"""Code from elsewhere: loading what the user named, and checking what it gives back."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from handoffctl.errors import PluginError, UsageError
from handoffctl.item import Item
from handoffctl.model import Filter, HandoffInputData, RunItem
from handoffctl.specs import Spec


def load_function(spec: Spec) -> Filter:
    """The function that `module:function` names, looked for from the working directory too.

    Raises PluginError where the import fails or the name is no function.
    """
    place = f"{spec.origin} {spec.text}"
    if spec.options:
        raise UsageError("a function has no options", place=place, help="only filters with a class have options")
    module, _, path = spec.name.partition(":")
    here = str(Path.cwd())
    if here not in sys.path and "" not in sys.path:
        sys.path.insert(0, here)
    try:
        found: Any = import_module(module)
        for name in path.split("."):
            found = getattr(found, name)
    except AttributeError as error:
        raise PluginError(f"there is no {path} in {module}", place=place) from error
    except Exception as error:
        raise PluginError(f"failed to import: {type(error).__name__}: {error}", place=place) from error
    if not callable(found):
        raise PluginError(f"is a {type(found).__name__}, not a function", place=place)
    return cast("Filter", found() if isinstance(found, type) else found)


def checked(result: Any, place: str) -> HandoffInputData:
    """What a foreign filter gave, its plain dicts made items. Raises PluginError where it is something else."""
    if not isinstance(result, HandoffInputData):
        what = f"returned {type(result).__name__} instead of HandoffInputData"
        raise PluginError(what, place=place, help="a filter takes and returns HandoffInputData")
    try:
        history = result.input_history
        if not isinstance(history, str):
            history = _all(history, _item)
        segments = [_all(each, _run_item) for each in (result.pre_handoff_items, result.new_items)]
        input_items = None if result.input_items is None else _all(result.input_items, _run_item)
    except (TypeError, ValueError) as error:
        raise PluginError(f"returned something else in its parts: {error}", place=place) from error
    parts = (history, *segments, input_items)
    theirs = (result.input_history, result.pre_handoff_items, result.new_items, result.input_items)
    if all(ours is their for ours, their in zip(parts, theirs, strict=True)):
        return result
    return HandoffInputData(history, segments[0], segments[1], result.run_context, input_items)


def _all(items: Any, convert: Any) -> Any:
    converted = tuple(convert(each) for each in items)
    same = isinstance(items, tuple) and all(a is b for a, b in zip(converted, items, strict=True))
    return items if same else converted


def _item(value: Any) -> Item:
    if isinstance(value, Item):
        return value
    if isinstance(value, Mapping):
        return Item.of(value)
    raise TypeError(f"an item is a {type(value).__name__}, not a mapping")


def _run_item(value: Any) -> RunItem:
    if isinstance(value, RunItem):
        return value
    raise TypeError(f"a run item is a {type(value).__name__}")
