"""In which order cards are painted, so that each hides what, seen aslant, stands behind it."""

from collections.abc import Mapping

import numpy as np
import shapely
from numpy.typing import NDArray

from simulator.camera.camera import FloatArray, PlacedLens
from simulator.camera.canvas import Sheet

_LEAST_PX = 1.0
"""A narrower strip of one card before another is not seen to be painted wrongly."""
_LEVEL_MM = 0.6
"""Cards less apart in height lie edge to edge: the later one's edge is on top."""


def painting_order(
    sheets: Mapping[int, Sheet], below: Mapping[int, frozenset[int]], camera: PlacedLens
) -> list[int]:
    """The keys of `sheets`, given in the order of play, in an order fit for painting.

    A card comes after those `below` it, which it touches, and those below these. Of two that
    only the slanting view brings over one another the lower comes first. Else, and where curled
    cards leave no order that suits all, the order of play is kept.
    """
    cards = list(sheets)
    behind = _behind(sheets, below, camera)
    done: set[int] = set()
    order: list[int] = []
    while cards:
        free = next((card for card in cards if behind[card] <= done), cards[0])
        cards.remove(free)
        done.add(free)
        order.append(free)
    return order


def _behind(
    sheets: Mapping[int, Sheet], below: Mapping[int, frozenset[int]], camera: PlacedLens
) -> dict[int, set[int]]:
    """For every card those that must be painted before it."""
    cards = list(sheets)
    behind: dict[int, set[int]] = {}
    for card in cards:
        behind[card] = set(below[card]).union(*(behind[other] for other in below[card]))
    stacked = {card: frozenset(others) for card, others in behind.items()}
    seen = [shapely.Polygon(sheets[card].border_px(camera)) for card in cards]
    # A strongly curled card's outline may cross itself.
    outlines = np.asarray(shapely.make_valid(np.array(seen)))
    for first, second in _crossing(outlines):
        one, other = cards[first], cards[second]
        if one in stacked[other] or other in stacked[one]:
            continue
        middle = shapely.centroid(shapely.intersection(outlines[first], outlines[second]))
        at = np.array([[middle.x, middle.y]])
        if _height_at(sheets[one], camera, at) > _height_at(sheets[other], camera, at) + _LEVEL_MM:
            one, other = other, one
        behind[other].add(one)
    return behind


def _crossing(outlines: NDArray[np.object_]) -> list[tuple[int, int]]:
    """Pairs of outlines, the earlier first, that share more than a hair's breadth."""
    pairs = shapely.STRtree(outlines).query(outlines, predicate="intersects").T
    pairs = pairs[pairs[:, 0] < pairs[:, 1]]
    shared = shapely.intersection(outlines[pairs[:, 0]], outlines[pairs[:, 1]])
    wide = ~shapely.is_empty(shapely.buffer(shared, -_LEAST_PX / 2))
    return [(int(first), int(second)) for first, second in pairs[wide]]


def _height_at(sheet: Sheet, camera: PlacedLens, px: FloatArray) -> float:
    """How high above the table a sheet is where a pixel (1, 2) sees it."""
    return float(sheet.height_at(sheet.met_by(camera, camera.lens.to_rays(px)))[0])
