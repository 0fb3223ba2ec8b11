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
SHADES = int(SHADOW / STEP)
CELL_MM = 32
"""The table is learned in squares of this side."""
LEAST_SEEN = 0.25
"""So much of a square shows the table, or nothing is learned from it."""
COMMON = 0.03
"""A colour that fills so much of a square, those close to it counted, is one of its own."""
NEAR_MM = 200.0
"""Squares are asked by how far they are (a normal curve's sigma), but for those beside: a thing
that lies there does not speak for itself."""
FEWEST_SQUARES = 12
"""Of fewer nothing is learned."""
EVERY = 37
"""Every so manieth place tells of the light."""
STEP_MM = 1.0
"""Steps are what differs so far to either side of a place."""
STEP_LEVELS, STEP_FROM = 64.0, (-2.0, 2.0, 2.0)
"""Levels of a byte for 1 of logarithm; and what is added: chroma is told up to 2."""
LIGHT_STEPS, LIGHT_SLACK = 6, (0.15, 0.06, 0.06)


@dataclass(frozen=True, eq=False)
class _Lattice:
    """Colours by which a table is known, in steps: from `low` (3,), so many (3,). The first and the
    last of each are for all colours beyond.
    """

    low: FloatArray
    steps: tuple[int, int, int]

    def numbers(self, features: Map32) -> Ints:
        """The colours (H, W) of features (H, W, 3)."""
        scale = np.diag(np.full(3, 1 / STEP))
        at = cv2.transform(features, np.column_stack([scale, -self.low / STEP]))
        top = tuple(float(n - 1) for n in self.steps)
        at = np.rint(cv2.max(cv2.min(at, (*top, 0.0)), (0.0, 0.0, 0.0, 0.0)))
        _, greens, reds = self.steps
        places = np.array([[greens * reds, reds, 1]], np.float32)
        return np.asarray(cv2.transform(at, places), np.int32)


@dataclass(frozen=True, eq=False)
class Looks:
    """How usual (H, W), 0 to 1, what shows at each place is on the table round about, 1 on cards
    and where the photograph does not reach; and by how much (H, W) colours differ close round it.
    """

    usual: Map32
    steps: Map32


@dataclass(frozen=True, eq=False)
class TableColours:
    """A table's colours as they were learned, on a map (h, w) of a pixel a mm: where it shows,
    `table`, and where cards lie, `card`; how usual each colour is round about each square, and
    which of these each place is asked of; how the light varies; and the colours that are there.
    """

    table: Bools
    card: Bools
    lattice: _Lattice
    first: NDArray[np.int32]
    usual: Map32
    square: NDArray[np.int32]
    light: Map32
    numbers: Ints

    def roughly(self) -> Map32:
        """How usual (h, w) what shows is, 1 off the table."""
        usual = self.usual.ravel().take(self.first.take(self.numbers) + self.square)
        return np.where(self.table, usual, np.float32(1))


def table_colours(
    picture_bgr: Image8, shown: Bools, on_card: Bools, density: float
) -> TableColours | None:
    """The colours of a table; None where too little of it shows to tell.

    `picture_bgr` (H, W, 3) of `density` px per mm, `shown` and `on_card` (H, W).
    """
    height, width = on_card.shape
    size = max(1, round(width / density)), max(1, round(height / density))
    small = cv2.resize(picture_bgr, size, interpolation=cv2.INTER_AREA)
    card = cv2.resize(on_card.astype(np.float32), size, interpolation=cv2.INTER_AREA) > 0
    table = _off(card, shown, size)
    squares = _squares(table)
    if len(squares.used) < FEWEST_SQUARES:
        return None
    features = _features(small, COARSE_SMOOTHING_MM)
    light = _light(features, table)
    even = features - light
    lattice = _lattice(even[table])
    numbers = lattice.numbers(even)
    colours = _colours(lattice, numbers[table])
    usual = _learned(colours, numbers, table, squares)
    first = colours.index * usual.shape[1]
    square = squares.nearest[squares.number]
    return TableColours(table, card, lattice, first, usual, square, light, numbers)


