"""Where a card closes a loop: of all legal places one at which it nearly touches another card."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from geometry.layout import Layout
from geometry.moves import Placement
from geometry.pose import Pose
from simulator.camera.camera import FloatArray
from simulator.play.fitting import touched_mm

NEAR_MM = (0.7, 2.3)
"""How far off cards lie that nearly touch."""
_NUDGE_MM = 0.7
"""How far a hand moves a card from its exact fit to keep it off another, or to close a gap."""
_LOOKED_AT = 80
_AROUND = np.deg2rad(np.arange(0, 360, 45))


def bodies_apart_mm(layout: Layout, pose: Pose) -> FloatArray:
    """How far the card at this pose stays off each card's body (N,), about; negative: over it."""
    return np.asarray(-touched_mm(layout, pose) - layout.deck.card.frame_inset_mm)


def closing(
    rng: np.random.Generator, layout: Layout, ways: Sequence[Placement]
) -> tuple[Pose, int] | None:
    """Of some of the ways one whose card nearly touches others, the more the better, and the card
    it covers; or None.
    """
    best: tuple[Pose, int] | None = None
    most = 0
    for index in rng.permutation(len(ways))[:_LOOKED_AT]:
        way = ways[int(index)]
        others = np.array([card.id != way.on for card in layout.cards])
        for pose in _nudges(layout, way.pose, others):
            near = _near(bodies_apart_mm(layout, pose)[others])
            if near > most:
                best, most = (pose, way.on), near
    return best


def _near(apart_mm: FloatArray) -> int:
    """How many cards are nearly touched; 0 where any is touched."""
    if (apart_mm < NEAR_MM[0]).any():
        return 0
    return int((apart_mm < NEAR_MM[1]).sum())


def _nudges(layout: Layout, pose: Pose, others: NDArray[np.bool_]) -> list[Pose]:
    """The pose, or where that helps to nearly touch others the pose moved a little."""
    apart = bodies_apart_mm(layout, pose)[others]
    least = float(apart.min()) if len(apart) else np.inf
    if NEAR_MM[0] <= least < NEAR_MM[1]:
        return [pose]
    if not NEAR_MM[0] - _NUDGE_MM < least < NEAR_MM[1] + _NUDGE_MM:
        return []
    return [
        replace(
            pose,
            x_mm=pose.x_mm + _NUDGE_MM * float(np.cos(way)),
            y_mm=pose.y_mm + _NUDGE_MM * float(np.sin(way)),
        )
        for way in _AROUND
    ]
