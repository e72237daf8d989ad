"""Where `handoffctl filter` writes: one file, a folder, each file itself, or standard output."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from pathlib import Path
from typing import BinaryIO

from handoffctl.cli.filter import Output
from handoffctl.errors import UsageError
from handoffctl.output import standard_output, written_file


def check_destination(paths: list[str], output: Output) -> None:
    """Raise UsageError where options exclude each other or can't work with these files."""
    if sum((output.output is not None, output.output_dir is not None, output.in_place)) > 1:
        raise UsageError("-o, --output-dir and --in-place exclude each other", help="take one of them")
    if output.in_place and "-" in paths:
        raise UsageError("--in-place has no file to write back to", help="name the files")
    if output.in_place and len(set(map(os.path.realpath, paths))) < len(paths):
        raise UsageError("--in-place with a file named twice", help="name each file once")
    if output.in_place and output.to is not None:
        raise UsageError("--in-place keeps each file's own format", help="leave out --to, or write with -o")
    if output.output_dir is None:
        return
    targets = [Path(output.output_dir) / Path(path).name for path in paths]
    if "-" in paths or len(set(targets)) < len(targets):
        raise UsageError("--output-dir needs a name of its own for each file", help="name files of different names")
    for path, written in zip(paths, targets, strict=True):
        if written.exists() and written.samefile(path):
            raise UsageError("would be overwritten by its own result", place=path, help="--in-place keeps a backup")


def overwrites(path: str, output: Output) -> bool:
    """Whether the result takes the place of this very file."""
    written = output.output
    return output.in_place or (written not in (None, "-") and os.path.realpath(str(written)) == os.path.realpath(path))


def own_stream(path: str, output: Output) -> AbstractContextManager[BinaryIO]:
    """The stream for one file's own result."""
    if output.in_place:
        return written_file(path, backup=output.backup)
    folder = Path(output.output_dir or ".")
    folder.mkdir(parents=True, exist_ok=True)
    return written_file(str(folder / Path(path).name))


def shared_stream(output: Output) -> AbstractContextManager[BinaryIO]:
    """The one stream for all results."""
    return standard_output() if output.output in (None, "-") else written_file(str(output.output))
