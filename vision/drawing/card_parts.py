"""What every card of a deck draws round each of its dots, and round each place of its lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from vision.arrays import Bools, FloatArray, Ints
from vision.drawing.templates import TEMPLATE_DENSITY, Templates, draw_templates
from vision.observing.near_looks import DISC_MM
from vision.raster import look_up

Image8 = NDArray[np.uint8]

DOT_REACH_MM, LINE_REACH_MM = 26.0, 22.0
"""So far round it a card is looked for: farther off a curl shifts what a card draws."""
FINE_MM, COARSE_MM = 1.0, 2.0
"""A line of 0.9 mm is met by every place or two, what is as wide as a band by fewer."""
ALONG_MM = 4.0
"""From one place of a line to the next."""
DOT_RIM_MM, BADGE_RIM_MM = 0.5, 1.5


@dataclass(frozen=True, eq=False)
class Around:
    """What lies round K places of cards (K, P), 1 or 0.

    On the coarse grid `band` and `fill` (ink) and `black`, on the fine one `lines` (white),
    `dots`, and `bare`: all of the card where neither lies. Edges and badges are left out, and so
    is the dot in the middle; all of it lies within `reach_mm`. `kind` (K,) are rows of what
    `Anchors` tells of the places.
    """

    band: Image8
    fill: Image8
    black: Image8
    lines: Image8
    dots: Image8
    bare: Image8
    kind: Ints
    reach_mm: float

    def take(self, places: Ints) -> Around:
        """Some of the K places."""
        return Around(
            self.band[places], self.fill[places], self.black[places], self.lines[places],
            self.dots[places], self.bare[places], self.kind[places], self.reach_mm,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Anchors:
    """Where on a card places lie that look alike round about: x, y in mm and the direction in
    radians (M, 3), and as which kind (M,) each looks.
    """

    places: FloatArray
    kind: Ints

    def poses(self, kinds: Ints, at_mm: FloatArray, angles: FloatArray) -> FloatArray:
        """Poses (Q, 3) of all cards that have a place of these kinds (S,) at `at_mm` (S, 2), in
        these directions (S,).
        """
        pair, which = np.nonzero(kinds[:, None] == self.kind)
        x, y, way = self.places[which].T
        turn = angles[pair] - way
        cos, sin = np.cos(turn), np.sin(turn)
        away = np.stack([cos * x - sin * y, sin * x + cos * y], axis=1)
        return np.column_stack([at_mm[pair] - away, turn])


@lru_cache(maxsize=4)
def grid(reach_mm: float, step_mm: float) -> FloatArray:
    """Places (P, 2) within reach, mm."""
    axis = np.arange(-reach_mm, reach_mm + step_mm / 2, step_mm)
    square = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    return np.asarray(square[np.hypot(square[:, 0], square[:, 1]) <= reach_mm], np.float64)


@lru_cache(maxsize=4)
def around_dots(deck: Deck) -> tuple[Around, Anchors]:
    """What lies round each dot of every face, both sides, turned as the card is."""
    templates = draw_templates(deck)
    dots = templates.dots_mm[: templates.start_row]
    return _around(deck, [np.column_stack([d, np.zeros(len(d))]) for d in dots], DOT_REACH_MM)


@lru_cache(maxsize=4)
def around_lines(deck: Deck) -> tuple[Around, Anchors]:
    """What lies round places of the lines of every face, both sides, the line along +x."""
    rows = [
        np.concatenate([_along(outline * [flip, 1.0]) for outline in outlines])
        for outlines in (list(_outlines(deck, face)) for face in range(len(deck.faces)))
        for flip in (1.0, -1.0)
    ]
    found, anchors = _around(deck, rows, LINE_REACH_MM)
    parts = [found.band, found.fill, found.black, found.lines, found.dots, found.bare]
    # Most of them are the same on many faces.
    whole = np.concatenate(parts, axis=1)
    kinds: dict[bytes, int] = {}
    kind = np.array([kinds.setdefault(each.tobytes(), len(kinds)) for each in whole], np.int64)
    first = np.unique(kind, return_index=True)[1].astype(np.int64)
    around = replace(found.take(first), kind=np.arange(len(first)))
    return around, Anchors(anchors.places, kind)


def _outlines(deck: Deck, face: int) -> Iterator[FloatArray]:
    yield np.array(deck.card.frame_corners_mm)
    for shape in deck.faces[face].shapes:
        yield np.asarray(shape.outline_mm, np.float64)


def _along(outline: FloatArray) -> FloatArray:
    """Places of an outline (K, 3): x, y in mm and the line's direction in radians."""
    out = []
    for start, end in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        way = end - start
        length = float(np.hypot(*way))
        share = (np.arange(int(length / ALONG_MM)) + 0.5) / max(int(length / ALONG_MM), 1)
        turn = np.full(len(share), np.arctan2(way[1], way[0]))
        out.append(np.column_stack([start + share[:, None] * way, turn]))
    return np.concatenate(out)


