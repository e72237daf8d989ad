"""The options of what a report looks like."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from handoffctl.cli import completion, options


@dataclass(frozen=True)
class Look(options.Display):
    """How reports are written, and how tokens are counted for them."""

    renderer: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="What is written: human, json, jsonl or markdown.",
            autocompletion=completion.renderers,
        ),
    ] = "human"
    counter: options.Counter = "approx"
