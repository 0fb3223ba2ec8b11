"""What is drawn inside a card's frame: shapes with their dots, the badge, the symbol."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.enrolment.card_dots import CardMarks, SeenDot, discs_of, dots_in
from calibration.enrolment.card_edges import fit_line, line_signal, most_channel
from calibration.enrolment.card_picture import DENSITY, CardPicture
from geometry.deck import ShapeKind, Suit
from vision.locating.edges import meeting

FloatArray = NDArray[np.float64]
Mask = NDArray[np.uint8]

LEAST_SHAPE_MM2 = 60.0
MIDDLE_MM = 7.5
"""No shape comes so near to the card's middle: what does is the ground round the badge."""
MARK_SHARE = 0.5
INK_SHARE = 0.13
LARGEST_MARK_MM = 6.5
FILLED_PART = 0.05
"""A card with so much ink in pieces wider than a dot has filled shapes."""
CORNER_MM = 1.6
"""Outlines are simplified to straight sides that miss the region's rim by less than this."""
ON_FRAME_MM = 1.4
SQUARE_RATIO = 1.15
INK_SATURATION = 0.35
FILL_SHARE = 0.06


@dataclass(frozen=True, eq=False)
class SeenShape:
    """A shape's outline on its line's middle (K, 2), card mm, its dots, and its inside's light."""

    kind: ShapeKind
    outline_mm: FloatArray
    dots: tuple[SeenDot, ...]
    share: FloatArray


@dataclass(frozen=True, eq=False)
class SeenMark:
    """A small mark by itself: middle, size (w, h), outline (K, 2) in card mm, area."""

    middle_mm: FloatArray
    size_mm: tuple[float, float]
    outline_mm: FloatArray
    area_mm2: float


@dataclass(frozen=True, eq=False)
class SeenBadge:
    """The value's badge: its suit by its form, and its width."""

    suit: Suit
    size_mm: float


def find_marks(picture: CardPicture) -> CardMarks:
    """White marks; on a card without filled shapes coloured ones too."""
    inside = _inside_frame(picture) > 0
    strongest = most_channel(picture.share)
    ink = ((strongest > INK_SHARE) & inside).astype(np.uint8)
    side = round(LARGEST_MARK_MM * DENSITY) | 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    filled = cv2.morphologyEx(ink, cv2.MORPH_OPEN, disc)
    if filled.sum() > FILLED_PART * inside.sum():
        signal = line_signal(picture.share) / 1.3
        return _marks(signal > MARK_SHARE, signal)
    # Dark inks reach a tenth of white only; on black that is still plain to see.
    marked = (strongest > INK_SHARE) & (cv2.GaussianBlur(strongest, (0, 0), 2) > INK_SHARE * 0.6)
    return _marks(marked, strongest)


def _marks(marked: NDArray[np.bool_], signal: FloatArray) -> CardMarks:
    mask = np.asarray(np.where(marked, 255, 0), np.uint8)
    return CardMarks(mask, signal, discs_of(mask))


def find_shapes(picture: CardPicture, marks: CardMarks) -> list[SeenShape]:
    """Closed regions along the frame, filled or hollow; the ground round the badge is none."""
    inside = _inside_frame(picture)
    lines = cv2.bitwise_and(marks.mask, cv2.bitwise_not(marks.discs))
    ground = cv2.bitwise_and(cv2.bitwise_not(lines), inside)
    count, labels = cv2.connectedComponents(ground, connectivity=4)
    shapes = []
    for number in range(1, count):
        region = np.asarray(labels == number, np.uint8) * 255
        if cv2.countNonZero(region) < LEAST_SHAPE_MM2 * 0.5 * DENSITY**2:
            continue
        shape = _shape(picture, _filled(region), marks)
        if shape is not None:
            shapes.append(shape)
    return shapes


