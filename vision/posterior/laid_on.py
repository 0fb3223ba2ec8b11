"""Where a card of which little shows lies by those that lie on it, exactly on shapes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from geometry.deck import Deck
from geometry.fitting import pairings, turn_deg
from geometry.layout import Card, Layout
from geometry.pose import PointsMm, Pose
from geometry.spread import PoseSpread, spread_of
from geometry.verdict import Verdict
from vision.arrays import FloatArray
from vision.model.table import CardId
from vision.reading_config import ReadingConfig

OPEN_SIGMAS = 6.0
"""What lies anywhere does so within so many sigmas of a place of which nothing shows."""

Told = tuple[FloatArray, FloatArray]
"""By how much (3,: mm, mm, degrees) a card lies beside where it is said to, and how exactly (3, 3)
that is told.
"""


def told_by_those_on_them(
    layout: Layout, verdicts: Mapping[int, Verdict], spreads: Mapping[CardId, PoseSpread],
    config: ReadingConfig,
) -> Mapping[CardId, tuple[FloatArray, PoseSpread]]:  # fmt: skip
    """By how much (3,: mm, mm, degrees) cards lie beside where they are said to, and how exactly
    that is known then: those that show less exactly where they lie than players lay.

    A player lays a card exactly on a shape, or anywhere. That one lies so exactly is taken for
    granted where it is likely enough by all others that lie on the same card.
    """
    laid = np.diag([config.laid_mm, config.laid_mm, config.laid_deg]) ** 2
    out = {}
    for lower in layout.cards:
        own = spreads[CardId(lower.id)].matrix
        if (np.diag(own) <= np.diag(laid)).all():
            continue
        told = list(_told(layout, lower, verdicts, spreads, laid))
        exact = [one for k, one in enumerate(told) if _exact(own, told, k, config)]
        if exact:
            moved, known = _joined(own, exact)
            out[CardId(lower.id)] = moved, spread_of(known)
    return out


def _told(
    layout: Layout, lower: Card, verdicts: Mapping[int, Verdict],
    spreads: Mapping[CardId, PoseSpread], laid: FloatArray,
) -> Iterator[Told]:  # fmt: skip
    """What each card that was laid on a shape of another one tells of where that lies."""
    for verdict in verdicts.values():
        if verdict.covers != lower.id or verdict.shape_on is None or verdict.shape_of is None:
            continue
        upper = layout.card(verdict.card)
        shapes = verdict.shape_on, verdict.shape_of
        on, of = _corners(layout.deck, lower, upper, shapes)
        turn = turn_deg(on, of)
        middle = np.array([lower.pose.x_mm, lower.pose.y_mm])
        shape = of.mean(axis=0)
        moved = Pose(float(shape[0]), float(shape[1]), turn).to_table(
            (middle - on.mean(axis=0))[None]
        )[0]
        beside = np.array([*(moved - middle), turn])
        known = np.zeros((3, 3))
        upper_middle = np.array([upper.pose.x_mm, upper.pose.y_mm])
        for about, exactly in ((upper_middle, spreads[CardId(upper.id)].matrix), (shape, laid)):
            lever = moved - about
            move = np.eye(3)
            move[:2, 2] = np.deg2rad([-lever[1], lever[0]])
            known += move @ exactly @ move.T
        yield beside, known


def _corners(
    deck: Deck, lower: Card, upper: Card, shapes: tuple[int, int]
) -> tuple[FloatArray, FloatArray]:
    """The corners (4, 2) of two equal shapes on the table, those that belong together in order."""
    same_side = lower.pose.mirrored == upper.pose.mirrored
    ways = pairings(deck.face(lower.face), deck.face(upper.face), same_side)
    found = [
        (lower.pose.to_table(PointsMm(on)), upper.pose.to_table(PointsMm(of)))
        for own, on, of in zip(ways.shapes, ways.on_mm, ways.of_mm, strict=True)
        if own == shapes
    ]
    return min(found, key=lambda pair: float(np.linalg.norm(pair[0] - pair[1])))


def _exact(own: FloatArray, told: Sequence[Told], number: int, config: ReadingConfig) -> bool:
    """Whether one card lies exactly on another, by where all others on that say that it lies."""
    moved, known = _joined(own, [one for k, one in enumerate(told) if k != number])
    beside, exactly = told[number]
    off, spread = beside - moved, known + exactly
    likely = -(off @ np.linalg.solve(spread, off) + np.linalg.slogdet(2 * np.pi * spread)[1]) / 2
    sides = OPEN_SIGMAS * np.array([config.same_mm, config.same_mm, config.same_deg])
    anywhere = -config.illegal_cost - np.log(sides).sum()
    return bool(likely - anywhere >= -np.log(config.doubted))


def _joined(own: FloatArray, told: Sequence[Told]) -> Told:
    """What a card itself and others tell of where it lies."""
    weights = [np.linalg.inv(known) for _, known in told]
    known = np.linalg.inv(np.linalg.inv(own) + sum(weights, np.zeros((3, 3))))
    pulled = sum((w @ beside for w, (beside, _) in zip(weights, told, strict=True)), np.zeros(3))
    return known @ pulled, known


def moved_by(pose: Pose, moved: FloatArray) -> Pose:
    """A pose that is so far (3,: mm, mm, degrees) beside."""
    x, y, turn = moved.tolist()
    return Pose(pose.x_mm + x, pose.y_mm + y, (pose.angle_deg + turn) % 360, pose.mirrored)
