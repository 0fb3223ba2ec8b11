"""Badges in a lamp's reflection: what is left of them in the channel that is burnt out last."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from vision.arrays import Bools, FloatArray, Ints, Map32
from vision.drawing.templates import TEMPLATE_DENSITY, Templates, on_grid_of
from vision.evidence import Evidence
from vision.naming.badge_correlation import BADGE_LEAD
from vision.naming.badge_witness import GAINSAID_MM2, LEAST_SHOWN, badge_leads
from vision.naming.faces import WASHED_WEIGHT, FaceScores, Patches, fine_structure, unit_rows
from vision.naming.line_witness import REACH_MM, smooth

LEAST_WASHED = 0.4
"""Of a badge: less washed out, it is asked otherwise; covered, not."""
LIT = 252
"""Grey levels of the darkest channel, as the camera had it, from which on nothing is left."""
LEAST_LEFT = 0.5
"""Of a badge: with less of it lit it is no witness."""
FAINTLY_ALIKE = 0.65
"""Badges of which enough is left correlate with their own drawing by 0.66 to 0.95. Of 40, one that
reached 0.6 looked more like another's, by 0.02; those below tell little."""
GHOST_MM2 = 10.0
MOST_BURNT_BADGE, LEAST_GHOST = 0.7, 0.9
"""Of a badge: burnt out so much, and yet not covered, its last grey levels are asked."""


def faint_likeness(
    evidence: Evidence, patches: Patches, visible: Map32, templates: Templates
) -> FloatArray:
    """How well (N, H), by correlation, the fine structure of washed-out badges looks like each
    hypothesis's, in the darkest channel of the picture as it was taken: a balance that raises a
    channel burns it out. 0 for all other badges, and for those of which too little is left.
    """
    out = np.zeros((len(patches), 2 * len(templates.white)))
    badge = np.flatnonzero(templates.badge)
    # Of nearly all cards nothing is washed out.
    cards = np.flatnonzero(patches.least_weight < WASHED_WEIGHT)
    washed = (patches.weight[np.ix_(cards, badge)] < WASHED_WEIGHT).mean(axis=1) > LEAST_WASHED
    cards = cards[washed & (visible[np.ix_(cards, badge)].mean(axis=1) > LEAST_SHOWN)]
    if len(cards) == 0:
        return out
    raster, poses = evidence.raster, patches.poses[cards]
    darkest = on_grid_of(raster.image_bgr, raster, poses, templates).min(axis=2)
    for card, least in zip(cards, darkest, strict=True):
        lit = (least < LIT) & (visible[card] > 0.5)
        out[card] = _likeness(least.astype(np.float32), lit, templates)
    out[:, 2 * templates.start_row :] = 0
    return out


def heeding_faint_badges(
    scores: FaceScores, likeness: FloatArray, templates: Templates
) -> FaceScores:
    """The scores, those of hypotheses worse that the card's own washed-out badge gainsays."""
    leads = faint_leads(likeness, likeness.argmax(axis=1), templates)
    misfit = scores.misfit + GAINSAID_MM2 * (leads >= BADGE_LEAD) / scores.area_mm2[:, None]
    return replace(scores, misfit=misfit)


def faint_leads(likeness: FloatArray, own: Ints, templates: Templates) -> FloatArray:
    """By how much (K, H) washed-out badges look more like those of the hypotheses `own` (K,) than
    like each other one's, as `badge_leads` has it.
    """
    return badge_leads(likeness, own, templates, FAINTLY_ALIKE)


def _likeness(least: Map32, lit: Bools, templates: Templates) -> FloatArray:
    """Correlation (H,) of a card's badge with all hypotheses', where it lies best near its place,
    by its darkest channel (P,) as far as that is `lit` (P,).
    """
    shape = templates.shape_hw
    asked = lit.astype(np.float32)
    near = np.maximum(smooth(asked.reshape(shape)), 1e-3)
    ground = smooth((least * asked).reshape(shape)) / near
    fine = (least.reshape(shape) - ground).ravel() * asked
    rows, columns = np.divmod(np.flatnonzero(templates.badge), shape[1])
    reach = round(REACH_MM * TEMPLATE_DENSITY)
    down, right = np.mgrid[-reach : reach + 1, -reach : reach + 1].reshape(2, -1, 1)
    places = (rows + down) * shape[1] + columns + right
    seen, weight, drawn = fine[places], asked[places], _fine_badges(templates)
    like = _correlation(seen, weight, drawn)
    like[weight.mean(axis=1) < LEAST_LEFT] = 0
    return np.asarray(like.max(axis=0), np.float64)


def _correlation(seen: Map32, weight: Map32, drawn: Map32) -> Map32:
    """Of what is seen (M, B) with each drawing (H, B), where `weight` (M, B) is 1: (M, H)."""
    number = np.maximum(weight.sum(axis=1, keepdims=True), 1)
    away = (seen - (seen * weight).sum(axis=1, keepdims=True) / number) * weight
    energy = weight @ (drawn**2).T - (weight @ drawn.T) ** 2 / number
    length = np.linalg.norm(away, axis=1, keepdims=True) * np.sqrt(np.maximum(energy, 1e-6))
    return np.asarray(away @ drawn.T / np.maximum(length, 1e-6), np.float32)


@lru_cache(maxsize=4)
def _fine_badges(templates: Templates) -> Map32:
    """Every hypothesis's badge (H, B), its fine structure alone."""
    both = (flat for row in templates.white for flat in (row, row[::-1]))
    return np.stack([fine_structure(flat, templates)[templates.badge] for flat in both])


def with_ghosts(
    scores: FaceScores, patches: Patches, visible: Map32, templates: Templates
) -> FaceScores:
    """The scores, and for badges that are burnt out what is left of them.

    Where nothing else tells, the last grey levels may: the badge's fine structure is
    compared by its normalised correlation, for no more than `GHOST_MM2` of misfit.
    """
    badge = templates.badge
    burnt = (patches.weight[:, badge] < 0.5).mean(axis=1) > MOST_BURNT_BADGE
    cards = np.flatnonzero(burnt & (visible[:, badge].mean(axis=1) > LEAST_GHOST))
    if len(cards) == 0:
        return scores
    drawn = _fine_badges(templates)
    grey = patches.colour[cards].mean(axis=2, dtype=np.float32)
    seen = np.stack([fine_structure(one, templates)[badge] for one in grey])
    likeness = unit_rows(seen) @ unit_rows(drawn).T
    misfit = scores.misfit.copy()
    misfit[cards] += GHOST_MM2 * (1 - likeness) / scores.area_mm2[cards, None]
    return replace(scores, misfit=misfit)
