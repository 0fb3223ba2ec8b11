"""Which face a card shows: every face, side and turn compared with the evidence at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cores import shared_out
from vision.drawing.bend import FLAT, widened
from vision.drawing.templates import TEMPLATE_DENSITY, THINNING, Templates, on_grid_of, thinned
from vision.evidence import HALF_LEVEL, Evidence, Image8
from vision.naming.face_inks import haze_slope, plain_inks

FloatArray = NDArray[np.float64]
Ints = NDArray[np.int64]
Map32 = NDArray[np.float32]
ALIKE_MM2 = 1.0
NEITHER = 0.12
"""A squared misfit above which a drawing does not explain a place."""
FINE_BLUR_MM = 1.25
SPOILT_BADGE = 0.22
"""Of what a badge draws: one misread by so much lies under a lamp's reflection, or something."""
BADGE_LOUDNESS = 6.0
"""A badge that shows names the face by itself (99.7 % of the time), whatever covers the rest."""
FEWEST_SCORED = 12
"""Cards scored by one thread."""
SAME_MM, SAME_RAD, SAME_BEND = 0.1, 0.002, 1e-6
"""Nobody could tell patches apart that were cut out so near each other, a fifth of the grid's step
aside, or turned by as much at a card's ends; nor bent by so little more, per mm."""
BURNT_WEIGHT = 0.02
"""Hardly anything, and yet enough to go by where nothing else shows."""
WASHED_WEIGHT = 0.5
"""Of a place: what is washed out, or outside the picture, has less."""
PLACE_MM2 = THINNING / TEMPLATE_DENSITY**2
"""What each place compared stands for."""
_COLOUR_BITS = np.array([255, 255, 255, 0], np.uint8).view(np.uint32)[0]


@dataclass(frozen=True, eq=False)
class Patches:
    """Cards cut out of the evidence on the templates' grid, unmirrored, at given poses.

    `pixels` (N, P, 4) uint8: BGR, balanced, and white, 255 where it is;
    `weight` (N, P) float32 from 0 to 1: how far a place speaks for its card.
    `poses` (N, 3 or 9) is where they were cut out; empty where nobody asks.
    """

    pixels: Image8
    weight: Map32
    poses: FloatArray = field(default_factory=lambda: np.empty((0, FLAT)))

    def __len__(self) -> int:
        return len(self.weight)

    @cached_property
    def least_weight(self) -> Map32:
        """The least weight (N,) of each card's places."""
        return np.asarray(self.weight.min(axis=1, initial=1.0))

    @property
    def white(self) -> Image8:
        """How white (N, P) places are, 255 is white."""
        return self.pixels[..., 3]

    @property
    def colour(self) -> Image8:
        """Places' colour (N, P, 3), BGR."""
        return self.pixels[..., :3]

    def take(self, cards: NDArray[np.bool_] | Ints) -> Patches:
        """Some of the cards."""
        poses = self.poses[cards] if len(self.poses) else self.poses
        return Patches(self.pixels[cards], self.weight[cards], poses)

    def at(self, cards: slice, places: Ints) -> Map32:
        """The pixels (n, Q, 4) of some cards at some places of the grid, as float32."""
        # As words of four bytes they are picked several times faster than byte by byte.
        words = np.take(self.pixels.view(np.uint32)[cards, :, 0], places, axis=1)
        return words.view(np.uint8).reshape(*words.shape, 4).astype(np.float32)


