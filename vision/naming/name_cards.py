"""What each card is: face, side and turn, from what shows of it; and poses to a tenth of a mm."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from vision.arrays import Bools, FloatArray, Ints, Map32, unit_rows
from vision.drawing.alignment import ShownDrawings, align, align_bent
from vision.drawing.bend import stacked
from vision.drawing.coverage import Coverage, TopMap, cover
from vision.drawing.pose_fit import place_each
from vision.drawing.printed_deck import PrintedDeck
from vision.drawing.templates import THINNING, Templates
from vision.evidence import Evidence
from vision.naming.faces import FaceScores, Patches, cut_out, raise_badges, score_faces
from vision.raster import look_up

LEAST_BADGE = 0.3
"""A badge where the card's middle should be: true ones reach 0.5 to 0.8, chance below 0.25."""
ROUGHLY_EVERY = 2 * THINNING
"""Faces are compared on fewer places where they are only to tell how cards lie over one another."""
WORST_PLAIN_FIT = 0.95
"""The same of what has a card's frame and badge: others may hide all of it that fits well."""
WORST_FIT = 0.62
"""Of the misfit that an all-black card would have; a right face reaches 0.1 to 0.4."""


@dataclass(frozen=True, eq=False)
class Named:
    """Cards as they lie: `poses` (N, 3), or (N, 9) where any is bent
    (vision/drawing/bend.py), template `rows` (N,), `fit` (N,) the misfit as a share of a black
    card's, `margin` (N,) how clearly the next other reading is worse, from 0 to 1, `ink` (N, 3),
    and `haze` (N, 3), or (3,) for all, what tints black and ink alike, as in `FaceScores`.
    """

    poses: FloatArray
    rows: Ints
    fit: FloatArray
    margin: FloatArray
    ink: FloatArray
    haze: FloatArray = field(default_factory=lambda: np.zeros(3))

    def __len__(self) -> int:
        return len(self.rows)

    def take(self, keep: Bools | Ints) -> Named:
        """Some of the cards, in the order given."""
        return Named(
            self.poses[keep], self.rows[keep], self.fit[keep], self.margin[keep], self.ink[keep],
            self.each_haze[keep],
        )  # fmt: skip

    @property
    def each_haze(self) -> FloatArray:
        """Every card's haze (N, 3)."""
        return np.broadcast_to(self.haze, self.ink.shape)

    def joined(self, other: Named) -> Named:
        """These cards and then the others."""
        return Named(
            stacked(self.poses, other.poses),
            np.concatenate([self.rows, other.rows]),
            np.concatenate([self.fit, other.fit]),
            np.concatenate([self.margin, other.margin]),
            np.vstack([self.ink, other.ink]),
            np.vstack([self.each_haze, other.each_haze]),
        )

    def with_card(self, pose: FloatArray, row: int, fit: float) -> Named:
        """One more card, whose ink is unknown (none)."""
        return Named(
            stacked(self.poses, pose[None]),
            np.append(self.rows, row),
            np.append(self.fit, fit),
            np.append(self.margin, 1.0),
            np.vstack([self.ink, np.zeros((1, 3))]),
            np.vstack([self.each_haze, np.zeros((1, 3))]),
        )


def name_cards(
    evidence: Evidence, poses: FloatArray, printed: PrintedDeck, plain: int = 0
) -> tuple[Named, Patches]:
    """Name cards at rough poses, each known up to a half turn; drop what is no card, of the first
    so many, which are plainly cards, only what is like none at all.

    Also the cards cut out as they lie.
    """
    current, patches = poses, cut_out(evidence, poses, printed.templates)
    worst = np.where(np.arange(len(poses)) < plain, WORST_PLAIN_FIT, WORST_FIT)
    named = _named(evidence, current, patches, printed)
    while len(named) and (named.fit >= worst).any():
        kept = np.arange(len(current)) != (named.fit - worst).argmax()
        current, patches, worst = current[kept], patches.take(kept), worst[kept]
        named = _named(evidence, current, patches, printed)
    return named, patches


def with_badges(evidence: Evidence, poses: FloatArray, templates: Templates) -> FloatArray:
    """Those of rough poses (N, 3) that are like a badge in their middle, each place once."""
    return _unique(poses[badge_like(evidence, poses, templates) > LEAST_BADGE])


def dots_on(named: Named, cards: Ints, templates: Templates) -> tuple[FloatArray, Ints]:
    """The dots (D, 2) of some cards, in each one's own frame as it is seen, mirrored where it
    shows its back, mm; and whose they are (D,), card by card.
    """
    dots = [templates.dots_mm[row] for row in named.rows[cards].tolist()]
    owner = np.repeat(cards, [len(own) for own in dots])
    return np.concatenate([np.empty((0, 2)), *dots]), owner


def placed(named: Named, spots_mm: FloatArray, owner: Ints) -> FloatArray:
    """Where spots (D, 2) in their owners' (D,) own frames lie on the table (D, 2), mm."""
    return np.asarray(place_each(named.poses[owner], spots_mm[:, None])[:, 0])


