"""Cards of which a lamp has left so little that only their place and a few faint lines tell.

That a card is missing is known by the colours' numbers. It hides where the picture is washed out,
and nearly all cards lie where a shape of theirs exactly covers, or is covered by, one of a card
that is read: a handful of places. Which of them it is the lines say that still stand out there.
What is fine is measured against how much stands out round about, so that a line counts as much in
a haze as in the light beside it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from vision.arrays import Bools, FloatArray, Map32
from vision.drawing.pose_fit import LineSamples, frame_samples, place
from vision.drawing.printed_deck import PrintedDeck
from vision.drawing.templates import TableMap, Templates, on_grid, on_grid_of, thinned
from vision.evidence import HALF_LEVEL, SMOOTHING_MM, Evidence, Image8
from vision.finding.beside import poses_beside
from vision.finding.haze import (
    BURNT,
    WINDOW_MM,
    drawn_lines,
    framed_anywhere,
    through_haze,
    washed_places,
)
from vision.finding.hidden_search import first_of_each, known
from vision.finding.white_lines import drawn_white
from vision.naming.faces import FINE_BLUR_MM, fine_structure
from vision.naming.name_cards import Named
from vision.ordering.stacking import Stack
from vision.raster import look_up

LEAST_WASHED = 0.1
"""Of a card's place: where less is washed out, the card would have been found."""
AROUND_MM, FLOOR = 3.0, 2.0
"""What stands out is measured against its rms so far around, or so many grey levels."""
MOST_RISE = 40.0
"""Grey levels: more is a card's edge, or glare's, and no faint line."""
STEP_OF_MM, MOST_STEP = 2.0, 80
"""Where what lies under lines rises by more grey levels within so many mm, an edge's own fringe
stands out more than any faint line."""
MARGIN_MM = 60.0
STEP_MM, REACH_MM = 0.5, 2.5
TURNS_DEG = np.array([-1.2, -0.6, 0.0, 0.6, 1.2])
"""Cards are laid by hand, and curl: a frame is sought so far about its place."""
SAMPLED_MM, LEAST_FRAME_MM = 1.5, 25.0
"""How far apart frames are looked at, and how much of one must be told."""
LEAST_OVER, LEAST_MORE = 0.03, 0.1
"""Of a card over a card read: what lies on it at least, and by how much more its lines must be like
what is seen there than the other's."""
SETTLED_MM = 2.5
MOST_COMPARED = 12
"""Places at which all faces are compared with what is seen."""
LEAST_WORTH, LEAST_LEAD = 0.35, 1.15
"""How plainly lines stand out, as a correlation on a whole card, and how much more than at any
other place: cards reach 0.37 to 0.68, what else a lamp makes up to 0.32."""
FAINT_WORTH, FAINT_LEAD = 0.28, 2.0
"""Enough where they do twice as plainly as at any other place."""
GLOWING, PLAIN_WORTH = 0.6, 0.4
"""Of a card's place, and how plainly, where no numbers say that a card is missing: what a lamp
makes up there reaches 0.33."""
ELSEWHERE_MM = 12.0
"""Nearer places are one card's."""


@dataclass(frozen=True, eq=False)
class _Relief:
    """How far all that is fine stands out (H, W) against the rms of that round about; 0 where the
    picture is burnt out. Its pixel (0, 0) lies at `origin_mm`.
    """

    rise: Map32
    told: Image8
    origin_mm: tuple[float, float]
    density: float

    def at(self, image: NDArray[np.generic], table_mm: FloatArray) -> Map32:
        """A map's values at places (..., 2), to the nearest pixel; 0 outside."""
        px = (table_mm - np.asarray(self.origin_mm)) * self.density
        return look_up(image, px.astype(np.float32), cv2.INTER_NEAREST).astype(np.float32)


def with_glowing(
    evidence: Evidence, named: Named, stack: Stack, printed: PrintedDeck
) -> Named | None:
    """As `with_washed`, where no numbers say that a card is missing: one that plainly stands out,
    and of which a lamp washes out the greater part.
    """
    more = with_washed(evidence, named, stack, printed, PLAIN_WORTH)
    if more is None or washed_places(evidence, more.poses[-1:], printed.templates)[0] < GLOWING:
        return None
    return more


