"""A program of two commands, as small as typer has them: what start-up costs at least."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import typer

app = typer.Typer()


@app.command()
def version() -> None:
    """Print a version."""
    sys.stdout.write("typer-program 0.1.0\n")


@app.command()
def copy(path: Path) -> None:
    """Print a file."""
    with path.open("rb") as file:
        shutil.copyfileobj(file, sys.stdout.buffer)


if __name__ == "__main__":
    app()
