"""What changed between two small pictures, with changes of the light taken out.

A picture is reduced to a grid of cells. Between two grids the whole picture's
brightness (automatic exposure), each row's (mains flicker runs over a rolling
shutter in rows) and slow gradients are evened out; what remains is something
that moved.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

GRID_WH = (64, 48)
_LEAST_STEP = 6.0
"""Grey levels by which a cell must differ, however quiet the sensor."""
_SIGMAS = 6.0
_NEIGHBOURS = 4
"""Of the nine cells of a neighbourhood, so many must have changed: grain has no neighbours."""
_LIGHT_SHARE = 0.5
_LIGHT_GAIN = 1.25
_LIGHT_STEP = 12.0
"""More than noise does to half of the cells: the light came from somewhere else."""
_FEW_CELLS = 6
_TEXTURED = 22.0
_CARD_CELLS = 90


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """A preview reduced to cells. mean and spread: (48, 64) float32, grey levels 0 to 255."""

    taken_s: float
    mean: NDArray[np.float32]
    spread: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Change:
    """What differs between two glances.

    cells: how many have changed (0 to 3072). at_edge: a changed patch reaches the
    picture's edge, as an arm does. light: so much changed at once that it was the light.
    middle: of the changed cells, as shares of the picture's width and height.
    """

    cells: int
    at_edge: bool
    light: bool
    middle: tuple[float, float] | None

    @property
    def moved(self) -> bool:
        """Something moved, or the light changed at once."""
        return self.light or self.cells >= _FEW_CELLS


NOTHING = Change(0, at_edge=False, light=False, middle=None)


def glance_of(grey: NDArray[np.uint8], taken_s: float) -> Glance:
    """The cells of a grey picture (H, W) uint8."""
    values = grey.astype(np.float32)
    mean = cv2.resize(values, GRID_WH, interpolation=cv2.INTER_AREA)
    square = cv2.resize(values * values, GRID_WH, interpolation=cv2.INTER_AREA)
    spread = np.sqrt(np.maximum(square - mean * mean, 0))
    return Glance(taken_s, np.asarray(mean, np.float32), np.asarray(spread, np.float32))


def change_between(before: Glance, after: Glance) -> Change:
    """What moved from one glance to the next."""
    gain = float(np.median((after.mean + 1) / (before.mean + 1)))
    difference = _without_light(before.mean * gain, after.mean)
    # Half of the cells show the table as it was; what they differ by is the sensor's noise.
    noise = 1.48 * float(np.median(np.abs(difference)))
    changed = np.abs(difference) > max(_LEAST_STEP, _SIGMAS * noise)
    kernel = np.ones((3, 3), np.float32)
    near = cv2.filter2D(changed.astype(np.float32), -1, kernel, borderType=cv2.BORDER_REFLECT_101)
    patch = changed & (near >= _NEIGHBOURS)
    cells = int(patch.sum())
    light = max(gain, 1 / max(gain, 1e-6)) > _LIGHT_GAIN or noise > _LIGHT_STEP
    light = light or cells > _LIGHT_SHARE * patch.size
    if cells == 0:
        return replace(NOTHING, light=light)
    rows, columns = np.nonzero(patch)
    height, width = patch.shape
    middle = (float(columns.mean() + 0.5) / width, float(rows.mean() + 0.5) / height)
    edge = patch[0].any() or patch[-1].any() or patch[:, 0].any() or patch[:, -1].any()
    return Change(cells, bool(edge), light, middle)


def looks_the_same(before: Glance | None, after: Glance) -> bool:
    """Whether nothing at all differs between two glances at a still table; no for no glance.

    Less than what is taken for a movement counts: a dark card on dark ones changes few cells.
    """
    if before is None:
        return False
    change = change_between(before, after)
    return change.cells == 0 and not change.light


def shows_cards(glance: Glance) -> bool:
    """Whether there may be cards: white lines on black make cells of strong contrast."""
    return int((glance.spread > _TEXTURED).sum()) >= _CARD_CELLS


def _without_light(before: NDArray[np.float32], after: NDArray[np.float32]) -> NDArray[np.float32]:
    """The difference (48, 64) in grey levels, flicker evened out."""
    difference = after - before
    difference = difference - np.median(difference, axis=1, keepdims=True)
    return np.asarray(difference - np.median(difference), np.float32)
