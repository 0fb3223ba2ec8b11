"""Where something that is neither the table nor a known card touches known cards.

Cards lie flat on the table, so that some of it shows between them and what lies beside them; what
lies over them, or over others that are not known for it, leaves none.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Bools, FloatArray, Ints, Map32
from vision.over_cards.known_cards import Image8
from vision.over_cards.table_looks import Looks, TableColours
from vision.over_cards.witness import ellipse

LIKE, LIKE_RANGE = 0.5, (0.1, 0.5)
"""What is this share as usual as the table is in the median is the table; and what that may be."""
PEEPS_MM = 0.6
"""So far out of where it is drawn a card may show."""
TOUCHES_MM = 1.7
"""What comes so near to a card as it is drawn touches it."""
THIN_MM, THICK_MM = 0.9, 4.0
"""Radii: what is thinner is an edge's blur; and a thing is as thick as this somewhere."""
ROUND_MM = 3.0
"""What lies so far round a part that is thick belongs to it; what is further, as the grain between
a sleeve and the cards, does not."""
LEAST_THICK_MM2 = 1000.0
"""A thing's thick part is no smaller: a patterned cloth's patches reach 370, a window's mirror
image on the table 650, an arm, a cup or a book beside the cards has 1,400 and mostly thousands."""
LEAST_TOUCH_MM2 = 4.0
"""Of a thing so much lies along cards' edges."""
SHARP, LEAST_SHARP_MM = 0.3, 40.0
"""Logarithm by which a thing differs from what is beside it, and for how long at least: of a lamp's
glow on the table nothing is sharp, of a thing 250 mm and more."""
LEAST_EDGE_MM2 = 20.0
"""An edge is no smaller, and as a step is found round about it, 2 mm wide: grain in the dark, where
a grey level is a large share, steps as far, but in specks."""
EDGE_MM, CARDS_EDGE_MM = 1.5, 3.0
"""A thing's edges are looked for so far out of it, and so far off the cards' own."""
PATCH_MM2, FEW_PATCHES, LARGER = 600.0, 12, 2.0
"""A table with more parts of this size, as sharp as things, than things lie on tables has them by
its pattern, and a thing is so much larger than the largest that touches no card: of newspaper, of
which each advertisement has its own colour, there are 19 and more, and parts that touch are up to
1.7 times as large; of other tables and what lies on them up to 8; an arm or a book over newspaper
is larger 2.3 and 4.6 times.
"""
LEARNED = 0.72
"""So usual in the mean the rest of a table is that has been learned: of plain, grained and checked
ones that is 0.8 and more, of patchworks of which no two patches are alike 0.6."""


ROUGH_PX, ROUGH_MM2, ROUGHLY_BESIDE_PX = 2, 400, 8
"""On a map of a pixel a mm, on which cards' edges are left out, what is less thick, smaller or
further from cards is nothing that touches them."""


@dataclass(frozen=True, eq=False)
class _Parts:
    """Connected strange parts of a map: their labels (H, W), and by label the area of what is thick
    of them, of what lies along cards, mm2, and the length of their sharp edges, mm.
    """

    labels: Ints
    thick_mm2: FloatArray
    along_mm2: FloatArray
    sharp_mm: FloatArray