def half_turned(poses: FloatArray) -> FloatArray:
    """The same poses (N, 3) turned by 180 degrees."""
    return np.asarray(poses + np.array([0.0, 0.0, np.pi]))


def badge_fit(
    evidence: Evidence, poses: FloatArray, templates: Templates, every: int = 1
) -> FloatArray:
    """Best correlation (N,) of any face's badge and symbol with the white seen there, in all
    places or in every so many.
    """
    places_mm, drawn = _badges_drawn(templates, every)
    at = evidence.raster.to_raster(place_each(poses, places_mm[None]))
    seen = look_up(evidence.white, at).astype(np.float32)
    return np.asarray((unit_rows(seen) @ drawn.T).max(axis=1), np.float64)


@lru_cache(maxsize=8)
def _badges_drawn(templates: Templates, every: int) -> tuple[Map32, Map32]:
    """Places (K, 2) of the badge and the symbol, one in so many, mm, and every face's white there
    (F, K), less its mean and of length 1: with a whole symbol, also where it may be at either end.
    """
    places = np.flatnonzero(templates.badge | templates.symbol)[::every]
    drawn, symbol = templates.white[:-2:2, places], templates.symbol[places]
    drawn[:, symbol] = drawn[:, symbol].max(axis=0)
    return templates.grid_mm[places].astype(np.float32), unit_rows(drawn)


def badge_like(evidence: Evidence, poses: FloatArray, templates: Templates) -> FloatArray:
    """`badge_fit` (N,) of poses that are known up to a half turn: the better of both."""
    turned = badge_fit(evidence, half_turned(poses), templates)
    return np.asarray(np.maximum(badge_fit(evidence, poses, templates), turned))


def _unique(poses: FloatArray) -> FloatArray:
    """Leave out poses whose middle lies within 5 mm of an earlier one at the same angle."""
    gap = np.linalg.norm(poses[:, None, :2] - poses[None, :, :2], axis=2)
    turn = np.abs(np.sin(poses[:, None, 2] - poses[None, :, 2]))
    same = (gap < 5) & (turn < 0.1)
    kept: list[int] = []
    for i in range(len(poses)):
        if not same[i, kept].any():
            kept.append(i)
    return poses[kept]


def _named(evidence: Evidence, poses: FloatArray, patches: Patches, printed: PrintedDeck) -> Named:
    alone = alone_weight(
        poses, cover(evidence.raster, poses, printed.deck.card, 0.4), printed.templates
    )
    return _best(poses, patches, alone, printed.templates)


def alone_weight(poses: FloatArray, coverage: Coverage, templates: Templates) -> Map32:
    """1 (N, P) where no other body lies, 0 elsewhere."""
    return (coverage.counts_on(poses, templates) <= 1).astype(np.float32)


def top_weight(poses: FloatArray, top: TopMap, templates: Templates) -> Map32:
    """1 (N, P) where this card itself lies on top, 0 elsewhere."""
    seen = top.on(poses, templates)
    return np.asarray(seen == np.arange(1, len(poses) + 1, dtype=seen.dtype)[:, None], np.float32)


def _best(poses: FloatArray, patches: Patches, weight: Map32, templates: Templates) -> Named:
    return choose(poses, score_faces(patches, templates, weight, ROUGHLY_EVERY))


def weighed(patches: Patches, weight: Map32, templates: Templates) -> Patches:
    """Patches that speak only where `weight` (N, P) says so, their badges loudest."""
    both = patches.weight * weight
    raise_badges(both, np.flatnonzero(templates.badge))
    return Patches(patches.pixels, both, patches.poses)


def choose(poses: FloatArray, scores: FaceScores, start_too: bool = False) -> Named:
    """Take the best hypothesis of every card, and how far the next other face lies behind.

    There is one starting card, found by a search of its own: its face, the
    last, is left out unless it is asked for.
    """
    misfit = scores.misfit if start_too else scores.misfit[:, :-4]
    best = misfit.argmin(axis=1)
    rows = best // 2
    lie = poses.copy()
    lie[:, 2] += np.pi * (best % 2)
    own = np.take_along_axis(misfit, best[:, None], axis=1)[:, 0]
    face = np.arange(misfit.shape[1]) // 4
    others = np.where(face[None] == (rows // 2)[:, None], np.inf, misfit)
    energy = np.maximum(scores.energy, 1e-6)
    gap = (others.min(axis=1) - own) / energy
    return Named(lie, rows.astype(np.int64), own / energy, gap, scores.ink, scores.haze)


def refine(
    evidence: Evidence, named: Named, weights: Map32, templates: Templates, passes: int = 3
) -> Named:
    """Align every card's drawing with the picture where `weights` (N, P) says it shows."""
    drawn = ShownDrawings(named.rows, weights, templates)
    poses, _ = align(evidence, named.poses, drawn, passes)
    return replace(named, poses=poses)


def refine_and_bend(
    evidence: Evidence, named: Named, weights: Map32, templates: Templates, passes: int
) -> Named:
    """As `refine`, and cards bent where that explains the picture clearly better."""
    drawn = ShownDrawings(named.rows, weights, templates)
    poses = align_bent(evidence, named.poses, drawn, passes)
    return replace(named, poses=poses)
