"""Which outputs say that their tool failed."""

from __future__ import annotations

import re
from typing import Any

from handoffctl.item import Item
from handoffctl.raw.jsontext import decode

_STATUS = frozenset({"failed", "error", "incomplete"})
# The SDK's own words for a tool that raised, a Python traceback, and what most tools begin with.
_OPENING = re.compile(
    r"\s*(?:An error occurred while running the tool|Traceback \(most recent call last\)|(?i:error)\b\s*:)"
)
_LONGEST_JSON = 100_000


def is_failure(output: Item) -> bool:
    """Whether an output says that the tool failed: by its status, a mark, an `error`, or its first words."""
    if output.get("status") in _STATUS or output.get("is_error") is True:
        return True
    if output.get("error"):
        return True
    value: Any = output.get("output")
    if isinstance(value, list):
        value = next((part.get("text") for part in value if isinstance(part, dict) and part.get("text")), None)
    if not isinstance(value, str):
        return False
    return bool(_OPENING.match(value)) or _says_error(value)


def _says_error(text: str) -> bool:
    if not text.lstrip().startswith("{") or '"error"' not in text or len(text) > _LONGEST_JSON:
        return False
    try:
        value = decode(text.encode(errors="surrogatepass"))
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and bool(value.get("error"))
