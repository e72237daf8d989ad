"""The command `handoffctl`, also as `python -m handoffctl`."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command line; leave with its exit code. Closed and full streams are no reason for a traceback."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the shell
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - open as long as we run
    try:
        code = _run()
    except OSError:  # standard output is full or gone
        code = 2
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
            code = code or 2
    sys.exit(code)


def _run() -> int:
    if sys.argv[1:] == ["--version"]:  # before typer is imported: a shell prompt may ask at every line
        from handoffctl import __version__

        sys.stdout.write(f"handoffctl {__version__}\n")
        return 0
    from handoffctl.cli.app import run

    return run()


if __name__ == "__main__":
    main()
