"""Where a card closes a loop: of all legal places one at which it nearly touches another card."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from geometry.layout import Layout
from geometry.moves import Placement
from geometry.pose import Pose
from rig.simulator.fitting import touched_mm

NEAR_MM = (0.7, 2.3)
"""How far off cards lie that nearly touch."""
_LOOKED_AT = 60


def bodies_apart_mm(layout: Layout, pose: Pose) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """How far the card at this pose stays off each card's body (N,), about; negative: over it."""
    return np.asarray(-touched_mm(layout, pose) - layout.deck.card.frame_inset_mm)


def closing(
    rng: np.random.Generator, layout: Layout, ways: Sequence[Placement]
) -> Placement | None:
    """Of some of the ways one whose card nearly touches others, the more the better; or None."""
    best: Placement | None = None
    most = 0.0
    for index in rng.permutation(len(ways))[:_LOOKED_AT]:
        way = ways[int(index)]
        others = np.array([card.id != way.on for card in layout.cards])
        apart = bodies_apart_mm(layout, way.pose)[others]
        if (apart < NEAR_MM[0]).any():
            continue
        near = float((apart < NEAR_MM[1]).sum())
        if near > most:
            best, most = way, near
    return best
