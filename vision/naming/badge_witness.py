"""What a badge that plainly shows says of its card's face, wherever the card's curl has put it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from vision.arrays import Bools, FloatArray, Ints, Map32, unit_rows
from vision.drawing.templates import Templates
from vision.memo import Memo
from vision.naming.badge_correlation import (
    BADGE_LEAD,
    LEAST_APART,
    LEAST_SHOWN,
    PLAINLY_ALIKE,
    SHIFT_MM,
    Drawn,
    compared,
)
from vision.naming.badge_outlines import Outlines, outlines_seen
from vision.naming.faces import FaceScores, Patches
from vision.naming.others_badges import like_faces

GAINSAID_MM2 = 2000.0
"""More than glare, curl, clutter, or another card that was first taken for a part of it, cost the
right reading on the rest of a card."""
MOST_LIKE_IT = 2
"""A badge looks the same on either side of its face."""
_LOOKS: Memo[Patches, _Likenesses] = Memo()


def heeding_badges(
    scores: FaceScores, patches: Patches, visible: Map32, templates: Templates
) -> FaceScores:
    """The scores, those of hypotheses worse by up to `GAINSAID_MM2` that a card's own badge
    gainsays: a badge seen on other cards is worth no more than what names these.
    """
    like = _likenesses(patches, visible, templates)
    leads, worth_mm2 = like.likely_leads(like.own), like.worth_mm2(like.own)
    unclear = np.flatnonzero(
        (np.where(like.drawn > 0, leads, 1.0) < BADGE_LEAD).sum(axis=1) > MOST_LIKE_IT
    )
    like = like.sought(patches, visible, unclear)
    leads[unclear], worth_mm2[unclear] = like.likely_leads(like.own), like.worth_mm2(like.own)
    worse = worth_mm2 / scores.area_mm2[:, None] * (leads >= BADGE_LEAD)
    misfit = scores.misfit + worse
    return replace(scores, misfit=misfit)


class Gainsaid(NamedTuple):
    """Whose badge (N,) plainly shows, and shows another face than the card has; and how much such a
    badge looks like each face's (N, F), as the deck or as other cards have it, 0 to 1. `looks`
    (N,): whether that is much like its own for all that.

    The other side of a face has the same badge, and so has the card turned. A starting card has no
    badge that tells.
    """

    badge: Bools
    looks: Bools
    like: FloatArray

    def plainly_more_like(self, card: int, faces: Sequence[int], own: int) -> bool:
        """Whether one card's badge is plainly more like one of these faces' than like its `own`
        face's, by a share of what that leaves open.
        """
        like = self.like[card]
        lead = (like[list(faces)] - like[own]) / max(LEAST_APART, 1 - like[own])
        return bool((lead >= BADGE_LEAD).any())


def gainsaid(rows: Ints, patches: Patches, visible: Map32, templates: Templates) -> Gainsaid:
    """Which cards' badges gainsay their faces, by their rows (N,): none does that looks as those of
    the other cards read as that face do, whatever face's a badge of this typeface is most like.
    """
    badge, looks = np.zeros((2, len(rows)), np.bool_)
    own = 4 * (rows // 2)[:, None] + np.arange(4)
    # Nearly all look much and most like their own where they are; only others are looked for.
    like = _likenesses(patches, visible, templates)
    plain = np.take_along_axis(like.drawn, own, axis=1).max(axis=1) >= PLAINLY_ALIKE
    other = ~plain | (like.own // 4 != rows // 2)
    open_ = np.flatnonzero(other & (rows < templates.start_row))
    like = like.sought(patches, visible, open_)
    leads, either = like.least_leads(like.own), like.either
    # A badge that is drawn out of shape by a curl has an outline like another suit's, and no value.
    most = np.take_along_axis(either, like.own[:, None], axis=1)[:, 0]
    lead = np.take_along_axis(leads, own[open_], axis=1).min(axis=1)
    told = (most >= PLAINLY_ALIKE) & (lead >= BADGE_LEAD)
    if told.any():
        others = like_faces(rows, patches, visible, templates)[open_, rows[open_] // 2]
        # Each of two cards has noise of its own: it is nearer to what is printed than to the other.
        others = np.sqrt(np.nan_to_num(others).clip(0, 1))
        told &= most - others >= BADGE_LEAD * np.maximum(LEAST_APART, 1 - others)
    badge[open_] = told
    of_faces = np.zeros((len(rows), either.shape[1] // 4))
    of_faces[open_] = either.reshape(len(open_), of_faces.shape[1], 4).max(axis=2)
    looks[open_] = of_faces[open_, rows[open_] // 2] >= PLAINLY_ALIKE
    return Gainsaid(badge, looks, of_faces)


def shown_leads(
    patches: Patches, visible: Map32, cards: Ints, own: Ints, templates: Templates
) -> FloatArray:
    """By how much (K, H) badges of these cards look more like those of the hypotheses `own` (K,)
    than like each other one's, as `badge_leads` has it; by badges seen where both are.
    """
    return _likenesses(patches, visible, templates).sought(patches, visible, cards).leads(own)


@dataclass(frozen=True, eq=False)
class _Likenesses:
    """How well (K, H) badges look like those drawn, and like those seen on this table's cards."""

    templates: Templates
    drawn: FloatArray
    seen: FloatArray | None
    outlines: Outlines

    def sought(self, patches: Patches, visible: Map32, some: Ints) -> _Likenesses:
        """Those of some of the cards, the drawn ones looked for off their place as well."""
        drawn = badge_likeness(patches, visible, some, self.templates)
        seen = None if self.seen is None else self.seen[some]
        return _Likenesses(self.templates, drawn, seen, self.outlines.take(some))

    @cached_property
    def either(self) -> FloatArray:
        """How well (K, H) they look like the one or the other."""
        return self.drawn if self.seen is None else np.maximum(self.drawn, self.seen)

    @cached_property
    def own(self) -> Ints:
        """The hypotheses (K,) they look most like."""
        like = self.drawn
        if self.seen is not None and self.templates.learned is not None:
            like = np.where(np.repeat(self.templates.learned.badge_known, 2), self.seen, like)
        like = np.where(self.outlines.others(self.templates), 0.0, like)
        return np.asarray(like.argmax(axis=1), np.int64)

    def leads(self, own: Ints) -> FloatArray:
        """`badge_leads` of the hypotheses `own` (K,)."""
        leads = badge_leads(self.drawn, own, self.templates)
        by_outline = self.outlines.leads(own, self.templates)
        if self.seen is None or self.templates.learned is None:
            return np.asarray(np.fmax(by_outline, leads))
        learned = self.templates.learned
        known, often = np.repeat(learned.badge_known, 2), np.repeat(learned.badge_often, 2)
        seen = badge_leads(self.seen, own, learned)
        # One card may be smeared: it is believed where the drawing agrees.
        seen = np.where(often[own][:, None] & often, seen, np.minimum(seen, leads))
        leads = np.where(known[own][:, None] & known, seen, leads)
        return np.asarray(np.fmax(by_outline, leads))

    def likely_leads(self, own: Ints) -> FloatArray:
        """As `leads`, and also over badges that no card shows, or one alone, which may be smeared:
        where either that or the drawing tells.
        """
        return np.asarray(np.fmax(self._likely(own), self.leads(own)))

    def least_leads(self, own: Ints) -> FloatArray:
        """The same where both tell: a drawing may be more like another typeface's digit."""
        return np.asarray(np.fmin(self._likely(own), self.leads(own)))

    def _likely(self, own: Ints) -> FloatArray:
        """The leads (K, H) of badges that cards show over those that no card shows, or one alone;
        NaN elsewhere.

        How like the hypothesis's own such a badge is taken to be: as like as the drawings are,
        scaled as those seen differ from theirs, and no less than any other badge seen is.
        """
        learned = self.templates.learned
        if self.seen is None or learned is None:
            return np.full((len(own), self.drawn.shape[1]), np.nan)
        known, often = np.repeat(learned.badge_known, 2), np.repeat(learned.badge_often, 2)
        drawn, seen = (_badges(one) for one in (self.templates, learned))
        other = known & (own[:, None] // 4 != np.arange(len(known)) // 4)
        others = np.where(other, _either_way(np.asarray(seen[own] @ seen.T, np.float64)), -1.0)
        nearest = others.max(axis=1, keepdims=True)
        unlike = 1 - _either_way(np.asarray(drawn[own] @ drawn.T, np.float64))
        alike = np.maximum(1 - _unlike_as_drawn(learned, drawn, seen) * unlike, nearest)
        like = _either_way(self.seen)
        mine = np.take_along_axis(like, own[:, None], axis=1)
        unlike = np.maximum(learned.badge_alike - alike, LEAST_APART)
        likely = (mine - np.maximum(like, alike)) / unlike
        # Nearer to how like that one would be than to how like badges of one face are.
        likely[2 * mine < alike + learned.badge_alike] = 0.0
        likely[(mine < PLAINLY_ALIKE) | (unlike <= LEAST_APART)] = 0.0
        told = known[own][:, None] & (nearest > 0) & ~(often[own][:, None] & often)
        return np.asarray(np.where(told, likely, np.nan))

    def worth_mm2(self, own: Ints) -> FloatArray:
        """What the word (K, H) is worth against each hypothesis of badges that look most like the
        hypotheses `own` (K,): what named the cards that show such a badge, and where the outline
        alone tells, what named the plainest of all that show one of that suit.
        """
        learned = self.templates.learned
        if learned is None:
            return np.full(self.drawn.shape, GAINSAID_MM2)
        suit, known = np.repeat(learned.suit, 2), np.repeat(learned.badge_known, 2)
        seen = np.where(known, np.repeat(learned.badge_mm2, 2), 0.0)
        of_suit = np.array([seen[suit == one].max() for one in suit])
        told = self.outlines.leads(own, self.templates) >= BADGE_LEAD
        of_face = np.where(known, seen, GAINSAID_MM2)
        worth = np.where(told, of_suit[own][:, None], of_face[own][:, None])
        return np.asarray(np.minimum(worth, GAINSAID_MM2))


def _unlike_as_drawn(learned: Templates, drawn: Map32, seen: Map32) -> float:
    """How many times as unlike as they are drawn (H, B) badges of one suit are seen (H, B) to be:
    typefaces differ, and so does how sharp a picture is. 1 where no two are seen.
    """
    faces = np.flatnonzero(np.repeat(learned.badge_known, 2))[::4]
    suit = np.repeat(learned.suit, 2)[faces]
    pairs = np.triu(suit[:, None] == suit, 1)
    by_drawing, as_seen = (
        1 - np.maximum(one @ one.T, one @ one[:, ::-1].T)[pairs]
        for one in (drawn[faces], seen[faces])
    )
    if len(by_drawing) == 0:
        return 1.0
    return float(np.median(as_seen / np.maximum(by_drawing, LEAST_APART)))


def _likenesses(patches: Patches, visible: Map32, templates: Templates) -> _Likenesses:
    """Those of all cards cut out, the drawn ones where they should be."""

    def looked_at() -> _Likenesses:
        cards = np.arange(len(visible))
        drawn = badge_likeness(patches, visible, cards, templates, 0.0)
        outlines = outlines_seen(patches, visible, cards, templates)
        if templates.learned is None:
            return _Likenesses(templates, drawn, None, outlines)
        # Those seen lie off each other, as cards' prints do, wherever they are sought.
        seen = badge_likeness(patches, visible, cards, templates.learned)
        return _Likenesses(templates, drawn, seen, outlines)

    return _LOOKS.answer(patches, (visible, templates), looked_at)


def badge_leads(
    likeness: FloatArray, own: Ints, templates: Templates, least: float = PLAINLY_ALIKE
) -> FloatArray:
    """By how much (K, H) badges look more like those of the hypotheses `own` (K,) than like each
    other one's, as a share of what a perfect one would, or of what its own drawing leaves open
    where that is more: about 1 where they are right and plain, 0 where the two look the same, or
    the badge is no witness: its own likeness must be `least`.
    """
    drawn = _badges(templates)
    # A badge does not tell which way up its card lies: printings have some half turned.
    apart = 1 - _either_way(np.asarray(drawn[own] @ drawn.T, np.float64))
    likeness = _either_way(likeness)
    mine = np.take_along_axis(likeness, own[:, None], axis=1)
    leads = (mine - likeness) / np.maximum(np.maximum(apart, LEAST_APART), 1 - mine)
    suit, known = np.repeat(templates.suit, 2), np.repeat(templates.badge_known, 2)
    # Of a badge of which no more than the suit is known the value tells nothing.
    open_ = (suit[own][:, None] == suit) & ~(known[own][:, None] & known)
    return np.asarray(np.where((mine >= least) & (apart >= LEAST_APART) & ~open_, leads, 0.0))


def _either_way(likeness: FloatArray) -> FloatArray:
    """Likenesses (K, H) to badges the way they lie best, the card turned or not."""
    ways = likeness.reshape(len(likeness), likeness.shape[1] // 2, 2).max(axis=2)
    return np.asarray(np.repeat(ways, 2, axis=1), np.float64)


def badge_likeness(
    patches: Patches, visible: Map32, cards: Ints, templates: Templates, shift_mm: float = SHIFT_MM
) -> FloatArray:
    """How well (K, H), by correlation, the badges of these cards look like each hypothesis's.

    Each is looked for up to `shift_mm` off its place, and compared where it shows. 0 for badges
    that are covered for the greater part: those are no witnesses. What is washed out is asked, too:
    where nothing is left of a badge, it is like none. Nothing is like the starting card's.
    """
    badges = _badges(templates)
    # The other side of a face has the same badge.
    hypotheses = np.arange(len(badges))
    sought = Drawn(badges[hypotheses % 4 < 2], templates.badge, templates.shape_hw, LEAST_SHOWN)
    like = compared(patches, visible, cards, sought, shift_mm)
    out = like[:, 2 * (hypotheses // 4) + hypotheses % 2]
    # The starting card has no badge: what is burnt out looks like it.
    out[:, 2 * templates.start_row :] = 0
    return out


@lru_cache(maxsize=4)
def _badges(templates: Templates) -> Map32:
    """Every hypothesis's badge (H, B), the card turned or not, of length 1."""
    both = np.stack([templates.white, templates.white[:, ::-1]], axis=1)
    return unit_rows(both.reshape(-1, both.shape[2])[:, templates.badge])
