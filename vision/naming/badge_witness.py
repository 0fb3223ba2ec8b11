"""What a badge that plainly shows says of its card's face, wherever the card's curl has put it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from vision.arrays import Bools, FloatArray, Ints, Map32
from vision.cores import shared_out
from vision.drawing.templates import TEMPLATE_DENSITY, Templates
from vision.naming.faces import FaceScores, Patches, unit_rows

SHIFT_MM = 2.0
"""A curl of 2 mm lifts a badge about so far off its place."""
LEAST_SHOWN = 0.85
PLAINLY_ALIKE = 0.75
"""Badges that are seen well correlate with their own drawing by 0.8 to 0.97."""
BADGE_LEAD = 0.4
"""Of what two badges differ by: right ones lead by more in nine cases of ten, wrong ones never by
more than 0.2."""
GAINSAID_MM2 = 2000.0
"""More than glare, curl, clutter, or another card that was first taken for a part of it, cost the
right reading on the rest of a card."""
MOST_LIKE_IT = 2
"""A badge looks the same on either side of its face."""
FEWEST_COMPARED = 48
"""Badges compared by one thread."""
LEAST_VARIED = 0.05
"""Of a drawing's whole variance: where so little of it shows, it is like anything."""
COMPARED_AT_ONCE = 128
"""Badges, each in all its places, compared in one go."""
LEAST_APART = 0.03
"""Two drawings that correlate by all but this look the same."""


def heeding_badges(
    scores: FaceScores, patches: Patches, visible: Map32, templates: Templates
) -> FaceScores:
    """The scores, those of hypotheses worse by up to `GAINSAID_MM2` that a card's own badge
    gainsays: a badge seen on other cards is worth no more than what names these.
    """
    cards = np.arange(len(scores.misfit))
    like = _likenesses(patches, visible, cards, templates, 0.0)
    leads, worth_mm2 = like.likely_leads(like.own), like.worth_mm2(like.own)
    unclear = np.flatnonzero(
        (np.where(like.drawn > 0, leads, 1.0) < BADGE_LEAD).sum(axis=1) > MOST_LIKE_IT
    )
    like = like.sought(patches, visible, unclear)
    leads[unclear], worth_mm2[unclear] = like.likely_leads(like.own), like.worth_mm2(like.own)
    worse = (worth_mm2 / scores.area_mm2)[:, None] * (leads >= BADGE_LEAD)
    misfit = scores.misfit + worse
    return replace(scores, misfit=misfit)


class Gainsaid(NamedTuple):
    """Whose badge (N,) plainly shows, and shows another face than the card has; and whose `looks`
    (N,) much like that of its own face for all that, as the deck or as other cards have it.

    The other side of a face has the same badge, and so has the card turned. A starting card has no
    badge that tells.
    """

    badge: Bools
    looks: Bools


