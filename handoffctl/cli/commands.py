"""The table of commands; a new one adds a file and a line."""

from __future__ import annotations

from importlib import import_module

import typer

COMMANDS = ("filter", "diff", "inspect", "show", "convert", "filters", "formats", "chains", "schema", "demo")


def register(app: typer.Typer) -> None:
    """Add each command: the function `command` of the module with its name, its docstring as the help."""
    for name in COMMANDS:
        app.command(name)(import_module(f"handoffctl.cli.{name}").command)
