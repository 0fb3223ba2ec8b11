"""One card, cut out of the photograph and laid straight in its own millimetres."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.enrolment.card_edges import CardEdges, least_channel, line_signal, rectangle_of
from vision.locating.edges import Photo

FloatArray = NDArray[np.float64]

DENSITY = 8.0
"""Pixels per mm of a card's picture: finer than any camera, so that nothing is lost again."""
MARGIN_MM = 1.0
WHITE_ZONE_MM = (7.0, 13.0)
"""Half sizes of the part of a card that holds its badge and its symbol."""


@dataclass(frozen=True, slots=True)
class CardMeasure:
    """What all cards share: frame and inset, the line's width, all in mm."""

    frame_width_mm: float
    frame_height_mm: float
    inset_mm: float
    line_mm: float

    @property
    def width_mm(self) -> float:
        """The card's width."""
        return self.frame_width_mm + 2 * self.inset_mm

    @property
    def height_mm(self) -> float:
        """The card's height."""
        return self.frame_height_mm + 2 * self.inset_mm


@dataclass(frozen=True, eq=False)
class CardPicture:
    """A card from above, portrait: `light` (H, W, 3) linear BGR, its middle in the middle.

    `frame` is the 2 x 3 matrix from card mm (middle, x right, y down) to the
    table's mm. `white` is the light of its white (3,), `black` that of its black;
    `share` is light against these two, (H, W, 3), 0 to about 1.
    """

    photo: Photo
    frame: FloatArray
    measure: CardMeasure
    light: FloatArray
    white: FloatArray
    black: FloatArray
    share: FloatArray

    def to_mm(self, px: FloatArray) -> FloatArray:
        """Picture pixels (..., 2) to card mm."""
        height, width = self.light.shape[:2]
        return np.asarray((px - [(width - 1) / 2, (height - 1) / 2]) / DENSITY)

    def to_px(self, card_mm: FloatArray) -> FloatArray:
        """Card mm (..., 2) to picture pixels."""
        height, width = self.light.shape[:2]
        return np.asarray(card_mm * DENSITY + [(width - 1) / 2, (height - 1) / 2])

    def to_table(self, card_mm: FloatArray) -> FloatArray:
        """Card mm (N, 2) to table mm."""
        return np.asarray(card_mm @ self.frame[:, :2].T + self.frame[:, 2])

    def to_card(self, table_mm: FloatArray) -> FloatArray:
        """Table mm (N, 2) to card mm."""
        return np.asarray((table_mm - self.frame[:, 2]) @ self.frame[:, :2])


def frame_corners(edges: CardEdges, measure: CardMeasure) -> FloatArray | None:
    """Corners (4, 2) of the frame's rectangle.

    A side that is not seen is put opposite one that is; where neither is, the
    black's edge serves, as on a card whose band is as white as its line.
    """
    lines = edges.frame.copy()
    across = (measure.frame_height_mm, measure.frame_width_mm)
    for side in range(4):
        opposite = edges.frame[(side + 2) % 4]
        if np.isfinite(lines[side, 0]):
            continue
        if np.isfinite(opposite[0]):
            lines[side] = [-opposite[0], -opposite[1], across[side % 2] - opposite[2]]
        else:
            lines[side] = edges.inner[side] + [0, 0, measure.line_mm / 2]
    return rectangle_of(lines)


def measure_cards(cards: list[CardEdges], line_mm: float, bias_mm: float) -> CardMeasure | None:
    """The shared measures: medians over cards whose frame line is seen on all sides.

    The outer edge is seen too far out where the card casts a shadow, so the
    inset is taken from the sides that have none. None without such a card.
    """
    sizes, insets = [], []
    for card in cards:
        corners = rectangle_of(card.frame)
        if corners is None:
            continue
        sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
        sizes.append((sides[[0, 2]].mean(), sides[[1, 3]].mean()))
        middles = (corners + np.roll(corners, -1, axis=0)) / 2
        insets += list(card.outer[:, 2] - np.sum(card.outer[:, :2] * middles, axis=1))
    if not sizes:
        return None
    width, height = np.median(np.array(sizes), axis=0)
    seen = np.array(insets)[np.isfinite(insets)]
    inset = float(np.percentile(seen, 10)) + bias_mm if len(seen) else line_mm
    return CardMeasure(float(width), float(height), inset, line_mm)


def cut_out(photo: Photo, edges: CardEdges, measure: CardMeasure) -> CardPicture | None:
    """The card's picture, placed by its frame; None where the frame is not seen."""
    corners = frame_corners(edges, measure)
    if corners is None:
        return None
    frame = _placement(corners)
    size = np.array([measure.width_mm, measure.height_mm]) + 2 * MARGIN_MM
    width, height = (int(np.ceil(side * DENSITY)) | 1 for side in size)
    xs = (np.arange(width) - (width - 1) / 2) / DENSITY
    ys = (np.arange(height) - (height - 1) / 2) / DENSITY
    grid = np.stack(np.meshgrid(xs, ys), axis=-1)
    light = photo.at(grid @ frame[:, :2].T + frame[:, 2])
    white, black = _levels(light, measure)
    share = (light - black) / np.maximum(white - black, 1e-3)
    return CardPicture(photo, frame, measure, light, white, black, share)


def _placement(corners: FloatArray) -> FloatArray:
    """Card to table: corners in the order short side first; right-handed with y down."""
    middle = corners.mean(axis=0)
    x = corners[1] - corners[0] + corners[2] - corners[3]
    x /= np.linalg.norm(x)
    y = np.array([-x[1], x[0]])
    if (corners[3] - corners[0]) @ y < 0:
        x = -x
        y = -y
    return np.column_stack([x, y, middle])


def _levels(light: FloatArray, measure: CardMeasure) -> tuple[FloatArray, FloatArray]:
    """The card's white and black: its badge's and symbol's marks, and the darkest inside.

    Lines can be coloured; what stands in the middle of a card has white on every card.
    """
    inside = _inside(light, measure.frame_width_mm / 2, measure.frame_height_mm / 2)
    signal = line_signal(inside)
    black = np.median(inside[signal <= np.percentile(signal, 15)], axis=0)
    middle = _inside(light, *WHITE_ZONE_MM)
    least = least_channel(middle)
    return np.median(middle[least >= np.percentile(least, 98.5)], axis=0), black


def _inside(light: FloatArray, half_width_mm: float, half_height_mm: float) -> FloatArray:
    """Light (N, 3) within a rectangle round the card's middle."""
    height, width = light.shape[:2]
    half_w, half_h = int(half_width_mm * DENSITY), int(half_height_mm * DENSITY)
    cx, cy = width // 2, height // 2
    part = light[max(0, cy - half_h) : cy + half_h, max(0, cx - half_w) : cx + half_w]
    return np.asarray(part.reshape(-1, 3))