def with_washed(
    evidence: Evidence, named: Named, stack: Stack, printed: PrintedDeck, least_worth: float = 0.0
) -> Named | None:
    """One more card, where one fits those read and the picture is washed out; None where no place
    stands out (by so much) among the others.
    """
    deck, templates = printed.deck, printed.templates
    if not cv2.hasNonZero(evidence.washed):
        return None
    poses = poses_beside(named, deck, overhanging=True)
    poses = poses[~known(poses, named)]
    poses = np.concatenate([poses, framed_anywhere(through_haze(evidence), named, stack, deck)])
    poses = poses[washed_places(evidence, poses, templates) >= LEAST_WASHED]
    if len(poses) == 0:
        return None
    relief = _relief(evidence)
    poses = _likeliest_framed(relief, poses[first_of_each(poses)], stack, deck)
    poses = _settled(relief, poses, stack, templates)
    if len(poses) == 0:
        return None
    drawn = drawn_white(evidence, named, stack.order, templates)
    before = on_grid_of(drawn, evidence.raster, poses, templates)
    like, share = _likeness(relief, poses, before, stack, templates)
    worth = like.max(axis=1) * np.sqrt(share)
    best = int(worth.argmax())
    hypothesis = int(like[best].argmax())
    pose = poses[best] + [0.0, 0.0, np.pi * (hypothesis % 2)]
    more = named.with_card(pose, hypothesis // 2, 1.0 - float(like[best].max()))
    rivals = np.linalg.norm(poses[:, :2] - poses[best, :2], axis=1) > ELSEWHERE_MM
    rivals &= worth * FAINT_LEAD > worth[best]
    if rivals.any():
        # Lines that the best place accounts for speak for no other.
        drawn = drawn_white(evidence, more, [*stack.order, len(named)], templates)
        left = _without(relief, drawn, evidence)
        before = on_grid_of(drawn, evidence.raster, poses[rivals], templates)
        like, share = _likeness(left, poses[rivals], before, stack, templates)
        worth[rivals] = like.max(axis=1) * np.sqrt(share)
    stands_out = _stands_out(float(worth[best]), float(worth[rivals].max(initial=0.0)))
    return more if stands_out and worth[best] >= least_worth else None


def _stands_out(worth: float, rival: float) -> bool:
    """Whether lines are plain enough at one place, as plain as they are at the next best."""
    plain = worth >= max(LEAST_WORTH, LEAST_LEAD * rival)
    return plain or worth >= max(FAINT_WORTH, FAINT_LEAD * rival)


def _relief(evidence: Evidence) -> _Relief:
    """What is fine, round all that is washed out."""
    density = evidence.raster.density
    x, y, width, height = cv2.boundingRect(evidence.washed)
    margin = round(MARGIN_MM * density)
    x0, y0 = max(x - margin, 0), max(y - margin, 0)
    seen = evidence.raster.image_bgr[y0 : y + height + margin, x0 : x + width + margin]
    # As it was taken: in coloured light the balance burns out what is not.
    raw = cv2.min(cv2.min(seen[..., 0], seen[..., 1]), seen[..., 2])
    least = np.asarray(cv2.GaussianBlur(raw, (0, 0), SMOOTHING_MM * density), np.uint8)
    # A card's edge, and a glare's, is wider than the window and stands out by nothing.
    window = round(WINDOW_MM * density) | 1
    ground = cv2.morphologyEx(least, cv2.MORPH_OPEN, np.ones((window, window), np.uint8))
    hat = cv2.min(cv2.subtract(least, ground), MOST_RISE).astype(np.float32)
    # In place: what is washed out may lie all over a wide picture.
    fine = np.subtract(hat, cv2.GaussianBlur(hat, (0, 0), FINE_BLUR_MM * density), out=hat)
    power = cv2.multiply(fine, fine)
    cv2.GaussianBlur(power, (0, 0), AROUND_MM * density, dst=power)
    power += FLOOR**2
    fine /= np.sqrt(power, out=power)
    del power
    told = cv2.erode(cv2.inRange(least, 1, BURNT - 1), np.ones((3, 3), np.uint8))
    reach = round(STEP_OF_MM * density) | 1
    step = cv2.morphologyEx(ground, cv2.MORPH_GRADIENT, np.ones((reach, reach), np.uint8))
    told = cv2.bitwise_and(told, cv2.compare(step, MOST_STEP, cv2.CMP_LT))
    origin = evidence.raster.to_mm(np.array([x0, y0], np.float64))
    fine *= told > 0
    return _Relief(fine, np.asarray(told, np.uint8), (float(origin[0]), float(origin[1])), density)


def _without(relief: _Relief, drawn: Image8, evidence: Evidence) -> _Relief:
    """The same with nothing told where lines are drawn, on a map of the raster's size."""
    x, y = np.rint(evidence.raster.to_raster(np.asarray(relief.origin_mm))).astype(int).tolist()
    height, width = relief.told.shape
    own = drawn[y : y + height, x : x + width] == 0
    told = np.where(own, relief.told, 0).astype(np.uint8)
    return _Relief(relief.rise * own, told, relief.origin_mm, relief.density)


def _likeliest_framed(relief: _Relief, poses: FloatArray, stack: Stack, deck: Deck) -> FloatArray:
    """Those of the poses (N, 3), fitted, at which frames stand out most."""
    lines = frame_samples(deck.card, SAMPLED_MM)
    fitted, strength = _fitted(relief, poses, lines, stack)
    order = np.argsort(-strength, kind="stable")[:MOST_COMPARED]
    return np.asarray(fitted[order[strength[order] > 0]])


def _fitted(
    relief: _Relief, poses: FloatArray, lines: LineSamples, stack: Stack
) -> tuple[FloatArray, FloatArray]:
    """The poses (N, 3) moved a little to where their frames stand out most where no card read
    lies, and how plainly (N,) they do: by the root of the length that is told.
    """
    shifts = _shifts(REACH_MM)
    out, strength = poses.copy(), np.zeros(len(poses))
    for i, pose in enumerate(poses):
        turned = np.repeat(pose[None], len(TURNS_DEG), axis=0)
        turned[:, 2] += np.deg2rad(TURNS_DEG)
        places = place(turned, lines.places_mm)
        told = (stack.top.at(places) == 0) & (relief.at(relief.told, places) > 0)
        number = told.sum(axis=1)
        if number.max() * SAMPLED_MM < LEAST_FRAME_MM:
            continue
        rise = relief.at(relief.rise, places[:, None] + shifts[:, None])
        plain = (rise * told[:, None]).sum(axis=2) / np.sqrt(np.maximum(number, 1))[:, None]
        turn, shift = divmod(int(plain.argmax()), len(shifts))
        out[i] = turned[turn] + [*shifts[shift], 0.0]
        strength[i] = plain[turn, shift]
    return out, strength


def _shifts(reach_mm: float) -> FloatArray:
    """Steps (K, 2) all round, as far as that along either axis, mm."""
    side = np.arange(-reach_mm, reach_mm + STEP_MM / 2, STEP_MM)
    return np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)


