"""What the shell may complete: names of filters, chains, formats and views. A fault completes nothing."""

from __future__ import annotations

import io
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from contextlib import contextmanager, redirect_stdout
from functools import wraps
from typing import Any

import typer

SCHEMAS = ("handoff", "report", "diff", "inspect", "show", "filter")
"""The schemas by name; the module that makes them takes too long to import at a key press."""

_BREAKS = (":", "=")
_Completer = Callable[[typer.Context, str], Iterable[str]]


def _safe(completer: _Completer) -> Callable[[typer.Context, str], list[str]]:
    """The completer without what doesn't begin as typed, and without errors: nobody could read them there."""

    @wraps(completer)
    def complete(ctx: typer.Context, incomplete: str) -> list[str]:
        try:
            return [each for each in completer(ctx, incomplete) if each.startswith(incomplete)]
        except Exception:  # noqa: BLE001 - a broken configuration or plugin
            return []

    return complete


@_safe
def filter_specs(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    """Filters by name and chains by @name; behind `NAME:` its options, those that are given left out."""
    from handoffctl.filters import FILTERS

    name, colon, options = incomplete.partition(":")
    if not colon:
        return [*FILTERS.names(), *(f"@{chain}" for chain in _chains(ctx))]
    *given, _ = options.split(",")
    start = ",".join([*given, ""]) if given else ""
    taken = {each.partition("=")[0] for each in given}
    return [f"{name}:{start}{option}=" for option in _options(FILTERS.get(name)) if option not in taken]


def _options(filter_: Any) -> list[str]:
    from dataclasses import fields, is_dataclass

    return [each.name for each in fields(filter_) if each.init] if is_dataclass(filter_) else []


@_safe
def filter_names(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    """Filters by name."""
    from handoffctl.filters import FILTERS

    return FILTERS.names()


@_safe
def chains(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    """Chains of the configuration, as `--config` and `--isolated` before it say."""
    return _chains(ctx)


def _chains(ctx: typer.Context) -> list[str]:
    from handoffctl.config import load_config

    return [*load_config(ctx.params.get("config"), isolated=bool(ctx.params.get("isolated"))).chains]


@_safe
def formats(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    """Formats that can be read."""
    from handoffctl.formats import FORMATS

    return FORMATS.names()


@_safe
def targets(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    """Formats that can be written."""
    from handoffctl.writing import TARGETS

    return TARGETS


@_safe
def views(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    """Ways to draw a diff."""
    from handoffctl.renderers.paper import VIEWS

    return VIEWS


@_safe
def renderers(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    """Formats of reports."""
    from handoffctl.renderers import RENDERERS

    return RENDERERS.names()


@_safe
def counters(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    """Ways to count tokens."""
    from handoffctl.counts import COUNTERS

    return COUNTERS.names()


@_safe
def schemas(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    """Schemas by name."""
    return SCHEMAS


@contextmanager
def completed_in_bash(environ: MutableMapping[str, str] = os.environ) -> Iterator[None]:
    """Words that bash broke at `:` and `=` are whole inside; what is printed there comes without what bash has already.

    bash completes only what stands behind the last of these signs. Nothing happens for another shell.
    """
    had = _mended(environ) if environ.get("_HANDOFFCTL_COMPLETE") == "complete_bash" else ""
    if not had:
        yield
        return
    printed = io.StringIO()
    try:
        with redirect_stdout(printed):
            yield
    finally:
        sys.stdout.write("".join([f"{each.removeprefix(had)}\n" for each in printed.getvalue().splitlines()]))


def _mended(environ: MutableMapping[str, str]) -> str:
    """What of the last word stands before its last `:` or `=`."""
    try:
        words = shlex.split(environ["COMP_WORDS"])
        position = int(environ["COMP_CWORD"])
    except (KeyError, ValueError):
        return ""
    *before, last = list(_joined([*words[:position], *(words[position : position + 1] or [""])])) or [""]
    environ["COMP_WORDS"] = "\n".join(map(shlex.quote, [*before, last]))
    environ["COMP_CWORD"] = str(len(before))
    found = re.match(r".*[:=]", last)
    return found[0] if found else ""


def _joined(words: Iterable[str]) -> Iterator[str]:
    """The words; what stands beside a `:` or `=` is joined to it."""
    word: str | None = None
    for each in words:
        if word is not None and (each in _BREAKS or word.endswith(_BREAKS)):
            word += each
            continue
        if word is not None:
            yield word
        word = each
    if word is not None:
        yield word
