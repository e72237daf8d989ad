"""The files that are measured: invented conversations, one a line, the same bytes on every machine.

| file | a line holds | mix |
|---|---|---|
| responses | `{"input": [items]}` | 2–9 turns; 70 % of them call one to three tools; a quarter of those reason first |
| chat | `{"messages": [messages]}` | the same conversations |
| untouched | `{"input": [items]}` | 6–26 turns without any tool: no filter has anything to do |

Every second line is English and ASCII (`json.dumps` as it is); the others are Chinese, Russian, Japanese, Spanish or
English with emoji, written with `ensure_ascii=False`. Outputs are JSON in a string (60 % under 500 characters, 30 % up
to 2 KB) or plain text of several KB (10 %).
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Literal

from benchmarks import conversation, spoken, texts

Size = Literal["full", "small"]
CONVERSATIONS: dict[Size, int] = {"full": 12_000, "small": 600}
ITEMS_OF_LONG = 10_000
DATA = Path(__file__).parent / "data"
_SEED = 20260
_OTHERS = tuple(language for language in texts.LANGUAGES if language != "english")


@dataclass(frozen=True, slots=True)
class Corpus:
    """The files of one size. `one` is the first conversation of `responses`, `long` one conversation as a document."""

    folder: Path

    def path(self, name: str) -> Path:
        return self.folder / f"{name}.jsonl"


def corpus(size: Size, data: Path = DATA) -> Corpus:
    """The files of a size, made where they are not there or came from another edition of this generator."""
    folder = data / size
    made = Corpus(folder)
    edition = folder / "edition"
    if edition.is_file() and edition.read_text() == _edition():
        return made
    folder.mkdir(parents=True, exist_ok=True)
    edition.unlink(missing_ok=True)
    count = CONVERSATIONS[size]
    for dialect in ("responses", "chat", "untouched"):
        _write(made.path(dialect), _lines(dialect, count))
        _write(made.path(f"one-{dialect}"), _lines(dialect, 1))
    _write(made.path("long"), [json.dumps({"input": _long()}).encode()])
    edition.write_text(_edition())
    return made


def _edition() -> str:
    sources = (Path(str(module.__file__)) for module in (conversation, spoken, texts))
    return f"{zlib.crc32(b''.join(path.read_bytes() for path in (*sources, Path(__file__)))):08x}"


def _write(path: Path, lines: Any) -> None:
    with path.open("wb") as file:
        for line in lines:
            file.write(line + b"\n")


def _lines(dialect: str, count: int) -> Iterator[bytes]:
    for number in range(count):
        random = Random(_SEED + number)
        language = "english" if number % 2 else _OTHERS[number // 2 % len(_OTHERS)]
        turns = conversation.conversation(random, language, tools=dialect != "untouched")
        if dialect == "chat":
            record = {"messages": list(spoken.messages(turns))}
        else:
            record = {"input": list(spoken.items(random, turns))}
        yield json.dumps(record, ensure_ascii=language == "english").encode()


def _long() -> list[spoken.Entry]:
    """Items of many conversations as those of one."""
    found: list[spoken.Entry] = []
    random = Random(_SEED)
    while len(found) < ITEMS_OF_LONG:
        found += spoken.items(random, conversation.conversation(random, "english", tools=True))
    return found[:ITEMS_OF_LONG]