@dataclass(frozen=True, eq=False)
class FaceScores:
    """Mean squared misfit (N, H) of every hypothesis; lower is better.

    Hypothesis h = 2 * t + u: the template t (Templates' row), u = 1 where the
    card lies turned by 180 degrees from the pose that it was cut out at.
    `energy` (N,): the misfit of an all-black card. `ink` (N, 3): mean of the
    ink less its own grey, BGR levels; `strength` (N,) its length. `area_mm2` (N,): on how
    much of each card that mean was taken, loud places counted for more. `haze` (N, 3): what
    tints black and ink alike, BGR levels away from grey. `seen` (N, 2 Q): white and the ink's
    share at the places compared, `weight` (N, Q) how far each speaks for its card; `drawn` (N, H)
    how much a hypothesis draws there: its squares, weighed and added up.
    """

    misfit: FloatArray
    energy: FloatArray
    ink: FloatArray
    strength: FloatArray
    area_mm2: FloatArray
    haze: FloatArray
    seen: Map32
    weight: Map32
    drawn: Map32

    @staticmethod
    def joined(parts: Sequence[FaceScores]) -> FaceScores:
        """The scores of some cards and then of others."""
        names = [field.name for field in fields(FaceScores)]
        return FaceScores(*(np.concatenate([getattr(p, name) for p in parts]) for name in names))


@dataclass(frozen=True, eq=False)
class _Hypotheses:
    """What is compared: Q thinned `places` of the grid, and every hypothesis there.

    `badge` are those of them (indices) on the badge. `drawn` (H, 2 Q): white and then ink;
    `energy` (H, Q): the sum of their squares; `plain` (2, Q): 1 on places that are ink, and that
    are black, on every face. `place_mm2`: what each of them stands for.
    """

    places: Ints
    badge: Ints
    drawn: Map32
    energy: Map32
    plain: Map32
    place_mm2: float


def cut_out(
    evidence: Evidence, poses: FloatArray, templates: Templates, known: Patches | None = None
) -> Patches:
    """Sample every card's patch; the weight is 1 inside the picture and where not burnt out.

    Cards that were cut out of the same evidence before, at much the same pose or turned by half a
    turn, are taken from the `known` patches.
    """
    if known is None or len(known.poses) == 0:
        return _cut_out(evidence, poses, templates)
    before, turned = _known(poses, known.poses)
    new = np.flatnonzero(before < 0)
    if len(new) == len(poses):
        return _cut_out(evidence, poses, templates)
    cut_at = _cut_at(poses, known.poses, before, turned)
    pixels = np.empty((len(poses), *known.pixels.shape[1:]), np.uint8)
    weight = np.empty(pixels.shape[:2], np.float32)
    words, known_words = (p.view(np.uint32)[..., 0] for p in (pixels, known.pixels))
    for i, k in enumerate(before.tolist()):
        # The grid is its own half turn.
        way = slice(None, None, -1 if turned[i] else 1)
        if k >= 0:
            words[i], weight[i] = known_words[k, way], known.weight[k, way]
    if len(new):
        fresh = _cut_out(evidence, poses[new], templates)
        pixels[new], weight[new] = fresh.pixels, fresh.weight
    return Patches(pixels, weight, cut_at)


def _cut_at(
    poses: FloatArray, known: FloatArray, before: Ints, turned: NDArray[np.bool_]
) -> FloatArray:
    """Where cards (N,) were cut out, as in `cut_out`: no patch is taken for one farther and
    farther from where that was.
    """
    old = before >= 0
    own, other = poses.copy(), widened(known)[before[old]]
    other[:, 2] += np.pi * turned[old]
    own[old] = other[:, : own.shape[1]]
    return own


def _known(poses: FloatArray, known: FloatArray) -> tuple[Ints, NDArray[np.bool_]]:
    """Which of the known poses each pose (N,) is, -1 for none, and whether half a turn from it."""
    own, other = widened(poses)[:, None], widened(known)[None]
    turn = own[..., 2] - other[..., 2]
    off = np.abs(own - other)
    same = (off[..., :2] < SAME_MM).all(axis=2) & (off[..., FLAT:] < SAME_BEND).all(axis=2)
    same &= np.abs(np.sin(turn)) < SAME_RAD
    first = same.argmax(axis=1)
    turned = np.take_along_axis(np.cos(turn), first[:, None], axis=1)[:, 0] < 0
    return np.where(same.any(axis=1), first, -1), np.asarray(turned)