def table_looks(
    colours: TableColours, picture_bgr: Image8, shown: Bools, on_card: Bools, density: float
) -> Looks:
    """How usual what shows is on a table whose colours were learned from the same picture
    (H, W, 3), of `density` px per mm; `shown` and `on_card` (H, W).
    """
    features = _features(picture_bgr, SMOOTHING_MM * density)
    steps = _steps(features, ellipse(STEP_MM, density))
    size = on_card.shape[1], on_card.shape[0]
    features -= cv2.resize(colours.light, size, interpolation=cv2.INTER_LINEAR)
    square = cv2.resize(colours.square, size, interpolation=cv2.INTER_NEAREST)
    at = colours.first.take(colours.lattice.numbers(features)) + square
    usual = np.ones(on_card.shape, np.float32)
    np.copyto(usual, colours.usual.ravel().take(at), where=shown & ~on_card)
    return Looks(usual, steps)


def _steps(features: Map32, around: Image8) -> Map32:
    """By how much (H, W) features (H, W, 3) differ round each place."""
    scale = np.column_stack([np.diag([STEP_LEVELS] * 3), np.multiply(STEP_FROM, STEP_LEVELS)])
    levels = np.clip(cv2.transform(features, scale), 0, 255).astype(np.uint8)
    one, two, three = cv2.split(cv2.morphologyEx(levels, cv2.MORPH_GRADIENT, around))
    return np.asarray(cv2.max(cv2.max(one, two), three) / np.float32(STEP_LEVELS), np.float32)


@dataclass(frozen=True, eq=False)
class _Squares:
    """Squares of a map, in rows of `across`: each place's (H, W), which of them are used (N,), how
    much of the table each of these shows (N,), and the index among those used of the one nearest
    to each square.
    """

    across: int
    number: NDArray[np.int32]
    used: Ints
    shown: Ints
    nearest: NDArray[np.int32]


def _off(card: Bools, shown: Bools, size: tuple[int, int]) -> Bools:
    """Where (h, w) the bare table is, or a thing on it."""
    around = np.ones((2 * round(OFF_CARDS_MM) + 1,) * 2, np.uint8)
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
    nearest = np.zeros(len(every), np.int32)
    if len(used):
        columns, rows = every % across, every // across
        apart = (columns[:, None] - columns[used]) ** 2 + (rows[:, None] - rows[used]) ** 2
        nearest = apart.argmin(axis=1).astype(np.int32)
    return _Squares(across, number, used, shown[used], nearest)


def _features(picture_bgr: Image8, sigma_px: float) -> Map32:
    """Logarithms (H, W, 3): how light, and blue and red over green."""
    smooth = cv2.GaussianBlur(picture_bgr, (0, 0), sigma_px)
    levels = np.log(np.arange(256, dtype=np.float32) + np.float32(DARKEST))
    third = 1 / 3
    to_features = np.array([[third, third, third], [1, -1, 0], [0, -1, 1]])
    return np.asarray(cv2.transform(cv2.LUT(smooth, levels), to_features), np.float32)


def _light(features: Map32, table: Bools) -> Map32:
    """How the light varies (h, w, 3) over the table: a surface of the second order through each
    feature, whatever lies there; 0 in the mean.
    """
    height, width = table.shape
    across, down = np.linspace(-1, 1, width), np.linspace(-1, 1, height)
    places = np.flatnonzero(table)[::EVERY]
    x, y = across[places % width], down[places // width]
    asked = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y])
    out = np.empty(features.shape, np.float32)
    for k, slack in enumerate(LIGHT_SLACK):
        values = features[..., k].ravel()[places].astype(np.float64)
        weights = np.ones(len(values))
        for _ in range(LIGHT_STEPS):
            weighed = asked * weights**2
            # A bent line of places may leave a term open: the least one that fits is as good.
            surface = np.linalg.lstsq(weighed @ asked.T, weighed @ values, rcond=None)[0]
            off = np.abs(values - surface @ asked)
            weights = 1 / (1 + (off / max(slack, 1.5 * float(np.median(off)))) ** 2)
        _, a, b, aa, ab, bb = surface
        rows = (b + bb * down) * down
        out[..., k] = (a + aa * across) * across + rows[:, None] + ab * down[:, None] * across
    return out


def _lattice(values: Map32) -> _Lattice:
    """The colours that lie off the cards (K, 3), and what they are in a shadow."""
    low, high = np.quantile(values[::EVERY], REACH, axis=0)
    room = 2 * STEP
    low = low - [room + SHADOW, room, room] - STEP
    many = np.ceil((high + room - low) / STEP) + 2
    return _Lattice(low, (int(many[0]), int(many[1]), int(many[2])))


