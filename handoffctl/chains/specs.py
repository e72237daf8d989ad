"""Filter specs as people write them: `NAME`, `NAME:option=value,…`, `module:function`, `@chain`."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any, Literal

from handoffctl.errors import UsageError

_OPTION = re.compile(r"\s*([A-Za-z][\w-]*)\s*=")
_HELP = 'options are written name=value,name=value; a value with a comma, colon or plus is quoted: name="a,b"'


@dataclass(frozen=True, slots=True)
class Spec:
    """One step of a chain as it was written. `options` are strings, or lists of them, until a filter types them."""

    kind: Literal["filter", "function", "chain"]
    name: str
    options: dict[str, Any] = field(default_factory=dict)
    text: str = ""
    origin: str = "-f"
    """Where it was written: an option of the command, or a place in a configuration file."""


def parse_spec(text: str, origin: str = "-f") -> Spec:
    """The step that a spec means. Raises UsageError where it can't be read."""
    place = f"{origin} {text}"
    if not text.strip():
        raise UsageError("an empty filter spec", place=origin, help="`handoffctl filters` lists the filters")
    if text.startswith("@"):
        return Spec("chain", text[1:], {}, text, origin)
    name, _, rest = text.partition(":")
    if not rest or _OPTION.match(rest):
        return Spec("filter", name, _options(rest, place), text, origin)
    if re.fullmatch(r"[A-Za-z_]\w*(\.\w+)*", name) and re.fullmatch(r"[A-Za-z_]\w*(\.\w+)*", rest):
        return Spec("function", text, {}, text, origin)
    if name.endswith(".py") or "/" in name:
        raise UsageError("is a file", place=place, help="a function is named by its module: module:function")
    raise UsageError(f"can't be read at `{rest}`", place=place, help=_HELP)


def parse_step(step: Any, origin: str) -> Spec:
    """A step of a configured chain: a spec, or a table with `use` and options."""
    if isinstance(step, str):
        return parse_spec(step, origin)
    if isinstance(step, dict) and isinstance(step.get("use"), str):
        spec = parse_spec(step["use"], origin)
        options = {key.replace("-", "_"): value for key, value in step.items() if key != "use"}
        return Spec(spec.kind, spec.name, {**spec.options, **options}, spec.text, origin)
    raise UsageError('a step is "NAME" or { use = "NAME", option = value }', place=origin)


def _options(text: str, place: str) -> dict[str, Any]:
    options: dict[str, Any] = {}
    position = 0
    while position < len(text):
        match = _OPTION.match(text, position)
        if match is None:
            raise UsageError(f"can't be read at `{text[position:]}`", place=place, help=_HELP)
        value, position = _value(text, match.end(), place)
        options[match[1].replace("-", "_")] = value
    return options


def _value(text: str, position: int, place: str) -> tuple[Any, int]:
    """A value and the place behind its comma: JSON in quotes or brackets, else plain text, split at each plus."""
    if text[position : position + 1] in ('"', "["):
        try:
            value, end = json.JSONDecoder().raw_decode(text, position)
        except (ValueError, RecursionError) as error:
            raise UsageError(f"can't be read at `{text[position:]}`", place=place, help=_HELP) from error
        if text[end : end + 1] not in ("", ","):
            raise UsageError(f"can't be read at `{text[end:]}`", place=place, help=_HELP)
        return value, end + 1
    end = text.find(",", position)
    end = len(text) if end < 0 else end
    value = text[position:end].strip()
    return (value.split("+") if "+" in value.strip("+") else value), end + 1