def _cut_out(evidence: Evidence, poses: FloatArray, templates: Templates) -> Patches:
    pixels = on_grid_of(evidence.with_white, evidence.raster, poses, templates)
    weight = np.ones(pixels.shape[:2], np.float32)
    near = _near_washed(evidence, poses, templates)
    if len(near):
        washed = on_grid_of(evidence.washed, evidence.raster, poses[near], templates)
        weight[near] = np.where(washed > HALF_LEVEL, np.float32(BURNT_WEIGHT), np.float32(1))

    def outside(cards: slice) -> None:
        # One card's places stay in the cache from one step to the next.
        for words, own in zip(pixels[cards].view(np.uint32)[..., 0], weight[cards], strict=True):
            colour = words & _COLOUR_BITS
            if not colour.min():
                own[colour == 0] = 0

    shared_out(outside, len(poses), FEWEST_SCORED)
    return Patches(pixels, weight, poses)


def _near_washed(evidence: Evidence, poses: FloatArray, templates: Templates) -> Ints:
    """Cards (K,) with something washed out in the square that holds them however turned."""
    if not cv2.hasNonZero(evidence.washed):
        return np.empty(0, np.int64)
    reach = float(np.hypot(*templates.grid_mm[0])) * evidence.raster.density + 2
    middle = evidence.raster.to_raster(poses[:, :2])
    low = np.maximum(middle - reach, 0).astype(int).tolist()
    high = np.maximum(middle + reach, 0).astype(int).tolist()
    parts = (evidence.washed[y0:y1, x0:x1] for (x0, y0), (x1, y1) in zip(low, high, strict=True))
    return np.flatnonzero([part.size > 0 and cv2.hasNonZero(part) for part in parts])


def score_faces(
    patches: Patches, templates: Templates, shown: Map32 | None = None, every: int = THINNING
) -> FaceScores:
    """Compare all hypotheses with all cards by matrix products, on one in so many places, and all
    of the badge's.

    `shown` (N, P) says how far each place shows; badges that show are loudest then.
    """
    hypotheses = _hypotheses(templates, every)

    def scored(cards: slice) -> FaceScores:
        if shown is None:
            weight = np.take(patches.weight[cards], hypotheses.places, axis=1)
        else:
            weight = np.take(shown[cards], hypotheses.places, axis=1)
            # Of nearly all cards every place speaks in full.
            some = np.flatnonzero(patches.least_weight[cards] < 1)
            weight[some] *= np.take(patches.weight[cards][some], hypotheses.places, axis=1)
            raise_badges(weight, hypotheses.badge, BADGE_LOUDNESS * THINNING / every)
        return _scored(patches.at(cards, hypotheses.places), weight, hypotheses)

    parts = shared_out(scored, len(patches.weight), FEWEST_SCORED)
    return parts[0] if len(parts) == 1 else FaceScores.joined(parts)


def raise_badges(weight: Map32, badge: Ints, loudness: float = BADGE_LOUDNESS) -> None:
    """Make the badges' columns of the weights (N, Q) loud, in place, where not washed out: a lamp
    over a badge says no more than one over the rest.
    """
    own = weight[:, badge]
    weight[:, badge] = np.where(own > BURNT_WEIGHT, own * np.float32(loudness), own)


def _scored(pixels: Map32, weight: Map32, hypotheses: _Hypotheses) -> FaceScores:
    """The scores of cards by their pixels (N, Q, 4) and weights (N, Q).

    Where black is lit unevenly it may be a haze that fades over the card, or something that lies
    on it: whichever leaves a face that explains more.
    """
    even = _scored_in(pixels, weight, hypotheses, None)
    slope = haze_slope(pixels, weight, hypotheses.plain[1])
    cards = np.flatnonzero(slope.any(axis=1))
    if len(cards) == 0:
        return even
    fading = _scored_in(pixels[cards], weight[cards], hypotheses, slope[cards])
    left = [s.misfit.min(axis=1) / np.maximum(s.energy, 1e-6) for s in (fading, even)]
    better = left[0] < left[1][cards]
    for part in fields(FaceScores):
        getattr(even, part.name)[cards[better]] = getattr(fading, part.name)[better]
    return even


