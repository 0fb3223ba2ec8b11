"""Dots, seen two ways: where the layout says they must show, and white discs on ink as such."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from scipy.spatial import cKDTree

from geometry.deck import Deck
from vision.arrays import Bools, FloatArray, Ints
from vision.evidence import SMOOTHING_MM, Evidence, Image8, sample
from vision.medians import medians
from vision.memo import Memo
from vision.observing.marks import Marks, badges, pieces
from vision.whiteness import LEAST_CONTRAST, WINDOW_MM

Own = Callable[[FloatArray], Bools]
Circles = tuple[tuple[float, int], ...]
MATCH_MM = 1.6
CORE, DISC = ((0.25, 8),), ((0.0, 1), (0.2, 6), (0.33, 12))
"""Circles within a dot: radii, as shares of its diameter, and how many places lie on each. The core
is clear of blur; the disc is most of the dot."""
WHOLE = ((0.08, 3), (0.24, 9), (0.36, 14), (0.46, 18))
"""The same, as evenly over all of the dot as its places are counted."""
RING, FAR_RING, WASHED_RING = ((1.0, 24), (1.4, 24)), ((1.2, 24),), ((0.9, 16), (1.5, 16))
"""Circles round a dot: how far, mm, beyond its edge, and how many places lie on each."""
SECTORS = 4
"""Parts of a ring, each of which lies on the same ink."""
LONGEST, SHORTEST, ROUNDEST, FULLEST = 1.45, 0.6, 0.65, 0.72
"""Of a disc: its longer and shorter side, in diameters of a dot, at most and at least; the one as a
share of the other; and how much of an ellipse of these sides it fills."""
WHITER, MORE_COLOURED = 0.35, 0.45
"""Than its ring a disc is, 0 to 1, at least."""
DARKER_ROUND = 0.6
"""Round a coloured disc it is no brighter than so much of the disc's brightest channel."""
LEAST_TINT, UNEVEN, WHITE_ROUND, BRIGHTEST = (0.10, 2.0, 2.0), (0.55, 6.0), 0.6, 90
"""Ink is away from grey by a share of the white near by, by so many sigmas of noise, and by grey
levels more; no sector differs from it by more than such a share and grey levels; and 90 per cent of
the ring are less white than that."""
BRIGHTER, IN_HAZE, COLOUR_IN_HAZE = (0.22, 8.0, 2.0), (0.12, 8.0, 3.0), (0.4, 12.0, 6.0)
"""Than its ring a disc is, at least: by a share of its own brightness, and by grey levels and
sigmas of noise, whichever is more. Colour comes from two channels, each with its noise, and a haze
takes none of it away."""
HALF_WHITE = 0.5
"""Of the whitest of a dot, and of white, at least: what is whiter is the dot's."""
LEAST_INK_SHARE = 0.5
"""Of the most colour near by: an inked disc's edge runs where half of it shows."""
NOISE_IN_COLOUR = 4.0
"""Times the noise of one channel: colour below that says nothing."""
_INK_SHARES: Memo[Evidence, tuple[Image8, Image8]] = Memo()


@dataclass(frozen=True, eq=False)
class SeenDots:
    """White discs of a dot's size on coloured ground: middles (K, 2), table mm, and
    the ground's colour away from grey (K, 3) in grey levels.
    Of coloured discs on black `ground` is their own colour: both name the card's ink.
    """

    middle_mm: FloatArray
    ground: FloatArray


def find_dots(evidence: Evidence, marks: Marks, deck: Deck) -> SeenDots:
    """White discs on uniform ink, from the pixels alone: no layout, no badge is asked.

    Where a deck's dots have its colours, coloured discs on black.
    """
    if deck.art.dots == "colour":
        return _inked_dots(evidence, marks, deck)
    size = deck.dot_diameter_mm
    discs = _discs(marks, marks, deck)
    if len(discs) == 0:
        return SeenDots(np.empty((0, 2)), np.empty((0, 3)))
    ring_white, ground, uniform = _ring(evidence, discs.mass_mm, size)
    tint = np.linalg.norm(ground, axis=1)
    inside = _disc(evidence, discs.mass_mm, size, evidence.white)
    inked = tint > _least_tint(evidence, discs.mass_mm)
    clear = _stands_out(evidence, discs.mass_mm, size)
    fits = inked & (inside - ring_white > WHITER) & uniform & clear
    return SeenDots(discs.mass_mm[fits], ground[fits])


def _inked_dots(evidence: Evidence, marks: Marks, deck: Deck) -> SeenDots:
    size = deck.dot_diameter_mm
    _, share = ink_share(evidence)
    inked = cv2.compare(share, LEAST_INK_SHARE * 255, cv2.CMP_GT)
    discs = _discs(pieces(np.asarray(inked, np.uint8), evidence.raster), marks, deck)
    if len(discs) == 0:
        return SeenDots(np.empty((0, 2)), np.empty((0, 3)))
    ring = evidence.raster.to_raster(discs.mass_mm[:, None] + _round(size, RING))
    inner = evidence.raster.to_raster(discs.mass_mm[:, None] + _within(size, CORE))
    colour = evidence.colour_at(inner).astype(np.float64).mean(axis=1)
    round_about = medians(evidence.colour_at(ring).max(axis=2), 1)
    contrast = _disc(evidence, discs.mass_mm, size, share) - sample(share, ring).mean(axis=1) / 255
    fits = (contrast > MORE_COLOURED) & (round_about < DARKER_ROUND * colour.max(axis=1))
    away = colour - colour.mean(axis=1, keepdims=True)
    return SeenDots(discs.mass_mm[fits], away[fits])


