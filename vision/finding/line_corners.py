"""Square corners on white lines: where another line leaves one squarely.

Asked of the white itself, place by place: a search for straight lines loses some of them where
lines are many, and cuts them short where they cross.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bools, FloatArray, Ints
from vision.evidence import HALF_LEVEL, Evidence
from vision.finding.white_lines import Segments
from vision.raster import look_up

Flags = Bools
STEP_MM = 0.4
RUN_MM = 85.0
"""A line may go on for a card's length where it is not left over: on what a known card draws."""
GAP_MM = 6.0
"""Neither line need be seen so near the corner: something may lie there."""
BESIDE_MM = (-0.5, 0.0, 0.5)
SQUARE_DEG = (-3.0, 0.0, 3.0)
"""A short line is not told more exactly than that."""
SEEN_MM, SEEN_SHARE = 5.6, 0.9
"""So much of a line, beyond the gap, is a line; shorter is a badge's rim or a dot."""
WIDEST_MM = 2.4
"""Along the first line; what is wider than that is no line."""
MOST_LINES = 200
"""The longest: print on paper leaves hundreds."""


@dataclass(frozen=True, eq=False)
class SquareCorners:
    """Corners (M, 2), table mm, and the directions (M, 2) into them, along both lines."""

    at_mm: FloatArray
    inside: FloatArray


def corners_on(evidence: Evidence, lines: Segments) -> SquareCorners:
    """Square corners on the lines, and on what these are part of."""
    lines = lines.take(_longest(lines))
    if len(lines.start_mm) == 0:
        return SquareCorners(np.empty((0, 2)), np.empty((0, 2)))
    white = cv2.subtract(evidence.mask, evidence.burnt)
    length = lines.length_mm
    steps = np.arange(-RUN_MM, float(length.max()) + RUN_MM, STEP_MM)
    along = lines.along
    spots = lines.start_mm[:, None] + along[:, None] * steps[:, None]
    normal = np.stack([-along[:, 1], along[:, 0]], axis=1)
    beside = normal[:, None, None] * np.array(BESIDE_MM)[:, None]
    seen = np.asarray(_is_white(evidence, white, spots[:, :, None] + beside).any(axis=2))
    line, step = np.nonzero(_part_of(seen, steps, length))
    found: list[SquareCorners] = []
    for side in (-1.0, 1.0):
        leaves = np.zeros(seen.shape, np.bool_)
        leaves[line, step] = _leaves(evidence, white, spots[line, step], side * normal[line])
        on, place = _middles(leaves)
        for way in (-1, 1):
            goes_on = _goes_on(seen, way)[on, place]
            corner = spots[on[goes_on], place[goes_on]]
            inside = way * along[on[goes_on]] + side * normal[on[goes_on]]
            found.append(SquareCorners(corner, inside))
    return SquareCorners(
        np.concatenate([some.at_mm for some in found]),
        np.concatenate([some.inside for some in found]),
    )


def _longest(lines: Segments) -> Flags:
    kept = np.zeros(len(lines.start_mm), np.bool_)
    kept[np.argsort(-lines.length_mm, kind="stable")[:MOST_LINES]] = True
    return kept


def _is_white(evidence: Evidence, white: NDArray[np.uint8], places_mm: FloatArray) -> Flags:
    return np.asarray(look_up(white, evidence.raster.to_raster(places_mm)) > HALF_LEVEL)


def _part_of(seen: Flags, steps: FloatArray, length_mm: FloatArray) -> Flags:
    """Which places (S, T) on lines belong to them, and to what goes on from them without a gap
    wider than `GAP_MM`; `seen`: where it is white.
    """
    own = (steps > 0) & (steps < length_mm[:, None])
    out = np.ones_like(own)
    for way in (1, -1):
        white, inside = (seen | own)[:, ::way], own[:, ::way]
        count = np.arange(len(steps))
        last = np.maximum.accumulate(np.where(white, count, 0), axis=1)
        begun = np.logical_or.accumulate(inside, axis=1)
        broken = begun & ((count - last) * STEP_MM > GAP_MM)
        out &= ~np.logical_or.accumulate(broken, axis=1)[:, ::way]
    return np.asarray(out)


def _leaves(
    evidence: Evidence, white: NDArray[np.uint8], spots: FloatArray, normal: FloatArray
) -> Flags:
    """At which places (M, 2) a white line leaves about in the direction `normal` (M, 2)."""
    out = np.zeros(len(spots), np.bool_)
    away = np.arange(2 * STEP_MM, GAP_MM + SEEN_MM + STEP_MM, STEP_MM)
    for turn in np.deg2rad(SQUARE_DEG):
        cos, sin = np.cos(turn), np.sin(turn)
        turned = normal @ np.array([[cos, sin], [-sin, cos]])
        seen = _is_white(evidence, white, spots[:, None] + turned[:, None] * away[:, None])
        out |= _long_enough(seen).any(axis=1)
    return out


def _long_enough(seen: Flags) -> Flags:
    """Where (..., K) `SEEN_MM` of white begin, along the last axis (..., T)."""
    places = round(SEEN_MM / STEP_MM)
    sums = np.cumsum(seen, axis=-1, dtype=np.int32)
    sums = np.concatenate([np.zeros_like(sums[..., :1]), sums], axis=-1)
    return np.asarray(sums[..., places:] - sums[..., :-places] >= SEEN_SHARE * places)


def _middles(leaves: Flags) -> tuple[Ints, Ints]:
    """Rows and columns (M,) of the middles of runs along the rows of (S, T), the wide ones left
    out.
    """
    edge = np.diff(np.pad(leaves.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    row, first = np.nonzero(edge > 0)
    _, beyond = np.nonzero(edge < 0)
    thin = (beyond - first) * STEP_MM <= WIDEST_MM
    return row[thin], ((first + beyond - 1) // 2)[thin]


def _goes_on(seen: Flags, way: int) -> Flags:
    """From which places (S, T) of lines white goes on in one way or the other."""
    begins = _long_enough(seen[:, ::way])
    reach = round(GAP_MM / STEP_MM)
    room = seen.shape[1] - begins.shape[1]
    begins = np.pad(begins, ((0, 0), (0, room + reach)))
    near = np.cumsum(begins, axis=1, dtype=np.int32)
    near = np.pad(near, ((0, 0), (1, 0)))
    some = near[:, reach + 1 :][:, : seen.shape[1]] > near[:, : seen.shape[1]]
    return np.asarray(some[:, ::way])
