"""Options of a filter, typed and validated by the annotations of its class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter, ValidationError

from handoffctl.errors import UsageError


def validated(filter_class: type, options: Mapping[str, Any]) -> Any:
    """An instance with these options. Raises UsageError, naming the option, where one doesn't fit."""
    hints = get_type_hints(filter_class, include_extras=True)
    values: dict[str, Any] = {}
    for name, value in options.items():
        adapter: TypeAdapter[Any] = TypeAdapter(hints[name])
        try:
            values[name] = adapter.validate_python(_several(hints[name], value))
        except ValidationError as error:
            what = error.errors()[0]["msg"]
            raise UsageError(f"{name}={_shown(value)}: {what[:1].lower()}{what[1:]}") from error
    return filter_class(**values)


def _several(hint: Any, value: Any) -> Any:
    """One value as a list of one, where the option takes several; several joined again, where it takes one."""
    plain = get_args(hint)[0] if hasattr(hint, "__metadata__") else hint
    if _takes_several(plain):
        return [value] if isinstance(value, str) else value
    return "+".join(value) if isinstance(value, list) and all(isinstance(each, str) for each in value) else value


def _takes_several(hint: Any) -> bool:
    if get_origin(hint) in (tuple, list, frozenset, set):
        return True
    return any(_takes_several(each) for each in get_args(hint) if each is not type(None))


def _shown(value: Any) -> str:
    return "+".join(value) if isinstance(value, list) else str(value)
