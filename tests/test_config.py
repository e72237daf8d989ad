"""Configuration files: which one counts, what it may say."""

from __future__ import annotations

from pathlib import Path

import pytest

from handoffctl.config import load_config
from handoffctl.errors import UsageError

BILLING = (
    '[chains.billing]\ndescription = "what billing may see"\nfilters = ["noop", { use = "truncate-history", n = 2 }]\n'
)


def test_nearest_file_upwards_counts(tmp_path: Path) -> None:
    (tmp_path / "handoffctl.toml").write_text("[chains]\nouter = ['noop']\n")
    inner = tmp_path / "inner"
    (inner / "deep").mkdir(parents=True)
    (inner / "handoffctl.toml").write_text(BILLING)
    config = load_config(start=inner / "deep")
    assert config.path == str(inner / "handoffctl.toml")
    assert list(config.chains) == ["billing"]
    assert config.chains["billing"].description == "what billing may see"
    assert config.chains["billing"].steps == ("noop", {"use": "truncate-history", "n": 2})


def test_chain_may_be_a_bare_list(tmp_path: Path) -> None:
    (tmp_path / "handoffctl.toml").write_text("[chains]\nshort = ['noop']\n")
    assert load_config(start=tmp_path).chains["short"].steps == ("noop",)


def test_pyproject_counts_where_it_has_our_table(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.handoffctl.chains.quiet]\nfilters = ["remove_all_tools"]\n')
    assert list(load_config(start=tmp_path).chains) == ["quiet"]


def test_pyproject_of_others_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "handoffctl.toml").write_text(BILLING)
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "pyproject.toml").write_text('[project]\nname = "app"\n')
    assert list(load_config(start=tmp_path / "app").chains) == ["billing"]


def test_own_file_goes_before_pyproject(tmp_path: Path) -> None:
    (tmp_path / "handoffctl.toml").write_text(BILLING)
    (tmp_path / "pyproject.toml").write_text('[tool.handoffctl.chains.quiet]\nfilters = ["noop"]\n')
    assert list(load_config(start=tmp_path).chains) == ["billing"]


def test_named_file_and_environment_and_isolated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named, other = tmp_path / "named.toml", tmp_path / "other.toml"
    named.write_text("[chains]\nnamed = ['noop']\n")
    other.write_text("[chains]\nother = ['noop']\n")
    monkeypatch.setenv("HANDOFFCTL_CONFIG", str(other))
    assert list(load_config(start=tmp_path).chains) == ["other"]
    assert list(load_config(str(named)).chains) == ["named"]
    assert load_config(str(named), isolated=True).chains == {}


def test_without_a_file_there_are_no_chains(tmp_path: Path) -> None:
    config = load_config(start=tmp_path)
    assert config.path is None
    assert config.chains == {}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[chains", "is no TOML"),
        ("chains = 3", "`chains` is not a table"),
        ("[chains]\na = 3", "a chain is a list of filters"),
        ("[chains.a]\nfilters = 'noop'", "a chain is a list of filters"),
        ("[chains.a]\nfilters = []\nfilter = 1", "no such key: filter"),
        ("[chains.a]\ndescription = 'x'", "a chain is a list of filters"),
    ],
)
def test_file_that_cannot_be_meant_is_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "handoffctl.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=said) as raised:
        load_config(start=tmp_path)
    assert str(path) in raised.value.place


def test_named_file_that_is_missing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        load_config(str(tmp_path / "none.toml"))


@pytest.mark.parametrize("text", ["x=" + "[" * 5000, "x=" + "9" * 5000])
def test_hostile_toml_is_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "handoffctl.toml").write_text(text)
    with pytest.raises(UsageError, match="is no TOML"):
        load_config(start=tmp_path)
