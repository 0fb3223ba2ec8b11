"""Where the starting card lies when little of it is seen: by its pixels and by the cards on it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.arrays import Bools, FloatArray
from vision.drawing.alignment import ShownDrawings, align
from vision.drawing.printed_deck import PrintedDeck
from vision.drawing.templates import TEMPLATE_DENSITY, Templates
from vision.evidence import Evidence
from vision.finding.belief import START_PALE, hardly_seen, start_white_mm2
from vision.finding.start_card import (
    MANY_SUPPORTERS,
    about_there,
    cards_by_side,
    middle_of,
    supporters_of,
    under_others,
)
from vision.likelihood.config import LikelihoodConfig
from vision.naming.name_cards import Named
from vision.ordering.stacking import StackedCards

NEAR_MM, NEAR_DEG = 8.0, 20.0
"""So far a starting card of which hardly anything shows may have been fitted from its place."""
PASSES = 8
"""From where a card that lies astray on it has it, as far as lines are found from."""
ASTRAY_MM, PUSHED = 0.7, 5.0
"""How far (sigma) the middle of where cards have it is off, as hands lay them; and how unlikely, at
most, it is that all of them lie astray on it, as a log-probability: it may have been pushed."""
FRAME_MM = 2.0
"""So far beside the frame nothing else is drawn."""
MOST_TURNED = float(np.cos(np.deg2rad(1.0)))
"""Hands lay cards within half a degree, three of them together more exactly still."""
BESIDE_LINE_MM, WHITE = 1.0, 128
MUCH_MM2, MUCH_ELSEWHERE = 20.0, 0.2
"""Of the white of a starting card none lies elsewhere than drawn where the deck has it right, a
third and more where the deck has another printing's."""
ENOUGH_MM2, ENOUGH_CARDS = 75.0, 2
"""White that shows of it: it tells its place where it plainly fits there. The one that was found in
a wrong place showed 54. And cards that it lies under within 3 mm: then it is no doubt, either."""


def start_placed(
    evidence: Evidence, stacked: StackedCards, lines: FloatArray, printed: PrintedDeck
) -> Named:
    """The starting card, where it is hardly seen, as cards that lie on it have it, and the more
    exactly what shows of it. `lines` (N,) are how white all cards' lines are seen.
    """
    named = stacked.named
    poses = named.poses.copy()
    for card in np.flatnonzero(named.rows >= printed.start_row).tolist():
        if hardly_seen(card, stacked, lines, printed.templates):
            placed = _placed(evidence, stacked, card, printed)
            if placed is not None:
                poses[card] = placed
    return replace(named, poses=poses)


def drawn_otherwise(start: int, stacked: StackedCards, templates: Templates) -> bool:
    """Whether much of the white that shows inside the frame of the starting card is where its
    drawing has none: other printings have other lines, and what fits on it is not known then.
    """
    shape, row = templates.shape_hw, int(stacked.named.rows[start])
    reach = 2 * round(BESIDE_LINE_MM * TEMPLATE_DENSITY) + 1
    lines = (templates.white[row] > 0.3).astype(np.uint8).reshape(shape)
    near = cv2.dilate(lines, np.ones((reach, reach), np.uint8)).ravel() > 0
    asked = (stacked.visible[start] > 0.5) & ~templates.marks
    white = asked & (stacked.stack.patches.white[start] > WHITE)
    area = float(white.sum()) / TEMPLATE_DENSITY**2
    return area > MUCH_MM2 and float((white & ~near).sum()) > MUCH_ELSEWHERE * float(white.sum())


def told_by_cards(
    start: int, stacked: StackedCards, lines: FloatArray, printed: PrintedDeck
) -> bool:
    """Whether what shows of the starting card, little as it is, is as white as lines usually are,
    and cards lie on it there.
    """
    if lines[start] < START_PALE * np.median(lines):
        return False
    white_mm2 = start_white_mm2(start, stacked, printed.templates)
    side = int(stacked.named.rows[start]) % 2
    cards = cards_by_side(stacked.named, start, printed)[side]
    return white_mm2 >= ENOUGH_MM2 and cards >= ENOUGH_CARDS


