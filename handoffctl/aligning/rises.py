"""What kept its order: the longest rise of a list of positions, and what stands between its members."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence


def longest_rise(positions: Iterable[int]) -> set[int]:
    """Places (counted from 0) of one longest strictly rising selection; whatever else is there has moved."""
    lasts: list[int] = []  # the smallest last position of a rise of each length, and its place
    places: list[int] = []
    previous: list[int] = []
    for place, position in enumerate(positions):
        length = bisect_left(lasts, position)
        previous.append(places[length - 1] if length else -1)
        lasts[length : length + 1] = [position]
        places[length : length + 1] = [place]
    chosen = set()
    place = places[-1] if places else -1
    while place >= 0:
        chosen.add(place)
        place = previous[place]
    return chosen


def surroundings(found: Sequence[int | None], places: Iterable[int]) -> Iterator[tuple[int, int, float]]:
    """Each place with the positions below and above which its own would be out of order.

    `found` has the position of each place that is matched already; `places` ascend. What the caller writes
    into `found` between two steps counts for the next one.
    """
    ceilings = _ceilings(found)
    floor, walked = -1, 0
    for place in places:
        for passed in range(walked, place):
            position = found[passed]
            if position is not None and floor < position <= ceilings[passed]:
                floor = position
        walked = place
        yield place, floor, ceilings[place]


def _ceilings(found: Sequence[int | None]) -> list[float]:
    """For each place the position of the first one from there on that kept its order; infinite after the last."""
    matched = [place for place, position in enumerate(found) if position is not None]
    stayed = {matched[each] for each in longest_rise(position for position in found if position is not None)}
    ceilings = [float("inf")] * (len(found) + 1)
    for place in range(len(found) - 1, -1, -1):
        position = found[place]
        ceilings[place] = position if position is not None and place in stayed else ceilings[place + 1]
    return ceilings
