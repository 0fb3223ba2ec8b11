"""Places along the cards' edges, and where those edges are in fact seen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from geometry.deck import CardSize
from vision.arrays import FloatArray, Ints
from vision.drawing.coverage import TopMap
from vision.drawing.pose_fit import LineSamples, line_offsets, place, turned_each
from vision.evidence import Evidence

EDGE_STEP_MM = 2.0
MOST_SHIFT_MM, FEWEST_SEEN, NEAR = 2.6, 3, 4
"""A card's own line is looked for so far from its place, and believed by so many places of nine:
four on either side.
The line of another card that peeks out lies 3.5 mm and more beyond it."""


@dataclass(frozen=True, eq=False)
class Edges:
    """Places along every card's edges: on the card as it is seen `own_mm`, `normal` (E, 2), and on
    the table `at_mm`, `outwards` (N, E, 2); their `side` (E,), 0 to 3.
    """

    own_mm: FloatArray
    normal: FloatArray
    at_mm: FloatArray
    outwards: FloatArray
    side: Ints

    def beyond(self, off_mm: float | FloatArray) -> FloatArray:
        """Places (N, E, 2) so far outside the edges, each or all of them (N, E, 1)."""
        return np.asarray(self.at_mm + self.outwards * off_mm)

    def take(self, cards: Ints) -> Edges:
        """The edges of some of the cards."""
        return replace(self, at_mm=self.at_mm[cards], outwards=self.outwards[cards])

    def thinned(self, every: int) -> Edges:
        """One in so many of the places."""
        some = slice(None, None, every)
        return Edges(
            self.own_mm[some], self.normal[some], self.at_mm[:, some], self.outwards[:, some],
            self.side[some],
        )  # fmt: skip


@lru_cache(maxsize=8)
def straight_edges(
    card: CardSize, spacing_mm: float, clear_mm: float = 0.0
) -> tuple[LineSamples, Ints]:
    """Places along a card's straight edges, so far clear of its corners' rounding, and which side
    (E,), 0 to 3, each is on.
    """
    places, normals, sides = [], [], []
    half = np.array([card.width_mm, card.height_mm]) / 2
    for side, way in enumerate(np.array([[0.0, 1.0], [1.0, 0.0], [0.0, -1.0], [-1.0, 0.0]])):
        far, reach = (np.abs(axis) @ half for axis in (way, way[::-1]))
        reach -= card.corner_radius_mm + clear_mm
        along = np.arange(-reach, reach, spacing_mm)
        places.append(along[:, None] * way[::-1] + far * way)
        normals.append(np.broadcast_to(way, (len(along), 2)))
        sides.append(np.full(len(along), side))
    return LineSamples(np.concatenate(places), np.concatenate(normals)), np.concatenate(sides)


def edge_places(poses: FloatArray, card: CardSize) -> Edges:
    """Places along the edges of cards at poses (N, 3 or 9), corners left out."""
    edge, side = straight_edges(card, EDGE_STEP_MM)
    outwards = turned_each(poses[:, 2], edge.normals)
    return Edges(edge.places_mm, edge.normals, place(poses, edge.places_mm), outwards, side)


def where_seen(evidence: Evidence, edges: Edges, top: TopMap, card: CardSize) -> Edges:
    """The edges of all cards, farther out where the card's own line is seen farther out: what curls
    or lies near the lens shows its band beyond where a flat card's would end.
    """
    count, places = edges.at_mm.shape[:2]
    line = edges.beyond(-card.frame_inset_mm)
    shows = top.at(line) == np.arange(1, count + 1)[:, None]
    off, found = np.zeros(shows.shape, np.float32), np.zeros(shows.shape, np.bool_)
    seen = line_offsets(evidence, line[shows][None], edges.outwards[shows][None], MOST_SHIFT_MM)
    off[shows], found[shows] = seen[0][0], seen[1][0]
    near = np.arange(places)[:, None] + np.arange(-NEAR, NEAR + 1)
    same_side = edges.side[np.clip(near, 0, places - 1)] == edges.side[:, None]
    same_side &= (near >= 0) & (near < places)
    near = np.clip(near, 0, places - 1)
    known = found[:, near] & same_side
    # Infinities come last: the median is that of the rest.
    ordered = np.sort(np.where(known, off[:, near], np.inf), axis=2)
    number = known.sum(axis=2)
    low, high = (
        np.take_along_axis(ordered, np.maximum(middle, 0)[..., None], axis=2)[..., 0]
        for middle in ((number - 1) // 2, number // 2)
    )
    enough = number >= FEWEST_SEEN
    shift = np.where(enough, low + high, 0.0) / 2
    return replace(edges, at_mm=edges.at_mm + edges.outwards * np.maximum(shift, 0)[..., None])
