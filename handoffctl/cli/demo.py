"""`handoffctl demo`: what the tool is for, in a second, without a file or a network."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from importlib.resources import as_file, files
from pathlib import Path

import typer

from handoffctl.cli import options
from handoffctl.cli.printing import put

SAMPLE = "refund.json"
STEPS = (
    ("A triage agent looked up an order and hands over to a refund agent. What is in it?", ["inspect", SAMPLE]),
    ("What does a filter make of it? What will the next agent still see?", ["diff", SAMPLE, "-f", "remove_all_tools"]),
)
NEXT = """Try next, with a dump of your own or with this one ({path}):
  handoffctl show FILE -f remove_all_tools --as next-agent
  handoffctl diff FILE -f truncate-history:n=2 -f nest_handoff_history
  handoffctl filter FILE -f remove_all_tools --to next-agent"""


def command(debug: options.Debug = False) -> None:
    """Show what handoffctl is for: a packaged conversation, inspected and diffed.

    \b
    Example:
      handoffctl demo
    """
    from handoffctl.cli.app import run

    code = 0
    os.environ["PAGER"] = ""  # nothing is paged in between
    with as_file(files("handoffctl") / "demo" / SAMPLE) as sample, tempfile.TemporaryDirectory() as folder:
        shutil.copy(sample, folder)
        with contextlib.chdir(Path(folder)):
            for question, arguments in STEPS:
                put(f"{question}\n\n$ handoffctl {' '.join(arguments)}")
                code = max(code, run(arguments))
                put("")
        put(NEXT.format(path=sample))
    raise typer.Exit(code)