def ink_share(evidence: Evidence) -> tuple[Image8, Image8]:
    """How coloured each place is, in grey levels, and that as a share of the most coloured near
    by, 0 to 255: two maps (H, W), made once.
    """
    return _INK_SHARES.answer(evidence, (), lambda: _ink_share(evidence))


def _ink_share(evidence: Evidence) -> tuple[Image8, Image8]:
    density = evidence.raster.density
    b, g, r = cv2.split(evidence.with_white)[:3]
    chroma = cv2.subtract(cv2.max(cv2.max(b, g), r), cv2.min(cv2.min(b, g), r))
    chroma = cv2.GaussianBlur(chroma, (0, 0), SMOOTHING_MM * density)
    size = round(WINDOW_MM * density) | 1
    most = cv2.dilate(chroma, np.ones((size, size), np.uint8))
    floor = max(LEAST_CONTRAST, NOISE_IN_COLOUR * evidence.noise)
    share = cv2.divide(chroma, cv2.max(most, floor), scale=255)
    return np.asarray(chroma, np.uint8), np.asarray(share, np.uint8)


def _share(evidence: Evidence, deck: Deck) -> Image8:
    """How much each place (H, W) looks like a dot of this deck rather than its ground, to 255."""
    return evidence.white if deck.art.dots == "white" else ink_share(evidence)[1]


def _discs(found: Marks, marks: Marks, deck: Deck) -> Marks:
    """Those found that are round and of a dot's size; not what is in badges among `marks`."""
    size = deck.dot_diameter_mm
    longest, shortest = found.size_mm.max(axis=1), found.size_mm.min(axis=1)
    fill = found.area_mm2 / (np.pi / 4 * longest * shortest)
    round_ = (longest < LONGEST * size) & (shortest > SHORTEST * size)
    round_ &= shortest / longest > ROUNDEST
    return found.take(round_ & (fill > FULLEST) & _away(found.middle_mm, badges(marks, deck), deck))


def _stands_out(evidence: Evidence, at_mm: FloatArray, size: float) -> Bools:
    """Whether each spot is brighter than its ring by a fair share of its own brightness."""
    raster = evidence.raster
    inner = at_mm[:, None, :] + _within(size, CORE)
    outer = at_mm[:, None, :] + _round(size, FAR_RING)
    disc = sample(evidence.least, raster.to_raster(inner)).mean(axis=1)
    ring = medians(sample(evidence.least, raster.to_raster(outer)), 1)
    return _by(disc - ring, disc, evidence, BRIGHTER)


def _by(
    more: FloatArray, level: FloatArray, evidence: Evidence, least: tuple[float, float, float]
) -> Bools:
    """Whether what is seen is more (K,) by the `least` share of a level (K,), and by the least grey
    levels and sigmas of noise.
    """
    share, floor, sigmas = least
    return np.asarray(more > np.maximum(share * level, floor + sigmas * evidence.noise))


def _away(spots: FloatArray, badges_mm: FloatArray, deck: Deck) -> Bools:
    """Not inside a badge, whose digit is white on ink too."""
    if len(badges_mm) == 0:
        return np.ones(len(spots), np.bool_)
    gap, _ = cKDTree(badges_mm).query(spots)
    return np.asarray(gap > deck.badge_mm / 2)


def _least_tint(evidence: Evidence, at_mm: FloatArray) -> FloatArray:
    """Ink must stand out from grey by this much: a share of the white near by, and the noise."""
    level = sample(evidence.least, evidence.raster.to_raster(at_mm))
    share, sigmas, floor = LEAST_TINT
    return np.asarray(np.maximum(share * level, sigmas * evidence.noise + floor), np.float64)


def circle(radius_mm: float, count: int) -> FloatArray:
    """Points (count, 2) evenly round a middle, mm."""
    angles = np.arange(count) * 2 * np.pi / count
    return np.column_stack([np.cos(angles), np.sin(angles)]) * radius_mm


def _within(size: float, circles: Circles) -> FloatArray:
    """Places (M, 2) within a dot of such a diameter, from its middle, mm."""
    return np.concatenate([circle(size * share, count) for share, count in circles])


def _round(size: float, circles: Circles) -> FloatArray:
    """Places (M, 2) round a dot of such a diameter, from its middle, mm."""
    return np.concatenate([circle(size / 2 + beyond, count) for beyond, count in circles])


