"""Where something lies over the cards: compact parts of them in which nothing drawn is seen, and
what touches them and is not the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bools, FloatArray, Map32
from vision.over_cards.known_cards import Drawing
from vision.over_cards.witness import Witness, ellipse

NEAR_MM = 4.0
"""Sigma of the window in which what is seen is weighed against what is missed."""
LINE, INK, OTHER, BLACK = 3.0, 0.5, 0.25, 0.03
"""Weights of a place: white says most; black, where black is drawn, says nearly nothing."""
MOSTLY, LEAST = 0.7, 0.04
"""Of all weights in a window: so much is missed; and the least mean weight of that."""
LEAST_LINE_MM = 32.0
"""So much white is missed under a thing that does not show beside the cards: under a lamp's mirror
images printed cards miss up to 26 mm, under a cup amid cards 39, under an arm, telephone, napkin or
book mostly 66 and more."""
ONE_THING_MM = 90.0
"""Parts that lie nearer to each other are the same thing's."""
BESIDE_MM = 3.0
"""Cards so near to a part of a thing are hidden by it in part."""


@dataclass(frozen=True, eq=False)
class Hidden:
    """A part of the cards that something hides: its outline (K, 2), convex, and its middle (2,),
    which is a place of it, in map pixels, and the indices of the cards it hides in part.
    """

    outline: FloatArray
    middle: FloatArray
    cards: frozenset[int]


def hidden_parts(
    drawing: Drawing, witness: Witness, touching: Bools, density: float
) -> tuple[Hidden, ...]:
    """The parts of the cards that something hides, each thing's together. `touching` (H, W): where
    beside the cards something shows that touches them.
    """
    labels, count = _contradicted(drawing, witness, density)
    missed_mm = np.bincount(labels[witness.line_missed], minlength=count) / density
    # A line is about two pixels wide on a map of two pixels a millimetre.
    width_px = 0.9 * density
    plain = [k for k in range(1, count) if missed_mm[k] / width_px >= LEAST_LINE_MM]
    return tuple(_things(np.isin(labels, plain) | touching, drawing, density))


def _contradicted(
    drawing: Drawing, witness: Witness, density: float
) -> tuple[NDArray[np.int32], int]:
    """Numbered (H, W) from 1: the parts of cards of which next to nothing is seen; and how many
    numbers there are with 0.
    """
    lines, inks, blacks = witness.line_missed, witness.ink_missed, witness.black_missed
    missed = _near(((LINE, lines), (INK, inks), (OTHER, blacks)), density)
    lines, inks, blacks = witness.line_seen, witness.ink_seen, witness.black_seen
    seen = _near(((LINE, lines), (INK, inks), (BLACK, blacks)), density)
    mostly = (missed > MOSTLY * (missed + seen)) & (missed > LEAST) & drawing.on_card
    count, labels = cv2.connectedComponents(mostly.astype(np.uint8))
    return np.asarray(labels, np.int32), count


def _near(weighed: Sequence[tuple[float, Bools]], density: float) -> Map32:
    """The mean weight (H, W) round each place; at half the size, which is fine enough for it."""
    height, width = weighed[0][1].shape
    half = max(1, width // 2), max(1, height // 2)
    small = np.zeros(half[::-1], np.float32)
    for weight, places in weighed:
        # Of four places none, one, ... all are a multiple of 63.
        share = cv2.resize(
            places.view(np.uint8) * np.uint8(252), half, interpolation=cv2.INTER_AREA
        )
        small += share * np.float32(weight / 252)
    small = cv2.GaussianBlur(small, (0, 0), NEAR_MM * density / 2)
    return np.asarray(cv2.resize(small, (width, height)), np.float32)


def _things(parts: Bools, drawing: Drawing, density: float) -> list[Hidden]:
    """The parts (H, W), those that lie near each other together."""
    size = round(ONE_THING_MM * density) | 1
    small = cv2.resize(parts.astype(np.uint8), None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    joined = cv2.dilate((small > 0).astype(np.uint8), np.ones((size // 4 | 1,) * 2, np.uint8))
    joined = cv2.resize(joined, parts.shape[::-1], interpolation=cv2.INTER_NEAREST)
    count, labels = cv2.connectedComponents(joined)
    things = (parts & (labels == k) for k in range(1, count))
    return [_thing(part, drawing, density) for part in things if part.any()]


def _thing(part: Bools, drawing: Drawing, density: float) -> Hidden:
    """What hides the cards where a part (H, W) is."""
    mask = part.astype(np.uint8)
    x, y, width, height = cv2.boundingRect(mask)
    # A rim of nothing: what reaches the map's edge is no deeper there.
    inner = np.pad(mask[y : y + height, x : x + width], 1)
    depth = cv2.distanceTransform(inner, cv2.DIST_L2, 3)[1:-1, 1:-1]
    row, column = np.unravel_index(int(depth.argmax()), depth.shape)
    hull = cv2.convexHull(cv2.findNonZero(mask))[:, 0].astype(np.float64)
    near = cv2.dilate(mask, ellipse(BESIDE_MM, density)) > 0
    cards = np.unique(drawing.owner[near])
    middle = np.array([x + column, y + row], np.float64)
    return Hidden(hull, middle, frozenset((cards[cards > 0] - 1).tolist()))