def _scored_in(
    pixels: Map32, weight: Map32, hypotheses: _Hypotheses, slope: FloatArray | None
) -> FaceScores:
    """The same in a haze that is even, or that tints black by a `slope` (N, 3) the more the
    brighter it is.
    """
    number, places = weight.shape
    # Written where it belongs: as parts joined, all this takes a quarter longer.
    seen = np.empty((number, 2 * places), np.float32)
    np.divide(pixels[..., 3], np.float32(255), out=seen[:, :places])
    ink, haze, strength, _ = plain_inks(
        pixels, weight, hypotheses.plain, slope, out=seen[:, places:]
    )
    weighed = (seen.reshape(number, 2, places) * weight[:, None]).reshape(number, 2 * places)
    total = np.maximum(weight.sum(axis=1), 1.0 / THINNING)[:, None]
    energy = np.einsum("nq,nq->n", weighed, seen)[:, None]
    drawn = weight @ hypotheses.energy.T
    misfit = energy - 2 * (weighed @ hypotheses.drawn.T) + drawn
    return FaceScores(
        np.asarray(misfit / total, np.float64), np.asarray((energy / total)[:, 0], np.float64),
        ink, strength, np.asarray(total[:, 0] * hypotheses.place_mm2, np.float64), haze,
        seen, weight, drawn,
    )  # fmt: skip


def differences_mm2(
    scores: FaceScores, chosen: Ints, templates: Templates, cards: Ints | None = None
) -> FloatArray:
    """On how much (N, H), in mm², every hypothesis is drawn otherwise than the chosen (N,) one; of
    some of the `cards` (K,) alone (K, H), where they are given.

    White for black, or ink for black, counts whole; `scores` say what shows.
    """
    hypotheses = _hypotheses(templates)
    asked = np.arange(len(chosen)) if cards is None else cards

    def differences(part: slice) -> FloatArray:
        some = asked[part]
        weighed, own = hypotheses.drawn[chosen[some]], chosen[some, None]
        weighed.reshape(len(some), 2, len(hypotheses.places))[...] *= scores.weight[some, None]
        energy = scores.drawn[some]
        cross, mine = weighed @ hypotheses.drawn.T, np.take_along_axis(energy, own, axis=1)
        return np.asarray(np.maximum(energy + mine - 2 * cross, 0.0) * PLACE_MM2, np.float64)

    return np.concatenate(shared_out(differences, len(asked), FEWEST_SCORED))


def without_badges(scores: FaceScores, templates: Templates) -> FaceScores:
    """The same where no badge speaks: by the faces' shapes alone."""
    hypotheses = _hypotheses(templates)
    weight = scores.weight.copy()
    weight[:, hypotheses.badge] = 0
    weighed = scores.seen * np.tile(weight, 2)
    energy = np.einsum("nq,nq->n", weighed, scores.seen)[:, None]
    drawn = weight @ hypotheses.energy.T
    misfit = energy - 2 * (weighed @ hypotheses.drawn.T) + drawn
    total = scores.area_mm2[:, None] / hypotheses.place_mm2
    return replace(
        scores, misfit=np.asarray(misfit / total, np.float64), weight=weight, drawn=drawn
    )


