"""What white lines and dots that stand out, however little, say between two readings of a card.

A lamp's haze lies over lines, black and ink alike, and changes slowly; a line or a dot that is seen
through it still stands out from its ground. Only where the two readings draw otherwise is asked,
and only what is seen speaks: a line that is not seen may be washed out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatArray, Ints, Map32
from vision.drawing.templates import TEMPLATE_DENSITY, Templates
from vision.naming.badge_witness import GAINSAID_MM2
from vision.naming.faces import FaceScores, Patches, differences_mm2, most_apart_mm2

FINE_MM = 1.25
"""Sigma of what counts as ground: a dot still stands out from it, a haze does not."""
RIM_MM = 0.8
"""Of the card's own edge: what lies beyond it is seen there where the pose is a little off."""
COVER_MM = 1.0
"""Of what lies on the card: its edge, and the shadow at it, may lie a little elsewhere."""
LIT, GLARE_RIM_MM = 250, 4.0
"""Grey levels of the darkest channel from which on nothing is left to be seen; round such places
a glare's edge may run like a line."""
APART = 0.12
"""Places are asked where two readings' fine white differs by so much of a whole line's."""
NEAR_MM = 12.5
"""White stands out equally much within so wide a window; by how much is measured."""
REACH_MM = 1.0
"""Either reading may lie so far off: the pose is that which suited one of them best."""
LEAST_MM2 = 1.0
"""Of fine white, squared, that the better reading draws there: half a digit, or 3 mm of line."""
LEAST_MORE = 0.3
"""Of all that stands out where they differ, the right reading explains 0.4 to 0.95 as a rule, and
the wrong one 0 to 0.3. Of 3000 wrong readings tried on purpose, on cards that were covered and
moved a little besides, none led by more than 0.2; right ones lead by enough in five of six."""
MOST_RIVALS, UNCLEAR_LEAD, MOST_TURNS = 4, 0.5, 3
"""Where faces are dealt, so many readings are asked that lag behind the best by less than so much
of what they differ by; and so often anew where the best was gainsaid."""
FAINTEST = 3.0
"""Grey levels by which white stands out at least: fewer are a camera's rounding."""
NOISES = 1.5
"""What stands out, rms, is more than noise by so much: noise is explained by chance."""


class Rivals(NamedTuple):
    """Of some cards (K,) the hypotheses that are compared: each one's `own` and another (K,)."""

    cards: Ints
    own: Ints
    others: Ints


def line_leads(
    patches: Patches, visible: Map32, rivals: Rivals, templates: Templates, noise: float
) -> FloatArray:
    """By how much (K,) more of the white that stands out on cards, of all that does where the two
    hypotheses differ, each's own explains than the other, -1 to 1.

    0 where that is too little to tell, or stands out from the `noise`, a sigma in grey levels, too
    little. `visible` (N, P): where each shows.
    """
    out = np.zeros(len(rivals.cards))
    looks: dict[int, _Look] = {}
    for k, (card, one, other) in enumerate(zip(*rivals, strict=True)):
        if int(card) not in looks:
            patch = patches.take(rivals.cards[k : k + 1])
            looks[int(card)] = _looked_at(patch, visible[card], templates)
        out[k] = _lead(looks[int(card)], int(one), int(other), templates, noise)
    return out


def heeding_lines(
    scores: FaceScores, patches: Patches, visible: Map32, templates: Templates, noise: float
) -> FaceScores:
    """The scores, best readings worse by `GAINSAID_MM2` that lag behind another by their lines."""
    played = 2 * templates.start_row
    misfit, most = scores.misfit.copy(), most_apart_mm2(templates)[:, :played]
    cards = np.flatnonzero(misfit.argmin(axis=1) < played)
    for _ in range(MOST_TURNS):
        best = misfit[:, :played].argmin(axis=1)
        gap = misfit[cards, :played] - misfit[cards, best[cards], None]
        gap *= scores.area_mm2[cards, None]
        # As a rule all others lag by more than the whole of the card could make up for.
        near = gap < UNCLEAR_LEAD * most[best[cards]]
        near[np.arange(len(cards)), best[cards]] = False
        near_any = near.any(axis=1)
        cards, gap = cards[near_any], gap[near_any]
        apart = differences_mm2(scores, best, templates, cards)[:, :played]
        lag = gap / np.maximum(apart, LEAST_MM2)
        nearest = np.argsort(lag, axis=1)[:, :MOST_RIVALS]
        unclear = np.take_along_axis(lag, nearest, axis=1) < UNCLEAR_LEAD
        unclear &= nearest != best[cards, None]
        card, which = np.nonzero(unclear)
        asked, others = cards[card], nearest[card, which]
        rivals = Rivals(asked, best[asked], others)
        leads = line_leads(patches, visible, rivals, templates, noise)
        cards = np.unique(asked[leads <= -LEAST_MORE])
        if len(cards) == 0:
            break
        misfit[cards, best[cards]] += GAINSAID_MM2 / scores.area_mm2[cards]
    return replace(scores, misfit=misfit)


