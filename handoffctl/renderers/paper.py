"""What a renderer draws on: how wide, in colour or not."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TextIO, get_args

from handoffctl.errors import UsageError
from handoffctl.registry import suggestion

View = Literal["unified", "split", "stat", "names", "patch"]
VIEWS: tuple[View, ...] = get_args(View)
NARROWEST = 40
WIDEST = 120
"""Beyond it the eye loses the line between the words and what stands at the right edge; `split` fills any width."""


@dataclass(frozen=True, slots=True)
class Paper:
    """`width` counts columns; `view` is how a diff is drawn."""

    width: int = 80
    colored: bool = False
    view: View = "unified"


def paper_for(
    stream: TextIO,
    *,
    width: int | None = None,
    color: str = "auto",
    view: str = "unified",
    environ: Mapping[str, str] = os.environ,
) -> Paper:
    """The paper that a stream is. Raises UsageError for an unknown view or colour setting.

    In a pipe it is 80 columns wide unless COLUMNS says otherwise; of a wide terminal `WIDEST` columns
    are used. NO_COLOR, FORCE_COLOR and TERM=dumb are respected.
    """
    _expect("--view", view, VIEWS)
    _expect("--color", color, ("auto", "always", "never"))
    columns = width or _columns_of_terminal(view)
    colored = color == "always" or (color == "auto" and _is_colored(stream, environ))
    return Paper(max(columns, NARROWEST), colored, next(each for each in VIEWS if each == view))


def _columns_of_terminal(view: str) -> int:
    columns = shutil.get_terminal_size((80, 24)).columns
    return columns if view == "split" else min(columns, WIDEST)


def _expect(option: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        hint = f"{suggestion(value, list(known))} there are: {', '.join(known)}".strip()
        raise UsageError(f"no such {option.strip('-')}", place=f"{option} {value}", help=hint)


def _is_colored(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """See https://no-color.org and https://force-color.org; the first wins."""
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return environ.get("TERM") != "dumb" and stream.isatty()
