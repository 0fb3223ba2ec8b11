"""Whether a white dot or line that no known card has could be that of a card that was missed.

Every card of the deck is laid with each of its dots, or lines, there. Where it should be seen, on
the table, it must be. What lies under known cards or in a lamp's haze contradicts nothing, and
neither does what is seen on a known card: it may be misread.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bools, FloatArray, Ints, Map32
from vision.doubting.chance_fits import exact
from vision.doubting.doubt_context import DoubtContext
from vision.drawing.card_edges import straight_edges
from vision.drawing.card_parts import (
    ALONG_MM,
    COARSE_MM,
    FINE_MM,
    Anchors,
    Around,
    around_dots,
    around_lines,
    grid,
)
from vision.drawing.pose_fit import place, turns
from vision.evidence import Evidence, sample
from vision.finding.white_lines import Segments
from vision.observing.dots import circle
from vision.observing.near_looks import DISC_MM, Look, Near
from vision.raster import Raster, look_up

Looks = NDArray[np.uint16]

ANGLES = tuple(np.deg2rad(np.arange(0.0, 360.0, 3.0)).tolist())
BAND_MM2, FILL_MM2, LINES_MM2, BLACK_MM2, DOTS_MM2 = 40.0, 40.0, 20.0, 60.0, 5.0
"""So much should show before a share of it speaks in full."""
BARE_MM2, WHITE_WEIGHT = 200.0, 1.5
"""White where the card has none: text is a third white."""
DISC_WEIGHT = 0.25
"""For each white disc where the card has none."""
CONTRADICTED = 0.5
"""Shares of a card's band, fill, lines, black and dots that are not there, added up. Of 1250 dots
of cards left out of a reading on purpose one was contradicted so far; print is by 0.5 to 1.5."""
BAND_STEP_MM, BAND_INSIDE_MM = 2.0, (0.5, 1.75, 3.0)
"""Where a card's band is looked for, along its edges and inside them: it may curl."""
ALIKE_MM, ALIKE_RAD = 1.0, np.deg2rad(2.0)
"""Cards that lie closer together are asked about once."""
BAND_ENDS_MM, TABLE_STEP_MM, MOST_COMMON = 4.0, 4.0, 0.25
"""So far outside them it does not go on, but on a table that has its ink in such a share."""
MOST_AMISS, LEAST_BAND_MM = 0.35, 14.0
"""Of the band that nothing known hides, so much may not be seen; less is not asked."""
MOST_GLARE = 0.05
"""Of what shows round a place: beside burnt-out patches nothing is as it should be."""
MOST_ASKED, ENOUGH = 90, 3
"""More are left to a person, each takes a fiftieth of a second; and so are all where so many may be
a card's: the others change nothing then.
"""
MANY_WRONG = 2
"""Cards that lie exactly where they should, and would yet all be illegal: hands hardly lay two so
over one card that nobody sees."""
DEEPER_MM, FEWEST_OVER = 0.5, 5
"""Farther inside a card's line than is wrong: measured to a few tenths; and so many places, 4 mm²
each, of what lies there."""
EVERY_MM = 12.0
"""A line is asked about so often: a part of it may be a card's."""


@dataclass(frozen=True, eq=False)
class Likely:
    """Kinds of places of cards (S,) that may be the ones at `at_mm` (S, 2), turned by `angles`."""

    kinds: Ints
    at_mm: FloatArray
    angles: FloatArray

    @staticmethod
    def none() -> Likely:
        """No card at all."""
        return Likely(np.empty(0, np.int64), np.empty((0, 2)), np.empty(0))

    def poses(self, anchors: Anchors) -> FloatArray:
        """Where the whole cards would lie (Q, 3)."""
        return anchors.poses(self.kinds, self.at_mm, self.angles)


