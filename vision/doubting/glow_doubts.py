"""A lamp's glow beside the cards, in which a card may lie of which few lines or none are seen."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from vision.arrays import Bools, FloatArray, Ints
from vision.doubting.doubt_context import DoubtContext
from vision.doubting.table_doubts import BESIDE_MM, WASHED_AWAY, line_doubt
from vision.evidence import Evidence
from vision.finding.line_looks import left_over_lines
from vision.reading import Doubt
from vision.reason import Reason

TABLE_STEP_MM, GLOWS = 6.0, 2.0
"""How finely bare table is looked at, and how many times as bright as it usually is a glow is."""
STEP_MM, LEAST_MM = 2.0, 12.0
"""How finely a glow is looked at, and how far inside it its middle must lie: markers' white borders
are 15 mm wide, cards 58, of which others leave less. On 133 tables of the hard mix on which a lamp
is mirrored, what glows as brightly beside the cards as a doubt asks for is 9 mm deep at most; on
one of the other tables of the thousand it is enough for a doubt that none needs."""
BRIGHTER = 1.5
"""Times the level from which on the picture is washed out: 1.2 times as bright as white lines. A
sheet of paper is no brighter than those; a lamp burns out where the picture has no such level."""
CORNER_LINE_MM, CORNER_MM, SQUARE = 10.0, 4.0, 0.14
"""Two lines so long, whose ends lie so near each other, at 90 degrees but for 8, are a corner."""
NEAR_GLOW_MM = 15.0
"""So far round what is washed out black is bright, or takes the lamp's colour."""


def glow_doubts(scene: DoubtContext) -> Iterable[Doubt]:
    """A glow wide enough for a card, that the table shows nowhere else. It is cards that shine: in
    a free-for-all, where numbers of cards tell nothing, one; else one of each colour, which leaves
    the numbers equal, where the glow has room for so many.
    """
    evidence = scene.evidence
    if not cv2.hasNonZero(evidence.washed):
        return
    glowing = _every(evidence, evidence.washed, STEP_MM) > 0
    if not _has_room(scene, glowing):
        return
    levels = _every(evidence, evidence.least, STEP_MM)
    shining = _every(evidence, evidence.burnt, STEP_MM) > 0
    shining |= levels > BRIGHTER * evidence.washed_level
    _, _, brightest = _places(evidence, glowing & shining, STEP_MM)
    # Of most tables nothing beside the cards is as bright as a doubt asks for.
    if not _bare_beside(scene, brightest).any():
        return
    glowing &= levels > GLOWS * _table_level(scene)
    rows, columns, at = _places(evidence, glowing, STEP_MM)
    if len(rows) == 0:
        return
    glowing[rows, columns] = _bare_beside(scene, at)
    deep = cv2.distanceTransform(glowing.astype(np.uint8), cv2.DIST_L2, 3)[rows, columns] * STEP_MM
    level = np.where((deep >= LEAST_MM) & shining[rows, columns], levels[rows, columns], 0)
    if level.any() and _has_room(scene, _wide(glowing)):
        spot = scene.at_px(at[int(level.argmax())])
        reason = Reason("glow-beside")
        yield Doubt("missing", None, spot, reason, scene.any_colour, scene.any_colour)


def _has_room(scene: DoubtContext, glowing: Bools) -> bool:
    """Whether what glows (map of `STEP_MM`) has room for all that may be missing unnoticed."""
    if scene.rules.free_for_all:
        return True
    step_mm = _every_px(scene.evidence, STEP_MM) / scene.evidence.raster.density
    card = scene.deck.card
    hidden_mm2 = len(scene.numbers) * WASHED_AWAY * card.width_mm * card.height_mm
    return bool(np.count_nonzero(glowing) * step_mm**2 >= hidden_mm2)


def _wide(glowing: Bools) -> Bools:
    """Those glows (map of `STEP_MM`) that are wide enough for a card."""
    _, glow = cv2.connectedComponents(glowing.astype(np.uint8))
    deep = cv2.distanceTransform(glowing.astype(np.uint8), cv2.DIST_L2, 3) * STEP_MM
    return np.isin(glow, np.unique(glow[deep >= LEAST_MM]))


