"""Whether a white dot that no known card has could be a dot of a card that was missed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from vision.evidence import Evidence, Image8, sample
from vision.pose_fit import turns
from vision.raster import Raster, look_up
from vision.scene import Scene
from vision.templates import TEMPLATE_DENSITY, Templates, draw_templates

FloatArray = NDArray[np.float64]
Map32 = NDArray[np.float32]
Bools = NDArray[np.bool_]
REACH_MM = 26.0
"""So far round a dot its card is looked for: farther off a curl shifts what a card draws."""
LINE_STEP_MM, AREA_STEP_MM = 1.0, 2.0
"""A line of 0.9 mm is met by every place or two, what is as wide as a band by fewer."""
ANGLES = np.deg2rad(np.arange(0.0, 360.0, 3.0))
OFF_MM = 1.0
"""What a card draws may be seen so far off: half a step of the angle, and what a card curls."""
LEAST_MM2 = {"band": 40.0, "fill": 40.0, "lines": 20.0, "black": 60.0, "dots": 12.0}
"""Square mm that should show before a share of them speaks in full."""
CONTRADICTED = 0.5
"""Shares of its band, fill, lines and black that are not there, added up. Of the dots of cards left
out of a reading on purpose one in four hundred reached 0.4; print reaches 0.5 to 1.5."""
DISC_WEIGHT, DISC_MM = 0.25, 1.5
"""For each white disc where the card has none; of a disc so much is looked for, in mm of radius."""
INK_LIKENESS, INK_STRENGTH = 0.8, 0.4
"""What may be ink of the dot's own ground, which lies a little more or less in the light."""
SAME_LIKENESS, SAME_STRENGTH = 0.9, 0.5
"""What is that ink, and no black."""
BRIGHT_SHARE, SHADED_SHARE = 0.6, 0.4
"""Of the dot's own brightness above its ground's: what is brighter is not black, if something near
by is as dark as black; where nothing is, a lamp's haze may lie over it."""
NEAR_MM, HAZED_SHARE = 4.0, 0.8
MOST_GLARE = 0.05
"""Of what shows round a dot: beside burnt-out patches nothing is as it should be."""
DOT_RIM_MM, BADGE_RIM_MM = 0.5, 1.5
GRAIN_MM = 1.2
MOST_ASKED = 24
"""More are left to a person: each takes a fiftieth of a second."""
_IN_PICTURE, _BURNT, _HAZED, _MAY_BE_INK, _IS_INK, _BRIGHT, _LINE, _DISC = (
    1 << k for k in range(8)
)


@dataclass(frozen=True, eq=False)
class _Around:
    """What lies round each dot of every face and side (K, P), 1 or 0, on `_grid`: of lines and dots
    the fine one, of the rest the coarse one.

    `band` and `fill`: ink; `lines`: white; `black`. Their edges, dots and badges are left out.
    `bare`, on the fine grid, is all of the card where no dot lies, and `dots` where others do.
    """

    band: Map32
    fill: Map32
    lines: Map32
    black: Map32
    bare: Map32
    dots: Map32


def could_be_cards(scene: Scene, at_mm: FloatArray, ground: FloatArray) -> Bools:
    """Which white dots (K,) at (K, 2), rough table mm, on `ground` (K, 3) may be a missed card's.

    Every card of the deck is laid with each of its dots there, turned anyhow; where it should be
    seen, on the table or on the card that shows at the dot, it must be. A dot is none where every
    card is contradicted; what lies under known cards, or in glare, contradicts nothing.
    """
    out = np.ones(len(at_mm), np.bool_)
    art = scene.deck.art
    if not (art.band and art.fill and art.dots == "white" and art.lines == "white"):
        return out
    around = _around(scene.deck)
    for k in range(min(len(at_mm), MOST_ASKED)):
        out[k] = _could_be(scene, at_mm[k], ground[k], around)
    return out


