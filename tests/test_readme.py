"""The README and the docs are true: what they show is run, and gives what stands below it, letter by letter.

A section (whatever stands under one heading) gets a folder of its own with the sample transcripts in it, and its
blocks are taken in order: ` ```toml handoffctl.toml ` writes that file; ` ```python ` runs; in ` ```console ` the
lines that begin with `$ ` run in a shell, and the lines below each are what it prints. A line `...` stands for any
lines; a block that shows no output must only succeed. `--update-goldens` writes what is printed into the document.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.conftest import ROOT, SAMPLES

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(?P<language>\w+)(?: (?P<file>\S+))?\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
ANYTHING = "..."


class Block(NamedTuple):
    """One fenced block. `file` is None for a block that isn't a file's content."""

    language: str
    file: str | None
    body: str


class Command(NamedTuple):
    """One command of a console block and the lines that stand below it."""

    line: str
    shown: list[str]


def sections(text: str) -> dict[str, list[Block]]:
    """The blocks that are written or run, by the heading that they stand under."""
    fences = list(FENCE.finditer(text))
    outside = FENCE.sub(lambda fence: " " * len(fence[0]), text)  # a comment in a block is no heading
    headings = [(heading.start(), heading[1]) for heading in HEADING.finditer(outside)]
    found: dict[str, list[Block]] = {}
    for fence in fences:
        block = Block(fence["language"], fence["file"], fence["body"])
        if block.file or block.language in ("console", "python"):
            title = [name for start, name in headings if start < fence.start()][-1:] or [""]
            found.setdefault(title[0], []).append(block)
    return found


def commands(body: str) -> list[Command]:
    """The commands of a console block; one that ends in a backslash goes on in the next line."""
    found: list[Command] = []
    for line in body.splitlines():
        if line.startswith("$ "):
            found.append(Command(line[2:], []))
        elif found and not found[-1].shown and found[-1].line.endswith("\\"):
            found[-1] = Command(f"{found[-1].line}\n{line}", [])
        else:
            found[-1].shown.append(line)
    return found


def matches(shown: list[str], printed: list[str]) -> bool:
    """Whether the printed lines are those shown, `...` standing for any."""
    pattern = "".join(r"(?:.*\n)*?" if line == ANYTHING else re.escape(line) + r"\n" for line in shown)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in printed)) is not None


class Workplace:
    """A folder with the samples, and a shell that finds `handoffctl` and `python` as a user's does."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "work"
        shutil.copytree(SAMPLES, self.folder / "sample_transcripts")
        programs = folder / "bin"
        programs.mkdir()
        # -P: an installed command doesn't import from the current folder either.
        for name, arguments in (("handoffctl", "-P -m handoffctl"), ("python", "")):
            program = programs / name
            program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments} "$@"\n')
            program.chmod(0o755)
        self.environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}

    def run(self, *command: str) -> tuple[list[str], int]:
        """What a command prints, stderr included, without blanks at the ends of lines, and its exit code."""
        finished = subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        lines = finished.stdout.removesuffix("\n").split("\n") if finished.stdout else []
        return [line.rstrip() for line in lines], finished.returncode

    def follow(self, block: Block) -> str:
        """Writes or runs a block. The block's text as it should be comes back."""
        if block.file:
            place = self.folder / block.file
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(block.body, encoding="utf-8")
        elif block.language == "python":
            printed, exit_code = self.run(sys.executable, "-c", block.body)
            assert exit_code == 0, "\n".join(printed)
        else:
            return "".join(self._follow_command(command) for command in commands(block.body))
        return block.body

    def _follow_command(self, command: Command) -> str:
        printed, exit_code = self.run("sh", "-c", command.line)
        if not command.shown:
            assert exit_code == 0, "\n".join([f"$ {command.line}", *printed, f"exit {exit_code}"])
        shown = command.shown if matches(command.shown, printed) else printed
        return "".join(f"{line}\n" for line in [f"$ {command.line}", *shown])


CASES = [
    pytest.param(path, title, id=f"{path.name}: {title}")
    for path in DOCUMENTS
    for title in sections(path.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize(("path", "title"), CASES)
def test_what_a_document_shows_is_what_happens(path: Path, title: str, tmp_path: Path, update_goldens: bool) -> None:
    workplace = Workplace(tmp_path)
    for block in sections(path.read_text(encoding="utf-8"))[title]:
        actual = workplace.follow(block)
        if update_goldens:
            text = path.read_text(encoding="utf-8")
            path.write_text(text.replace(f"\n{block.body}```", f"\n{actual}```"), encoding="utf-8")
        elif block.language == "console" and any(command.shown for command in commands(block.body)):
            assert block.body == actual


def test_readme_shows_commands() -> None:
    assert len(list(_console_commands())) >= 10


def test_lines_of_the_readme_fit_a_terminal() -> None:
    shown = [line for command in _console_commands() for line in command.shown]
    assert [line for line in shown if len(line) > 80 and not line.startswith("{")] == []


def _console_commands() -> Iterator[Command]:
    for blocks in sections(DOCUMENTS[0].read_text(encoding="utf-8")).values():
        for block in blocks:
            if block.language == "console":
                yield from commands(block.body)


@pytest.mark.parametrize(
    ("shown", "printed", "expected"),
    [
        pytest.param(["a", "b"], ["a", "b"], True, id="the same lines"),
        pytest.param(["a"], ["a", "b"], False, id="a line too many"),
        pytest.param(["a.c"], ["abc"], False, id="signs mean themselves"),
        pytest.param(["a", "...", "d"], ["a", "b", "c", "d"], True, id="dots stand for lines"),
        pytest.param(["a", "...", "d"], ["a", "d"], True, id="dots stand for none"),
        pytest.param(["a", "..."], ["b"], False, id="what is before the dots counts"),
    ],
)
def test_shown_lines_match(shown: list[str], printed: list[str], expected: bool) -> None:
    assert matches(shown, printed) is expected


def test_blocks_are_read_by_section() -> None:
    text = "# A\n```console\n$ x \\\n  y\none\n# no heading\n$ z\n```\n```sh\nmake\n```\n"
    text += "## B\n```toml f.toml\na = 1\n```\n"
    found = sections(text)
    assert {title: [block.language for block in blocks] for title, blocks in found.items()} == {
        "A": ["console"],
        "B": ["toml"],
    }
    assert commands(found["A"][0].body) == [Command("x \\\n  y", ["one", "# no heading"]), Command("z", [])]
    assert found["B"][0].file == "f.toml"


def test_a_workplace_writes_files_runs_python_and_compares(tmp_path: Path) -> None:
    workplace = Workplace(tmp_path)
    workplace.follow(Block("text", "notes/a.txt", "hello\n"))
    workplace.follow(Block("python", None, "assert open('notes/a.txt').read() == 'hello\\n'"))
    assert workplace.follow(Block("console", None, "$ cat notes/a.txt\n")) == "$ cat notes/a.txt\nhello\n"
    assert workplace.follow(Block("console", None, "$ cat notes/a.txt\n...\n")) == "$ cat notes/a.txt\n...\n"
    with pytest.raises(AssertionError, match="exit 3"):
        workplace.follow(Block("console", None, "$ exit 3\n"))
