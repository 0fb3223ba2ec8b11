"""What cards draw black, clear of their ink."""

from __future__ import annotations

import numpy as np

from vision.arrays import Bools, FloatArray, Ints
from vision.drawing.pose_fit import turns
from vision.drawing.templates import Templates


def drawn_black(
    poses: FloatArray, rows: Ints, templates: Templates, cards: Ints, places_mm: FloatArray
) -> Bools:
    """Whether each of some `cards` (K,), of those at poses (N, 3 or 9) with these rows (N,) of the
    templates, draws black, clear of its ink, at a place (K, 2) on the table.
    """
    out = np.zeros(len(cards), np.bool_)
    for card in np.unique(cards):
        here = cards == card
        pose = poses[card]
        own_mm = (places_mm[here] - pose[:2]) @ turns(pose[2:3])[0]
        on = (np.abs(own_mm) <= templates.half_mm).all(axis=1)
        out[np.flatnonzero(here)[on]] = templates.black[rows[card]][templates.nearest(own_mm[on])]
    return out
