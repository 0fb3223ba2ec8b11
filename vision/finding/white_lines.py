"""White lines: those that cards draw, and straight pieces of those that are seen."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial

import cv2
import numpy as np

from vision.arrays import Bools, FloatArray
from vision.drawing.bend import complex_bends, is_bent, own_places, seen_shift
from vision.drawing.pose_fit import place
from vision.drawing.templates import TEMPLATE_DENSITY, Templates, steps_mm
from vision.evidence import Evidence, Image8
from vision.memo import Memo
from vision.naming.name_cards import Named
from vision.strips import Part, empty_map, in_strips, to_be_filled

SHORTEST_MM = 7.0
MOST_SEGMENTS = 1000
"""The longest; a table of 109 cards shows about as many, print on paper many more."""
EXPLAINED_MM = 1.2
"""Beside a line that is drawn: curled edges and slipped cards show theirs so far off."""
COARSE = 4
"""How a bend shifts a drawing is worked out on every such place of the grid, and evenly between."""
FAR_FROM_CARDS_MM = 50.0
"""A card that is not found by its badge has it under a card that is, and ends this far off."""


ALONG = np.linspace(0.1, 0.9, 9)
"""Where a line is looked at, by shares of its length: blur and print lie about its ends."""


@dataclass(frozen=True, eq=False)
class Segments:
    """Straight pieces of white line, table mm: starts (S, 2) and ends (S, 2)."""

    start_mm: FloatArray
    end_mm: FloatArray

    @property
    def length_mm(self) -> FloatArray:
        """Lengths (S,)."""
        return np.asarray(np.linalg.norm(self.end_mm - self.start_mm, axis=1))

    @property
    def along(self) -> FloatArray:
        """Unit directions (S, 2) from start to end."""
        way = self.end_mm - self.start_mm
        return np.asarray(way / np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-9))

    @property
    def normal(self) -> FloatArray:
        """Unit directions (S, 2) at right angles to them."""
        return np.stack([-self.along[:, 1], self.along[:, 0]], axis=1)

    def spots(self, shares: FloatArray) -> FloatArray:
        """Places (S, K, 2) at these shares (K,) of their lengths, from the start."""
        way = (self.end_mm - self.start_mm)[:, None]
        return np.asarray(self.start_mm[:, None] + way * shares[:, None])

    def take(self, keep: Bools) -> Segments:
        """The segments where `keep` (S,) holds."""
        return Segments(self.start_mm[keep], self.end_mm[keep])


_UNEXPLAINED: Memo[Evidence, Segments] = Memo(most=4)
"""For the table that stands, and those that a search for a hidden card tries."""


def drawn_white(evidence: Evidence, named: Named, order: list[int], templates: Templates) -> Image8:
    """What the cards read so far make white: 255 on the raster's grid, lines a little widened."""
    canvas = empty_map(evidence.mask.shape)
    for i in order:
        _stamp(canvas, _widened(templates, int(named.rows[i])), named.poses[i], evidence)
    return canvas


@lru_cache(maxsize=256)
def _widened(templates: Templates, row: int) -> Image8:
    """What a face draws white (rows, columns), a little widened: 255, and 1 on the rest of it."""
    drawn = (templates.white[row].reshape(templates.shape_hw) > 0.25).astype(np.uint8)
    return np.asarray(cv2.max(cv2.dilate(drawn, np.ones((5, 5), np.uint8)) * 255, 1.0), np.uint8)


def _stamp(canvas: Image8, drawn: Image8, pose: FloatArray, evidence: Evidence) -> None:
    """Lay one card's drawing over the canvas, its black as opaque as its white."""
    if is_bent(pose[None]):
        drawn = _bent(drawn, pose)
    rows, columns = drawn.shape
    ratio = evidence.raster.density / TEMPLATE_DENSITY
    cos, sin = np.cos(pose[2]) * ratio, np.sin(pose[2]) * ratio
    middle = evidence.raster.to_raster(pose[:2])
    cx, cy = (columns - 1) / 2, (rows - 1) / 2
    matrix = np.array(
        [[cos, -sin, middle[0] - cos * cx + sin * cy], [sin, cos, middle[1] - sin * cx - cos * cy]]
    )
    reach = np.abs(matrix[:, :2]) @ np.array([columns, rows]) / 2 + 2
    x0, y0 = np.maximum(0, middle - reach).astype(int).tolist()
    x1, y1 = np.minimum(canvas.shape[::-1], middle + reach).astype(int).tolist()
    if x1 <= x0 or y1 <= y0:
        return
    local = matrix.copy()
    local[:, 2] -= [x0, y0]
    size = (x1 - x0, y1 - y0)
    stamp = cv2.warpAffine(drawn, local, size, flags=cv2.INTER_NEAREST)
    _, white = cv2.threshold(stamp, 127, 255, cv2.THRESH_BINARY)
    cv2.copyTo(white, stamp, canvas[y0:y1, x0:x1])