def may_touch(colours: TableColours) -> bool:
    """Whether it is worth while to look closely for what touches cards."""
    if not colours.table.any():
        return False
    usual, card = colours.roughly(), colours.card.astype(np.uint8)
    strange = (usual < _like(usual[colours.table])).astype(np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(_opened(strange, ROUGH_PX))
    large = stats[:, cv2.CC_STAT_AREA] >= ROUGH_MM2
    large[0] = False
    beside = cv2.dilate(card, ellipse(ROUGHLY_BESIDE_PX, 1.0)) > 0
    return bool((large[labels] & beside).any())


def _like(usual: Map32) -> float:
    """What is less usual than that is not the table, of which so much (K,) is seen."""
    return float(np.clip(LIKE * np.median(usual), *LIKE_RANGE))


def touching_parts(looks: Looks, shown: Bools, on_card: Bools, density: float) -> Bools:
    """Where (H, W), beside the known cards, a thing shows that touches them; nowhere on a table
    that is too motley to tell.

    `looks`: of the map on which cards lie where `on_card` (H, W), as far as the photograph reaches,
    `shown` (H, W).
    """
    card = on_card.astype(np.uint8)
    off = shown & (cv2.dilate(card, ellipse(CARDS_EDGE_MM, density)) == 0)
    if not off.any():
        return np.zeros(on_card.shape, np.bool_)
    strange = cv2.medianBlur((looks.usual < _like(looks.usual[off])).astype(np.uint8), 5)
    strange[cv2.dilate(card, ellipse(PEEPS_MM, density)) > 0] = 0
    strange = _opened(strange, THIN_MM * density)
    parts = _parts(strange, looks, card, off, density)
    found = _with_the_rest(np.asarray(_things(parts)[parts.labels]), parts, strange)
    rest = off & (cv2.dilate(found.astype(np.uint8), ellipse(CARDS_EDGE_MM, density)) == 0)
    learned = rest.any() and float(looks.usual[rest].mean()) >= LEARNED
    return found if learned else np.zeros_like(found)


def _with_the_rest(found: Bools, parts: _Parts, strange: Image8) -> Bools:
    """Parts that were found (H, W) with those that hang together with them, as a thing's shadow
    touches cards and the thing the shadow.
    """
    count, labels = cv2.connectedComponents(strange)
    reached = np.zeros(count, np.bool_)
    reached[labels[found]] = True
    return np.asarray(reached[labels] & (parts.labels > 0))


def _things(parts: _Parts) -> Bools:
    """Which parts (N,) are things that touch cards."""
    sharp = parts.sharp_mm >= LEAST_SHARP_MM
    sharp[0] = False
    touch = parts.along_mm2 >= LEAST_TOUCH_MM2
    least = LEAST_THICK_MM2
    if np.count_nonzero(sharp & (parts.thick_mm2 >= PATCH_MM2)) > FEW_PATCHES:
        least = max(least, LARGER * float(parts.thick_mm2[sharp & ~touch].max(initial=0.0)))
    return np.asarray(sharp & touch & (parts.thick_mm2 >= least))


def _parts(strange: Image8, looks: Looks, card: Image8, off: Bools, density: float) -> _Parts:
    """The connected parts of what is strange (H, W)."""
    thick = _opened(strange, THICK_MM * density)
    count, labels = cv2.connectedComponents(strange & cv2.dilate(thick, ellipse(ROUND_MM, density)))
    along = cv2.dilate(card, ellipse(TOUCHES_MM, density)) > 0
    # Parts are further apart than this as a rule; where two share an edge, one has it.
    grown = cv2.dilate(labels.astype(np.float32), ellipse(EDGE_MM, density)).astype(np.int64)
    sharp = _without_specks(off & (looks.steps > SHARP), LEAST_EDGE_MM2 * density**2)

    def mm2(of: Ints) -> FloatArray:
        return np.asarray(np.bincount(of, minlength=count) / density**2, np.float64)

    # A step that is found within a millimetre of each place is two wide.
    sharp_mm = mm2(grown[sharp]) / 2
    numbers = np.asarray(labels, np.int64)
    return _Parts(numbers, mm2(numbers[thick > 0]), mm2(numbers[along]), sharp_mm)


def _without_specks(mask: Bools, least_px: float) -> Bools:
    """A mask (H, W) without its parts that are smaller."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
    return np.asarray(mask & (stats[:, cv2.CC_STAT_AREA] >= least_px)[labels])


def _opened(mask: Image8, radius_px: float) -> Image8:
    """A mask without what is thinner."""
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, ellipse(radius_px, 1.0)), np.uint8)
