"""The command `handoffctl`, also as `python -m handoffctl`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; leave with its exit code."""
    if sys.argv[1:] == ["--version"]:  # before typer is imported: a shell prompt may ask at every line
        from handoffctl import __version__

        sys.stdout.write(f"handoffctl {__version__}\n")
        return
    from handoffctl.cli.app import run

    sys.exit(run())


if __name__ == "__main__":
    main()
