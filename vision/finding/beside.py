"""Where cards may lie beside the cards read, so that a shape of one exactly covers the other's."""

from __future__ import annotations

import numpy as np

from geometry.deck import Deck
from geometry.neighbours import neighbour_places, places_beside_any
from vision.arrays import Bools, FloatArray
from vision.drawing.pose_fit import place
from vision.naming.name_cards import Named

DOUBTFUL_FIT = 0.3
"""Of a card that fits less well than this the face may be misread, and so its shapes."""
MOST_OFF_MM, MOST_TURNED = 4.0, 0.07
"""How far a card may lie from an exact fit, mm and radians: what is called legal, and more."""


def poses_beside(named: Named, deck: Deck, overhanging: bool = False) -> FloatArray:
    """Poses (M, 3) of all cards that would fit one of those read, half turns aside.

    With `overhanging` ones also those that cover more of it than a shape.
    """
    places = neighbour_places(deck, overhanging)
    beside_any = places_beside_any(deck, overhanging)
    out = [np.empty((0, 3))]
    for row, pose, fit in zip(named.rows.tolist(), named.poses, named.fit, strict=True):
        own = places[row // 2] * ([-1.0, 1.0, -1.0] if row % 2 else 1.0)
        own = beside_any if fit > DOUBTFUL_FIT else own
        middle = place(pose[None, :3], own[:, :2])[0]
        out.append(np.column_stack([middle, pose[2] + np.deg2rad(own[:, 2])]))
    return np.concatenate(out)


def about_the_same(poses: FloatArray, others: FloatArray) -> Bools:
    """Where poses (..., 3) are off by no more than people lay cards by, half turns aside."""
    near = np.linalg.norm(poses[..., :2] - others[..., :2], axis=-1) < MOST_OFF_MM
    return np.asarray(near & (np.abs(np.sin(poses[..., 2] - others[..., 2])) < MOST_TURNED))
