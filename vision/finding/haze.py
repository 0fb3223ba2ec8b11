"""Cards that a lamp washes out: seen and named by the fine structure that its haze leaves.

In a washed-out patch black is almost as bright as white, and ink as pale: neither counts there.
Lines still stand out by a few grey levels. How they run is told by correlation, which does not
ask by how much.
"""

from __future__ import annotations

from dataclasses import fields, replace
from functools import lru_cache

import cv2
import numpy as np

from geometry.deck import Deck
from vision.arrays import Bools, FloatArray, Ints, Map32
from vision.drawing.pose_fit import place
from vision.drawing.templates import TEMPLATE_DENSITY, Templates
from vision.evidence import HALF_LEVEL, SMOOTHING_MM, Evidence, Image8
from vision.finding.find_cards import poses_from_centres
from vision.finding.hidden_search import first_of_each, known
from vision.memo import Memo
from vision.naming.faces import (
    WASHED_WEIGHT,
    FaceScores,
    Patches,
    differences_mm2,
    fine_structure,
    score_faces,
)
from vision.naming.name_cards import Named
from vision.ordering.stacking import Stack
from vision.raster import look_up
from vision.strips import Part, in_strips, to_be_filled

WINDOW_MM, AROUND_MM, GRAIN_MM, EVEN_MM = 4.5, 6.0, 6.0, 4.0
"""What stands out from so wide a window, less half of what usually does so far around, as a share
of the most that does, evened out: a glare's slope and a card's edge are wider than the window."""
LEAST_RISE, NOISES = 4.0, 4.0
"""Grey levels, or times the noise, that a line in haze stands out by at least."""
GREATER_PART = 0.6
"""Of what shows of a card: washed out so far, its lines are asked and not its ink."""
HAZE_MM2 = 300.0
"""About what all lines of a card come to; what a face costs that explains none of them."""
LEAST_SHOWN = 0.18
"""Of a card that must show, burnt or not, for its lines to name it."""
STILL_LIKE = 0.45
"""Correlation of lines with a face: cards in haze reach 0.65 to 0.8, bare table stays below 0.4."""
LEAST_LIT_MM2, LEAST_LIT_SHARE = 12.0, 0.4
"""Of what two faces differ in, that tells them apart beside a lamp: nearly as much as a dot, or a
good part of it all."""
PLAINLY_LIT, LIT_FIT = 0.5, 0.25
"""Of a card that must show unspoilt, and how well it must fit there, to be told by that."""
BURNT = 250
"""Grey levels of the darkest channel from which on not even fine structure is left."""
ROUGHLY_EVERY = 7
"""Of the places of a card: enough to tell how much of it is washed out."""
MOST_NAMED = 60
GRID_MM, MOST_MIDDLES = 6.0, 600
"""Frames are sought round middles that lie so far apart. A table that a lamp lights up all over has
more than can be looked at."""

_THROUGH_HAZE: Memo[Evidence, Evidence] = Memo()


def through_haze(evidence: Evidence) -> Evidence:
    """The same with lines told from their ground wherever the picture is not burnt out."""
    return _THROUGH_HAZE.answer(evidence, (), lambda: _through_haze(evidence))


def _through_haze(evidence: Evidence) -> Evidence:
    density, columns = evidence.raster.density, evidence.raster.columns
    rise = max(LEAST_RISE, NOISES * evidence.noise)
    white = to_be_filled(evidence.white.shape, columns)

    def see_through(part: Part, around: Part, inner: Part) -> None:
        washed = evidence.washed[part]
        white[part] = evidence.white[part]
        if cv2.hasNonZero(washed):
            hazed = _lines_in_haze(evidence.least[around], density, rise)[inner]
            cv2.copyTo(np.ascontiguousarray(hazed), washed, white[part])
            white[part][evidence.burnt[part] > 0] = 0

    # Of what is nowhere washed out nothing changes.
    reach = round((WINDOW_MM + (GRAIN_MM + AROUND_MM + EVEN_MM) / 2) * density) + 4
    in_strips(see_through, len(white), reach, columns)
    return replace(evidence, white=white, washed_level=float(BURNT))


def _lines_in_haze(least: Image8, density: float, rise: float) -> Image8:
    """How white (H, W) things no wider than a line are against their ground, as shares of the most
    that stands out near by, or of so many grey levels.
    """
    ground = cv2.morphologyEx(least, cv2.MORPH_OPEN, _square(WINDOW_MM, density))
    hat = cv2.subtract(least, ground).astype(np.float32)
    size = round(GRAIN_MM * density) | 1
    left = np.maximum(hat - cv2.blur(hat, (size, size)) / 2, 0)
    size = round(EVEN_MM * density) | 1
    most = cv2.blur(cv2.dilate(left, _square(AROUND_MM, density)), (size, size))
    share = np.minimum(left / np.maximum(most, rise) * 255, 255)
    return np.asarray(share, np.uint8)


