"""Code from elsewhere: loading what the user named, and checking what it gives back."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from handoffctl.chains.sdk_filters import expected_package
from handoffctl.chains.specs import Spec
from handoffctl.errors import HandoffctlError, PluginError, UsageError
from handoffctl.item import Item
from handoffctl.model import Filter, HandoffInputData, RunItem


def load_function(spec: Spec, folder: str | None = None) -> Filter:
    """The function that `module:function` names, looked for from the working directory and from `folder` too.

    Raises PluginError where the import fails, the name is no function, or the function is one for the SDK's classes.
    """
    place = f"{spec.origin} {spec.text}"
    if spec.options:
        raise UsageError("a function has no options", place=place, help="a filter that is a class may have some")
    module, _, path = spec.name.partition(":")
    for each in (folder, str(Path.cwd())):
        if each is not None and each not in sys.path:
            sys.path.append(each)  # at the end: nothing there may stand in for an installed module
    try:
        found: Any = import_module(module)
        for name in path.split("."):
            found = getattr(found, name)
    except AttributeError as error:
        raise PluginError(f"there is no {path} in {module}", place=place) from error
    except (Exception, SystemExit) as error:
        what = f"failed to import: {said(error)}"
        raise PluginError(what, place=place, help="it must be importable from here, or installed") from error
    if not callable(found):
        raise PluginError(f"is a {type(found).__name__}, not a function", place=place)
    return usable(made(found, place) if isinstance(found, type) else found, place)


def made(filter_class: type, place: str, **options: Any) -> Any:
    """An instance of a foreign class. Raises PluginError where it can't be made."""
    try:
        return filter_class(**options)
    except HandoffctlError:
        raise
    except (Exception, SystemExit) as error:
        raise PluginError(f"could not be made: {said(error)}", place=place) from error


def said(error: BaseException) -> str:
    """An error's class and words; of one that can't even say itself, the class."""
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:  # noqa: BLE001 - foreign code says the error
        return type(error).__name__


def usable(filter_: Any, place: str) -> Filter:
    """A filter that can run on our items. Raises PluginError for one that was written for the SDK's classes."""
    package = expected_package(filter_)
    if package is not None:
        what = f"works on the classes of `{package}`, and would find none of them here"
        help_ = (
            "remove_all_tools and nest_handoff_history are built in; a filter for handoffctl takes its HandoffInputData"
        )
        raise PluginError(what, place=place, help=help_)
    return cast("Filter", filter_)


def called(filter_: Filter, data: HandoffInputData, place: str) -> HandoffInputData:
    """What a foreign filter makes of the data; what it prints goes to standard error.

    Raises PluginError, naming the place, where it raises or returns something else.
    """
    try:
        with redirect_stdout(sys.stderr):
            result: Any = filter_(data)
    except HandoffctlError:
        raise
    except (Exception, SystemExit) as error:
        help_ = "items are read-only mappings here: dict(item) gives a dict to change, item[...] a value"
        raise PluginError(f"raised {said(error)}", place=place, help=help_) from error
    if inspect.iscoroutine(result):
        result.close()
        raise PluginError("is an async function", place=place, help="a filter here is a plain function")
    return checked(result, place)


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
