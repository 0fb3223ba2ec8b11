"""A card read: its face the right way up, its art, its ink and its symbol."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.enrolment.card_dots import SeenDot
from calibration.enrolment.card_parts import (
    FILL_SHARE,
    INK_SATURATION,
    SeenBadge,
    SeenMark,
    SeenShape,
    find_badge,
    find_marks,
    find_shapes,
    find_symbol,
)
from calibration.enrolment.card_picture import DENSITY, CardPicture
from geometry.deck import Point

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class CardReading:
    """One card: what is on it, turned so that its symbol lies below its badge.

    `upright` is False where no symbol told which way is up. `band`, `line`,
    `fill` are light against the card's own white and black (3,), BGR; `fill`
    is None without a filled shape. `at_mm` is where the card lies.
    """

    at_mm: tuple[float, float]
    shapes: tuple[SeenShape, ...]
    badge: SeenBadge | None
    symbol: tuple[SeenMark, ...]
    upright: bool
    band: FloatArray
    line: FloatArray
    fill: FloatArray | None
    line_mm: float
    corner_radius_mm: float

    @property
    def dots(self) -> tuple[SeenDot, ...]:
        """All dots."""
        return tuple(dot for shape in self.shapes for dot in shape.dots)

    @property
    def value(self) -> int:
        """How many dots there are, which is what is printed in the middle."""
        return len(self.dots)


def read_card(picture: CardPicture) -> CardReading:
    """Read one card's picture."""
    marks = find_marks(picture)
    shapes = find_shapes(picture, marks)
    badge = find_badge(picture, marks.mask)
    symbol = find_symbol(picture, marks.mask, badge)
    turned = bool(symbol) and float(np.mean([mark.middle_mm[1] for mark in symbol])) < 0
    if turned:
        shapes = [_turned_shape(shape) for shape in shapes]
        symbol = [_turned_mark(mark) for mark in symbol]
    fills = [shape.share for shape in shapes if shape.dots]
    at = picture.frame[:, 2]
    return CardReading(
        (float(at[0]), float(at[1])), tuple(shapes), badge, tuple(symbol), bool(symbol),
        _band(picture), _line(picture), np.median(fills, axis=0) if fills else None,
        _line_width(picture), _corner_radius(picture),
    )  # fmt: skip


def is_ink(share: FloatArray) -> bool:
    """Whether light (3,) against white and black is coloured rather than white or black."""
    top = float(share.max())
    return top > FILL_SHARE and (top - float(share.min())) / max(top, 1e-6) > INK_SATURATION


def _turned_shape(shape: SeenShape) -> SeenShape:
    dots = tuple(SeenDot(-dot.middle_mm, dot.diameter_mm, dot.share) for dot in shape.dots)
    return SeenShape(shape.kind, -shape.outline_mm, dots, shape.share)


def _turned_mark(mark: SeenMark) -> SeenMark:
    return SeenMark(-mark.middle_mm, mark.size_mm, -mark.outline_mm, mark.area_mm2)


def _along(picture: CardPicture, inset_mm: float) -> FloatArray:
    """Light against white and black along a rectangle, so far inside the card's edge: (N, 3)."""
    x = picture.measure.width_mm / 2 - inset_mm
    y = picture.measure.height_mm / 2 - inset_mm
    share = np.linspace(-0.85, 0.85, 60)
    points = np.concatenate(
        [
            np.column_stack([share * x, np.full(60, -y)]),
            np.column_stack([share * x, np.full(60, y)]),
            np.column_stack([np.full(60, -x), share * y]),
            np.column_stack([np.full(60, x), share * y]),
        ]
    )
    px = np.round(picture.to_px(points)).astype(int)
    return np.asarray(picture.share[px[:, 1], px[:, 0]])


def _band(picture: CardPicture) -> FloatArray:
    middle = (picture.measure.inset_mm - picture.measure.line_mm / 2) / 2
    return np.asarray(np.median(_along(picture, middle), axis=0))


def _line(picture: CardPicture) -> FloatArray:
    return np.asarray(np.median(_along(picture, picture.measure.inset_mm), axis=0))


def _line_width(picture: CardPicture) -> float:
    """The frame line's width: its light, summed across, over a dot's full white."""
    insets = np.arange(-1.3, 1.31, 0.1)
    across = np.stack([_along(picture, picture.measure.inset_mm + i) for i in insets])
    signal = np.median(across.min(axis=2), axis=1)
    ends = (signal[:2].mean(), signal[-2:].mean())
    ground = np.where(insets < 0, ends[0], ends[1])
    return float(np.sum(np.clip(signal - ground, 0, None)) * 0.1 / (1 - np.mean(ends)))


def _corner_radius(picture: CardPicture) -> float:
    """From how far the card's outline stays away from its corners."""
    x, y = picture.measure.width_mm / 2, picture.measure.height_mm / 2
    gaps = []
    for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        inwards = np.array([-sx, -sy]) / np.sqrt(2)
        along = np.arange(-0.6, 2.6, 0.05)
        points = np.array([sx * x, sy * y]) + along[:, None] * inwards
        table = picture.to_table(points)
        light = picture.photo.at(table)
        channel = int(np.abs(light[-8:].mean(axis=0) - light[:8].mean(axis=0)).argmax())
        values = light[:, channel]
        low, high = values[:8].mean(), values[-8:].mean()
        if abs(high - low) < 0.05:
            continue
        share = (values - low) / (high - low)
        gaps.append(float(along[int(np.argmax(share > 0.5))]))
    return float(np.median(gaps) / (np.sqrt(2) - 1)) if gaps else float("nan")


def symbol_polygons(marks: tuple[SeenMark, ...], offset_mm: Point) -> list[list[Point]]:
    """A symbol's outlines from its middle, simplified to a tenth of a millimetre."""
    polygons = []
    for mark in marks:
        smooth = cv2.approxPolyDP(mark.outline_mm.astype(np.float32), 0.8 / DENSITY, True)
        points = smooth.reshape(-1, 2).astype(np.float64) - np.asarray(offset_mm)
        if len(points) >= 3:
            polygons.append([(round(float(x), 3), round(float(y), 3)) for x, y in points])
    return polygons
