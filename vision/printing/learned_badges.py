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
from vision.naming.badge_witness import badge_likeness
from vision.naming.faces import Patches, score_faces

FloatArray = NDArray[np.float64]
Ints = NDArray[np.int64]
Map32 = NDArray[np.float32]
PLAINLY_NAMED_MM2, WORST_FIT = 30.0, 0.4
"""By so much of its drawing a face must explain a card better than any other, badges aside, and
with so small a misfit, for the card to say what its badge looks like."""
LEAST_SHOWN = 0.95
"""Of a badge, for it to count."""
AS_DRAWN = 0.6
"""Share of badges that look most like their own drawing, from which the drawn ones tell values
of faces that no card plainly shows: all where the printing is the deck's, 0.8
to 0.95 of printed cards, 0.5 where a millimetre has 1.3 pixels, 0.3 to 0.6 with other typefaces."""
OFTEN = 2
"""Cards of which one cannot be smeared, or half turned, without the other telling."""


def with_learned_badges(
    patches: Patches, visible: Map32, deck: Deck, templates: Templates
) -> Templates:
    """The templates, `learned` those with badges as they are seen; the same object where too little
    tells. Where badges are not as drawn, the drawn ones tell no values.
    """
    badge, marks = np.flatnonzero(templates.badge), templates.badge | templates.symbol
    cards, faces, turned = _plainly_named(patches, visible, templates, marks)
    shown = visible[np.ix_(cards, badge)].mean(axis=1) > LEAST_SHOWN
    cards, faces, turned = cards[shown], faces[shown], turned[shown]
    if len(cards) == 0:
        return templates
    like = badge_likeness(patches, visible, cards, templates)
    as_drawn = np.mean(like.argmax(axis=1) // 4 == faces) >= AS_DRAWN
    white = patches.white[cards].astype(np.float32) / 255
    white[turned] = white[turned, ::-1]
    seen = white[:, badge]
    whites, known = templates.white.copy(), np.zeros(len(templates.white), np.bool_)
    often = known.copy()
    for face in np.unique(faces).tolist():
        look = np.median(seen[faces == face], axis=0)
        either = deck.faces[face].id in deck.badges.either_way
        rows = slice(2 * face, 2 * face + 2)
        whites[rows, badge] = (look + look[::-1]) / 2 if either else look
        known[rows] = True
        often[rows] = np.count_nonzero(faces == face) >= OFTEN
    learned = replace(templates, white=whites, badge_known=known, badge_often=often)
    trusted = np.full(len(known), as_drawn)
    return replace(templates, badge_known=trusted, learned=learned)


def _plainly_named(
    patches: Patches, visible: Map32, templates: Templates, marks: NDArray[np.bool_]
) -> tuple[Ints, Ints, NDArray[np.bool_]]:
    """Cards (K,) that their shapes plainly name, their faces (K,), and whether each lies turned by
    half a turn from how it was cut out.
    """
    scores = score_faces(patches, templates, np.where(marks, np.float32(0), visible))
    misfit = scores.misfit[:, :-4].reshape(len(patches), -1, 4)
    by_face = misfit.min(axis=2)
    face = by_face.argmin(axis=1)
    own = np.take_along_axis(by_face, face[:, None], axis=1)
    others = np.where(np.arange(by_face.shape[1]) == face[:, None], np.inf, by_face)
    plain = (others.min(axis=1) - own[:, 0]) * scores.area_mm2 > PLAINLY_NAMED_MM2
    plain &= own[:, 0] < WORST_FIT * np.maximum(scores.energy, 1e-6)
    cards = np.flatnonzero(plain)
    if len(cards) == 0:
        return cards, cards, np.zeros(0, np.bool_)
    # A face whose shapes look the same either way up has its way by its badge as drawn.
    ways = misfit[cards, face[cards]].reshape(-1, 2, 2).min(axis=1)
    gap = (ways[:, 0] - ways[:, 1]) * scores.area_mm2[cards]
    like = badge_likeness(patches, visible, cards, templates)
    drawn = like[:, :-4].reshape(len(cards), -1, 2, 2).max(axis=2)
    by_badge = drawn[np.arange(len(cards)), face[cards]]
    turned = np.where(np.abs(gap) > PLAINLY_NAMED_MM2, gap > 0, by_badge[:, 1] > by_badge[:, 0])
    return cards, face[cards], turned