@dataclass(frozen=True, eq=False)
class _Look:
    """One card on the grid (rows, columns): what stands out, in grey levels, and where it is asked,
    1 or 0; `fine` takes the ground off any map just as it was taken off the picture.
    """

    standing_out: Map32
    asked: Map32
    fine: Callable[[Map32], Map32]


def _looked_at(patch: Patches, visible: Map32, templates: Templates) -> _Look:
    shape = templates.shape_hw
    b, g, r, _ = cv2.split(patch.pixels[0].reshape(*shape, 4))
    darkest = cv2.min(cv2.min(b, g), r)
    shown = ((visible > 0.5) & (patch.weight[0] > 0)).astype(np.uint8).reshape(shape)
    shown = cv2.erode(shown, _square(2 * COVER_MM), borderValue=0)
    lit = cv2.erode((darkest < LIT).astype(np.uint8), _square(2 * GLARE_RIM_MM))
    asked = (shown & lit & _inner(templates)).astype(np.float32)
    fine = partial(_fine, asked=asked, near=np.maximum(smooth(asked), 1e-3))
    return _Look(fine(darkest.astype(np.float32)), asked, fine)


def _fine(flat: Map32, asked: Map32, near: Map32) -> Map32:
    """A map less its ground, which is measured where it is asked alone; 0 elsewhere."""
    return np.asarray((flat - smooth(flat * asked) / near) * asked, np.float32)


def smooth(flat: Map32) -> Map32:
    """A map of one card (rows, columns) without what is finer than a haze."""
    return np.asarray(cv2.GaussianBlur(flat, (0, 0), FINE_MM * TEMPLATE_DENSITY), np.float32)


def _lead(look: _Look, own: int, other: int, templates: Templates, noise: float) -> float:
    drawn = [look.fine(_drawn(templates, one)) for one in (own, other)]
    apart = (np.abs(drawn[0] - drawn[1]) > APART).astype(np.uint8)
    where = cv2.dilate(apart, np.ones((3, 3), np.uint8)) * look.asked
    x, y, width, height = cv2.boundingRect((where > 0).astype(np.uint8))
    if width == 0:
        return 0.0
    margin = round(REACH_MM * TEMPLATE_DENSITY)
    top, left = max(y - margin, 0), max(x - margin, 0)
    here = slice(top, y + height + margin), slice(left, x + width + margin)
    where, seen = where[here], look.standing_out[here]
    seen = seen * where
    energy = float((seen**2).sum())
    if energy < (NOISES * noise) ** 2 * float(where.sum()):
        return 0.0
    white = [float((flat[here] ** 2 * where).sum()) / TEMPLATE_DENSITY**2 for flat in drawn]
    if max(white) < LEAST_MM2:
        return 0.0
    parts = [_explained(seen, flat[here], where, energy) for flat in drawn]
    better = int(parts[1][0] > parts[0][0])
    if white[better] < LEAST_MM2 or parts[better][1] < FAINTEST:
        return 0.0
    return parts[0][0] - parts[1][0]


def _explained(seen: Map32, drawn: Map32, where: Map32, energy: float) -> tuple[float, float]:
    """The share of what stands out (h, w) that a drawing explains, as strong as it is seen near by,
    wherever within reach it lies best; and how strong that is, in grey levels.
    """
    window = (round(NEAR_MM * TEMPLATE_DENSITY) | 1,) * 2
    best = 0.0, 0.0
    for right, down in _moves():
        matrix = np.array([[1, 0, right], [0, 1, down]], np.float32)
        moved = cv2.warpAffine(drawn, matrix, drawn.shape[::-1]) * where
        strength = cv2.blur(seen * moved, window) / np.maximum(cv2.blur(moved**2, window), 1e-4)
        strength = np.maximum(strength, 0)
        share = 1 - float(((seen - strength * moved) ** 2).sum()) / energy
        if share > best[0]:
            white = moved**2
            best = share, float((strength * white).sum() / max(float(white.sum()), 1e-6))
    return best


@lru_cache(maxsize=1)
def _moves() -> tuple[tuple[int, int], ...]:
    """Steps of the grid, right and down, within reach."""
    reach = round(REACH_MM * TEMPLATE_DENSITY)
    steps = range(-reach, reach + 1)
    return tuple((x, y) for x in steps for y in steps if abs(x) + abs(y) <= reach)


@lru_cache(maxsize=256)
def _drawn(templates: Templates, hypothesis: int) -> Map32:
    """A hypothesis's white on the grid (rows, columns)."""
    row = templates.white[hypothesis // 2]
    turned = row[::-1] if hypothesis % 2 else row
    return np.ascontiguousarray(turned.reshape(templates.shape_hw))


@lru_cache(maxsize=4)
def _inner(templates: Templates) -> NDArray[np.uint8]:
    """1 on the grid clear of the card's edge, and of where either way up a symbol is drawn."""
    far = templates.half_mm - RIM_MM
    inside = (np.abs(templates.grid_mm) <= far).all(axis=1)
    inside &= ~(templates.symbol | templates.symbol[::-1])
    return np.asarray(inside.reshape(templates.shape_hw), np.uint8)


def _square(side_mm: float) -> NDArray[np.uint8]:
    size = round(side_mm * TEMPLATE_DENSITY) | 1
    return np.ones((size, size), np.uint8)
