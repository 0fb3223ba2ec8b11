"""Bands across a picture: of one colour, as bars and damage are, and those that come twice."""

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from rig.photo.damage_signs import Area
from vision.locating.bars import FLAT_BY, FLAT_ROWS, GREY, between_bars, plain_bands, runs
from vision.process import single_blas_thread

Image8 = NDArray[np.uint8]
GREY_SHARE = 0.25
"""Of a row's width."""


def inside_bars(image: Image8) -> Area:
    """What lies between the bars along the four sides of a picture (H, W, 3); all of it where there
    are none, and nothing where the picture is of one colour.
    """
    return Area(*between_bars(image))


def bars_round(inside: Area, size_wh: tuple[int, int]) -> tuple[Area, ...]:
    """The bars that leave this of a picture."""
    width, height = size_wh
    sides = (
        Area(0, 0, width, inside.top),
        Area(0, inside.bottom, width, height),
        Area(0, inside.top, inside.left, inside.bottom),
        Area(inside.right, inside.top, width, inside.bottom),
    )
    return tuple(bar for bar in sides if bar.left < bar.right and bar.top < bar.bottom)


def flat_rows(image: Image8) -> list[tuple[int, int]]:
    """The rows, first and one past the last, of bands of one colour across a picture (H, W, 3), and
    of a decoder's grey across a part of it.
    """
    bands = [(band.first, band.last) for band in plain_bands(image)]
    return bands + _grey_rows(image)


def _grey_rows(image: Image8) -> list[tuple[int, int]]:
    """Rows of a decoder's grey across a part of the picture, without a gap."""
    luma = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    is_grey = np.asarray(cv2.inRange(luma, np.array(GREY[0]), np.array(GREY[1])))
    is_same = np.asarray(cv2.compare(luma[:, 1:], luma[:, :-1], cv2.CMP_EQ))
    is_grey[:, 1:] &= is_same
    share = cv2.reduce(is_grey, 1, cv2.REDUCE_AVG, dtype=cv2.CV_32F).ravel() / 255
    found = []
    for begun, ended in runs(share >= GREY_SHARE, FLAT_ROWS):
        rows = image[begun:ended].astype(np.int16)
        is_colourless = rows.max(axis=2) - rows.min(axis=2) <= FLAT_BY
        long = _has_long_run(is_colourless & (is_grey[begun:ended] != 0))
        found += [(begun + first, begun + last) for first, last in runs(long, FLAT_ROWS)]
    return found


def _has_long_run(marked: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which rows are marked without a gap along a share of GREY_SHARE of their length."""
    width = int(marked.shape[1] * GREY_SHARE)
    counts = np.cumsum(marked, axis=1, dtype=np.int32)
    return np.asarray((counts[:, width:] - counts[:, :-width] >= width).any(axis=1))


Plane = NDArray[np.float32]
REPEATED_ROWS = 12
ALIKE = 0.6
"""Correlation of the noise of rows; rows of whole photos reach 0.45 over so many of them."""
AS_ALIKE = 0.75
"""Of the best place's correlation: other places of which it may be a copy as well."""
MOST_PLACES = 3
"""A band that is alike in more places is a pattern's: copies are alike in one, and on ten fixtures
under grids of 2.3 to 5.1 pixels a band of the grid is in ten or more."""
FEWEST_OF_A_PATTERN = 3
"""Copies within a picture that has a pattern as well; one or two may be the pattern's."""
NEAR = 8
"""Rows; a band is like itself a few rows further."""
LEAST_NOISE = 0.3
"""Levels; what has less looks like anything."""
MOST_NOISE = 6.0
"""Levels; what has more is an edge and counts as this much."""
WITNESSES = 48
"""Random sums of a row's noise by which rows are compared."""
EVERY, BANDS_AT_ONCE = 4, 128
"""Rows from one band that is looked for to the next, and how many are looked for at a time."""


class Repeats(NamedTuple):
    """The first row of the first band that comes twice, None where none does; and whether a pattern
    makes bands alike.
    """

    first: int | None
    is_patterned: bool


def repeated_bands(luma: NDArray[np.uint8]) -> Repeats:
    """The bands of a picture (H, W) that are like others of it."""
    single_blas_thread()
    signs = _signatures(luma)
    count = len(signs) - REPEATED_ROWS + 1
    if count <= NEAR:
        return Repeats(None, False)
    bands = np.concatenate([signs[n : n + count] for n in range(REPEATED_ROWS)], axis=1)
    patterned, copies = 0, []
    for start in range(NEAR, count, EVERY * BANDS_AT_ONCE):
        asked = np.arange(start, min(start + EVERY * BANDS_AT_ONCE, count), EVERY)
        alike = bands[asked] @ bands.T
        apart = np.arange(count)[None] - asked[:, None]
        alike[np.abs(apart) < NEAR] = -1.0
        best = np.where(apart < 0, alike, -1.0).max(axis=1)
        for k in np.flatnonzero(best > ALIKE * REPEATED_ROWS):
            if _places(alike[k] > AS_ALIKE * best[k]) > MOST_PLACES:
                patterned += 1
            else:
                copies.append(int(alike[k, : asked[k]].argmax()))
    if len(copies) < FEWEST_OF_A_PATTERN and len(copies) <= patterned:
        copies = []
    return Repeats(min(copies, default=None), patterned > len(copies))


def _places(marked: NDArray[np.bool_]) -> int:
    """How many runs of neighbours are marked."""
    return int(marked[0]) + int(np.count_nonzero(marked[1:] & ~marked[:-1]))


def _signatures(luma: NDArray[np.uint8]) -> Plane:
    """Each row's noise against the rows beside it, by random sums of length one: (H, WITNESSES).

    Nought where there is too little noise.
    """
    kernel = np.array([[-0.5], [1.0], [-0.5]], np.float32)
    noise = cv2.filter2D(luma, cv2.CV_32F, kernel)
    noise = np.clip(noise, -MOST_NOISE, MOST_NOISE)
    rng = np.random.default_rng(0)
    weights = rng.choice(np.array([-1.0, 1.0], np.float32), (luma.shape[1], WITNESSES))
    found = noise @ weights
    length = np.linalg.norm(found, axis=1, keepdims=True)
    is_noisy = np.abs(noise).mean(axis=1, keepdims=True) >= LEAST_NOISE
    signs: Plane = np.where(is_noisy, found / np.maximum(length, 1e-6), 0.0).astype(np.float32)
    return signs
