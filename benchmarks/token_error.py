"""How far the built-in token estimate is off: writes the tables of docs/tokens.md.

python -m benchmarks.token_error            print them, and the speed
python -m benchmarks.token_error --write    put them into docs/tokens.md
"""

from __future__ import annotations

import sys
import time
import warnings
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from handoffctl.tokens import estimate_tokens

ROOT = Path(__file__).parent.parent
TEXTS = ROOT / "tests" / "data" / "tokens"
PAGE = ROOT / "docs" / "tokens.md"
MARK = "<!-- the table below is written by `python -m benchmarks.token_error --write` -->\n"
PROMISED = ("english", "json", "code", "chinese", "japanese", "russian", "emoji")
ENCODINGS = ("o200k_base", "cl100k_base")
SPEED_TEXTS = ("english", "json", "chinese")


class Measured(NamedTuple):
    """One text: its estimate, and its exact count for each encoding."""

    estimate: int
    exact: dict[str, int]

    def error(self, encoding: str) -> float:
        """The estimate's error as a share of the exact count; below zero where it is too low."""
        return self.estimate / self.exact[encoding] - 1


def languages() -> list[str]:
    """The kinds of text, those with a promised bound first."""
    known = sorted({path.name.split(".")[0] for path in TEXTS.glob("*.txt")})
    return [*PROMISED, *(name for name in known if name not in PROMISED)]


def text(language: str, half: str) -> str:
    """A text by its kind; `half` is `calibration` or `heldout`."""
    return (TEXTS / f"{language}.{half}.txt").read_text(encoding="utf-8")


@cache
def tokenizer(encoding: str) -> Any:
    """The exact tokenizer of that name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # it reads its tables the old way
        import bpe_openai

        return bpe_openai.get_encoding(encoding)


def exact_tokens(words: str, encoding: str = "o200k_base") -> int:
    """How many tokens a text is."""
    return len(tokenizer(encoding).encode_ordinary(words))


def measure(language: str, half: str) -> Measured:
    """The estimate and the exact counts of one text."""
    words = text(language, half)
    return Measured(estimate_tokens(words), {name: exact_tokens(words, name) for name in ENCODINGS})


def table() -> str:
    """The errors of all texts as a Markdown table."""
    head = ["text", "half", "characters", "estimate", *(f"{name} (error)" for name in ENCODINGS)]
    rows = [head, ["---", "---", "---:", "---:", *("---:" for _ in ENCODINGS)]]
    for half in ("heldout", "calibration"):
        rows += [_row(language, half) for language in languages()]
    return "".join([f"| {' | '.join(row)} |\n" for row in rows])


def _row(language: str, half: str) -> list[str]:
    found = measure(language, half)
    name = f"**{language}**" if language in PROMISED else language
    errors = [f"{count:,} ({found.error(encoding):+.0%})" for encoding, count in found.exact.items()]
    return [name, half.replace("heldout", "held out"), f"{len(text(language, half)):,}", f"{found.estimate:,}", *errors]


def speed(language: str) -> float:
    """Megabytes of UTF-8 a second on a long text; the best of three."""
    words = text(language, "heldout") * 1_000
    times = []
    for _ in range(3):
        start = time.perf_counter()
        estimate_tokens(words)
        times.append(time.perf_counter() - start)
    return len(words.encode()) / min(times) / 1e6


def main() -> None:
    """Print the tables, or write them into the page."""
    if "--write" in sys.argv:
        before = PAGE.read_text(encoding="utf-8").partition(MARK)[0]
        PAGE.write_text(before + MARK + "\n" + table(), encoding="utf-8")
        return
    print(table())
    for language in SPEED_TEXTS:
        print(f"{language}: {speed(language):.0f} MB/s")


if __name__ == "__main__":
    main()
