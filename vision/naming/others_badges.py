"""What the badges of the other cards, as they are read, say of a card's face.

Typefaces differ from printing to printing, and so does where a badge is printed: a badge is told by
those that this picture's other cards show, better than by any drawing. A card says nothing of
itself.
"""

from __future__ import annotations

import numpy as np

from vision.arrays import FloatArray, Ints, Map32, unit_rows
from vision.drawing.templates import Templates
from vision.memo import Memo
from vision.naming.badge_correlation import (
    LEAST_APART,
    LEAST_SHOWN,
    OFTEN,
    PLAINLY_ALIKE,
    SHIFT_MM,
    Drawn,
    compared,
)
from vision.naming.faces import Patches

_LIKE: Memo[Patches, FloatArray] = Memo()
_LEADS: Memo[Patches, FloatArray] = Memo()


def like_faces(rows: Ints, patches: Patches, visible: Map32, templates: Templates) -> FloatArray:
    """How well (N, F), by correlation, each card's badge looks like those of the other cards that
    are read as each face, by their rows (N,), as a rule; NaN where it is hidden, and of faces of
    which too few others show one.
    """
    like, faces = _alike(patches, visible, templates), rows // 2
    out = np.full((len(rows), len(templates.faces)), np.nan)
    for face in np.unique(faces[rows < templates.start_row]).tolist():
        others = like[:, faces == face]
        told = np.isfinite(others).sum(axis=1) >= OFTEN
        out[told, face] = np.nanmedian(others[told], axis=1)
    return out


def leads_by_others(
    rows: Ints, patches: Patches, visible: Map32, cards: Ints, templates: Templates
) -> FloatArray:
    """By how much (K, F) badges of some cards look more like those of the others of their own face
    than like those of each other face's, as a share of what these two differ by, or of what the own
    ones leave open where that is more. NaN where no others tell, or the badge is not plainly like
    its own face's or the other's.
    """

    def of_all() -> FloatArray:
        return _leads(rows, like_faces(rows, patches, visible, templates), templates)

    return np.asarray(_LEADS.answer(patches, (rows, visible, templates), of_all)[cards])


def _leads(rows: Ints, like: FloatArray, templates: Templates) -> FloatArray:
    """The leads (N, F) of all cards, by how like (N, F) the badges of each face theirs are."""
    faces = rows // 2
    apart = np.full((len(templates.faces), like.shape[1]), np.nan)
    for face in np.unique(faces[rows < templates.start_row]).tolist():
        some = like[faces == face]
        told = np.isfinite(some).any(axis=0)
        apart[face, told] = 1 - np.nanmedian(some[:, told], axis=0)
    own = np.take_along_axis(like, faces[:, None], axis=1)
    leads = (own - like) / np.fmax(np.fmax(apart[faces], 1 - own), LEAST_APART)
    plain = np.fmax(like, own) >= PLAINLY_ALIKE
    return np.asarray(np.where(plain, leads, np.nan))


def _alike(patches: Patches, visible: Map32, templates: Templates) -> FloatArray:
    """How well (N, N), by correlation, each card's badge looks like every other's, either way up
    and wherever each is printed; NaN of a card and itself, and where one is hidden.
    """

    def looked_at() -> FloatArray:
        badge, cards = np.flatnonzero(templates.badge), np.arange(len(visible))
        seen = patches.white[:, badge].astype(np.float32)
        ways = unit_rows(np.concatenate([seen, seen[:, ::-1]]))
        sought = Drawn(ways, templates.badge, templates.shape_hw, LEAST_SHOWN)
        like = compared(patches, visible, cards, sought, SHIFT_MM)
        like = like.reshape(len(cards), 2, -1).max(axis=1)
        hidden = visible[:, badge].mean(axis=1) <= LEAST_SHOWN
        like[hidden] = like[:, hidden] = np.nan
        np.fill_diagonal(like, np.nan)
        return np.asarray(like, np.float64)

    return _LIKE.answer(patches, (visible, templates), looked_at)