def _table_level(scene: DoubtContext) -> float:
    """How bright bare table beside cards usually is, in grey levels; 0 where none shows."""
    least = _every(scene.evidence, scene.evidence.least, TABLE_STEP_MM)
    rows, columns, at = _places(scene.evidence, least > 0, TABLE_STEP_MM)
    levels = least[rows, columns][_bare_beside(scene, at)]
    return float(np.median(levels)) if len(levels) else 0.0


def _every(evidence: Evidence, image: NDArray[np.uint8], step_mm: float) -> NDArray[np.uint8]:
    """A pixel of a map of the raster every so many mm."""
    step = _every_px(evidence, step_mm)
    return image[::step, ::step]


def _every_px(evidence: Evidence, step_mm: float) -> int:
    """So many pixels of the raster that is."""
    return max(1, round(step_mm * evidence.raster.density))


def _places(evidence: Evidence, some: Bools, step_mm: float) -> tuple[Ints, Ints, FloatArray]:
    """Rows and columns (K,) of some pixels of such a map, and where they lie (K, 2), table mm."""
    step = _every_px(evidence, step_mm)
    rows, columns = np.nonzero(some)
    at_px = np.column_stack([columns, rows]).astype(np.float64) * step
    return rows, columns, evidence.raster.to_mm(at_px)


def _bare_beside(scene: DoubtContext, at_mm: FloatArray) -> Bools:
    """Which places (K, 2) are bare table beside cards."""
    if len(at_mm) == 0:
        return np.zeros(0, np.bool_)
    cards = cKDTree(scene.table.named.poses[:, :2])
    away, _ = cards.query(at_mm, distance_upper_bound=BESIDE_MM)
    return np.asarray((scene.top.at(at_mm) == 0) & np.isfinite(away))


def corners_by_glow(scene: DoubtContext) -> Iterable[Doubt]:
    """In a free-for-all: a square corner of white lines that no card accounts for, near what is
    washed out. In a lamp's haze neither black nor ink beside them looks as printed.
    """
    evidence, table = scene.evidence, scene.table
    if not scene.rules.free_for_all or not cv2.hasNonZero(evidence.washed):
        return
    left = left_over_lines(evidence, table.named, table.stack.order, scene.top, table.templates)
    lines = left.take(left.length_mm >= CORNER_LINE_MM)
    ends = np.stack([lines.start_mm, lines.end_mm], axis=1)
    lines = lines.take(np.asarray((_from_glow(evidence, ends) < NEAR_GLOW_MM).any(axis=1)))
    ends = np.stack([lines.start_mm, lines.end_mm], axis=1)
    apart = np.linalg.norm(ends[:, None, :, None] - ends[None, :, None, :], axis=-1)
    met = apart.min(axis=(2, 3), initial=np.inf) < CORNER_MM
    met &= np.abs(lines.along @ lines.along.T) < SQUARE
    both = np.where(met, lines.length_mm[:, None] + lines.length_mm, 0.0)
    if not met.any():
        return
    one, other = np.unravel_index(int(both.argmax()), both.shape)
    yield line_doubt(scene, lines.take(np.array([one, other])))


def _from_glow(evidence: Evidence, at_mm: FloatArray) -> FloatArray:
    """How far places (..., 2), table mm, lie from what is washed out, mm."""
    dark = (_every(evidence, evidence.washed, STEP_MM) == 0).astype(np.uint8)
    away = cv2.distanceTransform(dark, cv2.DIST_L2, 3) * STEP_MM
    at = np.rint(evidence.raster.to_raster(at_mm) / _every_px(evidence, STEP_MM)).astype(np.int64)
    height, width = away.shape
    return np.asarray(
        away[np.clip(at[..., 1], 0, height - 1), np.clip(at[..., 0], 0, width - 1)], np.float64
    )
