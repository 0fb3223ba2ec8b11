"""What the table looks like, learned from round about the cards, and what does not look so.

A table's colours come back all over it, in light and in shadow; those of a thing are where it lies.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bools, FloatArray, Ints, Map32
from vision.over_cards.known_cards import Image8
from vision.over_cards.witness import ellipse

SMOOTHING_MM, COARSE_SMOOTHING_MM = 0.35, 0.8
OFF_CARDS_MM = 2.0
"""The table is learned so far off the cards' edges, and off where the photograph ends."""
DARKEST = 8.0
"""Grey levels added to all: of black the logarithm says nothing."""
STEP = 0.09
"""Of logarithms: colours are told apart by twice as much."""
REACH = (0.02, 0.98)
"""Of each feature the table's range is between these shares of what lies off the cards."""
SHADOW = 0.6
"""The deepest shadow's logarithm, as a camera encodes it: of 0.27 of the light. In a deeper one a
table is black, as a sleeve may be."""
CELL_MM = 32
"""The table is learned in squares of this side."""
LEAST_SEEN = 0.25
"""So much of a square shows the table, or nothing is learned from it."""
COMMON = 0.03
"""A colour that fills so much of a square, those close to it counted, is one of its own."""
NEAR_MM, OWN_MM = 200.0, 48.0
"""Squares are asked by how far they are (a normal curve's sigma), but for those so near: a thing
that lies there does not speak for itself."""
FEWEST_SQUARES = 12
"""Of fewer nothing is learned."""
EVERY = 37
"""Every so manieth place tells of the light."""
STEP_MM = 1.0
"""Steps are what differs so far to either side of a place."""
LIGHT_STEPS, LIGHT_SLACK = 6, (0.15, 0.06, 0.06)


@dataclass(frozen=True, eq=False)
class _Palette:
    """Colours of a lattice by which a table is known: the lowest values (3,), the numbers of steps
    (3,), and of each square (N) how usual each colour is round about it, 0 to 1 (N, K).
    """

    low: FloatArray
    steps: tuple[int, int, int]
    usual: Map32


@dataclass(frozen=True, eq=False)
class Looks:
    """How usual (H, W), 0 to 1, what shows at each place is on the table round about, 1 on cards
    and where the photograph does not reach; and by how much (H, W) colours differ close round it.
    """

    usual: Map32
    steps: Map32


def table_looks(picture_bgr: Image8, shown: Bools, on_card: Bools, density: float) -> Looks:
    """What is usual on a table; all is where too little of it shows to tell.

    `picture_bgr` (H, W, 3) of `density` px per mm, `shown` and `on_card` (H, W).
    """
    features = _features(picture_bgr, SMOOTHING_MM * density)
    around = ellipse(STEP_MM, density)
    ranges = cv2.subtract(cv2.dilate(features, around), cv2.erode(features, around))
    usual = _usual(picture_bgr, features, shown, on_card, density)
    return Looks(usual, np.asarray(ranges.max(axis=2), np.float32))


def _usual(picture_bgr: Image8, fine: Map32, shown: Bools, on_card: Bools, density: float) -> Map32:
    """How usual (H, W) features (H, W, 3) of a picture are."""
    height, width = on_card.shape
    size = max(1, round(width / density)), max(1, round(height / density))
    small = cv2.resize(picture_bgr, size, interpolation=cv2.INTER_AREA)
    table = _off(on_card, shown, size)
    squares = _squares(table)
    out = np.ones((height, width), np.float32)
    if len(squares.used) < FEWEST_SQUARES:
        return out
    coarse = _features(small, COARSE_SMOOTHING_MM)
    light = _light(coarse, table)
    palette = _learned(coarse - light, table, squares)
    even = fine - cv2.resize(light, (width, height), interpolation=cv2.INTER_LINEAR)
    nearest = squares.nearest[squares.number]
    square = cv2.resize(nearest, (width, height), interpolation=cv2.INTER_NEAREST)
    off = shown & ~on_card
    colour = _numbers(even[off], palette)
    out[off] = np.where(colour >= 0, palette.usual[square[off], colour], 0.0)
    return out


@dataclass(frozen=True, eq=False)
class _Squares:
    """Squares of a map: each place's (H, W), which of them are used (N,), how much of the table
    each of these shows (N,), the middles of those used (N, 2), mm, and the index among those used
    of the one nearest to each square.
    """

    number: NDArray[np.int32]
    used: Ints
    shown: Ints
    middles: FloatArray
    nearest: NDArray[np.int32]


def _off(on_card: Bools, shown: Bools, size: tuple[int, int]) -> Bools:
    """Where (h, w) on a map of a pixel a mm the bare table is, or a thing on it."""
    around = np.ones((2 * round(OFF_CARDS_MM) + 1,) * 2, np.uint8)
    card = cv2.resize(on_card.astype(np.float32), size, interpolation=cv2.INTER_AREA) > 0
    reached = cv2.resize(shown.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST)
    off = cv2.erode(reached, around) > 0
    return np.asarray(off & (cv2.dilate(card.astype(np.uint8), around) == 0))