@dataclass(frozen=True, eq=False)
class _Colours:
    """The C colours of a lattice that a table has or may have in a shadow: their numbers (C,), and
    by number the index, C of all others. Numbers go on beyond the lattice, where there are none.
    """

    numbers: Ints
    index: NDArray[np.int32]
    stride: tuple[int, int, int]

    def beside(self, axis: int, steps: int) -> NDArray[np.int32]:
        """The index (C,) of the colour so many steps up in a feature."""
        return np.asarray(self.index[self.numbers + steps * self.stride[axis]], np.int32)


def _colours(lattice: _Lattice, numbers: Ints) -> _Colours:
    """The colours near those that are there (K,), and what these are in a shadow."""
    there = np.zeros(lattice.steps, np.bool_)
    there.ravel()[numbers] = True
    _forget_beyond(there)
    for axis in range(3):
        own = np.moveaxis(there, axis, 0)
        before = own.copy()
        own[1:] |= before[:-1]
        own[:-1] |= before[1:]
    before = there.copy()
    for k in range(1, SHADES + 1):
        there[:-k] |= before[k:]
    _forget_beyond(there)
    kept = np.flatnonzero(there)
    _, greens, reds = lattice.steps
    stride = greens * reds, reds, 1
    index = np.full(there.size + SHADES * stride[0], len(kept), np.int32)
    index[kept] = np.arange(len(kept))
    return _Colours(kept, index, stride)


def _forget_beyond(there: Bools) -> None:
    """Colours beyond a lattice are none."""
    for axis in range(3):
        ends = np.moveaxis(there, axis, 0)
        ends[0] = ends[-1] = False


def _learned(
    colours: _Colours, number: Ints, table: Bools, squares: _Squares
) -> Map32:  # fmt: skip
    """How usual (C + 1, N), 0 to 1, each colour is round about each square, none beyond, from the
    numbers (h, w) of the colours of a map in even light.
    """
    index = np.full(int(squares.number.max()) + 1, -1, np.int32)
    index[squares.used] = np.arange(len(squares.used))
    square, many = index[squares.number[table]], len(squares.used)
    at = colours.index[number[table]] * many + square
    size = len(colours.numbers) + 1
    counts = np.bincount(at[square >= 0], minlength=size * many).reshape(size, many)
    shares = counts.astype(np.float32) * (1 / squares.shown.astype(np.float32))
    shares[-1] = 0.0
    for axis in range(3):
        low, high = shares[colours.beside(axis, -1)], shares[colours.beside(axis, 1)]
        shares[:-1] += low + high
    own = np.minimum(shares / np.float32(COMMON), 1.0)
    shaded = own.copy()
    for k in range(1, SHADES + 1):
        np.maximum(shaded[:-1], own[colours.beside(0, k)], out=shaded[:-1])
    return _round_about(shaded, squares)


def _round_about(own: Map32, squares: _Squares) -> Map32:
    """The mean (C, N) of what squares have (C, N), by how far they lie from each; those that touch
    it left out.
    """
    size = -(-len(squares.nearest) // squares.across), squares.across
    grid = np.zeros((len(own) + 1, len(squares.nearest)), np.float32)
    grid[:-1, squares.used], grid[-1, squares.used] = own, 1.0
    apart = [np.abs(np.subtract.outer(np.arange(n), np.arange(n))) for n in size]
    weights = [np.exp(-((a * CELL_MM / NEAR_MM) ** 2) / 2).astype(np.float32) for a in apart]
    beside = [w * (a <= 1) for w, a in zip(weights, apart, strict=True)]
    summed = (_summed(grid, *weights) - _summed(grid, *beside))[:, squares.used]
    # Less than that is rounding: no other square is near.
    whole = np.where(summed[-1] > 1e-3, summed[-1], np.inf)
    return np.asarray(np.maximum(summed[:-1] / whole, 0.0), np.float32)


def _summed(grid: Map32, down: Map32, across: Map32) -> Map32:
    """Sums of grids (C, h * w), weighed along their columns (h, h) and their rows (w, w)."""
    rows = grid.reshape(-1, len(across)) @ across
    columns = down @ rows.reshape(-1, len(down), len(across))
    return np.asarray(columns.reshape(grid.shape), np.float32)
