"""Where a deck draws the lines of its starting card, each way that it may lie."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck, Face
from vision.arrays import Bools, FloatArray
from vision.model.drawing import Print, draw_faces, face_drawn
from vision.model.hypothesis import Hypothesis
from vision.reading_config import ReadingConfig

NEAR_FRAME = 2.0
"""Widths of a line: nearer its frame a starting card looks alike whichever way it lies."""


ALIKE_MM = 0.2
"""A deck's figures are rounded: shapes whose corners lie nearer are the same."""


@dataclass(frozen=True, eq=False)
class StartArt:
    """The ways in which a starting card may lie that look otherwise by the deck, where (W, P) each
    draws a line on the grid of `DrawnFaces`, and where (P,) it is asked at all: within its frame.
    """

    ways: tuple[Hypothesis, ...]
    lines: Bools
    within: Bools
    same: Mapping[Hypothesis, Hypothesis]
    """Of all ways the one of `ways` that looks so."""


@lru_cache(maxsize=4)
def start_art(deck: Deck, config: ReadingConfig) -> StartArt:
    """Draw the starting card either side and either way up, once each if they differ."""
    face, size = deck.starting_face.id, deck.card
    faces = draw_faces(deck, config)
    same: dict[Hypothesis, Hypothesis] = {}
    drawn: dict[Hypothesis, NDArray[np.uint8]] = {}
    for mirrored in (False, True):
        side = face_drawn(deck, Hypothesis(face, mirrored), config)
        for turned in (False, True):
            way = Hypothesis(face, mirrored, turned)
            same[way] = next((one for one in drawn if _alike(deck.starting_face, one, way)), way)
            drawn.setdefault(same[way], side[::-1] if turned else side)
    rows, columns = faces.shape_hw
    x = np.abs(np.arange(columns) - columns // 2) / faces.density
    y = np.abs(np.arange(rows) - rows // 2) / faces.density
    clear = NEAR_FRAME * size.line_mm
    inner = np.outer(y < size.frame_height_mm / 2 - clear, x < size.frame_width_mm / 2 - clear)
    lines = np.isin(np.stack(list(drawn.values())), (Print.LINE, Print.INK_LINE))
    return StartArt(tuple(drawn), lines, inner.reshape(-1), same)


def _alike(face: Face, one: Hypothesis, other: Hypothesis) -> bool:
    """Whether a face has the same shapes at the same places either way."""
    mine, theirs = _outlines(face, one), _outlines(face, other)
    return all(any(_same(a, b) for b in theirs) for a in mine)


def _outlines(face: Face, way: Hypothesis) -> list[FloatArray]:
    flip = np.array([-1.0 if way.mirrored else 1.0, 1.0]) * (-1.0 if way.turned else 1.0)
    return [np.array(shape.outline_mm) * flip for shape in face.shapes]


def _same(one: FloatArray, other: FloatArray) -> bool:
    """Whether two outlines (N, 2) have the same corners, in whatever order."""
    if len(one) != len(other):
        return False
    gaps = np.hypot(*(one[:, None] - other[None]).transpose(2, 0, 1))
    return bool((gaps.min(axis=1) < ALIKE_MM).all())