def _inside_frame(picture: CardPicture) -> Mask:
    inside = np.zeros(picture.light.shape[:2], np.uint8)
    half = np.array([picture.measure.frame_width_mm, picture.measure.frame_height_mm]) / 2
    x, y = half - 0.05
    corners = picture.to_px(np.array([[-x, -y], [x, -y], [x, y], [-x, y]]))
    cv2.fillPoly(inside, [np.round(corners).astype(np.int32)], 255)
    return inside


def _filled(region: Mask) -> Mask:
    contours, _ = cv2.findContours(region, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    largest = max(contours, key=cv2.contourArea)
    return np.asarray(cv2.drawContours(np.zeros_like(region), [largest], -1, 255, cv2.FILLED))


def _shape(picture: CardPicture, region: Mask, marks: CardMarks) -> SeenShape | None:
    contours, _ = cv2.findContours(region, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    contour = contours[0]
    if cv2.contourArea(contour) < LEAST_SHAPE_MM2 * DENSITY**2:
        return None
    near = cv2.pointPolygonTest(contour, tuple(picture.to_px(np.zeros(2)).tolist()), True)
    if near > -MIDDLE_MM * DENSITY:
        return None
    rough = _straight_sides(picture.to_mm(contour.reshape(-1, 2).astype(np.float64)))
    if rough is None:
        return None
    outline = _on_lines(picture, _grown(rough, picture.measure.line_mm / 2))
    dots = tuple(dots_in(picture, region, marks))
    inner = cv2.erode(region, np.ones((9, 9), np.uint8)) > 0
    plain = inner & (cv2.dilate(marks.mask, np.ones((9, 9), np.uint8)) == 0)
    share = np.median(picture.share[plain if plain.any() else inner], axis=0)
    return SeenShape(_kind_of(outline), outline, dots, share)


def _straight_sides(contour_mm: FloatArray) -> FloatArray | None:
    """Three or four corners, clockwise as seen; None for anything else."""
    hull = cv2.convexHull(contour_mm.astype(np.float32))
    for tolerance in (CORNER_MM, 1.5 * CORNER_MM, 0.6 * CORNER_MM):
        corners = cv2.approxPolyDP(hull, tolerance, True).reshape(-1, 2).astype(np.float64)
        if len(corners) in (3, 4):
            return np.asarray(corners if _signed_area(corners) > 0 else corners[::-1])
    return None


def _signed_area(corners: FloatArray) -> float:
    x, y = corners.T
    return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) / 2


def _lines_of(corners: FloatArray) -> FloatArray:
    """Sides (K, 3) as a x + b y = c with normals outwards; side i runs from corner i to i + 1."""
    way = np.roll(corners, -1, axis=0) - corners
    normals = np.stack([way[:, 1], -way[:, 0]], axis=1)
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    return np.column_stack([normals, np.sum(normals * corners, axis=1)])


def _corners_of(lines: FloatArray) -> FloatArray:
    return np.array([meeting(lines[i - 1], lines[i]) for i in range(len(lines))])


def _grown(corners: FloatArray, by_mm: float) -> FloatArray:
    lines = _lines_of(corners)
    lines[:, 2] += by_mm
    return _corners_of(lines)


def _on_lines(picture: CardPicture, corners: FloatArray) -> FloatArray:
    """The outline with each side on the middle of the line that is seen there."""
    lines = _lines_of(corners)
    middle = corners.mean(axis=0)
    for side in range(len(lines)):
        start, end = corners[side], corners[(side + 1) % len(corners)]
        onto = _frame_line(picture, start, end)
        if onto is not None:
            lines[side] = onto
            continue
        ends = picture.to_table(np.stack([start, end]))
        seen = fit_line(picture.photo, ends[0], ends[1], picture.to_table(middle[None])[0], 0.14)
        if seen is not None:
            lines[side] = _in_card(picture, seen)
    return _corners_of(lines)


def _frame_line(picture: CardPicture, start: FloatArray, end: FloatArray) -> FloatArray | None:
    """The frame's own side where a shape's side runs along it.

    A neighbour that shares a corner can cut it off, so the ends may lie a little inside.
    """
    half_w, half_h = picture.measure.frame_width_mm / 2, picture.measure.frame_height_mm / 2
    for onto in ((1, 0, half_w), (-1, 0, half_w), (0, 1, half_h), (0, -1, half_h)):
        line = np.array(onto, dtype=np.float64)
        if max(abs(line[:2] @ point - line[2]) for point in (start, end)) < ON_FRAME_MM:
            return line
    return None


def _in_card(picture: CardPicture, line: FloatArray) -> FloatArray:
    normal = line[:2] @ picture.frame[:, :2]
    return np.array([normal[0], normal[1], line[2] - line[:2] @ picture.frame[:, 2]])


def _kind_of(outline: FloatArray) -> ShapeKind:
    if len(outline) == 3:
        return "triangle"
    sides = np.linalg.norm(np.roll(outline, -1, axis=0) - outline, axis=1)
    long, short = max(sides[0], sides[1]), min(sides[0], sides[1])
    return "square" if long / short < SQUARE_RATIO else "rectangle"


def find_badge(picture: CardPicture, mask: Mask) -> SeenBadge | None:
    """The mark round the card's middle; its suit by how much of its hull's circle it fills."""
    marks = _marks_near(picture, mask, 4.0, largest_mm=24.0)
    if not marks:
        return None
    badge = max(marks, key=lambda mark: mark.area_mm2)
    size = max(badge.size_mm)
    if size < 4.0:
        return None
    (_, _), radius = cv2.minEnclosingCircle(badge.outline_mm.astype(np.float32))
    share = badge.area_mm2 / (np.pi * radius**2)
    suit: Suit = "circle" if share > 0.82 else "square" if share > 0.6 else "triangle"
    return SeenBadge(suit, 2 * float(np.sqrt(badge.area_mm2 / np.pi)) if suit == "circle" else size)


def find_symbol(picture: CardPicture, mask: Mask, badge: SeenBadge | None) -> list[SeenMark]:
    """The pieces of the colour's symbol: small marks above or below the badge."""
    half = 0.0 if badge is None else 0.35 * badge.size_mm
    near = _marks_near(picture, mask, 16.0, largest_mm=9.0)
    found = [
        mark for mark in near
        if abs(mark.middle_mm[0]) < 4.0 and abs(mark.middle_mm[1]) > half + 1.0
        and mark.area_mm2 > 0.8
    ]  # fmt: skip
    if not found:
        return []
    nearest = min(found, key=lambda mark: abs(float(mark.middle_mm[1])))
    return [m for m in found if np.linalg.norm(m.middle_mm - nearest.middle_mm) < 5.0]


def _marks_near(
    picture: CardPicture, mask: Mask, within_mm: float, largest_mm: float
) -> list[SeenMark]:
    """Marks with their holes filled whose middles lie within so far of the card's middle."""
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if any(cv2.contourArea(c) > 0.5 * mask.size for c in contours):
        contours, _ = cv2.findContours(
            cv2.bitwise_and(mask, _core(picture)), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
        )
    marks = []
    for contour in contours:
        outline = picture.to_mm(contour.reshape(-1, 2).astype(np.float64))
        size = np.ptp(outline, axis=0)
        middle = (outline.max(axis=0) + outline.min(axis=0)) / 2
        if size.max() > largest_mm or np.linalg.norm(middle) > within_mm:
            continue
        area = float(cv2.contourArea(contour)) / DENSITY**2
        marks.append(SeenMark(middle, (float(size[0]), float(size[1])), outline, area))
    return marks


def _core(picture: CardPicture) -> Mask:
    """The card without its frame: marks inside the frame's line are then outermost."""
    core = _inside_frame(picture)
    side = round(1.5 * DENSITY) | 1
    return np.asarray(cv2.erode(core, np.ones((side, side), np.uint8)), np.uint8)
