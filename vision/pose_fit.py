"""Where a card lies, to a tenth of a millimetre: least squares on its white frame line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geometry.deck import CardSize
from vision.evidence import Evidence, Image8, sample

FloatArray = NDArray[np.float64]
STEP_MM = 0.25
"""Spacing of samples across a line."""


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
    seen: NDArray[np.bool_]
    off_mm: FloatArray


def frame_samples(card: CardSize, spacing_mm: float) -> LineSamples:
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


def place_each(poses: FloatArray, card_mm: NDArray[Any]) -> NDArray[Any]:
    """Each card's own points (N, K, 2) at its pose (N, 3) to table mm (N, K, 2).

    Computed in the points' own type, float32 or float64.
    """
    cos, sin = (f(poses[:, 2, None]).astype(card_mm.dtype) for f in (np.cos, np.sin))
    middle_x, middle_y = (poses[:, k, None].astype(card_mm.dtype) for k in (0, 1))
    x, y = card_mm[..., 0], card_mm[..., 1]
    out = np.empty((len(poses), *card_mm.shape[1:]), card_mm.dtype)
    np.add(cos * x - sin * y, middle_x, out=out[..., 0])
    np.add(sin * x + cos * y, middle_y, out=out[..., 1])
    return out


def sweep_angles(
    evidence: Evidence, blurred_mask: Image8, centres_mm: FloatArray, card: CardSize
) -> tuple[FloatArray, FloatArray]:
    """How well a frame round each centre (N, 2) lies on white, at 90 angles.

    Returns the angles (90,) in radians over half a turn and the scores
    (N, 90) from 0 to 1. A card looks the same turned by 180 degrees here.
    """
    lines = frame_samples(card, 2.0)
    angles = np.deg2rad(np.arange(0.0, 180.0, 2.0))
    offsets = np.einsum("aij,kj->aki", turns(angles), lines.places_mm)
    points = centres_mm[:, None, None, :] + offsets[None]
    values = sample(blurred_mask, evidence.raster.to_raster(points))
    return angles, np.asarray(np.minimum(values, 90.0).mean(axis=2) / 90.0, dtype=np.float64)


def fit_poses(
    evidence: Evidence,
    poses: FloatArray,
    lines: LineSamples,
    reach_mm: float,
    weights: FloatArray | None = None,
    passes: int = 1,
) -> PoseFit:
    """Move each pose so that its lines lie on the white lines within `reach_mm` of them.

    `weights` (N, K) leaves out samples known to be covered (0). Robust:
    samples that disagree lose their weight (Tukey's biweight).
    """
    fit = _one_pass(evidence, poses, lines, reach_mm, weights)
    for _ in range(passes - 1):
        fit = _one_pass(evidence, fit.poses, lines, reach_mm, weights)
    return fit


def _one_pass(
    evidence: Evidence,
    poses: FloatArray,
    lines: LineSamples,
    reach_mm: float,
    weights: FloatArray | None,
) -> PoseFit:
    places = place(poses, lines.places_mm)
    normals = np.einsum("nij,kj->nki", turns(poses[:, 2]), lines.normals)
    off, found = _line_offsets(evidence, places, normals, reach_mm)
    weight = found.astype(np.float64)
    if weights is not None:
        weight = weight * weights
    arm = places - poses[:, None, :2]
    lever = normals[..., 1] * arm[..., 0] - normals[..., 0] * arm[..., 1]
    rows = np.stack([normals[..., 0], normals[..., 1], lever], axis=-1)
    step = np.zeros((len(poses), 3))
    for share in (0.8, 0.5, 0.3, 0.25, 0.2, 0.2):
        left = off - np.einsum("nkj,nj->nk", rows, step)
        scale = max(0.2, reach_mm * share)
        robust = weight * np.clip(1 - (left / scale) ** 2, 0, 1) ** 2
        weighted = robust[..., None] * rows
        normal_eq = np.einsum("nki,nkj->nij", weighted, rows) + np.diag([1e-3, 1e-3, 1e-1])
        right = np.einsum("nki,nk->ni", weighted, off)
        step = np.linalg.solve(normal_eq, right[..., None])[..., 0]
    left = off - np.einsum("nkj,nj->nk", rows, step)
    return PoseFit(poses + step, (np.abs(left) < 0.6) & found, left)


def _line_offsets(
    evidence: Evidence, places: FloatArray, normals: FloatArray, reach_mm: float
) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Signed distance (N, K) along the normal to the whitest point, and whether it is a line."""
    across = np.arange(-reach_mm, reach_mm + 1e-9, STEP_MM)
    points = places[:, :, None, :] + normals[:, :, None, :] * across[:, None]
    values = sample(evidence.white, evidence.raster.to_raster(points))
    peak = values[:, :, 1:-1].argmax(axis=2) + 1
    left, top, right = (
        np.take_along_axis(values, (peak + d)[..., None], axis=2)[..., 0] for d in (-1, 0, 1)
    )
    bend = left - 2 * top + right
    fine = np.where(np.abs(bend) > 1e-3, 0.5 * (left - right) / np.where(bend == 0, 1, bend), 0)
    off = across[peak] + np.clip(fine, -1, 1) * STEP_MM
    wing = round(1.25 / STEP_MM)
    last = len(across) - 1
    sides = np.maximum(
        np.take_along_axis(values, np.clip(peak - wing, 0, last)[..., None], axis=2)[..., 0],
        np.take_along_axis(values, np.clip(peak + wing, 0, last)[..., None], axis=2)[..., 0],
    )
    return np.asarray(off, np.float64), (top > 105) & (top - sides > 40)
