"""The table from its markers and, better, from the cards that lie on it.

Pure functions over corners in pixels: the rig calls them at each frame.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.lens import Lens
from vision.locating.markers import (
    SQUARE_MM,
    MarkedTable,
    Marker,
    table_from_markers,
    view_from_markers,
)
from vision.view import TableView, rotation_from_vector, vector_from_rotation

FloatArray = NDArray[np.float64]

MARKER_NOISE_PX = 0.5
CARD_NOISE_PX = 0.3
SIZE_NOISE = 0.004
"""Markers look larger or smaller by so much as blur and tone curve have it."""


@dataclass(frozen=True, eq=False)
class CardFrame:
    """A known rectangle on the table: corners seen (4, 2), px, clockwise from its top left as it
    lies; its width and height in mm, and how high its face lies above the table.
    """

    corners_px: FloatArray
    width_mm: float
    height_mm: float
    above_mm: float = 0.33


@dataclass(frozen=True, eq=False)
class TableFit:
    """The table, and how well markers and cards agree with it: RMS in px, and in mm.

    `marker_scale` is how large the markers looked against the cards: 1.0 where
    only one of both was seen.
    """

    table: MarkedTable
    rms_px: float
    rms_mm: float
    marker_scale: float


def fit_table(
    lens: Lens, markers: tuple[Marker, ...], cards: tuple[CardFrame, ...] = ()
) -> TableFit | None:
    """Fit plane, markers and cards together; None where the markers do not fix the table.

    Where the markers lie is not assumed. With cards, their size sets the
    scale, because blur does not shift the middle of a line.
    """
    if len(markers) < 2:
        return None
    start = view_from_markers(markers, lens)
    view, scale, residuals = _adjusted(start, markers, cards)
    table = table_from_markers(view, markers)
    if table is None:
        return None
    rms = float(np.sqrt(np.mean(np.sum(residuals.reshape(-1, 2) ** 2, axis=1))))
    middle = np.array(table.play_area_mm or (0.0, 0.0)) / 2
    return TableFit(table, rms, rms / table.view.px_per_mm(middle), scale)


def _adjusted(
    start: TableView, markers: tuple[Marker, ...], cards: tuple[CardFrame, ...]
) -> tuple[TableView, float, FloatArray]:
    poses = [_pose(start.to_mm(marker.corners_px)) for marker in markers]
    poses += [_pose(start.to_mm(card.corners_px, card.above_mm)) for card in cards]
    first = np.concatenate([vector_from_rotation(start.rotation), start.translation_mm, [1.0]])
    from scipy.optimize import least_squares  # starts slowly; a rig does without at first

    fixed = poses[0]  # the first marker holds the frame
    guess = np.concatenate([first, *poses[1:]])
    seen = np.concatenate([m.corners_px for m in markers] + [c.corners_px for c in cards])
    noise = np.repeat(
        [MARKER_NOISE_PX] * 4 * len(markers) + [CARD_NOISE_PX] * 4 * len(cards), 2
    ).reshape(-1, 2)

    def off(p: FloatArray) -> FloatArray:
        view = TableView(start.lens, rotation_from_vector(p[:3]), p[3:6])
        placed = [fixed, *p[7:].reshape(-1, 3)]
        parts = [view.to_px(_at(SQUARE_MM * p[6], pose)) for pose in placed[: len(markers)]]
        parts += [
            view.to_px(_at(_rectangle(card), pose), card.above_mm)
            for card, pose in zip(cards, placed[len(markers) :], strict=True)
        ]
        return np.asarray(np.concatenate(parts) - seen)

    def residuals(p: FloatArray) -> FloatArray:
        return np.concatenate([(off(p) / noise).ravel(), [(p[6] - 1) / SIZE_NOISE]])

    fit = least_squares(residuals, guess, x_scale="jac", loss="soft_l1", f_scale=2.0)
    view = TableView(start.lens, rotation_from_vector(fit.x[:3]), np.asarray(fit.x[3:6]))
    return view, float(fit.x[6]), off(fit.x)


def _rectangle(card: CardFrame) -> FloatArray:
    half = np.array([card.width_mm, card.height_mm]) / 2
    return np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half


def _pose(corners_mm: FloatArray) -> FloatArray:
    middle = corners_mm.mean(axis=0)
    along = corners_mm[1] + corners_mm[2] - corners_mm[0] - corners_mm[3]
    return np.array([middle[0], middle[1], float(np.arctan2(along[1], along[0]))])


def _at(points: FloatArray, pose: FloatArray) -> FloatArray:
    cos, sin = np.cos(pose[2]), np.sin(pose[2])
    return np.asarray(points @ np.array([[cos, sin], [-sin, cos]]) + pose[:2])
