"""`handoffctl chains`: the configured chains, and each one's steps."""

from __future__ import annotations

from typing import Annotated

import typer

from handoffctl.cli import completion, options
from handoffctl.cli.printing import put

Name = Annotated[
    str | None,
    typer.Argument(metavar="[NAME]", help="One chain, for its steps.", autocompletion=completion.chains),
]


def command(
    name: Name = None,
    config: options.ConfigFile = None,
    isolated: options.Isolated = False,
    debug: options.Debug = False,
) -> None:
    """List the chains of handoffctl.toml, or show one's steps and where each was written.

    \b
    Example:
      handoffctl chains billing
    """
    from handoffctl.catalogue import chain_listing, chain_page
    from handoffctl.config import load_config
    from handoffctl.wording.escape import visible_lines

    if isolated and name is not None:
        raise options.left_out(name)
    if isolated:
        put("no chains: --isolated leaves the configuration out")
        return
    loaded = load_config(config, isolated=isolated)
    put(visible_lines(chain_listing(loaded) if name is None else chain_page(name, loaded)))
