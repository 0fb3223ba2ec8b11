"""Damage that shows in a photo's pixels, whatever file they came in.

A camera's or a card reader's fault leaves bands: flat ones, ones that repeat what is above them,
and ones whose colours jump along a row of blocks. A table and its cards do not look like that:
what is measured is said, with how far whole photos are from it, beside each limit.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from rig.photo.bands import bars_round, flat_rows, inside_bars, repeated_bands
from rig.photo.damage_signs import Area, Damage, PlacedSign

Plane = NDArray[np.float32]
BLOCK = 8
FLAT_BY = 2
"""Levels by which colours differ at most within what is flat."""
SMEARED = 16
"""Pixels: a block whose colour is coded at half its size."""
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


def picture_damage(image: NDArray[np.uint8]) -> Damage:
    """Signs of damage in the pixels (H, W, 3) BGR, as they were coded: row after row, not turned.

    After a band that comes twice, or whose blocks step, what follows may lie beside its place: it
    is damaged down to the last row.
    """
    height, width = image.shape[:2]
    if min(height, width) < 4 * BLOCK:
        return Damage()
    inside = inside_bars(image)
    bars = bars_round(inside, (width, height))
    left, top, right, bottom = _clear_of_bars(inside, (width, height))
    image = np.ascontiguousarray(image[top : max(top, bottom), left : max(left, right)])
    if min(image.shape[:2]) < 4 * BLOCK:
        return Damage(bars=bars)
    placed = []

    def place(what: str, first: int, last: int) -> None:
        placed.append(PlacedSign(what, Area(left, top + first, right, top + last)))

    for first, last in flat_rows(image):
        place("a band of one colour", first, last)
    repeats = repeated_bands(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8))
    if repeats.first is not None:
        place("a band that comes twice", repeats.first, len(image))
    stepping, most = _stepping(image)
    if stepping is not None:
        place("a band that steps along its blocks", stepping, len(image))
    # A screen's grid, coded, steps faintly where it beats with the blocks.
    is_faint = most >= FAINT_SHARE and not repeats.is_patterned
    faint = ("a row of blocks that may step",) if is_faint else ()
    return Damage(placed=tuple(placed), faint=faint, bars=bars)


def _clear_of_bars(inside: Area, size_wh: tuple[int, int]) -> Area:
    """What lies between the bars without the blocks over which coding smears their edges, from a
    row of blocks on.
    """
    left, top, right, bottom = inside
    width, height = size_wh
    return Area(
        left + SMEARED if left else 0,
        -(-top // BLOCK) * BLOCK + SMEARED if top else 0,
        right - SMEARED if right < width else width,
        bottom - SMEARED if bottom < height else height,
    )


def _stepping(image: NDArray[np.uint8]) -> tuple[int | None, float]:
    """The first row of what steps, None where nothing does, and the most of a row's cells that
    step in either direction.
    """
    luma, *chroma = cv2.split(cv2.cvtColor(image, cv2.COLOR_BGR2YCrCb))
    half = [
        cv2.resize(plane, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) for plane in chroma
    ]
    firsts, most = [], 0.0
    for plane, scale in ((luma, 1), *((one, 2) for one in half)):
        one_way, either_way = _shares_that_step(np.asarray(plane, np.float32))
        stepping = np.flatnonzero((one_way >= ONE_WAY_SHARE) | (either_way >= EITHER_WAY_SHARE))
        # What steps may have begun within the row of blocks before.
        firsts += [max(0, int(row + 1 - TURNS[-1]) * BLOCK * scale) for row in stepping[:1]]
        most = max(most, float(either_way.max(initial=0.0)))
    return min(firsts, default=None), most


def _shares_that_step(plane: Plane) -> tuple[Plane, Plane]:
    """For each row of blocks but the first: how many of its cells step, in one direction and in
    either.
    """
    steps = _steps(plane)
    if steps.shape[1] < FEWEST_CELLS:
        return np.zeros(len(steps), np.float32), np.zeros(len(steps), np.float32)
    limit = max(STEP, STEPS_OF_NOISE * float(np.median(np.abs(steps))))
    one_way = np.maximum(_across(steps > limit), _across(steps < -limit))
    return one_way, _across(np.abs(steps) > limit)


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


def _across(cells: NDArray[np.bool_]) -> Plane:
    """How many of each row's cells are marked: of all of it, or of the rest of one further up and
    its own first.
    """
    counts = np.pad(np.cumsum(cells, axis=1, dtype=np.int32), ((0, 0), (1, 0)))
    most = counts[:, -1].copy()
    for turn in TURNS:
        if len(counts) > turn:
            rest = counts[:-turn, -1:] - counts[:-turn]
            most[turn:] = np.maximum(most[turn:], (rest + counts[turn:]).max(axis=1))
    return np.asarray(most / cells.shape[1], np.float32)
