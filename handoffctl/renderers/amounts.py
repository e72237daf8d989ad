"""Numbers as people read them."""

from __future__ import annotations

from handoffctl.reports.amounts import Amount


def counted(number: int, noun: str) -> str:
    """`1 item`, `2 items`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def tokens_of(number: int) -> str:
    """A number of tokens, with the sign that it is an estimate."""
    return f"~{number:,}"


def percent(before: int, after: int) -> str:
    """By how much it is more or less: `−86 %`; empty where there was nothing, or nothing changed."""
    if not before or before == after:
        return ""
    change = round(100 * (after - before) / before)
    sign = "−" if after < before else "+"
    return f"{sign}{abs(change) or '<1'} %"


def from_to(before: int, after: int, noun: str) -> str:
    """`8 → 3 items`."""
    return f"{before:,} → {counted(after, noun)}"


def amount(each: Amount) -> str:
    """`3 items · 3 messages · ~31 tokens`."""
    return f"{counted(each.items, 'item')} · {counted(each.messages, 'message')} · {tokens_of(each.tokens)} {each.unit}"


def size(number: int) -> str:
    """A number of bytes in the largest unit that leaves it readable."""
    value = float(number)
    for unit in ("bytes", "KB", "MB"):
        if value < 1_000 or unit == "MB":
            break
        value /= 1_000
    return f"{number:,} bytes" if unit == "bytes" else f"{value:,.1f} {unit}"