def _could_be(scene: Scene, at: FloatArray, ground: FloatArray, around: _Around) -> bool:
    looks = _looks(scene.evidence, at, ground, scene.table.dots.middle_mm)
    area, visible = _turned(scene, looks, at, AREA_STEP_MM)
    if (visible & (area & _BURNT > 0)).sum() > MOST_GLARE * visible.sum():
        return True
    ink = area & _MAY_BE_INK > 0
    lit = visible & (area & _HAZED == 0)
    told = visible & (ink | lit)
    line, visible = _turned(scene, looks, at, LINE_STEP_MM)
    lines_lit = visible & (line & _HAZED == 0)
    off = (
        _share(around.band, told, ~ink, LEAST_MM2["band"] / AREA_STEP_MM**2)
        + _share(around.fill, told, ~ink, LEAST_MM2["fill"] / AREA_STEP_MM**2)
        + _share(around.lines, lines_lit, line & _LINE == 0, LEAST_MM2["lines"] / LINE_STEP_MM**2)
        + _share(around.black, lit, area & _IS_INK > 0, LEAST_MM2["black"] / AREA_STEP_MM**2)
        + _share(around.black, lit, area & _BRIGHT > 0, LEAST_MM2["black"] / AREA_STEP_MM**2)
    )
    off += _share(around.dots, lines_lit, line & _DISC == 0, LEAST_MM2["dots"] / LINE_STEP_MM**2)
    discs = around.bare @ (visible & (line & _DISC > 0)).T.astype(np.float32)
    off += DISC_WEIGHT * discs * LINE_STEP_MM**2 / (np.pi * DISC_MM**2)
    return bool(off.min() < CONTRADICTED)


def _turned(
    scene: Scene, looks: Raster, at: FloatArray, step_mm: float
) -> tuple[NDArray[np.uint8], Bools]:
    """What is seen on the grid round the dot at every angle (A, P), and where a card with that dot
    would be seen.
    """
    places = at.astype(np.float32) + _turned_grid(step_mm)
    shown, own = scene.top.at(places), int(scene.top.at(at[None])[0])
    seen = look_up(looks.image_bgr, looks.to_raster(places), cv2.INTER_NEAREST)
    return seen, ((shown == 0) | (shown == own)) & (seen & _IN_PICTURE > 0)


def _share(drawn: Map32, told: Bools, wrong: Bools, least: float) -> Map32:
    """Of what is drawn (K, P) the share (K, A) that is wrong, by places (A, P) that tell."""
    due = drawn @ told.T.astype(np.float32)
    amiss = drawn @ (told & wrong).T.astype(np.float32)
    return np.asarray(amiss / np.maximum(due, least), np.float32)


