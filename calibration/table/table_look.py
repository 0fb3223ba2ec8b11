"""A photograph's table: markers sharpened, lone cards' frames added, and the fit of both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.enrolment.card_blobs import find_cards
from calibration.enrolment.card_edges import fit_edges, rectangle_of
from calibration.table.table_fit import CardFrame, TableFit, fit_table
from calibration.table.table_watch import LEAST_MOVE_MM
from geometry.deck import CardSize
from vision.lens import Lens
from vision.locating.edges import Photo, linear_light
from vision.locating.marker_corners import sharpen_markers
from vision.locating.markers import (
    MarkedTable,
    Marker,
    find_markers,
    table_from_markers,
    view_from_markers,
)
from vision.raster import rectify
from vision.reason import Reason

Image = NDArray[np.uint8]

LARGEST_SIZE_GAP_SHARE = 0.07
"""By which all sides of a frame may differ from the known ones: a printer that fits the sheet to
the page shrinks markers by 3 to 6 %."""
LARGEST_SIZE_GAP_MM = 1.0
LEAST_SCALED = 0.012
"""Blur leaves less of a difference between markers and cards."""


@dataclass(frozen=True, eq=False)
class TableLook:
    """A table as one photo shows it: the fit, its markers, and how many cards helped."""

    fit: TableFit
    markers: tuple[Marker, ...]
    cards: int

    def reason(self) -> Reason:
        """What is to be told of it."""
        area = self.fit.table.play_area_mm
        facts = {
            "markers": len(self.markers),
            "cards": self.cards,
            "rms_mm": self.fit.rms_mm,
            "tilt_deg": self.fit.table.view.tilt_deg,
        }
        if area is None:
            return Reason("fit", facts)
        return Reason("fit-on-area", {**facts, "width_mm": area[0], "height_mm": area[1]})

    def warning(self) -> Reason | None:
        """What is wrong with the markers as printed; None where nothing is."""
        scale = self.fit.marker_scale
        if abs(scale - 1) < LEAST_SCALED:
            return None
        return Reason("fit-markers-misscaled", {"share": scale})


def sharp_table(image_bgr: Image, lens: Lens) -> MarkedTable | None:
    """The table from its markers' own edges; None where they do not fix it."""
    grey = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    markers = find_markers(grey)
    if len(markers) < 2:
        return None
    sharp = sharpen_markers(linear_light(image_bgr), lens, markers).markers
    return table_from_markers(view_from_markers(sharp, lens), sharp)


def look_at_table(image_bgr: Image, lens: Lens, card: CardSize) -> TableLook | Reason:
    """Fit the table in a photo; the reason where that cannot be done."""
    grey = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    found = find_markers(grey)
    if len(found) < 2:
        return Reason("fit-few-markers", {"count": len(found)})
    light = linear_light(image_bgr)
    markers = sharpen_markers(light, lens, found).markers
    start = fit_table(lens, markers)
    if start is None:
        return Reason("fit-no-table")
    cards = _lone_cards(image_bgr, Photo(light, start.table.view, card.thickness_mm), card)
    fit = fit_table(lens, markers, cards)
    return TableLook(start if fit is None else fit, markers, len(cards))


def _lone_cards(image_bgr: Image, looked: Photo, card: CardSize) -> tuple[CardFrame, ...]:
    height, width = image_bgr.shape[:2]
    rim = np.array([[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1.0]])
    seen = looked.view.to_mm(rim)
    box = np.concatenate([seen.min(axis=0), seen.max(axis=0)])
    blobs, _ = find_cards(rectify(image_bgr, looked.view, box, 2.5), [])
    frames = []
    for blob in blobs:
        corners = rectangle_of(fit_edges(looked, blob).frame)
        if corners is None:
            continue
        sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
        expected = np.array([card.frame_width_mm, card.frame_height_mm] * 2)
        share = float(np.mean(sides / expected))
        right_form = np.abs(sides / share - expected).max() < LARGEST_SIZE_GAP_MM
        if right_form and abs(share - 1) < LARGEST_SIZE_GAP_SHARE:
            px = looked.view.to_px(corners, looked.height_mm)
            frames.append(
                CardFrame(px, card.frame_width_mm, card.frame_height_mm, looked.height_mm)
            )
    return tuple(frames)


def table_moves(looks: Sequence[TableLook]) -> list[Reason]:
    """Of which later looks the markers lie elsewhere than the first one had them, and how far."""
    if not looks:
        return []
    view = looks[0].fit.table.view
    home = {m.id: view.to_mm(m.corners_px).mean(axis=0) for m in looks[0].markers}
    moves = []
    for number, look in enumerate(looks[1:], start=2):
        shifts = [
            float(np.linalg.norm(view.to_mm(m.corners_px).mean(axis=0) - home[m.id]))
            for m in look.markers
            if m.id in home
        ]
        if shifts and np.median(shifts) > LEAST_MOVE_MM:
            moved_mm = float(np.median(shifts))
            moves.append(Reason("fit-moved", {"number": number, "moved_mm": moved_mm}))
    return moves
