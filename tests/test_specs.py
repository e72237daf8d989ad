"""Specs: what people write after -f, and in a chain of the configuration."""

from __future__ import annotations

from typing import Any

import pytest

from handoffctl.chains.specs import parse_spec, parse_step
from handoffctl.errors import UsageError

WRITTEN: list[tuple[str, str, str, dict[str, Any]]] = [
    ("remove_all_tools", "filter", "remove_all_tools", {}),
    ("truncate-history:n=5,unit=turns", "filter", "truncate-history", {"n": "5", "unit": "turns"}),
    ("truncate-history:keep-head=1", "filter", "truncate-history", {"keep_head": "1"}),
    ("merge-runs:roles=user+assistant", "filter", "merge-runs", {"roles": ["user", "assistant"]}),
    ('redact:custom="A=x,y:z+w",salt=1', "filter", "redact", {"custom": "A=x,y:z+w", "salt": "1"}),
    ('tiered:steps=["noop","a:b=1"]', "filter", "tiered", {"steps": ["noop", "a:b=1"]}),
    ("x:empty=", "filter", "x", {"empty": ""}),
    ("x:sign=+", "filter", "x", {"sign": "+"}),
    ("myapp.handoffs:billing_filter", "function", "myapp.handoffs:billing_filter", {}),
    ("myapp:Filters.billing", "function", "myapp:Filters.billing", {}),
    ("@billing", "chain", "billing", {}),
    ("noop:", "filter", "noop", {}),
]


@pytest.mark.parametrize(("text", "kind", "name", "options"), WRITTEN, ids=[each[0] for each in WRITTEN])
def test_spec_is_read(text: str, kind: str, name: str, options: dict[str, Any]) -> None:
    spec = parse_spec(text)
    assert (spec.kind, spec.name, spec.options, spec.text) == (kind, name, options, text)


@pytest.mark.parametrize(
    "text",
    ["", "  ", "truncate-history:5", "x:a=1,b", 'x:a="open', 'x:a="done"more', "x:a=1,,b=2", "1module:function"],
)
def test_spec_that_cannot_be_read_names_itself(text: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse_spec(text)
    assert raised.value.place.startswith("-f")
    assert raised.value.help


def test_step_of_a_chain_may_be_a_table() -> None:
    spec = parse_step({"use": "truncate-history", "n": 20, "keep-system": False}, "here")
    assert (spec.kind, spec.name, spec.origin) == ("filter", "truncate-history", "here")
    assert spec.options == {"n": 20, "keep_system": False}


@pytest.mark.parametrize("step", [3, {"n": 1}, {"use": 4}, None])
def test_step_that_is_neither_is_refused(step: Any) -> None:
    with pytest.raises(UsageError, match="a step is"):
        parse_step(step, "here")
