"""Whether two readings have a card the same way up and round, or so that nobody could tell."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from geometry.deck import Deck
from geometry.pose import Pose


def is_same_side(pose: Pose, other: Pose) -> bool:
    """Whether a card lies the same way up and round at two poses."""
    turn = (pose.angle_deg - other.angle_deg + 180) % 360 - 180
    return pose.mirrored == other.mirrored and abs(turn) < 90


def shows_the_same(deck: Deck, face: str, pose: Pose, other: Pose) -> bool:
    """Whether a face's dots lie alike at two poses of one place, to a millimetre."""
    dots = np.array(deck.face(face).dots_mm).reshape(-1, 2)
    if len(dots) == 0:
        return True
    there = replace(other, x_mm=pose.x_mm, y_mm=pose.y_mm)
    gaps = np.linalg.norm(pose.to_table(dots)[:, None] - there.to_table(dots)[None], axis=2)
    return bool((gaps.min(axis=1) < 1.0).all())
