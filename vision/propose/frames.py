"""Where frames of cards may lie: white lines in a frame's size, at any place and any angle.

Every place of the table is asked how much of a frame round it shows, at each of many angles: a sum
of shifted maps of lines that run in a side's direction. Neither ink nor what is drawn within is
looked at, so that a card shows by as much of its frame as is not covered.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from geometry.deck import CardSize
from vision.arrays import FloatArray
from vision.observe.observation import FULL_WHITE, Observation
from vision.reading_config import ReadingConfig

Map8 = NDArray[np.uint8]
Sought = Callable[[Map8, float, Observation, ReadingConfig], tuple[Map8, Map8]]
"""Where (H, W) sides of frames may run in a direction, radians: those above or left of a card's
middle, and those below or right of it.
"""

COARSE = 2
"""Places of the observation to one of the search, each way."""
HALF_TURN_DEG = 180.0


@dataclass(frozen=True, eq=False)
class RoughFrames:
    """Where (N, 3: x, y in mm, degrees from 0 to 180) frames may lie, to a mm and a degree, and
    which share (N,) of each shows; those that show most first.
    """

    places: FloatArray
    shares: FloatArray


def rough_frames(seen: Observation, size: CardSize, config: ReadingConfig) -> RoughFrames:
    """Frames of cards of a size, wherever some of one shows: of white lines, and of black that
    paper is round, as some printings of the starting card are.
    """
    white = _coarse(seen)
    found = [
        _shown_most(seen, white, size, config, _line_along, config.frame_step_deg),
        _shown_most(seen, white, size, config, _paper_along, config.paper_step_deg),
    ]
    places = np.concatenate([one.places for one in found])
    shares = np.concatenate([one.shares for one in found])
    order = np.argsort(-shares, kind="stable")[: config.most_frames]
    return RoughFrames(places[order], shares[order])


def _shown_most(
    seen: Observation, white: Map8, size: CardSize, config: ReadingConfig, sought: Sought,
    step_deg: float,
) -> RoughFrames:  # fmt: skip
    """Frames of what is sought along their sides, at angles so many degrees apart."""
    number = round(HALF_TURN_DEG / step_deg / 2) * 2
    best = np.zeros(white.shape, np.uint8)
    angle = np.zeros(white.shape, np.uint8)
    across, along = _side_places(size, config)
    asked = sum(side.shape[0] for side in (*across, *along))
    reach = int(np.ceil(np.hypot(size.frame_width_mm, size.frame_height_mm) / 2 * _per_mm(seen)))
    # Rows end to end, so that each shift is a single run; what wraps round the margin is left out.
    height, width = white.shape
    margin, line = reach + 1, width + 2 * (reach + 1)
    for k in range(number // 2):
        # Of a frame at either of two angles a quarter turn apart sides lie along both.
        one, other = (
            [
                np.pad(side, margin).ravel()
                for side in sought(white, np.pi * n / number, seen, config)
            ]
            for n in (k, k + number // 2)
        )
        # A quarter turn takes the way across one pair of sides to the way back along the other.
        for n, sides in ((k, (*one, *other[::-1])), (k + number // 2, (*other, *one))):
            turn = _turn(np.pi * n / number).T
            run = np.zeros(height * line, np.uint8)
            for places, side in zip((*across, *along), sides, strict=True):
                shifts = np.rint(places @ turn * _per_mm(seen)).astype(int) + margin
                for first in (shifts @ [1, line]).tolist():
                    run += side[first : first + len(run)]
            shown = run.reshape(height, line)[:, :width]
            better = (shown > best) | ((shown == best) & (angle > n))
            np.copyto(best, shown, where=better)
            np.copyto(angle, np.uint8(n), where=better)
    row, column = _peaks(best, int(np.ceil(config.frame_least_share * asked)), seen, config)
    middle = (COARSE - 1) / 2 / seen.density
    x = column / _per_mm(seen) + middle + seen.origin_mm[0]
    y = row / _per_mm(seen) + middle + seen.origin_mm[1]
    degrees = angle[row, column] * (HALF_TURN_DEG / number)
    return RoughFrames(np.column_stack([x, y, degrees]), best[row, column] / asked)


def _per_mm(seen: Observation) -> float:
    """Places of the search to a mm."""
    return seen.density / COARSE


def _coarse(seen: Observation) -> Map8:
    """How white (H / 2, W / 2) the whitest of each four places is."""
    height, width = (side // COARSE * COARSE for side in seen.white.shape)
    blocks = seen.white[:height, :width].reshape(height // COARSE, COARSE, width // COARSE, COARSE)
    return np.asarray(blocks.max(axis=(1, 3)))


def _side_places(size: CardSize, config: ReadingConfig) -> tuple[FloatArray, FloatArray]:
    """Places on the sides of a frame, mm: on its upper and lower one (2, K, 2), and on its left and
    right one (2, L, 2).
    """
    half = np.array([size.frame_width_mm, size.frame_height_mm]) / 2
    sides = []
    for along in (0, 1):
        ends = half[along] - config.frame_straight_mm
        ticks = np.arange(-ends, ends + 1e-6, config.frame_spacing_mm)
        side = np.empty((2, len(ticks), 2))
        side[..., along] = ticks
        side[..., 1 - along] = np.array([[-1.0], [1.0]]) * half[1 - along]
        sides.append(side)
    return sides[0], sides[1]


@dataclass(frozen=True, eq=False)
class _Along:
    """How white (H, W) each place is, and the whiteness at offsets from it, in a direction."""

    white: Map8
    padded: Map8
    pad: int
    per_mm: float
    ahead_mm: FloatArray
    beside_mm: FloatArray

    @classmethod
    def of(cls, white: Map8, angle: float, seen: Observation, config: ReadingConfig) -> _Along:
        """A map seen along a direction, radians."""
        per_mm = _per_mm(seen)
        pad = int(np.ceil(max(config.frame_straight_mm, config.frame_beside_mm) * per_mm))
        ahead, beside = _turn(angle).T
        ahead, beside = ahead * config.frame_straight_mm, beside * config.frame_beside_mm
        return cls(white, np.pad(white, pad), pad, per_mm, ahead, beside)

    def at(self, offset_mm: FloatArray) -> Map8:
        """The map seen from an offset."""
        x, y = np.rint(offset_mm * self.per_mm).astype(int) + self.pad
        height, width = self.white.shape
        return self.padded[y : y + height, x : x + width]

    def straight(self) -> Map8:
        """The least white of each place and of those so far ahead and behind."""
        return np.minimum(np.minimum(self.white, self.at(self.ahead_mm)), self.at(-self.ahead_mm))


def _line_along(
    white: Map8, angle: float, seen: Observation, config: ReadingConfig
) -> tuple[Map8, Map8]:
    """Where (H, W) a line runs in a direction, 1 or 0: white, so far ahead and behind as well, and
    beside either not white or plainly less than it, as a pale ink is. The same for either side.
    """
    along = _Along.of(white, angle, seen, config)
    least = round(config.frame_white * FULL_WHITE)
    contrast = round(config.fit_contrast * FULL_WHITE)
    line = along.straight()
    aside = np.maximum(along.at(along.beside_mm), along.at(-along.beside_mm))
    darker = aside < np.maximum(cv2.subtract(line, contrast), least)
    both = np.asarray((line >= least) & darker).view(np.uint8)
    return both, both


def _paper_along(
    white: Map8, angle: float, seen: Observation, config: ReadingConfig
) -> tuple[Map8, Map8]:
    """Where (H, W) paper begins in a direction, 1 or 0: white, so far ahead and behind as well, not
    white on one side and white on the other; for sides that have it above, and below.
    """
    along = _Along.of(white, angle, seen, config)
    least = round(config.frame_white * FULL_WHITE)
    below, above = along.at(along.beside_mm), along.at(-along.beside_mm)
    white = along.straight()
    dark = cv2.subtract(white, round(config.paper_contrast * FULL_WHITE))
    return (
        ((white >= least) & (above >= least) & (below < dark)).view(np.uint8),
        ((white >= least) & (below >= least) & (above < dark)).view(np.uint8),
    )


def _peaks(
    shown: Map8, least: int, seen: Observation, config: ReadingConfig
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The rows and columns of places that show at least so much and more than any near by, the
    highest first.
    """
    side = int(config.frame_apart_mm * _per_mm(seen)) * 2 + 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    # Of equal ones near by the first is taken: what follows is a little lower.
    highest = np.asarray(cv2.dilate(shown, disc))
    row, column = np.nonzero((shown == highest) & (shown >= least))
    order = np.argsort(-shown[row, column].astype(int), kind="stable")
    row, column = row[order], column[order]
    free = np.ones(shown.shape, np.bool_)
    kept: list[int] = []
    around = side // 2
    for k, (y, x) in enumerate(zip(row.tolist(), column.tolist(), strict=True)):
        if len(kept) == config.most_frames:
            break
        if free[y, x]:
            kept.append(k)
            free[max(0, y - around) : y + around + 1, max(0, x - around) : x + around + 1] = False
    return row[kept], column[kept]


def _turn(angle: float) -> FloatArray:
    """The rotation matrix (2, 2) of an angle in radians, clockwise with y down."""
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([[cos, -sin], [sin, cos]])