def heeding_haze(
    scores: FaceScores, patches: Patches, visible: Map32, templates: Templates
) -> FaceScores:
    """The scores, of cards that are washed out in part with what every hypothesis leaves
    unexplained of the lines there.
    """
    share = washed_share(patches, visible)
    cards = np.flatnonzero(share > 0)
    if len(cards) == 0:
        return scores
    hazy = patches.take(cards)
    shown = (visible[cards] > 0.5) & (hazy.weight < WASHED_WEIGHT)
    lines = _patches_through_haze(hazy, templates)
    like = _likeness(lines, hazy.colour, shown, templates)
    worth = HAZE_MM2 * share[cards] / scores.area_mm2[cards]
    misfit, energy = scores.misfit.copy(), scores.energy.copy()
    # Of what is seen a drawing as faint as it explains the square of the correlation.
    misfit[cards] += worth[:, None] * (1 - np.maximum(like, 0.0) ** 2)
    energy[cards] += worth
    return replace(scores, misfit=misfit, energy=energy)


def _patches_through_haze(patches: Patches, templates: Templates) -> Image8:
    """How white (N, P) the places of cards are where lines hardly stand out."""
    out = np.empty(patches.white.shape, np.uint8)
    for i, colour in enumerate(patches.colour):
        least = cv2.min(cv2.min(colour[:, 0], colour[:, 1]), colour[:, 2])
        least = np.asarray(least, np.uint8).reshape(templates.shape_hw)
        smooth = cv2.GaussianBlur(least, (0, 0), SMOOTHING_MM * TEMPLATE_DENSITY)
        lines = _lines_in_haze(np.asarray(smooth, np.uint8), TEMPLATE_DENSITY, LEAST_RISE)
        out[i] = lines.reshape(-1)
    return out


def by_what_is_lit(
    scores: FaceScores, patches: Patches, templates: Templates, shown: Map32
) -> FaceScores:
    """The scores by what is not washed out alone: a lamp may look like anything.

    A burnt-out badge, loud as badges are, leads by some of what it could tell, whatever it is.
    """
    cards = np.flatnonzero(patches.least_weight < WASHED_WEIGHT)
    cards = cards[((patches.weight[cards] < WASHED_WEIGHT) & (shown[cards] > 0.5)).any(axis=1)]
    if len(cards) == 0:
        return scores
    some = patches.take(cards)
    lit = replace(some, weight=np.where(some.weight < WASHED_WEIGHT, np.float32(0), some.weight))
    again = score_faces(lit, templates, shown[cards])
    names = [field.name for field in fields(FaceScores)]
    both = {name: getattr(scores, name).copy() for name in names}
    for name in names:
        both[name][cards] = getattr(again, name)
    return FaceScores(**both)


def lost_in_light(
    apart_mm2: FloatArray, best: Ints, patches: Patches, visible: Map32, templates: Templates
) -> Bools:
    """Which hypotheses (N, H) differ from the own ones (N,) almost only where a lamp washes the
    cards out: by its rim a haze makes black of ink, and ink of black.

    `apart_mm2` (N, H): on how much they differ elsewhere.
    """
    out = np.zeros(apart_mm2.shape, np.bool_)
    cards = np.flatnonzero(washed_share(patches, visible))
    if len(cards):
        some = patches.take(cards)
        unwashed = replace(some, weight=np.ones_like(some.weight))
        whole = score_faces(unwashed, templates, visible[cards])
        in_all = differences_mm2(whole, best[cards], templates)
        lit = apart_mm2[cards]
        out[cards] = (lit < LEAST_LIT_MM2) & (lit < LEAST_LIT_SHARE * in_all)
    return out


def seen_in_haze(named: Named, patches: Patches, visible: Map32, templates: Templates) -> Bools:
    """Which cards (N,) are washed out for the greater part, and plainly show their lines there."""
    out = washed_out(patches, visible)
    cards = np.flatnonzero(out)
    if len(cards):
        like = line_likeness(patches, visible, cards, templates)
        own = np.take_along_axis(like, 2 * named.rows[cards, None], axis=1)[:, 0]
        out[cards] = own > STILL_LIKE
    return out