def told_apart(
    scores: FaceScores, cards: Ints, own: Ints, other: Ints, templates: Templates
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """By how much (K,) one hypothesis explains each of these cards better than the other, on how
    much (K,) they differ there, and on how much (K,) they differ at all, in mm².

    Left out are places that neither explains, and badge and symbol where glare or clutter has
    spoilt them.
    """
    hypotheses = _hypotheses(templates)
    drawn = hypotheses.drawn
    marks = np.tile(templates.marks[hypotheses.places], 2)
    out = np.empty((3, len(cards)))
    # A card at a time: of all pairs at once there may be hundreds of megabytes.
    for card in np.unique(cards):
        k = np.flatnonzero(cards == card)
        seen, weight = scores.seen[card], np.tile(scores.weight[card], 2)
        off_own, off_other = (seen - drawn[own[k]]) ** 2, (seen - drawn[other[k]]) ** 2
        apart = weight * (drawn[own[k]] - drawn[other[k]]) ** 2
        spoilt = off_own @ (weight * marks) > SPOILT_BADGE * drawn[own[k]] ** 2 @ (weight * marks)
        kept = ~(spoilt[:, None] & marks)
        told = kept & (np.minimum(off_own, off_other) < NEITHER)
        out[0, k] = (weight * (off_other - off_own)).sum(axis=1, where=told)
        out[1, k] = apart.sum(axis=1, where=told)
        out[2, k] = apart.sum(axis=1, where=kept)
    gap, on_told, in_all = out * PLACE_MM2
    return gap, on_told, in_all


def fine_structure(flat: Map32, templates: Templates) -> Map32:
    """A patch (P,) less what is blurred."""
    patch = np.ascontiguousarray(flat, np.float32).reshape(templates.shape_hw)
    sigma = FINE_BLUR_MM * TEMPLATE_DENSITY
    return np.asarray(patch - cv2.GaussianBlur(patch, (0, 0), sigma), np.float32).reshape(-1)


@lru_cache(maxsize=4)
def looking_alike(templates: Templates) -> NDArray[np.bool_]:
    """Which hypotheses (H, H) draw the same card, badge and symbol aside: a face that is its own
    mirror image lies the same either way.
    """
    hypotheses = _hypotheses(templates)
    away = ~(templates.badge | templates.symbol)[hypotheses.places]
    drawn = hypotheses.drawn * np.concatenate([away, away])
    energy = (drawn**2).sum(axis=1)
    apart = energy[:, None] + energy[None] - 2 * drawn @ drawn.T
    return np.asarray(apart * PLACE_MM2 < ALIKE_MM2)


@lru_cache(maxsize=8)
def _hypotheses(templates: Templates, every: int = THINNING) -> _Hypotheses:
    # The badge is small, but it alone tells the value, the suit and which way is up: it keeps
    # all its places, and so counts as much as `every` times its area.
    places = np.flatnonzero(templates.badge | thinned(templates, every))
    both = np.stack([templates.white, templates.ink], axis=1)
    drawn = np.stack([both, both[:, :, ::-1]], axis=1)[..., places]
    # The starting face, last, has no ink. A printing without a band has its ink on the badge.
    inked = templates.ink[:-2].min(axis=0) > 0.5
    ring = _ring(templates)
    band = ring if (inked & ring).any() else inked
    drawn_on = np.maximum(templates.ink[:-2], templates.white[:-2]).max(axis=0)
    black = (drawn_on < 0.05) & ~templates.marks
    return _Hypotheses(
        places,
        np.flatnonzero(templates.badge[places]),
        np.ascontiguousarray(drawn.reshape(-1, 2 * len(places))),
        np.ascontiguousarray((drawn**2).sum(axis=2).reshape(-1, len(places))),
        np.stack([band[places], black[places]]).astype(np.float32),
        every / TEMPLATE_DENSITY**2,
    )


def _ring(templates: Templates) -> NDArray[np.bool_]:
    """Places on the coloured band, clear of the line and of the card's edge."""
    grid = np.abs(templates.grid_mm)
    reach = grid.max(axis=0) + 0.25
    gap = (reach - grid).min(axis=1)
    return np.asarray((gap > 0.8) & (gap < 2.6))
