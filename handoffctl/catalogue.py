"""What there is, for a person: filters, formats and chains, each with a page of its own."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any, get_args, get_origin, get_type_hints

from handoffctl.chain import load_chain
from handoffctl.config import Config
from handoffctl.errors import HandoffctlError
from handoffctl.registry import Registry

WIDTH = 100


def listing(registry: Registry) -> str:
    """Each member's name with the first sentence of its docstring; what fails to import says so."""
    rows = []
    for name in registry.names():
        try:
            rows.append((name, _first_sentence(registry.get(name))))
        except HandoffctlError as error:
            rows.append((name, f"({error.what})"))
    return columns(rows)


def columns(rows: Sequence[tuple[str, str]], indent: str = "") -> str:
    """Two columns, the second wrapped under itself."""
    width = max((len(name) for name, _ in rows), default=0) + 2
    lines = []
    for name, text in rows:
        head = indent + name.ljust(width)
        below = " " * len(head)
        lines += textwrap.wrap(text, WIDTH, initial_indent=head, subsequent_indent=below) or [head.rstrip()]
    return "\n".join(lines)


def page(registry: Registry, name: str) -> str:
    """A member's page: its name, what it does, its options. Raises UsageError for an unknown name."""
    member = registry.get(name)
    parts = [name, "", _docstring(member)]
    if inspect.isclass(member) and is_dataclass(member):
        parts += ["", "Options:", columns([_option(member, each) for each in fields(member)] or [("none", "")], "  ")]
    return "\n".join(parts).rstrip()


def _option(member: type, option: Field[Any]) -> tuple[str, str]:
    hint = get_type_hints(member, include_extras=True)[option.name]
    words = [each for each in getattr(hint, "__metadata__", ()) if isinstance(each, str)]
    default = "required" if option.default is MISSING else f"default {_said(option.default)}"
    kind = _kind(get_type_hints(member)[option.name])
    return f"{option.name}={kind}", f"{words[0]} ({default})" if words else default


def _said(default: Any) -> str:
    if default is None or default == ():
        return "none"
    return str(default).lower() if isinstance(default, bool) else str(default)


def _kind(hint: Any) -> str:
    """What a value looks like: `N`, `true|false`, the words of a choice, or `TEXT`."""
    choices = [each for each in get_args(hint) if each is not type(None)]
    if choices and all(isinstance(each, str) for each in choices):
        return "|".join(choices)
    plain = choices[0] if choices and get_origin(hint) is not tuple else hint
    if get_origin(plain) is tuple:
        return "TEXT+TEXT…"
    return {int: "N", float: "N", bool: "true|false"}.get(plain, "TEXT")


def _docstring(member: Any) -> str:
    text = inspect.getdoc(member) or "(no description)"
    paragraphs = [" ".join(each.split()) if not each.startswith(" ") else each for each in text.split("\n\n")]
    return "\n\n".join(textwrap.fill(each, WIDTH) for each in paragraphs)


def _first_sentence(member: Any) -> str:
    paragraph = " ".join((inspect.getdoc(member) or "(no description)").split("\n\n")[0].split())
    return paragraph.partition(". ")[0].rstrip(".:")


def chain_listing(config: Config) -> str:
    """Each configured chain with its description, or its steps where it has none."""
    if not config.chains:
        where = config.path or "no handoffctl.toml here or above"
        return f"no chains ({where}); [chains.NAME] in handoffctl.toml begins one"
    rows = [(name, chain.description or _steps(chain.steps)) for name, chain in config.chains.items()]
    return columns(rows)


def _steps(steps: Sequence[Any]) -> str:
    return " → ".join(str(step.get("use", step) if isinstance(step, dict) else step) for step in steps)


def chain_page(name: str, config: Config) -> str:
    """A chain's page: its description and its steps, each with the place where it was written."""
    chain = load_chain(name, config)
    rows = [(f"{number}  {step.name}", step.origin) for number, step in enumerate(chain.steps, 1)]
    return "\n".join(
        [chain.name, *([chain.description] if chain.description else []), "", columns(rows, "  ")]
    ).rstrip()