def plainly_lit(named: Named, patches: Patches, visible: Map32) -> Bools:
    """Which cards (N,) show, and fit well, on so much that is not washed out that this tells them
    as it tells any other card.
    """
    lit = patches.weight[:, ::ROUGHLY_EVERY] >= WASHED_WEIGHT
    share = (lit * visible[:, ::ROUGHLY_EVERY]).mean(axis=1)
    return np.asarray((share >= PLAINLY_LIT) & (named.fit < LIT_FIT))


def line_likeness(
    patches: Patches, visible: Map32, cards: Ints, templates: Templates
) -> FloatArray:
    """Correlation (n, H) of the fine white of some cards, where each shows, with all hypotheses."""
    some = patches.take(cards)
    return _likeness(some.white, some.colour, visible[cards] > 0.5, templates)


def washed_out(patches: Patches, visible: Map32) -> Bools:
    """Which cards (N,) show enough, and are washed out for the greater part of it."""
    share, washed = _shown_and_washed(patches, visible)
    return np.asarray((share >= LEAST_SHOWN) & (washed > GREATER_PART * share))


def washed_share(patches: Patches, visible: Map32) -> FloatArray:
    """How much (N,) of what shows of cards is washed out; 0 where too little of a card is."""
    share, washed = _shown_and_washed(patches, visible)
    return np.where(washed >= LEAST_SHOWN, washed / np.maximum(share, 1e-6), 0.0)


def _shown_and_washed(patches: Patches, visible: Map32) -> tuple[FloatArray, FloatArray]:
    """Shares of cards (N,) that show, and that show and are washed out; 0 where nothing is."""
    share, washed = np.zeros(len(patches)), np.zeros(len(patches))
    cards = np.flatnonzero(patches.least_weight < WASHED_WEIGHT)
    if len(cards):
        shown = visible[cards, ::ROUGHLY_EVERY]
        some = patches.weight[cards, ::ROUGHLY_EVERY] < WASHED_WEIGHT
        share[cards], washed[cards] = shown.mean(axis=1), (some * shown).mean(axis=1)
    return share, washed


def _likeness(white: Image8, colour: Image8, shown: Bools, templates: Templates) -> FloatArray:
    """Correlation (N, H) of the fine white (N, P) of cards with all hypotheses, at places shown
    (N, P) that are not burnt out by their colour (N, P, 3); 0 where too few are.
    """
    drawn = drawn_lines(templates)
    out = np.zeros((len(white), len(drawn)))
    lit = colour.min(axis=2) < BURNT
    for i, here in enumerate(shown & lit):
        if here.mean() < LEAST_SHOWN:
            continue
        seen = fine_structure(white[i].astype(np.float32), templates)[here]
        seen = seen - seen.mean()
        lines = drawn[:, here]
        lines = lines - lines.mean(axis=1, keepdims=True)
        length = np.linalg.norm(lines, axis=1) * np.linalg.norm(seen)
        out[i] = lines @ seen / np.maximum(length, 1e-6)
    return out


@lru_cache(maxsize=4)
def drawn_lines(templates: Templates) -> Map32:
    """The fine white of all hypotheses (H, P)."""
    both = (flat for row in templates.white for flat in (row, row[::-1]))
    return np.stack([fine_structure(one, templates) for one in both])


def framed_anywhere(hazy: Evidence, named: Named, stack: Stack, deck: Deck) -> FloatArray:
    """Poses (K, 3) of frames seen through haze, in washed-out patches of bare table."""
    step = round(GRID_MM * hazy.raster.density)
    rows, columns = np.nonzero(hazy.washed[::step, ::step])
    at = np.stack([columns, rows], axis=1).astype(np.float64) * step
    middles = hazy.raster.to_mm(np.asarray(at, np.float64))
    middles = middles[stack.top.at(middles) == 0]
    if not 0 < len(middles) <= MOST_MIDDLES:
        return np.empty((0, 3))
    poses = poses_from_centres(hazy, middles, deck)
    poses = poses[~known(poses, named)]
    return np.asarray(poses[first_of_each(poses)][:MOST_NAMED])


def washed_places(evidence: Evidence, poses: FloatArray, templates: Templates) -> FloatArray:
    """How much (N,) of the places of cards at these poses is washed out."""
    some = templates.grid_mm[::ROUGHLY_EVERY]
    at = evidence.raster.to_raster(place(poses, some))
    return np.asarray(_marked(evidence.washed, at).mean(axis=1), np.float64)


def _marked(flags: Image8, raster_px: FloatArray) -> Bools:
    """Whether a map says so at raster pixels (..., 2), to the nearest; not so outside."""
    return np.asarray(look_up(flags, raster_px, cv2.INTER_NEAREST) > HALF_LEVEL)


def _square(side_mm: float, density: float) -> Image8:
    size = round(side_mm * density) | 1
    return np.ones((size, size), np.uint8)
