"""The one frame of a card's shape that a picture shows, and the view of the table that it gives."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from geometry.deck import CardSize
from vision.arrays import FloatArray
from vision.lens import FocalLength, Lens, LensKnown
from vision.locating.locate import Located, located_from
from vision.locating.markers import find_markers
from vision.locating.plane import FOCAL_SHARE
from vision.locating.quads import Quads, find_quads
from vision.view import TableView, view_from_homography

SIDES_ALIKE, NEARLY = 0.06, 0.15
"""By which the sides of a frame may differ from a card's, as a share; and those of what may be a
card's.
"""


def located_by_start(
    image_bgr: NDArray[np.uint8], lens: LensKnown, card: CardSize
) -> Located | None:
    """The table by the one frame of a card's shape that is seen, where no marker is."""
    grey = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    if find_markers(grey):
        return None
    height, width = grey.shape
    quads = find_quads(image_bgr).corners_px
    found = []
    for quad in quads:
        view = _view_of(quad, lens, (width, height), card)
        if view is not None:
            found.append((view, quad))
    if len(found) != 1:
        return None
    view, quad = found[0]
    return located_from((view, Quads(quad[None])), (), (width, height))


def _view_of(
    quad_px: FloatArray, lens: LensKnown, size_wh: tuple[int, int], card: CardSize
) -> TableView | None:
    """The view in which an outline (4, 2) is a card's frame; None where it has another shape."""
    known = lens if isinstance(lens, Lens) else _usual_lens(lens, size_wh)
    rays = known.to_rays(quad_px)
    frame = _frame_corners(card)
    views = []
    for turn in range(2):
        homography = cv2.getPerspectiveTransform(
            frame.astype(np.float32), np.roll(rays, turn, axis=0).astype(np.float32)
        )
        view = view_from_homography(known, np.asarray(homography, np.float64))
        sides = _sides(view.to_mm(quad_px))
        wanted = _sides(np.roll(frame, -turn, axis=0))
        off = float(np.abs(np.log(sides / wanted)).max())
        views.append((off, view))
    off, best = min(views, key=lambda one: one[0])
    return best if off < SIDES_ALIKE else None


def _usual_lens(lens: LensKnown, size_wh: tuple[int, int]) -> Lens:
    """A lens as cameras have them, or of the focal length that a photo tells."""
    width, height = size_wh
    focal = lens.px if isinstance(lens, FocalLength) else FOCAL_SHARE * max(size_wh)
    matrix = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1.0]])
    return Lens(size_wh, matrix, np.zeros(5))


def _frame_corners(card: CardSize) -> FloatArray:
    """The corners (4, 2) of the outer edge of a card's frame, clockwise from its top left."""
    half = np.array([card.frame_width_mm, card.frame_height_mm]) / 2
    return np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half


def _sides(corners: FloatArray) -> FloatArray:
    """Lengths (4,) of the sides of an outline (4, 2)."""
    return np.asarray(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1))


def frames_mm(image_bgr: NDArray[np.uint8], located: Located, card: CardSize) -> FloatArray:
    """Outlines (Q, 4, 2) on the table that have a card frame's size, or nearly so."""
    quads = find_quads(image_bgr).corners_px
    if len(quads) == 0:
        return np.empty((0, 4, 2))
    mm = located.view.to_mm(quads.reshape(-1, 2)).reshape(-1, 4, 2)
    wanted = np.sort(_sides(_frame_corners(card)))
    sized = [np.abs(np.log(np.sort(_sides(quad)) / wanted)).max() < NEARLY for quad in mm]
    low, high = located.box_mm.reshape(2, 2)
    inside = ((mm >= low) & (mm <= high)).all(axis=(1, 2))
    return np.asarray(mm[np.array(sized) & inside])
