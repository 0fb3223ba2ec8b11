"""Taking a finger's place for the exact one that was meant: the nearest legal fit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from geometry.layout import Card, Layout
from geometry.moves import legal_placements
from geometry.pose import Pose
from geometry.rules import Rules
from vision.together.places import corners_mm

REACH_MM = 20.0
"""A finger is this far off at most; farther away, nothing was meant but the place itself."""
_NEAR_MM = 200.0


def snapped(layout: Layout, card: Card, rules: Rules) -> Pose:
    """The legal placement of this card nearest to its pose, same side up, or its pose itself.

    Near is measured by the farthest of the four corners, so that a turned card is far.
    """
    near = tuple(
        other
        for other in layout.cards
        if other.id != card.id and _apart_mm(other.pose, card.pose) < _NEAR_MM
    )
    table = replace(layout, cards=near)
    poses = [
        placement.pose
        for placement in legal_placements(table, card.colour, card.face, rules)
        if placement.pose.mirrored == card.pose.mirrored
    ]
    if not poses:
        return card.pose
    wanted = corners_mm(layout.deck.card, card.pose)
    off_mm = [
        float(np.linalg.norm(corners_mm(layout.deck.card, pose) - wanted, axis=1).max())
        for pose in poses
    ]
    best = int(np.argmin(off_mm))
    return poses[best] if off_mm[best] <= REACH_MM else card.pose


def _apart_mm(a: Pose, b: Pose) -> float:
    return float(np.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm))