def could_be_dots(scene: DoubtContext, at_mm: FloatArray, ground: FloatArray) -> Bools:
    """Which white dots at (K, 2), rough table mm, on `ground` (K, 3), may be a missed card's."""
    out = np.ones(len(at_mm), np.bool_)
    if not _usual_art(scene):
        return out
    around, anchors = around_dots(scene.deck)
    beside = np.flatnonzero(scene.top.at(at_mm) == 0)
    possible = 0
    for k in beside[:MOST_ASKED]:
        spots = at_mm[k] + np.zeros((len(ANGLES), 2))
        levels = _levels_of_dot(scene.evidence, at_mm[k])
        ink, angles = ground[None, k], np.array(ANGLES)
        likely = _could_be(scene, np.column_stack([spots, angles]), ink, levels, around)
        out[k] = likely is None or _could_lie(scene, likely.poses(anchors), ink, levels)
        possible += int(out[k])
        if possible == ENOUGH:
            break
    return out


def could_be_lines(scene: DoubtContext, lines: Segments) -> Bools:
    """Which white lines (S,) beside the cards may be, in some part, a missed card's."""
    out = np.ones(len(lines.start_mm), np.bool_)
    if not (_usual_art(scene) and scene.inks):
        return out
    around, anchors = around_lines(scene.deck)
    inks = np.array(list(scene.inks.values()))
    shifts = np.arange(ALONG_MM) - (ALONG_MM - 1) / 2
    possible = 0
    for k in range(min(len(out), MOST_ASKED)):
        start, along, length = lines.start_mm[k], lines.along[k], float(lines.length_mm[k])
        places = max(1, round(length / EVERY_MM))
        angle = float(np.arctan2(along[1], along[0]))
        angles = np.repeat([angle, angle + np.pi], len(shifts))
        for share in (np.arange(places) + 0.5) / places:
            at = start + along * length * share
            levels = _levels_of_line(scene.evidence, at, along)
            spots = at + np.tile(shifts, 2)[:, None] * along
            likely = _could_be(scene, np.column_stack([spots, angles]), inks, levels, around)
            out[k] = likely is None or _could_lie(scene, likely.poses(anchors), inks, levels)
            if out[k]:
                possible += 1
                break
        if possible == ENOUGH:
            break
    return out


def _usual_art(scene: DoubtContext) -> bool:
    art = scene.deck.art
    return art.band and art.fill and art.dots == "white" and art.lines == "white"


def _could_be(
    scene: DoubtContext, turned: FloatArray, inks: FloatArray, black_white: tuple[float, float],
    around: Around,
) -> Likely | None:  # fmt: skip
    """Which cards, `turned` (A, 3) about places by angles, are not contradicted near by. None where
    that cannot be told.
    """
    at, angles, reach_mm = turned[:, :2], turned[:, 2], around.reach_mm
    middle = at.mean(axis=0)
    near = Near(scene.evidence, middle, reach_mm)
    looks = near.looks(inks, black_white, scene.table.dots.middle_mm)
    coarse, fine = (
        at[:, None].astype(np.float32) + _turned(tuple(angles.tolist()), reach_mm, step)
        for step in (COARSE_MM, FINE_MM)
    )
    seen, visible = _seen(scene, looks[0], coarse)
    if (visible & (seen & Look.BURNT > 0)).sum() > MOST_GLARE * visible.sum():
        return None
    lit = visible & (seen & Look.HAZED == 0)
    amiss = seen & Look.IS_INK > 0, seen & Look.BRIGHT > 0
    black = _share(around.black, lit, amiss, BLACK_MM2 / COARSE_MM**2)
    # Nothing makes up for what is contradicted already: only what is left is looked at further.
    cards, ways = (np.flatnonzero((black < CONTRADICTED).any(axis=axis)) for axis in (1, 0))
    if len(cards) == 0:
        return Likely.none()
    around, black, coarse, fine = (
        around.take(cards), black[np.ix_(cards, ways)], coarse[ways], fine[ways]
    )  # fmt: skip
    at, angles = at[ways], angles[ways]
    visible, lit = visible[ways], lit[ways]
    off = np.full(black.shape, np.inf, np.float32)
    for look in looks:
        ink = _at(look, coarse) & Look.MAY_BE_INK > 0
        told = visible & (ink | lit)
        inked = _share(around.band, told, (~ink,), BAND_MM2 / COARSE_MM**2)
        inked += _share(around.fill, told, (~ink,), FILL_MM2 / COARSE_MM**2)
        off = np.minimum(off, black + inked)
    likely = (off < CONTRADICTED).any(axis=1)
    if not likely.any():
        return Likely.none()
    around = around.take(np.flatnonzero(likely))
    off = off[likely]
    seen, visible = _seen(scene, looks[0], fine)
    lit = visible & (seen & Look.HAZED == 0)
    off += _share(around.lines, lit, (seen & Look.LINE == 0,), LINES_MM2 / FINE_MM**2)
    off += _share(around.dots, lit, (seen & Look.DISC == 0,), DOTS_MM2 / FINE_MM**2)
    off += WHITE_WEIGHT * _share(around.bare, lit, (seen & Look.WHITE > 0,), BARE_MM2)
    stray = (visible & (seen & Look.DISC > 0)).T.astype(np.float32)
    discs = around.bare.astype(np.float32) @ stray
    off += DISC_WEIGHT * discs * FINE_MM**2 / (np.pi * DISC_MM**2)
    cards, ways = np.nonzero(off < CONTRADICTED)
    return Likely(around.kind[cards], at[ways], angles[ways])


