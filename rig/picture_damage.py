"""Damage that shows in a photo's pixels, whatever file they came in.

A camera's or a card reader's fault leaves bands: flat ones, ones that repeat what is above them,
and ones whose colours jump along a row of blocks. A table and its cards do not look like that:
what is measured is said, with how far whole photos are from it, beside each limit.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from rig.damage_signs import Damage
from vision.process import single_blas_thread

Plane = NDArray[np.float32]
BLOCK = 8
FLAT_ROWS = 8
"""So many rows of one and the same colour; noise keeps rows of a photo from being it."""
FLAT_BY = 2
"""Levels by which colours may differ in a flat row, as after coding again."""
GREY = (120, 136)
"""What decoders fill in for what is missing."""
GREY_SHARE = 0.25
"""Of a row's width."""
CELL = 16
"""Pixels along a row of which the median step is taken."""
STEP, STEPS_OF_NOISE = 4.0, 5.0
"""Levels by which brightness or colour steps, and how often more than the middle step is that."""
ONE_WAY_SHARE, EITHER_WAY_SHARE, FAINT_SHARE = 0.6, 0.45, 0.3
"""In how many cells of a row: all in one direction, or in either. Of whole photos' cells it is
one in four at most."""
FEWEST_CELLS = 8
TURNS = (1, 2, 4, 8)
"""Rows of blocks by which what begins within a row goes on in the next: blocks are 8, 16, 32 or 64
pixels high."""
REPEATED_ROWS = 12
ALIKE = 0.6
"""Correlation of the noise of rows; rows of whole photos reach 0.45 over so many of them."""
LEAST_NOISE = 0.3
"""Levels; what has less looks like anything."""
MOST_NOISE = 6.0
"""Levels; what has more is an edge and counts as this much."""
WITNESSES = 48
"""Random sums of a row's noise by which rows are compared."""
EVERY, BANDS_AT_ONCE = 4, 128
"""Rows from one band that is looked for to the next, and how many are looked for at a time."""


def picture_damage(image: NDArray[np.uint8]) -> Damage:
    """Signs of damage in the pixels (H, W, 3) BGR."""
    if min(image.shape[:2]) < 4 * BLOCK:
        return Damage()
    found = []
    luma = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    if _has_flat_band(image, luma) or _has_grey_band(image, luma):
        found.append("a band of one colour")
    if _has_repeated_band(luma):
        found.append("a band that comes twice")
    one_way, either_way = _shares_that_step(image)
    if one_way >= ONE_WAY_SHARE or either_way >= EITHER_WAY_SHARE:
        found.append("a band that steps along its blocks")
    is_faint = either_way >= FAINT_SHARE
    return Damage(tuple(found), ("a row of blocks that may step",) if is_faint else ())


def _has_flat_band(image: NDArray[np.uint8], luma: NDArray[np.uint8]) -> bool:
    """Rows of one colour across the picture.

    Black or white at the picture's rim is a frame or a screen's, not damage.
    """
    low = cv2.reduce(luma, 1, cv2.REDUCE_MIN).ravel().astype(np.int16)
    flat = cv2.reduce(luma, 1, cv2.REDUCE_MAX).ravel() - low <= FLAT_BY
    for begun, ended in _runs(flat, FLAT_ROWS):
        rows = image[begun:ended].astype(np.int16)
        range_of_each = (rows.max(axis=1) - rows.min(axis=1)).max(axis=1)
        for first, last in _runs(range_of_each <= FLAT_BY, FLAT_ROWS):
            is_rim = begun + first == 0 or begun + last == len(flat)
            if not is_rim or BLOCK < rows[first:last].mean() < 255 - BLOCK:
                return True
    return False