def _squares(table: Bools) -> _Squares:
    height, width = table.shape
    across, down = (width - 1) // CELL_MM + 1, (height - 1) // CELL_MM + 1
    rows, columns = np.arange(height) // CELL_MM, np.arange(width) // CELL_MM
    number = (rows[:, None] * across + columns).astype(np.int32)
    shown = np.bincount(number[table], minlength=across * down)
    used = np.flatnonzero(shown >= LEAST_SEEN * CELL_MM**2)
    every = np.arange(across * down)
    middles = np.column_stack([every % across, every // across]) * float(CELL_MM)
    nearest = np.zeros(len(every), np.int32)
    if len(used):
        apart = ((middles[:, None] - middles[used]) ** 2).sum(axis=-1)
        nearest = apart.argmin(axis=1).astype(np.int32)
    return _Squares(number, used, shown[used], middles[used], nearest)


def _features(picture_bgr: Image8, sigma_px: float) -> Map32:
    """Logarithms (H, W, 3): how light, and blue and red over green."""
    smooth = cv2.GaussianBlur(picture_bgr, (0, 0), sigma_px)
    levels = np.log(np.arange(256, dtype=np.float32) + np.float32(DARKEST))
    b, g, r = cv2.split(cv2.LUT(smooth, levels))
    return np.asarray(cv2.merge([(b + g + r) / 3, b - g, r - g]), np.float32)


def _light(features: Map32, table: Bools) -> Map32:
    """How the light varies (h, w, 3) over the table: a surface of the second order through each
    feature, whatever lies there; 0 in the mean.
    """
    height, width = table.shape
    x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1)
    places = np.flatnonzero(table)[::EVERY]
    asked = terms.reshape(-1, 6)[places]
    out = np.empty(features.shape, np.float32)
    for k, slack in enumerate(LIGHT_SLACK):
        values = features[..., k].ravel()[places].astype(np.float64)
        weights = np.ones(len(values))
        for _ in range(LIGHT_STEPS):
            surface = np.linalg.lstsq(asked * weights[:, None], values * weights, rcond=None)[0]
            off = np.abs(values - asked @ surface)
            weights = 1 / (1 + (off / max(slack, 1.5 * float(np.median(off)))) ** 2)
        surface[0] = 0.0
        out[..., k] = terms @ surface
    return out


def _learned(flat: Map32, table: Bools, squares: _Squares) -> _Palette:
    """The colours that are usual round about each square, from features (h, w, 3) in even light."""
    values = flat[table]
    low, high = np.quantile(values[::EVERY], REACH, axis=0)
    room = 2 * STEP
    low = low - [room + SHADOW, room, room]
    steps = tuple(int(n) for n in np.ceil((high + room - low) / STEP) + 1)
    empty = _Palette(low, (steps[0], steps[1], steps[2]), np.empty((0, 0), np.float32))
    index = np.full(int(squares.number.max()) + 1, -1, np.int64)
    index[squares.used] = np.arange(len(squares.used))
    square, colour = index[squares.number[table]], _numbers(values, empty)
    told = (square >= 0) & (colour >= 0)
    many = int(np.prod(steps))
    counts = np.bincount(square[told] * many + colour[told], minlength=len(squares.used) * many)
    shown = squares.shown.astype(np.float32)[:, None, None, None]
    shares = np.asarray(counts.reshape(-1, *steps) / shown, np.float32)
    own = np.minimum(_with_close(shares) / COMMON, 1.0)
    usual = _round_about(squares.middles) @ _shaded(own).reshape(len(own), -1)
    return _Palette(low, empty.steps, np.asarray(usual, np.float32))


def _numbers(values: Map32, palette: _Palette) -> Ints:
    """The number (K,) of the lattice's colour for features (K, 3); -1 where there is none."""
    at = np.rint((values - palette.low.astype(np.float32)) / np.float32(STEP)).astype(np.int32)
    inside = ((at >= 0) & (at < palette.steps)).all(axis=1)
    _, greens, reds = palette.steps
    number = (at[:, 0] * greens + at[:, 1]) * reds + at[:, 2]
    return np.asarray(np.where(inside, number, -1), np.int64)


def _with_close(shares: Map32) -> Map32:
    """Shares (N, ...) with those of the colours one step away."""
    for axis in (1, 2, 3):
        size = shares.shape[axis]
        padded = np.pad(shares, [(int(k == axis),) * 2 for k in range(4)])
        parts = [np.take(padded, np.arange(k, k + size), axis=axis) for k in range(3)]
        shares = parts[0] + parts[1] + parts[2]
    return shares


def _shaded(own: Map32) -> Map32:
    """Which colours a square has, those as well that its own have in a shadow."""
    out = own.copy()
    for k in range(1, int(SHADOW / STEP) + 1):
        np.maximum(out[:, :-k], own[:, k:], out=out[:, :-k])
    return out


def _round_about(middles: FloatArray) -> Map32:
    """How much (N, N) each square counts for each: all of one's come to 1."""
    apart = ((middles[:, None] - middles) ** 2).sum(axis=-1)
    weights = np.exp(-apart / (2 * NEAR_MM**2))
    weights[apart < OWN_MM**2] = 0.0
    return np.asarray(weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-9), np.float32)
