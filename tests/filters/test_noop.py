"""The control."""

from __future__ import annotations

from hypothesis import given

from handoffctl.filters.noop import Noop
from handoffctl.model import HandoffInputData
from tests.conversing import any_data


@given(any_data())
def test_the_same_object_comes_back(data: HandoffInputData) -> None:
    assert Noop()(data) is data