def _could_lie(
    scene: DoubtContext, poses: FloatArray, inks: FloatArray, black_white: tuple[float, float]
) -> bool:
    """Whether at any of these poses (Q, 3) a card of one of the `inks` (C, 3) may lie."""
    if len(poses) == 0:
        return False
    # Turned by half a turn a card has the same edges.
    turn = np.rint(poses[:, 2] % np.pi / ALIKE_RAD)
    rounded = np.column_stack([np.rint(poses[:, :2] / ALIKE_MM), turn])
    poses = poses[np.unique(rounded, axis=0, return_index=True)[1]]
    poses = poses[_banded(scene, poses, inks, black_white)]
    return len(poses) > 0 and bool((wrongly_covered(scene, poses) < MANY_WRONG).any())


def wrongly_covered(scene: DoubtContext, poses: FloatArray) -> Ints:
    """How many cards would lie wrongly (Q,) that as read lie exactly on another, if a card lay
    under them at each of these poses (Q, 3): each would then lie on two.

    Only what plainly shows over that card, far inside its white line, counts.
    """
    legal = plainly_legal(scene)
    size, deep = scene.deck.card, scene.rules.tolerance.illegal_mm + DEEPER_MM
    inner = np.array([size.frame_width_mm, size.frame_height_mm]) / 2 - deep
    own = grid(float(np.hypot(*inner)), TABLE_STEP_MM / 2)
    own = own[(np.abs(own) < inner).all(axis=1)]
    over = scene.top.at(place(poses, own))
    wrong = np.zeros(len(poses), np.int64)
    for card in np.flatnonzero(legal):
        wrong += (over == card + 1).sum(axis=1) >= FEWEST_OVER
    return wrong


def plainly_legal(scene: DoubtContext) -> Bools:
    """Cards (N,) that lie legally and exactly on another, both with faces that are not open."""
    open_ = [bool(others) for others in scene.table.choices]
    out = np.zeros(len(open_), np.bool_)
    for card, verdict in scene.verdicts.items():
        below = verdict.covers
        if below is not None and verdict.status == "legal" and exact(verdict):
            out[card] = not (open_[card] or open_[below])
    return out


