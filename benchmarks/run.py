"""Measures everything and prints one table: `python -m benchmarks.run` (`make bench`)."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.agreement import agree, unchanged
from benchmarks.corpus import CONVERSATIONS, DATA, Corpus, corpus
from benchmarks.latency import long_diff, start_up
from benchmarks.processes import run
from benchmarks.programs import floor, handoffctl, peers
from benchmarks.table import Row, markdown
from benchmarks.throughput import OURS, Race, race

_PEER_TARGETS = {"floor": 0.9, "jq": 5.0, "SDK script": 1.5}
_PEER_NAMES = {"floor": "orjson and a list comprehension", "jq": "jq", "SDK script": "json and the SDK's filter"}
_TIMES = 4
_MEMORY_TARGET = 80.0


def main() -> None:
    """Measure; print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description=__doc__)
    parser.add_argument("--size", choices=CONVERSATIONS, default="full", help="how many conversations")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each program (default: 5)")
    parser.add_argument("--json", action="store_true", help="data instead of a table")
    parser.add_argument("--data", type=Path, default=DATA, help="where the files are kept")
    options = parser.parse_args()
    _say(f"the files of {CONVERSATIONS[options.size]:,} conversations")
    rows = list(measured(corpus(options.size, options.data), options.rounds))
    print(json.dumps([row.as_json() for row in rows], indent=2) if options.json else markdown(rows))


def measured(files: Corpus, rounds: int) -> Iterator[Row]:
    """A row for each number, as it is measured. Raises Disagreement where results are not the same."""
    _check(files)
    responses = _race(files, "responses", rounds)
    yield from _against_peers(responses)
    chat = _race(files, "chat", rounds)
    yield chat.row(f"chat : {_PEER_NAMES['floor']}", "floor", 0.6)
    untouched = _race(files, "untouched", rounds)
    yield untouched.row(f"nothing to filter : {_PEER_NAMES['floor']}", "floor", 2.5)
    yield _memory("peak memory", max(each.peak for each in (responses, chat, untouched)))
    yield _memory(f"peak memory, a file {_TIMES} times as long", _peak_of_longer(files))
    _say("diff")
    yield long_diff(files.path("long"), rounds)
    _say("start-up")
    yield from start_up(files.path("one-responses"), max(rounds, 2 * rounds - 1))


def _check(files: Corpus) -> None:
    _say("whether the results agree")
    agree({OURS: handoffctl, **peers()}, files.path("responses"), files.folder)
    agree({OURS: handoffctl, "floor": floor("chat")}, files.path("chat"), files.folder)
    unchanged(handoffctl, files.path("untouched"), files.folder)


def _race(files: Corpus, name: str, rounds: int) -> Race:
    _say(f"{name}, {files.path(name).stat().st_size / 1e6:.0f} MB")
    others = {"responses": peers(), "chat": {"floor": floor("chat")}, "untouched": {"floor": floor("responses")}}
    return race(files.path(name), files.path(f"one-{name}"), others[name], rounds)


def _against_peers(raced: Race) -> Iterator[Row]:
    for name, target in _PEER_TARGETS.items():
        what = f"Responses items : {_PEER_NAMES[name]}"
        yield (
            raced.row(what, name, target)
            if name in raced.runs
            else Row(what, None, target=target, note=f"{name} is not installed")
        )


def _memory(what: str, peak: int) -> Row:
    return Row(what, peak / 1e6, "MB", target=_MEMORY_TARGET, bound="≤")


def _peak_of_longer(files: Corpus) -> int:
    _say("memory")
    longer = files.path("longer")
    try:
        with longer.open("wb") as joined:
            for _ in range(_TIMES):
                with files.path("responses").open("rb") as once:
                    shutil.copyfileobj(once, joined)
        return run(handoffctl(longer)).peak
    finally:
        longer.unlink(missing_ok=True)


def _say(what: str) -> None:
    print(f"… {what}", file=sys.stderr)


if __name__ == "__main__":
    main()