def gainsaid(rows: Ints, patches: Patches, visible: Map32, templates: Templates) -> Gainsaid:
    """Which cards' badges gainsay their faces, by their rows (N,)."""
    badge, looks = np.zeros((2, len(rows)), np.bool_)
    own = 4 * (rows // 2)[:, None] + np.arange(4)
    # Nearly all look much and most like their own where they are; only others are looked for.
    like = _likenesses(patches, visible, np.arange(len(rows)), templates, 0.0)
    plain = np.take_along_axis(like.drawn, own, axis=1).max(axis=1) >= PLAINLY_ALIKE
    other = ~plain | (like.own // 4 != rows // 2)
    open_ = np.flatnonzero(other & (rows < templates.start_row))
    like = like.sought(patches, visible, open_)
    leads = like.leads(like.own)
    badge[open_] = np.take_along_axis(leads, own[open_], axis=1).min(axis=1) >= BADGE_LEAD
    looks[open_] = np.take_along_axis(like.either, own[open_], axis=1).max(axis=1) >= PLAINLY_ALIKE
    return Gainsaid(badge, looks)


def shown_leads(
    patches: Patches, visible: Map32, cards: Ints, own: Ints, templates: Templates
) -> FloatArray:
    """By how much (K, H) badges of these cards look more like those of the hypotheses `own` (K,)
    than like each other one's, as `badge_leads` has it; by badges seen where both are.
    """
    return _likenesses(patches, visible, cards, templates).leads(own)


@dataclass(frozen=True, eq=False)
class _Likenesses:
    """How well (K, H) badges look like those drawn, and like those seen on this table's cards."""

    templates: Templates
    drawn: FloatArray
    seen: FloatArray | None

    def sought(self, patches: Patches, visible: Map32, some: Ints) -> _Likenesses:
        """Those of some of the cards, the drawn ones looked for off their place as well."""
        drawn = badge_likeness(patches, visible, some, self.templates)
        return _Likenesses(self.templates, drawn, None if self.seen is None else self.seen[some])

    @property
    def either(self) -> FloatArray:
        """How well (K, H) they look like the one or the other."""
        return self.drawn if self.seen is None else np.maximum(self.drawn, self.seen)

    @property
    def own(self) -> Ints:
        """The hypotheses (K,) they look most like."""
        like = self.drawn
        if self.seen is not None and self.templates.learned is not None:
            like = np.where(np.repeat(self.templates.learned.badge_known, 2), self.seen, like)
        return np.asarray(like.argmax(axis=1), np.int64)

    def leads(self, own: Ints) -> FloatArray:
        """`badge_leads` of the hypotheses `own` (K,)."""
        leads = badge_leads(self.drawn, own, self.templates)
        if self.seen is None or self.templates.learned is None:
            return leads
        learned = self.templates.learned
        known, often = np.repeat(learned.badge_known, 2), np.repeat(learned.badge_often, 2)
        seen = badge_leads(self.seen, own, learned)
        # One card may be smeared: it is believed where the drawing agrees.
        seen = np.where(often[own][:, None] & often, seen, np.minimum(seen, leads))
        leads = np.where(known[own][:, None] & known, seen, leads)
        return np.asarray(np.fmax(self._suit_leads(own), leads))

    def likely_leads(self, own: Ints) -> FloatArray:
        """As `leads`, and also over badges that no card shows, or one alone, which may be smeared.

        How like the hypothesis's own such a badge is taken to be: as like as the drawings are,
        scaled as those seen differ from theirs, and no less than any other badge seen is.
        """
        leads, learned = self.leads(own), self.templates.learned
        if self.seen is None or learned is None:
            return leads
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
        return np.asarray(np.where(told, np.maximum(likely, leads), leads))

    def worth_mm2(self, own: Ints) -> FloatArray:
        """What the word (K,) is worth of badges that look most like the hypotheses `own` (K,)."""
        learned = self.templates.learned
        if learned is None:
            return np.full(len(own), GAINSAID_MM2)
        named = np.where(learned.badge_known, learned.badge_mm2, GAINSAID_MM2)
        return np.asarray(np.minimum(np.repeat(named, 2)[own], GAINSAID_MM2))

    def _suit_leads(self, own: Ints) -> FloatArray:
        """The leads (K, H) over hypotheses of other suits, where both suits are seen on two cards
        or more, and NaN elsewhere: a suit's outline is known from any of its faces.
        """
        out = np.full((len(own), self.drawn.shape[1]), np.nan)
        learned = self.templates.learned
        if self.seen is None or learned is None:
            return out
        suit, known = np.repeat(learned.suit, 2), np.repeat(learned.badge_known, 2)
        often = known & np.repeat(learned.badge_often, 2)
        likeness, look = np.zeros((len(own), suit.max() + 1)), {}
        for one in np.unique(suit[known]).tolist():
            some = np.flatnonzero(known & (suit == one))
            # Four hypotheses are one face, of which a card lies one way up.
            faces = self.seen[:, some].reshape(len(own), len(some) // 4, 4).max(axis=2)
            if faces.shape[1] > 1 or often[some].any():
                likeness[:, one] = np.median(faces, axis=1)
                look[one] = unit_rows(_badges(learned)[some].mean(axis=0, keepdims=True))[0]
        for one, mine in look.items():
            cards = np.flatnonzero(suit[own] == one)
            witness = likeness[cards, one] >= PLAINLY_ALIKE
            for other in look.keys() - {one}:
                apart = max(1 - float(mine @ look[other]), LEAST_APART)
                lead = witness * (likeness[cards, one] - likeness[cards, other]) / apart
                out[np.ix_(cards, np.flatnonzero(suit == other))] = lead[:, None]
        return out


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


def _likenesses(
    patches: Patches, visible: Map32, cards: Ints, templates: Templates, shift_mm: float = SHIFT_MM
) -> _Likenesses:
    drawn = badge_likeness(patches, visible, cards, templates, shift_mm)
    if templates.learned is None:
        return _Likenesses(templates, drawn, None)
    # Those seen lie off each other, as cards' prints do, wherever they are sought.
    seen = badge_likeness(patches, visible, cards, templates.learned)
    return _Likenesses(templates, drawn, seen)


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
    badge, drawn = np.flatnonzero(templates.badge), _badges(templates)

    def shown(some: Ints, places: Ints) -> Bools:
        """Where (n, ...) cards show at places of the grid."""
        at = np.add.outer(some * visible.shape[1], places)
        return np.asarray((np.take(visible, at) > 0.5) & (np.take(patches.weight, at) > 0))

    out = np.zeros((len(cards), len(drawn)))
    rows, columns = np.divmod(badge, templates.shape_hw[1])
    reach = round(shift_mm * TEMPLATE_DENSITY)
    moves = np.arange(-reach, reach + 1)
    down, right = (move.ravel()[:, None] for move in np.meshgrid(moves, moves))
    places = (rows + down) * templates.shape_hw[1] + columns + right
    witnesses = np.flatnonzero(shown(cards, badge).mean(axis=1) > LEAST_SHOWN)
    at_once = max(1, COMPARED_AT_ONCE // len(places))

    def compare(part: slice) -> None:
        for first in range(part.start, part.stop, at_once):
            some = witnesses[first : min(first + at_once, part.stop)]
            here = shown(cards[some], places).astype(np.float32)
            at = np.add.outer(cards[some] * visible.shape[1], places)
            seen = (
                np.take(patches.pixels.view(np.uint32), at)
                .view(np.uint8)[..., 3::4]
                .astype(np.float32)
            )
            likeness = _correlation(
                seen.reshape(-1, len(badge)), here.reshape(-1, len(badge)), drawn
            )
            likeness = likeness.reshape(*here.shape[:2], -1)
            likeness[here.mean(axis=2) < LEAST_SHOWN] = 0
            out[some] = likeness.max(axis=1)

    shared_out(compare, len(witnesses), FEWEST_COMPARED)
    # The starting card has no badge: what is burnt out looks like it.
    out[:, 2 * templates.start_row :] = 0
    return out


def _correlation(seen: Map32, weight: Map32, drawn: Map32) -> FloatArray:
    """Of what is seen (M, B) with each drawing (H, B), where `weight` (M, B) is 1: (M, H)."""
    number = np.maximum(weight.sum(axis=1, keepdims=True), 1.0)
    away = (seen - (seen * weight).sum(axis=1, keepdims=True) / number) * weight
    own = np.sqrt((away**2).sum(axis=1, keepdims=True))
    other = np.empty((len(seen), len(drawn)), np.float32)
    whole = weight.all(axis=1)
    other[whole] = np.square(drawn).sum(axis=1) - drawn.sum(axis=1) ** 2 / drawn.shape[1]
    part = weight[~whole]
    other[~whole] = part @ (drawn**2).T - (part @ drawn.T) ** 2 / number[~whole]
    like = away @ drawn.T / np.maximum(own * np.sqrt(np.maximum(other, LEAST_VARIED)), 1e-6)
    return np.asarray(np.where(other > LEAST_VARIED, like, 0))


@lru_cache(maxsize=4)
def _badges(templates: Templates) -> Map32:
    """Every hypothesis's badge (H, B), the card turned or not, of length 1."""
    both = np.stack([templates.white, templates.white[:, ::-1]], axis=1)
    return unit_rows(both.reshape(-1, both.shape[2])[:, templates.badge])