def _placed(
    evidence: Evidence, stacked: StackedCards, start: int, printed: PrintedDeck
) -> FloatArray | None:
    """Pose (3 or 9,) of the starting card where the cards that lie on it agree (three at least):
    the likeliest by what shows of it and by how far off the cards then lie. It is sought from where
    each of them has it, about there, and where it was found, if enough shows. None where they do
    not agree.

    One of three that lies a few millimetres astray moves their middle by one and more, and then
    others seem to lie astray on it. All of them do where the starting card was pushed. Of one that
    is drawn otherwise than in the deck the frame alone tells.
    """
    named, lit = stacked.named, stacked.stack.patches.weight[start] > 0.5
    agreeing = _agreeing(named, start, printed)
    if agreeing is None:
        return None
    shown = (stacked.visible[start] * lit).astype(np.float32)
    if drawn_otherwise(start, stacked, printed.templates):
        shown *= _beside_frame(printed)
    enough = start_white_mm2(start, stacked, printed.templates) >= ENOUGH_MM2
    tried = np.repeat(named.poses[start][None], len(agreeing) + 2, axis=0)
    agreed = middle_of(agreeing)
    tried[1, :3], tried[2:, :3] = agreed, agreeing
    rows, weights = np.repeat(named.rows[start], len(tried)), np.repeat(shown[None], len(tried), 0)
    drawn = ShownDrawings(rows, weights, printed.templates)
    alone = ShownDrawings(rows[:1], weights[:1], printed.templates)
    fitted, misfit = align(evidence, tried, drawn, PASSES)
    # One pass measures before it moves.
    _, usual = align(evidence, tried[1:2], alone, 1)
    there = about_there(fitted[:, :3], agreeing).any(axis=1)
    there &= np.cos(fitted[:, 2] - agreed[2]) > MOST_TURNED
    stays = about_there(fitted[:1, :3], tried[:1, :3])[0, 0]
    there[0] |= enough and bool(stays)
    looks = LikelihoodConfig().looks_per_mm2 * float(shown.sum()) / TEMPLATE_DENSITY**2
    astray = np.linalg.norm(fitted[:, :2] - agreed[:2], axis=1) / ASTRAY_MM
    cost = looks * np.log(misfit) + np.minimum(np.square(astray) / 2, PUSHED)
    cost[~there] = np.inf
    best = fitted[cost.argmin()] if cost.min() < looks * np.log(usual[0]) else tried[1]
    return np.asarray(best)


def _beside_frame(printed: PrintedDeck) -> Bools:
    """Places (P,) of the grid that lie beside the frame."""
    card = printed.deck.card
    frame = np.array([card.frame_width_mm, card.frame_height_mm]) / 2
    off = np.abs(np.abs(printed.templates.grid_mm) - frame)
    return np.asarray(off.min(axis=1) < FRAME_MM)


def _agreeing(named: Named, start: int, printed: PrintedDeck) -> FloatArray | None:
    """Poses (M, 3) of the starting card, index `start`, on which cards would lie exactly and about
    which most of them agree. None where no three agree about a place near its own.
    """
    own = named.poses[start, :3]
    under = under_others(named, start, printed)
    close = np.linalg.norm(under.poses[:, :2] - own[:2], axis=1) < NEAR_MM
    close &= np.cos(under.poses[:, 2] - own[2]) > np.cos(np.deg2rad(NEAR_DEG))
    under = under.take(close)
    supporters = supporters_of(under)
    if supporters.max(initial=0) < MANY_SUPPORTERS:
        return None
    first = under.poses[supporters.argmax()]
    return np.asarray(under.poses[about_there(under.poses, first[None])[:, 0]])
