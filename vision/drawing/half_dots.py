"""What part of a dot the camera sees past the cards that lie over its own."""

from __future__ import annotations

import numpy as np

from geometry.deck import CardSize
from vision.arrays import Bools, FloatArray, Ints
from vision.drawing.bend import FLAT, bend_shift
from vision.drawing.pose_fit import turns

STEPS = 3
"""A bend shifts what lies near by much the same: so often is asked from where a place was moved."""
REACH_MM = 60.0
"""A card's middle lies no farther from what it hides."""


def hidden_by(pose: FloatArray, card: CardSize, places_mm: FloatArray) -> Bools:
    """Which places (K, 2), rough table mm, a card at a pose (3 or 9,) hides from the camera."""
    turn = turns(pose[2:3])[0]
    at = (places_mm - pose[:2]) @ turn
    own = at
    if len(pose) > FLAT:
        for _ in range(STEPS):
            own = at - bend_shift(pose[None], own)[0] @ turn
    half = np.array([card.width_mm, card.height_mm]) / 2 - card.corner_radius_mm
    away = np.maximum(np.abs(own) - half, 0.0)
    return np.asarray(np.hypot(away[:, 0], away[:, 1]) < card.corner_radius_mm)


def parts_seen(
    places_mm: FloatArray, owners: Ints, poses: FloatArray, order: list[int],
    card: CardSize,
) -> FloatArray:  # fmt: skip
    """What part (K,) of places (K, P, 2) on cards `owners` (K,) no card that lies higher hides from
    the camera, with cards at poses (N, 3 or 9) in their order, the lowest first.
    """
    rank = np.argsort(np.array(order))
    out = np.ones(len(places_mm))
    for k, (places, owner) in enumerate(zip(places_mm, owners.tolist(), strict=True)):
        near = np.hypot(*(poses[:, :2] - places.mean(axis=0)).T) < REACH_MM
        hidden = np.zeros(len(places), np.bool_)
        for other in np.flatnonzero(near & (rank > rank[owner])).tolist():
            hidden |= hidden_by(poses[other], card, places)
        out[k] = 1 - hidden.mean()
    return out
