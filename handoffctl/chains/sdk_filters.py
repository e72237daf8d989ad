"""Telling filters that were written for the SDK's own classes: on ours they would see nothing that they look for."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

_PACKAGES = frozenset({"agents", "cai"})


def expected_package(filter_: Callable[..., Any]) -> str | None:
    """The package whose classes a filter works on, `agents` or `cai`; None where nothing speaks for one.

    Told by where it was defined, by its annotations, or by the package's names that its code uses.
    """
    code = filter_ if inspect.isroutine(filter_) else type(filter_).__call__
    for value in (code, *_annotated(code), *_used(code)):
        package = str(getattr(value, "__module__", None) or getattr(value, "__name__", "")).partition(".")[0]
        if package in _PACKAGES:
            return package
    return None


def _annotated(code: Any) -> Iterator[Any]:
    """What the annotations name; those that are text are looked up where the function was defined."""
    names = getattr(code, "__globals__", {})
    for annotation in getattr(code, "__annotations__", {}).values():
        if not isinstance(annotation, str):
            yield annotation
            continue
        first, *rest = annotation.strip("'\"").split("[")[0].split(".")
        value = names.get(first)
        for name in rest:
            value = getattr(value, name, None)
        yield value


def _used(code: Any) -> Iterator[Any]:
    names = getattr(code, "__globals__", {})
    inner = [getattr(code, "__code__", None)]
    while inner:
        each = inner.pop()
        if isinstance(each, CodeType):  # functions and comprehensions inside of it have code of their own
            yield from (names.get(name) for name in each.co_names)
            inner += each.co_consts
