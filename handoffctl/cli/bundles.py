"""Bundles of options: a command takes one value for several options that belong together."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import wraps
from typing import Any, get_type_hints


def bundled(command: Callable[..., None]) -> Callable[..., None]:
    """The command with each bundle (a parameter whose type is a dataclass) spread out into its options.

    typer sees every field of a bundle as a parameter of its own; the command gets the bundles made of them.
    """
    hints = get_type_hints(command, include_extras=True)
    bundles: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        parameters += _spread(bundles[name]) if name in bundles else [parameter.replace(annotation=hints[name])]

    @wraps(command)
    def spread(**values: Any) -> None:
        for name, bundle in bundles.items():
            values[name] = bundle(**{each.name: values.pop(each.name) for each in fields(bundle)})
        command(**values)

    spread.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # what typer reads
    spread.__annotations__ = {each.name: each.annotation for each in parameters}
    return spread


def _spread(bundle: type[Any]) -> list[inspect.Parameter]:
    hints = get_type_hints(bundle, include_extras=True)
    keyword = inspect.Parameter.KEYWORD_ONLY
    return [
        inspect.Parameter(each.name, keyword, default=each.default, annotation=hints[each.name])
        for each in fields(bundle)
    ]
