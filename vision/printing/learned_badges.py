"""The badges as this printing draws them: averaged over the cards that their shapes alone name.

Badges differ in size, place and typeface from printing to printing, and a face of which a shape is
covered is told from another by its badge alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.arrays import unit_rows
from vision.drawing.templates import LEAST_DRAWN, Templates
from vision.naming.badge_correlation import (
    BADGE_LEAD,
    LEAST_APART,
    OFTEN,
    PLAINLY_ALIKE,
    SHIFT_MM,
    correlation,
    moves,
)
from vision.naming.badge_witness import badge_likeness
from vision.naming.faces import Patches, score_faces

FloatArray = NDArray[np.float64]
Ints = NDArray[np.int64]
Map32 = NDArray[np.float32]
PLAINLY_NAMED_MM2, WORST_FIT = 30.0, 0.4
"""By so much of its drawing a face must explain a card better than any other, badges aside, and
with so small a misfit, for the card to say what its badge looks like."""
LEAST_SHOWN = 0.95
"""Of where a badge's value stands, for it to count."""
AS_DRAWN = 0.6
"""Share of badges that look most like their own drawing, from which the drawn ones tell values
of faces that no card plainly shows: all where the printing is the deck's, 0.8
to 0.95 of printed cards, 0.5 where a millimetre has 1.3 pixels, 0.3 to 0.6 with other typefaces."""


@dataclass(frozen=True, eq=False)
class _Shown:
    """Badges of cards (K,) whose shapes plainly name their faces (K,), `by_mm2` (K,) of what they
    explain; and how white (K, M) these and what is round them are at the `_middle` of the grid.
    """

    cards: Ints
    faces: Ints
    by_mm2: FloatArray
    white: Map32

    def take(self, some: NDArray[np.bool_]) -> _Shown:
        """Those of some of the cards."""
        return _Shown(self.cards[some], self.faces[some], self.by_mm2[some], self.white[some])


