"""Cards whose badge is covered or burnt out: found by frame corners that nothing explains."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from vision.arrays import Bools, FloatArray
from vision.drawing.coverage import TopMap
from vision.drawing.pose_fit import (
    FRAME_STEP_MM,
    TWICE,
    LineSamples,
    fit_poses,
    frame_samples,
    place,
)
from vision.evidence import Evidence, sample
from vision.finding.line_corners import SquareCorners
from vision.finding.white_lines import Segments

FEWEST_SAMPLES = 20.0
BESIDE_LINE_MM = 1.8
ON_FRAME_MM, BESIDE_MM = 1.2, 1.5
"""A line lies on a frame whose sides are so near to both its ends, and if it ends no farther beyond
its corners."""


def corner_poses(corners: SquareCorners, deck: Deck) -> FloatArray:
    """Poses (N, 3) of cards with a square corner, of frame or shape, at any of these."""
    if len(corners.at_mm) == 0:
        return np.empty((0, 3))
    return _thinned(_cards_at(corners.at_mm, corners.inside, square_corners(deck)))


def _thinned(poses: FloatArray) -> FloatArray:
    """One pose of all that lie within a millimetre and a degree of each other."""
    keys = np.column_stack([np.round(poses[:, :2]), np.round(np.rad2deg(poses[:, 2]) % 180 / 2)])
    _, first = np.unique(keys, axis=0, return_index=True)
    return np.asarray(poses[np.sort(first)])


@lru_cache(maxsize=4)
def square_corners(deck: Deck) -> FloatArray:
    """Square corners of frames and shapes, either side up: (K, 3): x, y in mm as seen, and the
    direction in radians of the bisector into the corner's inside.
    """
    sides = np.array(deck.card.frame_corners_mm)
    shapes = (s for face in (*deck.faces, deck.starting_face) for s in face.shapes)
    outlines = [sides, *(np.asarray(s.outline_mm, dtype=np.float64) for s in shapes)]
    corners: list[tuple[float, float, float]] = []
    for outline in outlines:
        for flip in (1.0, -1.0):
            corners += _right_angles(outline * [flip, 1.0])
    unique = {(round(x, 0), round(y, 0), round(a, 1)): (x, y, a) for x, y, a in corners}
    return np.array(sorted(unique.values()))


def _right_angles(outline: FloatArray) -> list[tuple[float, float, float]]:
    out = []
    for k, corner in enumerate(outline):
        u = outline[k - 1] - corner
        v = outline[(k + 1) % len(outline)] - corner
        u, v = u / np.hypot(*u), v / np.hypot(*v)
        if abs(float(u @ v)) < 0.05:
            inside = u + v
            turn = float(np.arctan2(inside[1], inside[0]))
            out.append((float(corner[0]), float(corner[1]), turn))
    return out


def _cards_at(corner: FloatArray, inside: FloatArray, features: FloatArray) -> FloatArray:
    """Poses (M * K, 3) that bring each feature's corner and bisector onto each one seen."""
    turn = np.arctan2(inside[:, 1], inside[:, 0])[:, None] - features[:, 2]
    cos, sin, (x, y) = np.cos(turn), np.sin(turn), features[:, :2].T
    own = np.stack([cos * x - sin * y, sin * x + cos * y], axis=-1)
    middle = corner[:, None] - own
    return np.concatenate([middle, turn[..., None]], axis=2).reshape(-1, 3)


def fit_corners(
    evidence: Evidence, poses: FloatArray, top: TopMap, deck: Deck
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Fit candidate poses on lines that no known card covers.

    Returns poses (N, 3), the length of frame seen (N,) in mm, and the share
    (N,) of the uncovered frame in the picture that was seen.
    """
    lines = frame_samples(deck.card)
    everywhere = np.ones((len(poses), len(lines.places_mm)))
    fit = fit_poses(evidence, poses, lines, (2.0,), everywhere)
    free = shows_over(fit.seen, top.at(place(fit.poses, lines.places_mm)))
    fit = fit_poses(evidence, fit.poses, lines, TWICE, free.astype(np.float64))
    below = top.at(place(fit.poses, lines.places_mm))
    free = shows_over(fit.seen, below)
    beside = _beside(evidence, fit.poses, lines)
    told = _lit(evidence, beside) & _reached(evidence, beside)
    seen = (fit.seen & free).sum(axis=1)
    share = seen / np.maximum((free & told).sum(axis=1), FEWEST_SAMPLES)
    return fit.poses, seen * FRAME_STEP_MM, np.asarray(share)


def lines_explained(
    poses: FloatArray, left: Segments, deck: Deck, room_mm: float = 0.0
) -> FloatArray:
    """Length (N,) in mm of the segments left over that lie on each candidate's frame, or within
    so much more of it.
    """
    half_w, half_h = deck.card.frame_width_mm / 2, deck.card.frame_height_mm / 2
    # As complex numbers points are turned in a fifth of the time.
    middle, back = poses[:, 0] + 1j * poses[:, 1], np.exp(-1j * poses[:, 2])
    inside, on_x, on_y = (np.ones((len(left.start_mm), len(poses)), np.bool_) for _ in range(3))
    for end in (left.start_mm, left.end_mm):
        local = (end[:, :1] + 1j * end[:, 1:] - middle) * back
        x, y = np.abs(local.real) - half_w, np.abs(local.imag) - half_h
        inside &= np.maximum(x, y) < BESIDE_MM + room_mm
        on_x &= np.abs(x) < ON_FRAME_MM + room_mm
        on_y &= np.abs(y) < ON_FRAME_MM + room_mm
    return np.asarray(left.length_mm @ (inside & (on_x | on_y)), np.float64)


def shows_over(seen: Bools, below: NDArray[np.integer[Any]]) -> Bools:
    """Where (N, K) a candidate's frame may be expected to show: on the table, and on each
    known card (index plus 1 in `below`) on which most of its frame is in fact seen.
    """
    out = below == 0
    for i in range(len(seen)):
        for card in np.unique(below[i]):
            here = below[i] == card
            if card > 0 and here.sum() >= 4 and seen[i, here].mean() > 0.7:
                out[i] |= here
    return np.asarray(out)


def not_burnt(evidence: Evidence, poses: FloatArray, lines: LineSamples) -> FloatArray:
    """1 (N, K) where a line could be told from the ground beside it, 0 in the washed-out."""
    return _lit(evidence, _beside(evidence, poses, lines)).astype(np.float64)


def in_picture(evidence: Evidence, poses: FloatArray, lines: LineSamples) -> FloatArray:
    """1 (N, K) where the photograph reaches what lies beside a line."""
    return _reached(evidence, _beside(evidence, poses, lines)).astype(np.float64)


def _beside(
    evidence: Evidence, poses: FloatArray, lines: LineSamples
) -> tuple[FloatArray, FloatArray]:
    """Raster pixels (N, K, 2) on the one side of the lines and on the other."""
    aside = lines.normals * BESIDE_LINE_MM
    one, other = (place(poses, lines.places_mm + off) for off in (-aside, aside))
    return evidence.raster.to_raster(one), evidence.raster.to_raster(other)


def _lit(evidence: Evidence, beside: tuple[FloatArray, FloatArray]) -> Bools:
    darkest = np.minimum(*(sample(evidence.least, at) for at in beside))
    return np.asarray(darkest < evidence.washed_level)


def _reached(evidence: Evidence, beside: tuple[FloatArray, FloatArray]) -> Bools:
    one, other = (sample(evidence.raster.image_bgr, at).any(axis=-1) for at in beside)
    return np.asarray(one | other)