def _banded(
    scene: DoubtContext, poses: FloatArray, inks: FloatArray, black_white: tuple[float, float]
) -> Bools:
    """Of cards at which of these poses (Q, 3) the band is seen all round, in one of the
    `inks` (C, 3), wherever nothing known hides it, and ends where they end.
    """
    out = np.zeros(len(poses), np.bool_)
    card = scene.deck.card
    edges, _ = straight_edges(card, BAND_STEP_MM)
    inside = np.array([*BAND_INSIDE_MM, -BAND_ENDS_MM])[:, None, None]
    own = (edges.places_mm - inside * edges.normals).reshape(-1, 2)
    places = place(poses, own).reshape(len(poses), len(inside), -1, 2).astype(np.float32)
    low, high = (end(places.reshape(-1, 2), axis=0).astype(np.float64) for end in (np.min, np.max))
    near = Near(scene.evidence, (low + high) / 2, float((high - low).max()) / 2)
    looks = near.looks(inks, black_white, np.empty((0, 2)))
    seen = _at(looks[0], places)
    told = (scene.top.at(places) == 0) & (seen & Look.IN_PICTURE > 0) & (seen & Look.HAZED == 0)
    due = told[:, :-1].all(axis=1)
    table = (low + high) / 2 + grid(float((high - low).max()) / 2, TABLE_STEP_MM)
    table = table[scene.top.at(table) == 0].astype(np.float32)
    table = table[_at(looks[0], table) & Look.IN_PICTURE > 0]
    for look in looks:
        inked = _at(look, places) & Look.MAY_BE_INK > 0
        on_table = _at(look, table) & Look.MAY_BE_INK > 0
        common = on_table.sum() > MOST_COMMON * len(table)
        runs_on = told[:, -1] & inked[:, -1] & ~common
        amiss = due & (runs_on | ~inked[:, :-1].any(axis=1))
        most = np.maximum(MOST_AMISS * due.sum(axis=1), LEAST_BAND_MM / BAND_STEP_MM)
        out |= amiss.sum(axis=1) <= most
    return out


def _seen(scene: DoubtContext, looks: Raster, places: Map32) -> tuple[Looks, Bools]:
    """What places (A, P, 2) look like, and where nothing known hides what is there."""
    seen = _at(looks, places)
    return seen, (scene.top.at(places) == 0) & (seen & Look.IN_PICTURE > 0)


def _at(looks: Raster, places: Map32) -> Looks:
    return np.asarray(look_up(looks.image_bgr, looks.to_raster(places), cv2.INTER_NEAREST))


def _share(drawn: NDArray[np.uint8], told: Bools, wrong: tuple[Bools, ...], least: float) -> Map32:
    """Of what is drawn (K, P) the shares (K, A) that are wrong in any way, added up, by places
    (A, P) that tell.
    """
    parts = drawn.astype(np.float32)
    due = parts @ told.T.astype(np.float32)
    # Counts are small: as float32 they add up exactly.
    amiss = parts @ sum((told & each).T.astype(np.float32) for each in wrong)
    return np.asarray(amiss / np.maximum(due, least), np.float32)


@lru_cache(maxsize=4)
def _turned_always(reach_mm: float, step_mm: float) -> Map32:
    return _turn(ANGLES, reach_mm, step_mm)


def _turned(angles: tuple[float, ...], reach_mm: float, step_mm: float) -> Map32:
    """The grid at every angle (A, P, 2)."""
    if angles == ANGLES:
        return _turned_always(reach_mm, step_mm)
    return _turn(angles, reach_mm, step_mm)


def _turn(angles: tuple[float, ...], reach_mm: float, step_mm: float) -> Map32:
    turned = grid(reach_mm, step_mm) @ turns(np.array(angles)).transpose(0, 2, 1)
    return np.asarray(turned, np.float32)


def _levels_of_dot(evidence: Evidence, at: FloatArray) -> tuple[float, float]:
    """How bright the ground round a dot and the dot are, in grey levels of `least`."""
    dot, ground = (
        sample(evidence.least, evidence.raster.to_raster(at + circle(off, 24)))
        for off in (1.0, 3.4)
    )
    return float(np.percentile(ground, 25)), float(np.median(dot))


def _levels_of_line(evidence: Evidence, at: FloatArray, along: FloatArray) -> tuple[float, float]:
    """How bright the darker side of a line and the line are, in grey levels of `least`."""
    across = np.array([-along[1], along[0]])
    spots = at + np.linspace(-EVERY_MM, EVERY_MM, 13)[:, None] / 2 * along
    offs = np.array([-2.0, -0.4, 0.0, 0.4, 2.0])
    places = spots + offs[:, None, None] * across
    level = sample(evidence.least, evidence.raster.to_raster(places)).astype(np.float64)
    sides = np.median(level[[0, -1]], axis=1)
    return float(sides.min()), float(np.median(level[1:4].max(axis=0)))
