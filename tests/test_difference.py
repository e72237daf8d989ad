"""A difference as a value: its changes, what it prints, how a notebook shows it."""

from __future__ import annotations

from handoffctl.chain import Chain, build_chain, run
from handoffctl.difference import Difference
from tests.conversing import call, output, user
from tests.reporting import transcript

ITEMS = transcript([user("1 < 2"), call(), output()])


def test_it_shows_itself() -> None:
    difference = Difference(ITEMS, run(build_chain(["remove_all_tools"]), ITEMS.data))
    assert [each.sign for each in difference.changes] == ["kept", "removed", "removed"]
    assert "removed by remove_all_tools 2" in str(difference)
    assert difference._repr_html_().startswith("<pre>dump.json · items\n")
    assert "1 &lt; 2" in difference._repr_html_()


def test_a_chain_without_filters_differs_in_nothing() -> None:
    difference = Difference(ITEMS, run(Chain(()), ITEMS.data))
    assert difference.changes == ()
    assert "nothing changed" in str(difference)
