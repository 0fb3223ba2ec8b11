"""Which face a card shows: every face, side and turn compared with the evidence at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.evidence import Evidence, sample
from vision.pose_fit import place
from vision.templates import Templates

FloatArray = NDArray[np.float64]
Map32 = NDArray[np.float32]
BADGE_IMPORTANCE = 4.0
"""The badge is small, but it alone tells the value, the suit and which way is up."""


@dataclass(frozen=True, eq=False)
class Patches:
    """Cards cut out of the evidence on the templates' grid, unmirrored, at given poses.

    `white` (N, P) from 0 to 1; `colour` (N, P, 3) BGR, balanced, 0 to 255;
    `weight` (N, P) from 0 to 1: how far a place speaks for its card.
    """

    white: Map32
    colour: Map32
    weight: Map32


@dataclass(frozen=True, eq=False)
class FaceScores:
    """Mean squared misfit (N, H) of every hypothesis; lower is better.

    Hypothesis h = 2 * t + u: the template t (Templates' row), u = 1 where the
    card lies turned by 180 degrees from the pose that it was cut out at.
    `energy` (N,): the misfit of an all-black card. `ink` (N, 3): mean of the ink less its own grey, BGR levels; `strength`
    (N,) its length.
    """

    misfit: FloatArray
    energy: FloatArray
    ink: FloatArray
    strength: FloatArray


def cut_out(evidence: Evidence, poses: FloatArray, templates: Templates) -> Patches:
    """Sample every card's patch; the weight is 1 inside the picture and where not burnt out."""
    at = evidence.raster.to_raster(place(poses, templates.grid_mm))
    white = sample(evidence.white, at) / 255
    colour = sample(evidence.balanced, at)
    burnt = sample(evidence.washed, at) > 127
    outside = colour.max(axis=2) <= 0
    weight = np.where(outside, 0.0, np.where(burnt, 0.15, 1.0)).astype(np.float32)
    return Patches(white.astype(np.float32), colour.astype(np.float32), weight)


def score_faces(patches: Patches, templates: Templates) -> FaceScores:
    """Compare all hypotheses with all cards by matrix products."""
    ink, strength, share = _ink(patches, templates)
    importance = np.where(templates.badge, BADGE_IMPORTANCE, 1.0).astype(np.float32)
    misfit = np.empty((len(patches.weight), 2 * len(templates.white)))
    for turn in (0, 1):
        white, weight, inked = patches.white, patches.weight, share
        if turn:
            white, weight, inked = white[:, ::-1], weight[:, ::-1], inked[:, ::-1]
        weight = weight * importance
        off = _distances(white, templates.white, weight)
        off += _distances(inked, templates.ink, weight)
        misfit[:, turn::2] = off / np.maximum(weight.sum(axis=1), 1.0)[:, None]
    weighed = patches.weight * importance
    energy = (weighed * (patches.white**2 + share**2)).sum(axis=1) / np.maximum(
        weighed.sum(axis=1), 1.0
    )
    return FaceScores(misfit, np.asarray(energy, np.float64), ink, strength)


def _distances(values: Map32, templates: Map32, weight: Map32) -> FloatArray:
    """Weighted squared distances (N, F) between patches (N, P) and templates (F, P)."""
    own = (weight * values**2).sum(axis=1)[:, None]
    cross = (weight * values) @ templates.T
    drawn = weight @ (templates**2).T
    return np.asarray(own - 2 * cross + drawn, dtype=np.float64)


def _ink(patches: Patches, templates: Templates) -> tuple[FloatArray, FloatArray, Map32]:
    """The ink's direction away from grey, its strength, and each place's share of ink."""
    grey = patches.colour.mean(axis=2, keepdims=True)
    away = patches.colour - grey
    band = (templates.ink.min(axis=0) > 0.9) | _ring(templates)
    seen = (patches.weight * band * (patches.white < 0.35))[..., None]
    total = np.maximum(seen.sum(axis=1), 1.0)
    mean = (away * seen).sum(axis=1) / total
    strength = np.maximum(np.linalg.norm(mean, axis=1), 4.0)
    direction = mean / np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), 1e-6)
    share = np.einsum("npc,nc->np", away, direction) / strength[:, None]
    return mean, strength, np.clip(share, -0.3, 1.3).astype(np.float32)


def _ring(templates: Templates) -> NDArray[np.bool_]:
    """Places on the coloured band, clear of the line and of the card's edge."""
    grid = np.abs(templates.grid_mm)
    reach = grid.max(axis=0) + 0.25
    gap = (reach - grid).min(axis=1)
    return np.asarray((gap > 0.8) & (gap < 2.6))
