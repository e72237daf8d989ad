"""Chains: from specs and configured names to filters, and what a run of one gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from handoffctl.chain import Chain, build_chain, load_chain, run
from handoffctl.config import Config, NamedChain, load_config
from handoffctl.errors import UsageError
from handoffctl.filters.remove_all_tools import RemoveAllTools
from handoffctl.filters.truncate_history import TruncateHistory
from handoffctl.item import Item
from handoffctl.model import HandoffInputData

CALL = Item.of({"type": "function_call", "call_id": "c", "name": "look", "arguments": "{}"})
OUTPUT = Item.of({"type": "function_call_output", "call_id": "c", "output": "ok"})
USER, REPLY = Item.of({"role": "user", "content": "hi"}), Item.of({"role": "assistant", "content": "hello"})
DATA = HandoffInputData((USER, CALL, OUTPUT, REPLY))


def config_of(**chains: tuple[Any, ...]) -> Config:
    return Config("handoffctl.toml", {name: NamedChain(name, steps, "", "here") for name, steps in chains.items()})


def test_filters_run_in_the_order_of_the_specs() -> None:
    chain = build_chain(["remove_all_tools", "truncate-history:n=1"])
    assert chain(DATA).input_history == (REPLY,)
    first, second = run(chain, DATA)
    assert (first.name, second.name) == ("remove_all_tools", "truncate-history:n=1")
    assert first.before is DATA
    assert first.after is second.before
    assert second.after.input_history[0] is REPLY


def test_minus_and_underscore_are_the_same_in_names_and_options() -> None:
    one, other = build_chain(["remove-all-tools", "truncate_history:keep-head=1,n=3"]).steps
    assert isinstance(one.filter, RemoveAllTools)
    assert other.filter == TruncateHistory(n=3, keep_head=1)


def test_options_take_the_types_that_the_class_declares() -> None:
    (step,) = build_chain(["truncate-history:n=2,keep_system=false,unit=items"]).steps
    assert step.filter == TruncateHistory(n=2, keep_system=False, unit="items")


def test_empty_chain_changes_nothing() -> None:
    assert build_chain([])(DATA) is DATA
    assert run(build_chain([]), DATA) == ()


def test_a_filter_alone_runs_as_a_chain_of_one() -> None:
    (step,) = run(RemoveAllTools(), DATA)
    assert step.after.input_history == (USER, REPLY)


def test_named_chains_may_hold_chains() -> None:
    config = config_of(inner=("remove_all_tools",), outer=("@inner", {"use": "truncate-history", "n": 1}))
    chain = load_chain("outer", config)
    assert [step.name for step in chain.steps] == ["remove_all_tools", "truncate-history:n=1"]
    assert build_chain(["@outer"], config)(DATA).input_history == (REPLY,)


def test_chain_that_contains_itself_is_refused() -> None:
    config = config_of(a=("@b",), b=("noop", "@a"))
    with pytest.raises(UsageError, match="a → b → a"):
        load_chain("a", config)


@pytest.mark.parametrize(
    ("spec", "what", "help_"),
    [
        ("truncate-histroy:n=5", "no such filter", "did you mean truncate-history?"),
        ("truncate-history:m=5", "no such option: m", "its options: n, drop_first"),
        ("truncate-history:keep_sytem=true", "no such option: keep_sytem", "did you mean keep_system?"),
        ("truncate-history:n=-1", "n=-1: input should be greater than or equal to 0", ""),
        ("truncate-history:n=many", "n=many: input should be a valid integer", ""),
        ("truncate-history:n=1,unit=words", "unit=words: input should be", ""),
        ("truncate-history:n=1,drop_first=1", "n and drop_first exclude each other", ""),
        ("truncate-history", "n or drop_first is needed", ""),
        ("remove_all_tools:profile=openai", "no such profile: openai", "profile=cai"),
        ("noop:x=1", "no such option: x", "none"),
        ("@none", "no such chain", "there is no handoffctl.toml"),
    ],
)
def test_spec_that_cannot_be_meant_is_refused(spec: str, what: str, help_: str) -> None:
    with pytest.raises(UsageError) as raised:
        build_chain([spec])
    assert what in raised.value.what
    assert help_ in raised.value.help
    assert spec.lstrip("@").split(":", maxsplit=1)[0] in raised.value.place


def test_unknown_chain_suggests_a_near_name(tmp_path: Path) -> None:
    (tmp_path / "handoffctl.toml").write_text("[chains]\nbilling = ['noop']\n")
    with pytest.raises(UsageError) as raised:
        load_chain("biling", load_config(start=tmp_path))
    assert "did you mean billing?" in raised.value.help


def test_load_chain_reads_the_configuration_of_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "handoffctl.toml").write_text("[chains.billing]\ndescription = 'd'\nfilters = ['remove_all_tools']\n")
    monkeypatch.chdir(tmp_path)
    chain = load_chain("billing")
    assert isinstance(chain, Chain)
    assert (chain.name, chain.description) == ("billing", "d")
    assert chain(DATA).input_history == (USER, REPLY)


def test_chains_that_multiply_are_refused_in_time() -> None:
    names = {f"c{n}": (f"@c{n - 1}", f"@c{n - 1}") for n in range(1, 31)}
    with pytest.raises(UsageError, match="over 1,000 steps"):
        load_chain("c30", config_of(c0=("noop",), **names))


def test_chains_nested_without_end_are_refused() -> None:
    names = {f"c{n}": (f"@c{n - 1}",) for n in range(1, 3000)}
    with pytest.raises(UsageError, match="over 50 deep"):
        load_chain("c2999", config_of(c0=("noop",), **names))