def _looks(evidence: Evidence, at: FloatArray, ground: FloatArray, dots_mm: FloatArray) -> Raster:
    """What each place near a dot looks like, in bits: a small map of one channel.

    Ink is allowed to lie a little off, and so are lines: they are a little widened.
    """
    density = evidence.raster.density
    reach = (REACH_MM + NEAR_MM + 1) * density
    size, middle = np.array(evidence.least.shape[::-1]), evidence.raster.to_raster(at)
    low = np.clip(np.floor(middle - reach), 0, size - 1).astype(int)
    high = np.clip(np.ceil(middle + reach), low + 1, size).astype(int)
    here = (slice(low[1], high[1]), slice(low[0], high[0]))

    def square(length_mm: float) -> tuple[int, int]:
        return (round(length_mm * density) | 1,) * 2

    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, square(2 * OFF_MM))
    least, burnt = evidence.least[here], evidence.burnt[here] > 0
    darkest = cv2.erode(least, np.ones(square(NEAR_MM), np.uint8))
    colour = cv2.blur(evidence.balanced[here], square(GRAIN_MM)).astype(np.float32)
    away = colour - colour.mean(axis=2, keepdims=True)
    strength, own = np.linalg.norm(away, axis=2), float(np.linalg.norm(ground))
    like = away @ ground.astype(np.float32) / np.maximum(strength * own, 1e-6)
    may_be = (like > INK_LIKENESS) & (strength > INK_STRENGTH * own)
    same = (like > SAME_LIKENESS) & (strength > SAME_STRENGTH * own)
    of_dot, of_ground = _levels(evidence, at)
    level, shade = (of_ground + s * (of_dot - of_ground) for s in (BRIGHT_SHARE, SHADED_SHARE))
    bright = cv2.erode((least > level).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    bits = (
        (_IN_PICTURE, evidence.raster.image_bgr[here].any(axis=2)),
        (_BURNT, burnt),
        (_HAZED, burnt | (darkest > HAZED_SHARE * evidence.washed_level)),
        (_MAY_BE_INK, cv2.dilate(may_be.astype(np.uint8), disc) > 0),
        (_IS_INK, cv2.erode(same.astype(np.uint8), disc) > 0),
        (_BRIGHT, bright & (darkest < shade)),
        (_LINE, cv2.dilate(evidence.mask[here], disc) > 0),
    )
    image = np.zeros(least.shape, np.uint8)
    for bit, where in bits:
        image[where] |= bit
    discs = np.zeros(least.shape, np.uint8)
    near = dots_mm[np.linalg.norm(dots_mm - at, axis=1) < REACH_MM]
    for x, y in np.rint(evidence.raster.to_raster(near) - low).astype(int).tolist():
        cv2.circle(discs, (x, y), round(DISC_MM * density), 1, cv2.FILLED)
    image[discs > 0] |= _DISC
    x, y = evidence.raster.to_mm(low.astype(np.float64)).tolist()
    return Raster(image, (x, y), density)


def _levels(evidence: Evidence, at: FloatArray) -> tuple[float, float]:
    """How bright a dot and the ground round it are, in grey levels of `least`."""
    angles = np.arange(24) * np.pi / 12
    ring = np.column_stack([np.cos(angles), np.sin(angles)])
    dot, ground = (
        sample(evidence.least, evidence.raster.to_raster(at + ring * off)) for off in (1.0, 3.4)
    )
    return float(np.median(dot)), float(np.percentile(ground, 25))


@lru_cache(maxsize=2)
def _turned_grid(step_mm: float) -> Map32:
    """The grid at every angle (A, P, 2)."""
    return np.asarray(np.einsum("aij,pj->api", turns(ANGLES), _grid(step_mm)), np.float32)


@lru_cache(maxsize=2)
def _grid(step_mm: float) -> FloatArray:
    """Places (P, 2) within reach of a dot."""
    axis = np.arange(-REACH_MM, REACH_MM + step_mm / 2, step_mm)
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    return np.asarray(grid[np.hypot(grid[:, 0], grid[:, 1]) <= REACH_MM], np.float64)


@lru_cache(maxsize=4)
def _around(deck: Deck) -> _Around:
    templates = draw_templates(deck)
    height, width = templates.shape_hw
    middle = np.array([(width - 1) / 2, (height - 1) / 2])
    fine, coarse = LINE_STEP_MM, AREA_STEP_MM
    steps = (coarse, coarse, fine, coarse, fine, fine)
    cut: list[list[NDArray[np.uint8]]] = [[] for _ in steps]
    for row in range(2 * len(deck.faces)):
        parts = _parts(deck, templates, row)
        for dot in templates.dots_mm[row]:
            for out, part, step in zip(cut, parts, steps, strict=True):
                at = (dot + _grid(step)) * TEMPLATE_DENSITY + middle
                out.append(look_up(part, at, cv2.INTER_NEAREST))
            cut[-1][-1][np.hypot(*_grid(steps[-1]).T) < deck.dot_diameter_mm] = 0
    return _Around(*(np.array(part, np.float32) for part in cut))


def _parts(deck: Deck, templates: Templates, row: int) -> tuple[Image8, ...]:
    """A face's band, fill, lines, black, bare ground and dots (rows, columns), 1 or 0."""
    shape, grid = templates.shape_hw, templates.grid_mm
    white, ink = templates.white[row], templates.ink[row]
    half_frame = np.array([deck.card.frame_width_mm, deck.card.frame_height_mm]) / 2
    outer = (np.abs(grid) > half_frame).any(axis=1)
    gap = np.linalg.norm(grid[:, None] - templates.dots_mm[row], axis=2).min(axis=1)
    on_dot = gap < deck.dot_diameter_mm / 2 + DOT_RIM_MM
    rim = np.ones((int(2 * BADGE_RIM_MM * TEMPLATE_DENSITY) | 1,) * 2, np.uint8)
    mark = (templates.badge | templates.symbol).astype(np.uint8).reshape(shape)
    plain = cv2.dilate(mark, rim).ravel() == 0

    def image(where: Bools, less: int = 1) -> Image8:
        drawn = where.astype(np.uint8).reshape(shape)
        return np.asarray(cv2.erode(drawn, np.ones((less, less), np.uint8)), np.uint8)

    inked = image(ink > 0.8, 3).ravel() > 0
    dark = image((white < 0.1) & (ink < 0.1), 5).ravel() > 0
    return (
        image(inked & outer),
        image(inked & ~outer & plain),
        image((white > 0.5) & ~on_dot & plain),
        image(dark & plain),
        image((gap > deck.dot_diameter_mm) & plain),
        image(gap < DISC_MM / 2),
    )