def _has_grey_band(image: NDArray[np.uint8], luma: NDArray[np.uint8]) -> bool:
    """A decoder's grey across a part of some rows, without a gap."""
    is_grey = np.asarray(cv2.inRange(luma, np.array(GREY[0]), np.array(GREY[1])))
    is_same = np.asarray(cv2.compare(luma[:, 1:], luma[:, :-1], cv2.CMP_EQ))
    is_grey[:, 1:] &= is_same
    share = cv2.reduce(is_grey, 1, cv2.REDUCE_AVG, dtype=cv2.CV_32F).ravel() / 255
    for begun, ended in _runs(share >= GREY_SHARE, FLAT_ROWS):
        rows = image[begun:ended].astype(np.int16)
        is_colourless = rows.max(axis=2) - rows.min(axis=2) <= FLAT_BY
        long = _has_long_run(is_colourless & (is_grey[begun:ended] != 0))
        if _runs(long, FLAT_ROWS):
            return True
    return False


def _has_long_run(marked: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which rows are marked without a gap along a share of GREY_SHARE of their length."""
    width = int(marked.shape[1] * GREY_SHARE)
    counts = np.cumsum(marked, axis=1, dtype=np.int32)
    return np.asarray((counts[:, width:] - counts[:, :-width] >= width).any(axis=1))


def _runs(marked: NDArray[np.bool_], least: int) -> list[tuple[int, int]]:
    """Where at least so many follow each other: (first, one past the last)."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], marked.astype(np.int8), [0]))))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2) if b - a >= least]


def _has_repeated_band(luma: NDArray[np.uint8]) -> bool:
    """Rows whose noise is that of rows further up, which no two exposures share."""
    single_blas_thread()
    signs = _signatures(luma)
    count = len(signs) - REPEATED_ROWS + 1
    bands = np.concatenate([signs[n : n + count] for n in range(REPEATED_ROWS)], axis=1)
    for first in range(BLOCK, count, EVERY * BANDS_AT_ONCE):
        asked = np.arange(first, min(first + EVERY * BANDS_AT_ONCE, count), EVERY)
        alike = bands[asked] @ bands.T
        further_up = np.arange(count)[None] <= asked[:, None] - BLOCK
        if (alike * further_up).max() > ALIKE * REPEATED_ROWS:
            return True
    return False


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


def _shares_that_step(image: NDArray[np.uint8]) -> tuple[float, float]:
    """The most of a row's cells that step, in one direction and in either."""
    luma, *chroma = cv2.split(cv2.cvtColor(image, cv2.COLOR_BGR2YCrCb))
    half = [
        cv2.resize(plane, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) for plane in chroma
    ]
    shares = [_step_shares(np.asarray(plane, np.float32)) for plane in (luma, *half)]
    return max(one for one, _ in shares), max(either for _, either in shares)


def _step_shares(plane: Plane) -> tuple[float, float]:
    """As `_shares_that_step`, of one plane."""
    steps = _steps(plane)
    if steps.shape[1] < FEWEST_CELLS:
        return 0.0, 0.0
    limit = max(STEP, STEPS_OF_NOISE * float(np.median(np.abs(steps))))
    one_way = max(_most_across(steps > limit), _most_across(steps < -limit))
    return one_way, _most_across(np.abs(steps) > limit)


def _steps(plane: Plane) -> Plane:
    """By how much more it steps at the rows of blocks than beside them: (rows, cells).

    Where a band of one colour begins or ends, it does not count.
    """
    y = np.arange(BLOCK, plane.shape[0] - 2, BLOCK)
    across = plane[y] - plane[y - 1]
    across[np.minimum(np.ptp(plane[y], axis=1), np.ptp(plane[y - 1], axis=1)) <= FLAT_BY] = 0
    beside = 0.5 * ((plane[y - 1] - plane[y - 2]) + (plane[y + 1] - plane[y]))
    width = plane.shape[1] // CELL * CELL
    cells = (across - beside)[:, :width].reshape(len(y), -1, CELL)
    return np.asarray(np.median(cells, axis=2), np.float32)


def _most_across(cells: NDArray[np.bool_]) -> float:
    """The most of a row's cells that are marked: all of it, or the first of one further down."""
    counts = np.pad(np.cumsum(cells, axis=1, dtype=np.int32), ((0, 0), (1, 0)))
    most = int(counts[:, -1].max())
    for turn in TURNS:
        if len(counts) > turn:
            rest = counts[:-turn, -1:] - counts[:-turn]
            most = max(most, int((rest + counts[turn:]).max()))
    return most / int(cells.shape[1])
