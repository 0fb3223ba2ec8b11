"""What is left of badges that are burnt out: their last grey levels."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from vision.arrays import Map32
from vision.drawing.templates import Templates
from vision.naming.faces import FaceScores, Patches, fine_structure, unit_rows

GHOST_MM2 = 10.0
MOST_BURNT_BADGE, LEAST_GHOST = 0.7, 0.9
"""Of a badge: burnt out so much, and yet not covered, its last grey levels are asked."""


def with_ghosts(
    scores: FaceScores, patches: Patches, visible: Map32, templates: Templates
) -> FaceScores:
    """The scores, and for badges that are burnt out what is left of them.

    Where nothing else tells, the last grey levels may: the badge's fine structure is
    compared by its normalised correlation, for no more than `GHOST_MM2` of misfit.
    """
    badge = templates.badge
    burnt = (patches.weight[:, badge] < 0.5).mean(axis=1) > MOST_BURNT_BADGE
    cards = np.flatnonzero(burnt & (visible[:, badge].mean(axis=1) > LEAST_GHOST))
    if len(cards) == 0:
        return scores
    drawn = _badges(templates)
    grey = patches.colour[cards].mean(axis=2, dtype=np.float32)
    seen = np.stack([fine_structure(one, templates)[badge] for one in grey])
    likeness = unit_rows(seen) @ unit_rows(drawn).T
    misfit = scores.misfit.copy()
    misfit[cards] += GHOST_MM2 * (1 - likeness) / scores.area_mm2[cards, None]
    return replace(scores, misfit=misfit)


@lru_cache(maxsize=4)
def _badges(templates: Templates) -> Map32:
    """Every hypothesis's badge (H, B), its fine structure alone."""
    both = (fine_structure(flat, templates) for row in templates.white for flat in (row, row[::-1]))
    return np.stack([one[templates.badge] for one in both])