def _around(deck: Deck, places: list[FloatArray], reach_mm: float) -> tuple[Around, Anchors]:
    """What lies round places (K, 3) of each row of the templates."""
    templates = draw_templates(deck)
    height, width = templates.shape_hw
    middle = np.array([(width - 1) / 2, (height - 1) / 2])
    coarse: list[Image8] = []
    fine: list[Image8] = []
    for row, anchors in enumerate(places):
        cos, sin = np.cos(anchors[:, 2]), np.sin(anchors[:, 2])
        turn = np.stack([np.stack([cos, sin], -1), np.stack([-sin, cos], -1)], -2)
        parts = np.dstack(_parts(deck, templates, row))
        for out, some, step in (
            (coarse, parts[..., :3], COARSE_MM),
            (fine, parts[..., 3:], FINE_MM),
        ):
            at = anchors[:, None, :2] + grid(reach_mm, step) @ turn
            out.append(look_up(some, at * TEMPLATE_DENSITY + middle, cv2.INTER_NEAREST))
    band, fill, black, lines, dots, bare = (
        np.concatenate([each[..., k] for each in cut]) for cut in (coarse, fine) for k in range(3)
    )
    own = np.hypot(*grid(reach_mm, FINE_MM).T) < deck.dot_diameter_mm
    dots[:, own], bare[:, own] = 0, 0
    kind = np.arange(len(band))
    found = Around(band, fill, black, lines, dots, bare, kind, reach_mm)
    return found, Anchors(np.concatenate(places), kind)


def _parts(deck: Deck, templates: Templates, row: int) -> tuple[Image8, ...]:
    """A face's parts (rows, columns), 1 or 0, in the order of `Around`."""
    shape, grid_mm = templates.shape_hw, templates.grid_mm
    white, ink = templates.white[row], templates.ink[row]
    half_frame = np.array([deck.card.frame_width_mm, deck.card.frame_height_mm]) / 2
    outer = (np.abs(grid_mm) > half_frame).any(axis=1)
    gap = np.linalg.norm(grid_mm[:, None] - templates.dots_mm[row], axis=2).min(axis=1)
    size = int(2 * BADGE_RIM_MM * TEMPLATE_DENSITY) | 1
    mark = (templates.badge | templates.symbol).astype(np.uint8).reshape(shape)
    plain = cv2.dilate(mark, np.ones((size, size), np.uint8)).ravel() == 0

    def image(where: Bools, less: int = 1) -> Image8:
        drawn = where.astype(np.uint8).reshape(shape)
        return np.asarray(cv2.erode(drawn, np.ones((less, less), np.uint8)), np.uint8)

    inked = image(ink > 0.8, 3).ravel() > 0
    dark = image((white < 0.1) & (ink < 0.1), 5).ravel() > 0
    lines = (white > 0.5) & (gap > deck.dot_diameter_mm / 2 + DOT_RIM_MM) & plain
    unlined = image(white < 0.1, 5).ravel() > 0
    return (
        image(inked & outer),
        image(inked & ~outer & plain),
        image(dark & plain),
        image(lines),
        image(gap < DISC_MM / 2),
        image(unlined & (gap > deck.dot_diameter_mm) & plain),
    )