def _bent(drawn: Image8, pose: FloatArray) -> Image8:
    """A card's drawing (rows, columns) as its bend shows it, with room round it."""
    cos, sin = np.cos(pose[2]), np.sin(pose[2])
    bends = complex_bends(pose[None])[0] * complex(cos, -sin)
    x, y = steps_mm(drawn.shape)
    corners = np.add.outer(1j * y[[0, -1]], x[[0, -1]])
    room = COARSE + int(np.abs(seen_shift(corners, corners, bends)).max() * TEMPLATE_DENSITY)
    shape = -(-(np.array(drawn.shape) + 2 * room) // COARSE)
    x, y = (COARSE * steps for steps in steps_mm(shape.tolist()))
    own = own_places(np.add.outer(1j * y, x), bends).astype(np.complex64)
    fine = cv2.resize(own.view(np.float32).reshape(*shape, 2), None, fx=COARSE, fy=COARSE)
    at = fine * np.float32(TEMPLATE_DENSITY) + (np.array(drawn.shape[::-1]) - 1) / 2
    return np.asarray(cv2.remap(drawn, at.astype(np.float32), None, cv2.INTER_NEAREST), np.uint8)


def unexplained_lines(
    evidence: Evidence, named: Named, order: list[int], templates: Templates
) -> Segments:
    """Straight white lines of at least 7 mm near cards that no card read so far accounts for.

    What was found for the same cards in the same order is not sought again.
    """
    asked = named.poses.tobytes(), named.rows.tobytes(), tuple(order), templates
    work = partial(_unexplained, evidence, named, order, templates)
    return _UNEXPLAINED.answer(evidence, asked, work)


def _unexplained(
    evidence: Evidence, named: Named, order: list[int], templates: Templates
) -> Segments:
    near = _near(evidence, named, templates)
    # Nested, so that of a large map no more is kept than the next step needs.
    return _straight(
        evidence,
        _thin_only(
            _not_burnt(evidence, near, drawn_white(evidence, named, order, templates)), evidence
        ),
    )


def _not_burnt(evidence: Evidence, near: Image8, drawn: Image8) -> Image8:
    """255 where it is white and not burnt out, `near` cards by a map of every eighth pixel, and
    beside no line that is `drawn`.
    """
    (height, width), columns = evidence.mask.shape, evidence.raster.columns
    # Columns are looked up in the few rows, then whole rows copied: a third of the time.
    wide = cv2.resize(near, (width, len(near)), interpolation=cv2.INTER_NEAREST)
    rows = np.arange(len(near), dtype=np.float32)[:, None]
    of_row = cv2.resize(rows, (1, height), interpolation=cv2.INTER_NEAREST).ravel().astype(np.int64)
    reach = round(EXPLAINED_MM * evidence.raster.density)
    kernel = np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)
    left = to_be_filled(evidence.mask.shape, columns)

    # All of these are 0 or 255.
    def leave(part: Part, around: Part, inner: Part) -> None:
        some = np.take(wide[:, part[1]], of_row[part[0]], axis=0)
        cv2.bitwise_and(evidence.mask[part], some, dst=some)
        cv2.subtract(some, cv2.dilate(drawn[around], kernel)[inner], dst=some)
        cv2.subtract(some, evidence.burnt[part], dst=left[part])

    in_strips(leave, height, reach, columns)
    return left


def _near(evidence: Evidence, named: Named, templates: Templates) -> Image8:
    """255 within `FAR_FROM_CARDS_MM` of a card, on every eighth pixel: a newspaper's lines farther
    off mean nothing.
    """
    height, width = evidence.mask.shape
    step = 8
    half = templates.half_mm + FAR_FROM_CARDS_MM
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    near = np.zeros((height // step + 1, width // step + 1), np.uint8)
    for outline in evidence.raster.to_raster(place(named.poses, corners)) / step:
        cv2.fillConvexPoly(near, np.rint(outline).astype(np.int32), 255)
    return near


def _straight(evidence: Evidence, thin: Image8) -> Segments:
    """Straight lines of what is thin and white."""
    density = evidence.raster.density
    found = cv2.HoughLinesP(
        thin, 1, np.pi / 180, int(5 * density),
        minLineLength=SHORTEST_MM * density, maxLineGap=1.5 * density,
    )  # fmt: skip
    if found is None or len(found) == 0:
        return Segments(np.empty((0, 2)), np.empty((0, 2)))
    ends = np.asarray(found, np.float64).reshape(-1, 2, 2)
    length = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    ends = ends[np.argsort(-length, kind="stable")[:MOST_SEGMENTS]]
    return Segments(evidence.raster.to_mm(ends[:, 0]), evidence.raster.to_mm(ends[:, 1]))


def _thin_only(mask: Image8, evidence: Evidence) -> Image8:
    """Leave out pieces wider than a line can be."""
    density, columns = evidence.raster.density, evidence.raster.columns
    size, wide = round(2.2 * density) | 1, round(1.5 * density) | 1
    kernel, more = (np.ones((side, side), np.uint8) for side in (size, wide))
    thin = to_be_filled(mask.shape, columns)

    def leave(part: Part, around: Part, inner: Part) -> None:
        some = mask[around]
        if not cv2.hasNonZero(some):
            thin[part] = 0
            return
        thick = cv2.morphologyEx(some, cv2.MORPH_OPEN, kernel)
        cv2.subtract(mask[part], cv2.dilate(thick, more)[inner], dst=thin[part])

    in_strips(leave, len(mask), size + wide, columns)
    return thin
