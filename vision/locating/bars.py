"""The bars along the sides of a picture, as a telephone shows a photo with them, and what lies
between.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Image8 = NDArray[np.uint8]
FLAT_ROWS = 8
"""So many rows of one and the same colour; noise keeps rows of a photo from being it."""
FLAT_BY = 2
"""Levels by which colours may differ in a flat row, as after coding again."""
GREY = (120, 136)
"""What decoders fill in for what is missing."""
BAR_GAP_SHARE = 0.06
"""Of the picture's height or width: words and signs within a bar."""


@dataclass(frozen=True)
class Band:
    """Rows of one colour across a picture: the first, one past the last, and its BGR levels."""

    first: int
    last: int
    colour: NDArray[np.float64]

    @property
    def is_fill(self) -> bool:
        """Whether it is the grey of a decoder that had nothing to show."""
        is_colourless = float(np.ptp(self.colour)) <= FLAT_BY
        return is_colourless and GREY[0] <= float(self.colour.mean()) <= GREY[1]


def between_bars(image: Image8) -> tuple[int, int, int, int]:
    """What lies between the bars along the four sides of a picture (H, W, 3), in pixels: left, top,
    and one past the last, right, bottom. All of it where there are none, and nothing (0, 0, 0, 0)
    where the picture is of one colour.
    """
    top, bottom = _between(image)
    if top == bottom:
        return 0, 0, 0, 0
    left, right = _between(np.ascontiguousarray(image[top:bottom].transpose(1, 0, 2)))
    return left, top, right, bottom


def _between(image: Image8) -> tuple[int, int]:
    """The first row, and one past the last, between the bars above and below."""
    bands, height = plain_bands(image), len(image)
    upper = _chain(bands, height)
    turned = [Band(height - one.last, height - one.first, one.colour) for one in bands[::-1]]
    return upper, max(upper, height - _chain(turned, height))


def _chain(bands: list[Band], height: int) -> int:
    """Where bars end that begin at the first row, with words between; a decoder's grey is none."""
    end = 0
    for band in bands:
        if band.is_fill or band.first - end > (BAR_GAP_SHARE * height if end else 0):
            break
        end = band.last
    return end


def plain_bands(image: Image8) -> list[Band]:
    """The bands of one colour across the picture, from above."""
    luma = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    low = cv2.reduce(luma, 1, cv2.REDUCE_MIN).ravel().astype(np.int16)
    flat = cv2.reduce(luma, 1, cv2.REDUCE_MAX).ravel() - low <= FLAT_BY
    found = []
    for begun, ended in runs(flat, FLAT_ROWS):
        rows = image[begun:ended].astype(np.int16)
        range_of_each = (rows.max(axis=1) - rows.min(axis=1)).max(axis=1)
        for first, last in runs(range_of_each <= FLAT_BY, FLAT_ROWS):
            colour = rows[first:last].mean(axis=(0, 1))
            found.append(Band(begun + first, begun + last, colour))
    return found


def runs(marked: NDArray[np.bool_], least: int) -> list[tuple[int, int]]:
    """Where at least so many follow each other: (first, one past the last)."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], marked.astype(np.int8), [0]))))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2) if b - a >= least]
