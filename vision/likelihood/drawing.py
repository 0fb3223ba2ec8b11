"""What a card's print predicts: the columns of the linear model, for every face, side and turn."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.drawing.templates import TEMPLATE_DENSITY, Templates

Map32 = NDArray[np.float32]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
WHITE_AT, INK_AT, MOVED_AT, COLUMNS = 6, 9, 12, 18
"""The columns: black's field (1, x, y, x², xy, y², in half cards), then white and ink, each with
its slopes (1, x, y), and then the misprint: each moved along x, along y, and blurred more."""
MORE_BLUR_MM = 0.5
DRAWN_OTHERWISE = 0.6
"""Of white or ink: places that differ by so much are drawn otherwise, not half a place aside."""
UNKNOWN = -1
"""Of a colour: any ink, and no symbol."""


@dataclass(frozen=True, eq=False)
class Guesses:
    """What a card may be: H template `rows`, lying as the card lies or `turned` half round, all of
    one `colour`, an index of the templates' colours.
    """

    rows: Ints
    turned: Bools
    colour: int

    def take(self, some: Ints) -> Guesses:
        """Some of them, in the order given."""
        return Guesses(self.rows[some], self.turned[some], self.colour)

    def of(self, colour: int) -> Guesses:
        """The same in another colour."""
        return Guesses(self.rows, self.turned, colour)

    def places(self, index: Ints, templates: Templates) -> Ints:
        """Which places (H, K) of the templates' grid lie at the card's places (K,)."""
        turned = len(templates.grid_mm) - 1 - index
        return np.where(self.turned[:, None], turned, index)


class Prints:
    """What is printed on cards, each row of the templates drawn when it is first asked for."""

    def __init__(self, templates: Templates) -> None:
        self.templates = templates
        self._drawn: dict[tuple[int, float], Map32] = {}

    def at(self, guesses: Guesses, index: Ints, blur_mm: float) -> Map32:
        """What guesses have (H, K, 8) at a card's places (K,): white, ink, then along x, along y
        and blurred more: of white and of ink.
        """
        at = guesses.places(index, self.templates)
        rows = guesses.rows.tolist()
        return np.stack([self._row(row, blur_mm)[k] for row, k in zip(rows, at, strict=True)])

    def _row(self, row: int, blur_mm: float) -> Map32:
        if (row, blur_mm) not in self._drawn:
            both = [
                _blurred(one[row].reshape(self.templates.shape_hw), blur_mm)
                for one in (self.templates.white, self.templates.ink)
            ]
            more = [change for one in both for change in _changes(one)]
            self._drawn[row, blur_mm] = np.stack([*both, *more], axis=-1).reshape(-1, 8)
        return self._drawn[row, blur_mm]


def _blurred(one: Map32, blur_mm: float) -> Map32:
    if blur_mm == 0:
        return one
    return np.asarray(cv2.GaussianBlur(one, (0, 0), blur_mm * TEMPLATE_DENSITY), np.float32)


def _changes(one: Map32) -> tuple[Map32, Map32, Map32]:
    """By how much a drawing changes per mm along x and y, and with its blur."""
    x, y = (
        np.asarray(cv2.Sobel(one, cv2.CV_32F, *way, ksize=3, scale=TEMPLATE_DENSITY / 8))
        for way in ((1, 0), (0, 1))
    )
    return x, y, _blurred(one, MORE_BLUR_MM) - one


def columns_of(drawn: Prints, guesses: Guesses, index: Ints, blur_mm: float) -> tuple[Map32, Map32]:
    """The columns (H, K, COLUMNS) of guesses at a card's grid places `index` (K,), the drawing
    blurred by so much more than the templates are, and how much its white and its ink change there
    per mm (H, K, 2), with the same sign where they change the same way.
    """
    templates, prints = drawn.templates, drawn.at(guesses, index, blur_mm)
    out = np.empty((*prints.shape[:2], COLUMNS), np.float32)
    out[..., :WHITE_AT] = veil_columns(templates, index)
    put(out, WHITE_AT, prints[..., 0])
    put(out, INK_AT, prints[..., 1])
    out[..., MOVED_AT:] = prints[..., 2:]
    slope = np.hypot(prints[..., [2, 5]], prints[..., [3, 6]])
    against = (prints[..., 2:4] * prints[..., 5:7]).sum(axis=-1) < 0
    slope[against, 1] *= -1
    return out, slope


def veil_columns(templates: Templates, index: Ints) -> Map32:
    """The columns (K, WHITE_AT) of black's field at a card's grid places (K,)."""
    x, y = (templates.grid_mm[index] / templates.half_mm).astype(np.float32).T
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1)


def differing(templates: Templates, guesses: Guesses, index: Ints) -> Bools:
    """Where (H, K) guesses draw a card's places (K,) otherwise than the first of them, symbols
    aside, and of the same face badges as well: printings have these either way up.
    """
    at = guesses.places(index, templates)
    apart = np.maximum(
        *(
            np.abs(drawn - drawn[:1])
            for drawn in (
                one[guesses.rows[:, None], at] for one in (templates.white, templates.ink)
            )
        )
    )
    same_face = guesses.rows // 2 == guesses.rows[0] // 2
    told = ~templates.symbol[index] & ~(same_face[:, None] & templates.badge[index])
    return np.asarray(told & (apart > DRAWN_OTHERWISE))


def put(columns: Map32, first: int, share: Map32) -> None:
    """Write white or ink (..., K) with its slopes into columns (..., K, COLUMNS)."""
    columns[..., first] = share
    columns[..., first + 1] = share * columns[..., 1]
    columns[..., first + 2] = share * columns[..., 2]