def with_learned_badges(patches: Patches, visible: Map32, templates: Templates) -> Templates:
    """The templates, `learned` those with badges as they are seen; the same object where too little
    tells. Where badges are not as drawn, the drawn ones tell no values.
    """
    shown = _shown(patches, visible, templates)
    if len(shown.cards) == 0:
        return templates
    suits = templates.suit[2 * shown.faces]
    in_place = badge_likeness(patches, visible, shown.cards, templates, 0.0)
    by_drawing = np.repeat(templates.suit, 2)[in_place.argmax(axis=1)] == suits
    by_others = _told_by_others(shown.white[:, templates.badge[_middle(templates)]], suits)
    otherwise = by_others.sum() >= by_drawing.sum() + OFTEN
    # A badge with the outline of another suit than the shapes' is that of a card misread.
    shown = shown.take(by_others if otherwise else by_drawing)
    if len(shown.cards) == 0:
        return templates
    like = badge_likeness(patches, visible, shown.cards, templates)
    as_drawn = float(np.mean(like.argmax(axis=1) // 4 == shown.faces))
    seen = _as_seen(shown, templates)
    learned = _with_values_of_others(seen, templates)
    twice = np.flatnonzero(seen.badge_often[2 * shown.faces])
    if len(twice):
        cards, faces = shown.cards[twice], shown.faces[twice]
        seen_twice = badge_likeness(patches, visible, cards, learned)
        to_own = seen_twice.reshape(len(twice), -1, 4).max(axis=2)[range(len(twice)), faces]
        learned = replace(learned, badge_alike=float(np.median(to_own)))
    if otherwise:
        as_drawn, templates = 0.0, _with_badges_seen(templates, learned)
    trusted = np.full(len(templates.white), as_drawn >= AS_DRAWN)
    return replace(templates, badge_known=trusted, learned=learned)


def _middle(templates: Templates) -> Ints:
    """The places (M,) of the grid where badges are, and round them."""
    return np.flatnonzero(templates.badge | templates.outline)


def _shown(patches: Patches, visible: Map32, templates: Templates) -> _Shown:
    """Badges of which the value shows."""
    cards, faces, by_mm2 = _plainly_named(patches, visible, templates, templates.marks)
    value = np.flatnonzero(templates.badge & ~templates.outline)
    shown = visible[np.ix_(cards, value)].mean(axis=1) > LEAST_SHOWN
    cards, faces, by_mm2 = cards[shown], faces[shown], by_mm2[shown]
    return _Shown(cards, faces, by_mm2, _in_place(patches, visible, cards, faces, templates))


def _as_seen(shown: _Shown, templates: Templates) -> Templates:
    """The templates with badges as these cards show them: each face's, and round it each suit's."""
    middle, suits = _middle(templates), templates.suit[2 * shown.faces]
    on_badge = templates.badge[middle]
    whites, known = templates.white.copy(), np.zeros(len(templates.white), np.bool_)
    often, named_mm2 = known.copy(), np.zeros(len(known))
    for face in np.unique(shown.faces).tolist():
        its = shown.faces == face
        own, rows = _one_way(shown.white[np.ix_(its, on_badge)]), slice(2 * face, 2 * face + 2)
        whites[rows, middle[on_badge]] = np.median(own, axis=0)
        known[rows], often[rows] = True, len(own) >= OFTEN
        named_mm2[rows] = shown.by_mm2[its].sum()
    for suit in np.unique(suits).tolist():
        own = _one_way(shown.white[np.ix_(suits == suit, ~on_badge)])
        rows_of = np.flatnonzero(templates.suit == suit)
        whites[np.ix_(rows_of, middle[~on_badge])] = np.median(own, axis=0)
    return replace(
        templates, white=whites, badge_known=known, badge_often=often, badge_mm2=named_mm2
    )


def _in_place(
    patches: Patches, visible: Map32, cards: Ints, faces: Ints, templates: Templates
) -> Map32:
    """How white (K, M) cards (K,) of faces (K,) have badges and what is round them, moved to where
    most of their suit have them: prints lie off each other. What is hidden is taken to be as drawn.
    """
    outline, middle = np.flatnonzero(templates.outline), _middle(templates)
    off, suits = moves(templates.shape_hw, SHIFT_MM), templates.suit[2 * faces]
    out = templates.white[np.ix_(2 * faces, middle)]
    for suit in np.unique(suits).tolist():
        own = np.flatnonzero(suits == suit)
        usual = np.median(patches.white[np.ix_(cards[own], outline)], axis=0)[None] / 255
        for k, card in zip(own.tolist(), cards[own].tolist(), strict=True):
            white, shown = patches.white[card], visible[card] > 0.5
            at = outline + off[:, None]
            weight = shown[at].astype(np.float32)
            like = correlation(white[at].astype(np.float32), weight, usual.astype(np.float32))
            at = middle + off[int(like.argmax())]
            out[k] = np.where(shown[at], white[at] / np.float32(255), out[k])
    return out


def _with_values_of_others(learned: Templates, drawn: Templates) -> Templates:
    """The learned badges, and those of faces that no card shows put together: from others of their
    suit, and inside their rim from those of another suit in which the deck draws the same. What one
    card alone shows is as good as seen on two where it looks like that.
    """
    rows = np.arange(0, learned.start_row, 2)
    suit, seen = learned.suit[rows], learned.badge_known[rows]
    # Some are drawn both ways up at once.
    either = (drawn.white + drawn.white[:, ::-1])[rows] / 2
    rim, inside = drawn.rim[rows] | drawn.rim[rows][:, ::-1], drawn.badge & ~drawn.outline
    white, known = learned.white.copy(), learned.badge_known.copy()
    often, named_mm2 = learned.badge_often.copy(), learned.badge_mm2.copy()
    for k in np.flatnonzero(~learned.badge_often[rows]).tolist():
        clear = inside & ~rim & ~rim[k]
        off = np.abs(either - either[k]).max(axis=1, where=clear, initial=0.0)
        other = seen & (rows != rows[k])
        values, outlines = rows[other & (off < LEAST_DRAWN)], rows[other & (suit == suit[k])]
        if len(values) == 0 or len(outlines) == 0:
            continue
        look = learned.white[outlines].mean(axis=0)
        at = np.flatnonzero(clear[values // 2].all(axis=0))
        own, inner = drawn.white[rows[k]] * learned.badge, learned.white[values]
        turned = learned.either_way[values // 2] & (inner[:, ::-1] @ own > inner @ own)
        inner = np.where(turned[:, None], inner[:, ::-1], inner)
        look[at] = np.median(inner[:, at], axis=0)
        both = slice(rows[k], rows[k] + 2)
        if seen[k]:
            units = unit_rows(np.array([white[rows[k]], look, look[::-1]])[:, at])
            often[both] = (units[0] @ units[1:].T).max() >= PLAINLY_ALIKE
            continue
        white[both, learned.badge], known[both] = look[learned.badge], True
        often[both] = len(values) + learned.badge_often[values].sum() >= OFTEN
        named_mm2[both] = learned.badge_mm2[values].sum()
    return replace(learned, white=white, badge_known=known, badge_often=often, badge_mm2=named_mm2)


def _told_by_others(seen: Map32, suits: Ints) -> NDArray[np.bool_]:
    """Of which cards (K,) the mean badges of the others, by suit (K,), tell the suit; badges (K, B)
    as they are seen.
    """
    either, units, kinds = seen + seen[:, ::-1], unit_rows(seen), np.unique(suits)
    like = np.full((len(seen), len(kinds)), -1.0)
    for k, kind in enumerate(kinds.tolist()):
        own = suits == kind
        others = own.sum() - own > 0
        mean = unit_rows(either[own].sum(axis=0) - np.where(own[:, None], either, 0))
        like[others, k] = np.einsum("kb,kb->k", units, mean)[others]
    return np.asarray(kinds[like.argmax(axis=1)] == suits)


def _with_badges_seen(templates: Templates, learned: Templates) -> Templates:
    """The templates with badges as they are seen, either way up: a face's own where two cards show
    it, else the mean of its suit's, or of all where none of these is seen. What the deck draws
    there is another printing's.
    """
    white, ink = templates.white.copy(), templates.ink.copy()
    badge = np.flatnonzero(templates.badge)
    known = np.flatnonzero(learned.badge_known)
    either = templates.ink[:-2, badge].mean(axis=0)
    ink[:-2, badge] = (either + either[::-1]) / 2
    for row, suit in enumerate(templates.suit[:-2].tolist()):
        own = known[templates.suit[known] == suit]
        own = np.array([row]) if learned.badge_often[row] else own
        mean = learned.white[np.ix_(own if len(own) else known, badge)].mean(axis=0)
        white[row, badge] = (mean + mean[::-1]) / 2
    return replace(templates, white=white, ink=ink)


def _one_way(seen: Map32) -> Map32:
    """Badges (K, B) of one face, turned half round where that makes them plainly more like the
    first: cards lie either way up, and printings have some badges half turned.
    """
    units, turned = unit_rows(seen), seen[:, ::-1]
    like, like_turned = (unit_rows(way) @ units[0] for way in (seen, turned))
    plainly = like_turned - like >= BADGE_LEAD * np.maximum(1 - like, LEAST_APART)
    return np.where(plainly[:, None], turned, seen)


def _plainly_named(
    patches: Patches, visible: Map32, templates: Templates, marks: NDArray[np.bool_]
) -> tuple[Ints, Ints, FloatArray]:
    """Cards (K,) that their shapes plainly name, their faces (K,), and by how much these explain
    them better than any other, mm².
    """
    scores = score_faces(patches, templates, np.where(marks, np.float32(0), visible))
    misfit = scores.misfit[:, :-4].reshape(len(patches), -1, 4).min(axis=2)
    face = misfit.argmin(axis=1)
    own = np.take_along_axis(misfit, face[:, None], axis=1)
    others = np.where(np.arange(misfit.shape[1]) == face[:, None], np.inf, misfit)
    by_mm2 = (others.min(axis=1) - own[:, 0]) * scores.area_mm2
    plain = by_mm2 > PLAINLY_NAMED_MM2
    plain &= own[:, 0] < WORST_FIT * np.maximum(scores.energy, 1e-6)
    cards = np.flatnonzero(plain)
    return cards, face[cards], by_mm2[cards]
