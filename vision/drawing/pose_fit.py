"""Where a card lies, to a tenth of a millimetre: least squares on its white frame line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from geometry.deck import CardSize
from vision.arrays import Bools, FloatArray, Ints
from vision.cores import shared_out
from vision.drawing.bend import FLAT, bend_shift, is_bent
from vision.evidence import Evidence, Image8
from vision.raster import Raster, look_up

STEP_MM = 0.25
"""Least spacing of samples across a line; a wide reach is sampled more coarsely."""
SHARES = (0.8, 0.5, 0.3, 0.25, 0.2, 0.2)
"""Of the reach: how far off a sample may be before it loses all weight, step by step."""
HOLD = np.diag([1e-3, 1e-3, 1e-1])
SEEN_WITHIN_MM = 0.6
BRIGHT_ENOUGH = 90
"""A blurred line of 0.9 mm is no brighter than this."""
SWEPT_AT_ONCE = 32
FEWEST_FITTED = 48
"""Poses fitted by one thread."""

FRAME_STEP_MM = 1.5
"""Between places on a frame where its place is not asked to be known more exactly than by lines."""
CLOSE_MM = 1.25
"""Lines are sought within so much of where they are known to lie by about their width."""
ONCE, TWICE = (CLOSE_MM,), (CLOSE_MM,) * 2


@dataclass(frozen=True, eq=False)
class LineSamples:
    """Points on lines of a card, card frame: places (K, 2) and outward normals (K, 2), mm."""

    places_mm: FloatArray
    normals: FloatArray


@dataclass(frozen=True, eq=False)
class PoseFit:
    """Fitted poses (N, 3): x mm, y mm, angle in radians; and per line sample (N, K): whether
    a line was seen within 0.6 mm of where the fit puts it, and how far off, in mm.
    """

    poses: FloatArray
    seen: Bools
    off_mm: NDArray[np.float32]


@lru_cache(maxsize=16)
def frame_samples(card: CardSize, spacing_mm: float = FRAME_STEP_MM) -> LineSamples:
    """Points along the frame, evenly spaced, corners left out."""
    half_w, half_h = card.frame_width_mm / 2, card.frame_height_mm / 2
    along = [
        (np.array([-half_w, -half_h]), np.array([half_w, -half_h]), np.array([0.0, -1.0])),
        (np.array([half_w, -half_h]), np.array([half_w, half_h]), np.array([1.0, 0.0])),
        (np.array([half_w, half_h]), np.array([-half_w, half_h]), np.array([0.0, 1.0])),
        (np.array([-half_w, half_h]), np.array([-half_w, -half_h]), np.array([-1.0, 0.0])),
    ]
    places, normals = [], []
    for start, end, normal in along:
        count = int(np.linalg.norm(end - start) / spacing_mm)
        share = (np.arange(count)[:, None] + 0.5) / count
        places.append(start + share * (end - start))
        normals.append(np.tile(normal, (count, 1)))
    return LineSamples(np.concatenate(places), np.concatenate(normals))


def turns(angles: FloatArray) -> FloatArray:
    """Rotation matrices (..., 2, 2) for angles in radians (clockwise with y down)."""
    cos, sin = np.cos(angles), np.sin(angles)
    return np.stack([np.stack([cos, -sin], -1), np.stack([sin, cos], -1)], -2)


def place(poses: FloatArray, card_mm: FloatArray) -> FloatArray:
    """Card points (K, 2) at poses (N, 3), unmirrored, to table mm (N, K, 2)."""
    return place_each(poses, np.asarray(card_mm, dtype=np.float64)[None])


def turned_each(angles: FloatArray, ways: FloatArray) -> FloatArray:
    """Ways (K, 2) on cards turned by angles (N,): (N, K, 2)."""
    still = np.zeros((len(angles), FLAT))
    still[:, 2] = angles
    return place(still, ways)


def place_each(poses: FloatArray, card_mm: NDArray[Any]) -> NDArray[Any]:
    """Each card's own points (N or 1, K, 2) at its pose (N, 3 or 9) to table mm (N, K, 2).

    Computed in the points' own type, float32 or float64. The last six numbers of a pose of
    nine are a bend as it shows (vision/drawing/bend.py).
    """
    # As complex numbers points are turned and moved three times as fast as by their columns.
    kind = np.complex64 if card_mm.dtype == np.float32 else np.complex128
    points = np.ascontiguousarray(card_mm).view(kind)[..., 0]
    turned = points * np.exp(1j * poses[:, 2, None]).astype(kind)
    turned += (poses[:, 0, None] + 1j * poses[:, 1, None]).astype(kind)
    out: NDArray[Any] = turned.view(card_mm.dtype).reshape(*turned.shape, 2)
    if is_bent(poses):
        bent = np.flatnonzero(poses[:, FLAT:].any(axis=1))
        out[bent] += bend_shift(poses[bent], card_mm if len(card_mm) == 1 else card_mm[bent])
    return out


def sweep_angles(
    evidence: Evidence, blurred_mask: Image8, centres_mm: FloatArray, card: CardSize
) -> tuple[FloatArray, FloatArray]:
    """How well a frame round each centre (N, 2) lies on white, at 90 angles.

    The mask may have a fraction of the raster's density: it is blurred all the same.
    Returns the angles (90,) in radians over half a turn and the scores
    (N, 90) from 0 to 1. A card looks the same turned by 180 degrees here.
    """
    angles, frames_mm = _swept(card)
    share = blurred_mask.shape[1] / evidence.mask.shape[1]
    density = evidence.raster.density * share
    # Whole pixels will do: the mask is blurred by more than that. Indices of another type than
    # numpy's own would be turned into that one by one.
    offsets = np.rint(frames_mm * density).astype(np.int64)
    margin = int(np.abs(offsets).max())
    capped = cv2.min(blurred_mask, BRIGHT_ENOUGH)
    padded = cv2.copyMakeBorder(capped, *(margin,) * 4, cv2.BORDER_CONSTANT, value=0)
    width = padded.shape[1]
    offsets = (offsets[..., 1] * width + offsets[..., 0]).reshape(-1)
    size = np.array(blurred_mask.shape[::-1])
    middle = (evidence.raster.to_raster(centres_mm) + 0.5) * share - 0.5
    middle = np.clip(np.rint(middle), 0, size - 1).astype(np.int64)
    begin = (middle[:, 1] + margin) * width + middle[:, 0] + margin
    scores = np.empty((len(centres_mm), len(angles)))

    def sweep(some: slice) -> None:
        for first in range(some.start, some.stop, SWEPT_AT_ONCE):
            part = slice(first, min(first + SWEPT_AT_ONCE, some.stop))
            values = np.take(padded, begin[part, None] + offsets)
            values = values.reshape(-1, len(angles), frames_mm.shape[1])
            sums = values.sum(axis=2, dtype=np.uint32)
            scores[part] = sums / (BRIGHT_ENOUGH * frames_mm.shape[1])

    shared_out(sweep, len(begin), FEWEST_FITTED)
    return angles, scores


@lru_cache(maxsize=4)
def _swept(card: CardSize) -> tuple[FloatArray, FloatArray]:
    """The angles (90,) swept over, and places (90, K, 2) on a frame so turned, mm."""
    angles = np.deg2rad(np.arange(0.0, 180.0, 2.0))
    lines = frame_samples(card, 2.0)
    return angles, np.einsum("aij,kj->aki", turns(angles), lines.places_mm)


def fit_poses(
    evidence: Evidence, poses: FloatArray, lines: LineSamples,
    reaches_mm: Sequence[float] = ONCE, weights: FloatArray | None = None,
) -> PoseFit:  # fmt: skip
    """Move each pose so that its lines lie on the white lines near by: in one pass after another,
    within such a reach of them.

    `weights` (N, K) leaves out samples known to be covered (0). Robust:
    samples that disagree lose their weight (Tukey's biweight).
    """

    def fitted(part: slice) -> PoseFit:
        own = None if weights is None else weights[part]
        fit = _one_pass(evidence, poses[part], lines, reaches_mm[0], own)
        for reach_mm in reaches_mm[1:]:
            fit = _one_pass(evidence, fit.poses, lines, reach_mm, own)
        return fit

    parts = shared_out(fitted, len(poses), FEWEST_FITTED)
    return PoseFit(
        np.concatenate([part.poses for part in parts]),
        np.concatenate([part.seen for part in parts]),
        np.concatenate([part.off_mm for part in parts]),
    )


def _one_pass(
    evidence: Evidence,
    poses: FloatArray,
    lines: LineSamples,
    reach_mm: float,
    weights: FloatArray | None,
) -> PoseFit:
    places = place(poses, lines.places_mm)
    normals = place(poses * [0, 0, 1], lines.normals)
    off, found = line_offsets(evidence, places, normals, reach_mm)
    weight = np.asarray(found if weights is None else found * weights, np.float32)
    arm = places - poses[:, None, :2]
    lever = normals[..., 1] * arm[..., 0] - normals[..., 0] * arm[..., 1]
    rows = np.stack([normals[..., 0], normals[..., 1], lever], axis=1, dtype=np.float32)
    step = np.zeros((len(poses), 3))
    left = off
    for share in SHARES:
        scale = np.float32(max(0.2, reach_mm * share))
        robust = np.square(left / scale)
        np.subtract(1, robust, out=robust)
        np.square(np.maximum(robust, 0, out=robust), out=robust)
        weighed = rows * np.multiply(robust, weight, out=robust)[:, None]
        normal = weighed @ rows.transpose(0, 2, 1) + HOLD
        step = np.linalg.solve(normal, weighed @ off[..., None])[..., 0]
        left = off - (step.astype(np.float32)[:, None] @ rows)[:, 0]
    return PoseFit(poses + step, (np.abs(left) < SEEN_WITHIN_MM) & found, left)


def frame_offsets(
    evidence: Evidence, poses: FloatArray, lines: LineSamples, reach_mm: float
) -> tuple[NDArray[np.float32], Bools]:
    """As `line_offsets`, for the lines of cards at poses (N, 3 or 9), as they are bent."""
    normals = turned_each(poses[:, 2], lines.normals)
    return line_offsets(evidence, place(poses, lines.places_mm), normals, reach_mm)


def line_offsets(
    evidence: Evidence, places: FloatArray, normals: FloatArray, reach_mm: float
) -> tuple[NDArray[np.float32], Bools]:
    """Signed distance (N, K) along the normal to the whitest point, and whether it is a line."""
    step = max(STEP_MM, reach_mm / 8)
    count = int(reach_mm / step + 1e-9)
    across = np.arange(-count, count + 1) * step
    values = look_up(evidence.white, _across(evidence.raster, places, normals, across))
    peak = values[:, :, 1:-1].argmax(axis=2) + 1
    begin = np.arange(peak.size).reshape(peak.shape) * len(across)
    left, top, right = (_taken(values, begin + peak + d) for d in (-1, 0, 1))
    bend = left - 2 * top + right
    fine = 0.5 * (left - right) / np.where(bend == 0, 1, bend)
    off = across.astype(np.float32)[peak] + np.clip(fine, -1, 1) * np.float32(step)
    wing = round(1.25 / step)
    sides = np.maximum(
        _taken(values, begin + np.maximum(peak - wing, 0)),
        _taken(values, begin + np.minimum(peak + wing, 2 * count)),
    )
    return np.asarray(off, np.float32), (top > 105) & (top - sides > 40)


def _across(
    raster: Raster, places: FloatArray, normals: FloatArray, across_mm: NDArray[Any]
) -> NDArray[np.float32]:
    """Raster pixels (N, K, A, 2) of points `across_mm` (A,) along each normal."""
    # As complex numbers, x + iy, in half the time.
    middle, way = (
        np.ascontiguousarray(some, np.float32).view(np.complex64)
        for some in (raster.to_raster(places), normals * raster.density)
    )
    out = way * across_mm.astype(np.float32)
    out += middle
    return out.view(np.float32).reshape(*out.shape, 2)


def _taken(values: Image8, index: Ints) -> NDArray[np.float32]:
    """The values (N, K, A) at indices (N, K), counted through all of them, as float32."""
    return np.take(values, index).astype(np.float32)