def _settled(relief: _Relief, poses: FloatArray, stack: Stack, templates: Templates) -> FloatArray:
    """The poses (N, 3) moved to where what stands out on bare table is most like any face."""
    places = templates.grid_mm[thinned(templates)]
    drawn = drawn_lines(templates)[:-4, thinned(templates)]
    shifts = _shifts(SETTLED_MM)
    out = poses.copy()
    for i, pose in enumerate(poses):
        at = place(pose[None], places)[0] + shifts[:, None]
        told = (stack.top.at(at) == 0) & (relief.at(relief.told, at) > 0)
        seen = relief.at(relief.rise, at) * told
        power = (told.astype(np.float32) @ (drawn**2).T) * (seen**2).sum(axis=1, keepdims=True)
        worth = (seen @ drawn.T) / np.sqrt(np.maximum(power, 1e-6))
        worth *= np.sqrt(told.mean(axis=1, keepdims=True))
        out[i, :2] += shifts[int(worth.max(axis=1).argmax())]
    return out


def _likeness(
    relief: _Relief, poses: FloatArray, before: Image8, stack: Stack, templates: Templates
) -> tuple[FloatArray, FloatArray]:
    """Correlation (N, H) of what stands out with what every face but the starting card draws, where
    a card may show, and on which share (N,) of it: on bare table, and on each card read that it
    explains better than that one itself, by what the cards read draw there (`before`, (N, P)).
    """
    drawn = drawn_lines(templates)[:-4]
    seen, told = (
        on_grid(TableMap(drawn, relief.origin_mm, relief.density), poses, templates)
        for drawn in (relief.rise, relief.told)
    )
    told = told > HALF_LEVEL
    top = stack.top.on(poses, templates)
    like, share = np.zeros((len(poses), len(drawn))), np.zeros(len(poses))
    for i, here in enumerate(told):
        own = fine_structure(before[i].astype(np.float32), templates)[None]
        shows = here & (top[i] == 0)
        for card in np.unique(top[i][here]).tolist():
            on_it = here & (top[i] == card)
            if card > 0 and on_it.mean() >= LEAST_OVER:
                better = float(_correlation(seen[i], drawn, on_it).max())
                if better >= LEAST_MORE + float(_correlation(seen[i], own, on_it)[0]):
                    shows |= on_it
        like[i], share[i] = _correlation(seen[i], drawn, shows), shows.mean()
    return like, share


def _correlation(seen: Map32, drawn: Map32, here: Bools) -> FloatArray:
    """Of what is seen (P,) with each drawing (H, P), at some places (P,)."""
    own, lines = seen[here], drawn[:, here]
    length = np.linalg.norm(own) * np.linalg.norm(lines, axis=1)
    return np.asarray(lines @ own / np.maximum(length, 1e-6), np.float64)
