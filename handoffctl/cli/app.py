"""All commands put together, and every error turned into one line and an exit code."""

from __future__ import annotations

import os
import sys
from typing import Annotated, Any

import typer

from handoffctl.cli import commands
from handoffctl.cli.completion import completed_in_bash
from handoffctl.cli.messages import tell, tell_bug
from handoffctl.cli.printing import put
from handoffctl.errors import ExitCode, HandoffctlError, UsageError

# The class that click raises for a wrong command line; typer brings its own copy of click since 0.26.
_CLICK_ERROR: Any = next(each for each in typer.BadParameter.__mro__ if each.__name__ == "ClickException")

app = typer.Typer(
    name="handoffctl",
    help="See, filter and check the context that one AI agent hands to the next.",
    epilog="Try `handoffctl demo`; `handoffctl COMMAND --help` shows an example of each. Every option may be set as "
    "HANDOFFCTL_COMMAND_OPTION, as in HANDOFFCTL_DIFF_CHAIN=billing.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "auto_envvar_prefix": "HANDOFFCTL",
        "max_content_width": 100,
    },
)


@app.callback()
def root(
    version: Annotated[bool, typer.Option("--version", help="Print the version.", is_eager=True)] = False,
) -> None:
    """See, filter and check the context that one AI agent hands to the next."""
    if version:
        from handoffctl import __version__

        sys.stdout.write(f"handoffctl {__version__}\n")
        raise typer.Exit


commands.register(app)


def _command() -> Any:
    """The command line as click has it; every option has its variable, so no page needs to list them all."""
    command = typer.main.get_command(app)
    for each in (command, *getattr(command, "commands", {}).values()):
        for parameter in each.params:
            parameter.show_envvar = False
    return command


def _tell_usage(error: Any, arguments: list[str]) -> None:
    """What is wrong with the command line; the help itself where there is nothing on it."""
    context: Any = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":
        put(context.get_help())
        return
    named = [each for each in arguments if not each.startswith("-")][:1]
    path = " ".join(["handoffctl", *(each for each in named if each in commands.COMMANDS)])
    help_ = f"`{context.command_path if context else path} --help` shows the options and an example"
    tell(UsageError(error.format_message(), help=help_))


def run(arguments: list[str] | None = None) -> int:
    """Run a command; its exit code. Never a traceback, unless `--debug` asks for one."""
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        with completed_in_bash():
            code = _command().main(arguments, prog_name="handoffctl", standalone_mode=False)
    except _CLICK_ERROR as error:
        _tell_usage(error, arguments)
        return ExitCode.USAGE
    except (typer.Abort, KeyboardInterrupt):
        return ExitCode.INTERRUPTED
    except HandoffctlError as error:
        if "--debug" in arguments:
            raise
        tell(error)
        return error.exit_code
    except BrokenPipeError:  # `| head` has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.DONE
    except OSError as error:  # a full disk, a folder where a file should be, a file that fails while it is read
        if "--debug" in arguments:
            raise
        tell(
            UsageError(
                error.strerror or str(error), place=str(error.filename or ""), help="check the place and its disk"
            )
        )
        return ExitCode.USAGE
    except Exception as error:
        if "--debug" in arguments:
            raise
        tell_bug(error)
        return ExitCode.BUG
    return int(code or ExitCode.DONE)