def _ring(
    evidence: Evidence, at_mm: FloatArray, size: float
) -> tuple[FloatArray, FloatArray, Bools]:
    """White share on a ring round each spot, its colour away from grey, whether it is uniform."""
    at = evidence.raster.to_raster(at_mm[:, None, :] + _round(size, RING))
    white = sample(evidence.white, at) / 255
    colour = evidence.colour_at(at).astype(np.float64)
    away = colour - colour.mean(axis=2, keepdims=True)
    ground = medians(away, 1)
    part = away.reshape(len(at_mm), len(RING), SECTORS, -1, 3).mean(axis=(1, 3))
    worst = np.linalg.norm(part - ground[:, None], axis=2).max(axis=1)
    tint = np.linalg.norm(ground, axis=1)
    share, floor = UNEVEN
    uniform = worst < share * tint + floor
    uniform &= np.percentile(white, BRIGHTEST, axis=1) < WHITE_ROUND
    return np.asarray(white.mean(axis=1), np.float64), ground, uniform


def _disc(evidence: Evidence, at_mm: FloatArray, size: float, share: Image8) -> FloatArray:
    """Mean (K,), 0 to 1, of a map (H, W) over discs."""
    at = evidence.raster.to_raster(at_mm[:, None, :] + _within(size, DISC))
    return np.asarray((sample(share, at) / 255).mean(axis=1), np.float64)


def dot_whiteness(
    evidence: Evidence, at_mm: FloatArray, deck: Deck, own: Own | None = None
) -> tuple[FloatArray, FloatArray]:
    """How white discs at (K, 2) are against a ring round them (K,), and the burnt share (K,).

    How coloured, where the deck's dots are.
    `own` tells of places (K, M, 2) whether they show the dot's own card: the
    rest of a dot that is partly covered says nothing.
    """
    size = deck.dot_diameter_mm
    disc, ring = _within(size, DISC), _round(size, FAR_RING)
    share = _share(evidence, deck)
    inside, outside = (_mean_share(evidence, share, at_mm, points, own) for points in (disc, ring))
    at = evidence.raster.to_raster(at_mm[:, None, :] + _round(size, WASHED_RING))
    burnt = (sample(evidence.washed, at) / 255).mean(axis=1)
    return inside - outside, np.asarray(burnt, np.float64)


def stands_out(evidence: Evidence, at_mm: FloatArray, deck: Deck, own: Own) -> Bools:
    """Where (K,) a disc is brighter than its ring, seen on its own card alone: enough in a haze.

    More coloured, where the deck's dots are.
    """
    size = deck.dot_diameter_mm
    white = deck.art.dots == "white"
    levels = evidence.least if white else ink_share(evidence)[0]
    means = []
    for points in (_within(size, CORE), _round(size, FAR_RING)):
        places = at_mm[:, None, :] + points[None]
        level = sample(levels, evidence.raster.to_raster(places)).astype(np.float64)
        weight = own(places).astype(np.float64) + 1e-3
        means.append((level * weight).sum(axis=1) / weight.sum(axis=1))
    disc, ring = means
    return _by(disc - ring, disc, evidence, IN_HAZE if white else COLOUR_IN_HAZE)


def disc_places(at_mm: FloatArray, deck: Deck) -> FloatArray:
    """Places (K, P, 2), evenly over dots whose middles lie at (K, 2)."""
    return np.asarray(at_mm[:, None] + _within(deck.dot_diameter_mm, WHOLE))


def white_part(evidence: Evidence, at_mm: FloatArray, deck: Deck) -> FloatArray:
    """Share (K,) of each disc's area that is white, or coloured where the deck's dots are: how
    much of a dot shows, by the pixels.
    """
    at = evidence.raster.to_raster(disc_places(at_mm, deck))
    white = sample(_share(evidence, deck), at).astype(np.float64) / 255
    full = np.maximum(np.percentile(white, BRIGHTEST, axis=1, keepdims=True), HALF_WHITE)
    return np.asarray((white > HALF_WHITE * full).mean(axis=1), np.float64)


def _mean_share(
    evidence: Evidence, share: Image8, at_mm: FloatArray, points: FloatArray, own: Own | None
) -> FloatArray:
    """Mean (K,), 0 to 1, of a map (H, W) on points (M, 2) round each spot, of those that show the
    dot's own card.
    """
    places = at_mm[:, None, :] + points[None]
    white = sample(share, evidence.raster.to_raster(places)).astype(np.float64) / 255
    weight = np.ones_like(white) if own is None else own(places).astype(np.float64) + 1e-3
    return np.asarray((white * weight).sum(axis=1) / weight.sum(axis=1), np.float64)


def match(first_mm: FloatArray, second_mm: FloatArray) -> tuple[Ints, Ints]:
    """Pair spots of two lists one to one within `MATCH_MM`: index into the other, -1 for none."""
    one = np.full(len(first_mm), -1, np.int64)
    two = np.full(len(second_mm), -1, np.int64)
    if len(first_mm) == 0 or len(second_mm) == 0:
        return one, two
    found = cKDTree(second_mm).query(first_mm)
    gap, nearest = np.asarray(found[0]), np.asarray(found[1], np.int64)
    for i in np.argsort(gap):
        if gap[i] <= MATCH_MM and two[nearest[i]] < 0:
            one[i], two[nearest[i]] = nearest[i], i
    return one, two
