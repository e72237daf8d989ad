"""What one writes without handoffctl: the standard library's json and the SDK's own filter.

`python -m benchmarks.sdk_script FILE`, the result on standard output.
"""

from __future__ import annotations

import json
import sys

from agents import HandoffInputData
from agents.extensions.handoff_filters import remove_all_tools


def main(path: str) -> None:
    """Filter a file line by line."""
    with open(path, encoding="utf-8") as file:  # noqa: PTH123 - as short as such a script is
        for line in file:
            record = json.loads(line)
            before = HandoffInputData(input_history=tuple(record["input"]), pre_handoff_items=(), new_items=())
            after = remove_all_tools(before)
            record["input"] = list(after.input_history)
            sys.stdout.write(json.dumps(record, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]  # a stream of our own
    main(*sys.argv[1:])
