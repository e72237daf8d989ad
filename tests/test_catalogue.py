"""Lists and pages of what there is."""

from __future__ import annotations

from pathlib import Path

import pytest

from handoffctl.catalogue import chain_listing, chain_page, listing, page
from handoffctl.config import Config, load_config
from handoffctl.errors import UsageError
from handoffctl.filters import FILTERS
from handoffctl.formats import FORMATS


def test_listing_has_a_line_for_each_filter() -> None:
    lines = listing(FILTERS).splitlines()
    for name in FILTERS.builtin:
        assert any(line.startswith(name + " ") for line in lines)


def test_page_explains_every_option_with_its_default() -> None:
    text = page(FILTERS, "truncate-history")
    assert "Example: " in text
    assert "n=N" in text
    assert "unit=messages|items|bundles|turns" in text
    assert "keep_system=true|false" in text
    assert "(default messages)" in text


@pytest.mark.parametrize("name", FORMATS.builtin)
def test_page_of_a_format_says_what_is_read_and_how_a_handoff_shows(name: str) -> None:
    text = page(FORMATS, name)
    assert "Read" in text
    assert "handoff" in text


def test_filter_without_options_says_so() -> None:
    assert "none" in page(FILTERS, "noop").partition("Options:")[2]


def test_unknown_page_suggests_a_name() -> None:
    with pytest.raises(UsageError) as raised:
        page(FILTERS, "remove-all-tool")
    assert "did you mean remove_all_tools?" in raised.value.help


def test_chains_show_their_steps_and_where_each_was_written(tmp_path: Path) -> None:
    (tmp_path / "handoffctl.toml").write_text(
        "[chains.billing]\ndescription = 'for billing'\nfilters = ['@inner', {use = 'truncate-history', n = 2}]\n"
        "[chains.inner]\nfilters = ['noop']\n"
    )
    config = load_config(start=tmp_path)
    assert chain_listing(config).splitlines() == ["billing  for billing", "inner    noop"]
    text = chain_page("billing", config)
    assert "1  noop" in text
    assert "[chains.inner]" in text
    assert "2  truncate-history:n=2" in text


def test_without_chains_the_list_says_how_one_begins() -> None:
    assert "[chains.NAME]" in chain_listing(Config())
