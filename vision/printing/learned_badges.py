"""The badges as this printing draws them: averaged over the cards that their shapes alone name.

Badges differ in size, place and typeface from printing to printing, and a face of which a shape is
covered is told from another by its badge alone.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from vision.drawing.templates import Templates
from vision.naming.faces import Patches, score_faces, unit_rows

FloatArray = NDArray[np.float64]
Ints = NDArray[np.int64]
Map32 = NDArray[np.float32]
PLAINLY_NAMED_MM2, WORST_FIT = 30.0, 0.4
"""By so much of its drawing a face must explain a card better than any other, badges aside, and
with so small a misfit, for the card to say what its badge looks like."""
LEAST_SHOWN = 0.95
"""Of a badge, for it to count."""
AS_DRAWN = 0.8
"""Correlation of badges with their drawings, in the median, from which these are left as they are:
0.9 where the printing is the deck's, 0.3 to 0.7 with another's typeface and size."""
FEWEST_OF_SUIT = 2
"""Faces of a suit of which badges are known, before their mean stands for the others'."""


def with_learned_badges(
    patches: Patches, visible: Map32, deck: Deck, templates: Templates
) -> Templates:
    """The templates with badges as they are seen, where they are not as drawn; the same object
    where they are, or where too little tells. Faces that no card plainly shows have their suit's
    mean badge, which tells the suit and no value.
    """
    badge, marks = np.flatnonzero(templates.badge), templates.badge | templates.symbol
    cards, faces, turned = _plainly_named(patches, visible, templates, marks)
    shown = visible[np.ix_(cards, badge)].mean(axis=1) > LEAST_SHOWN
    cards, faces, turned = cards[shown], faces[shown], turned[shown]
    if len(cards) == 0:
        return templates
    white = patches.white[cards].astype(np.float32) / 255
    white[turned] = white[turned, ::-1]
    seen = white[:, badge]
    drawn = templates.white[2 * faces][:, badge]
    likeness = (unit_rows(seen) * unit_rows(drawn)).sum(axis=1)
    if np.median(likeness) >= AS_DRAWN:
        return templates
    whites = templates.white.copy()
    for face, look in _looks(seen, faces, deck).items():
        if deck.faces[face].id in deck.badges.either_way:
            look = (look + look[::-1]) / 2
        whites[2 * face : 2 * face + 2, badge] = look
    return replace(templates, white=whites)


def _plainly_named(
    patches: Patches, visible: Map32, templates: Templates, marks: NDArray[np.bool_]
) -> tuple[Ints, Ints, NDArray[np.bool_]]:
    """Cards (K,) that their shapes plainly name, their faces (K,), and whether each lies turned by
    half a turn from how it was cut out.
    """
    scores = score_faces(patches, templates, np.where(marks, np.float32(0), visible))
    misfit = scores.misfit[:, :-4]
    best = misfit.argmin(axis=1)
    own = misfit[np.arange(len(best)), best]
    others = np.where(np.arange(misfit.shape[1]) // 4 == (best // 4)[:, None], np.inf, misfit)
    plain = (others.min(axis=1) - own) * scores.area_mm2 > PLAINLY_NAMED_MM2
    plain &= own < WORST_FIT * np.maximum(scores.energy, 1e-6)
    cards = np.flatnonzero(plain)
    return cards, best[cards] // 4, best[cards] % 2 == 1


def _looks(seen: Map32, faces: Ints, deck: Deck) -> dict[int, Map32]:
    """How the badge of each face looks (B,), of those seen (K, B) on cards of these faces (K,)."""
    known = {int(face): np.median(seen[faces == face], axis=0) for face in np.unique(faces)}
    looks = dict(known)
    for suit in {face.suit for face in deck.faces}:
        of_suit = [k for k, face in enumerate(deck.faces) if face.suit == suit]
        seen_of_suit = [known[k] for k in of_suit if k in known]
        if len(seen_of_suit) >= FEWEST_OF_SUIT:
            mean = np.mean(seen_of_suit, axis=0)
            looks.update({k: mean for k in of_suit if k not in known})
    return looks
