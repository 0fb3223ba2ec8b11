"""The photo with what was read drawn on it: a pure function of the picture and the reading.

Each card's outline has its player's colour and runs on unbroken where the
card lies on top; where others cover it, it is dotted. Counted dots are ringed.
Illegal cards carry a red tag with the rule and the millimetres, doubts a
yellow number; both are listed, with the scores, on a panel below the photo.
"""

from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import LineString, MultiLineString, Polygon

from geometry.deck import CardSize, Deck
from geometry.showing import visible_dots
from rig.overlay.canvas import (
    LIGHT,
    Bgr,
    colour_bgr,
    draw_line,
    draw_plain_line,
    draw_ring,
    load_font,
)
from rig.overlay.labels import Label, draw_labels
from rig.overlay.panel import draw_panel
from vision.assemble import middle_px
from vision.reading import Illegal, ReadCard, Reading

RED: Bgr = (40, 30, 200)
YELLOW: Bgr = (60, 215, 255)
BLACK: Bgr = (15, 15, 15)
_INSET_MM = 1.2
_RING_MM = 0.9
_STEP_MM = 2.0
_HATCH_MM = 9.0


def draw_overlay(image_bgr: NDArray[np.uint8], reading: Reading, deck: Deck) -> NDArray[np.uint8]:
    """Draw a reading over its photo.

    `image_bgr` is the (H, W, 3) photo the reading was made from, as shown; it
    is left as it is. The result has the photo at the same pixels and a panel
    below it: (H + panel, W, 3).
    """
    picture = image_bgr.copy()
    width_px = _line_width(picture, reading)
    topmost = _topmost(picture.shape[:2], reading)
    for card in reading.cards:
        colour = colour_bgr(deck.colour(card.colour).hex)
        _draw_outline(picture, card, deck.card, topmost == card.id, colour, width_px)
    _draw_dots(picture, reading, deck, width_px)
    _draw_parts(picture, reading, width_px)
    font = load_font(_text_px(picture))
    labels = _labels(reading, 0.5 * deck.card.height_mm * reading.scale_px_per_mm)
    picture = draw_labels(picture, topmost >= 0, labels, font)
    return np.vstack([picture, draw_panel(picture.shape[1], reading, deck, font)])


def card_to_px(card: ReadCard, size: CardSize) -> NDArray[np.float64]:
    """The homography from the card frame (mm, front face) to the picture."""
    x, y = size.width_mm / 2, size.height_mm / 2
    corners = np.array([[-x, -y], [x, -y], [x, y], [-x, y]], np.float32)
    outline = np.array(card.outline_px, np.float32)
    return np.asarray(cv2.getPerspectiveTransform(corners, outline), dtype=np.float64)


def _line_width(picture: NDArray[np.uint8], reading: Reading) -> float:
    """Thin enough for the card, thick enough for the whole photo on a phone."""
    return max(0.5 * reading.scale_px_per_mm, float(max(picture.shape)) / 1500)


def _text_px(picture: NDArray[np.uint8]) -> float:
    height, width = float(picture.shape[0]), float(picture.shape[1])
    return max(14.0, min(width, 1.4 * height) / 52)


def _topmost(shape_hw: tuple[int, int], reading: Reading) -> NDArray[np.int32]:
    """For each pixel the id of the card that lies on top there, -1 for none."""
    topmost = np.full(shape_hw, -1, np.int32)
    for card in reading.cards:
        cv2.fillConvexPoly(topmost, np.round(np.array(card.outline_px)).astype(np.int32), card.id)
    return topmost


def _draw_outline(
    picture: NDArray[np.uint8],
    card: ReadCard,
    size: CardSize,
    on_top: NDArray[np.bool_],
    colour: Bgr,
    width_px: float,
) -> None:
    line = _on_picture(_outline_mm(size), card_to_px(card, size))
    shows = _at(on_top, line)
    for part in _runs(shows):
        draw_line(picture, line[part], colour, width_px)
    for part in _runs(~shows):
        for start in range(part.start, part.stop - 1, 2):
            draw_plain_line(picture, line[start : start + 2], colour, width_px / 2)


def _outline_mm(size: CardSize) -> NDArray[np.float64]:
    """The card's outline, a little inside it, closed, a point every few millimetres (N, 2)."""
    x, y = size.width_mm / 2 - _INSET_MM, size.height_mm / 2 - _INSET_MM
    corners = np.array([[-x, -y], [x, -y], [x, y], [-x, y], [-x, -y]])
    sides = [
        np.linspace(a, b, max(2, round(float(np.hypot(*(b - a))) / _STEP_MM)), endpoint=False)
        for a, b in pairwise(corners)
    ]
    return np.vstack([*sides, corners[:1]])


def _runs(wanted: NDArray[np.bool_]) -> list[slice]:
    """The stretches of points that are wanted, each with the point after it, for drawing."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], wanted, [False]]).astype(np.int8)))
    return [
        slice(int(start), int(stop) + 1)
        for start, stop in zip(edges[::2], edges[1::2], strict=True)
    ]


def _at(mask: NDArray[np.bool_], points_px: NDArray[np.float64]) -> NDArray[np.bool_]:
    """The mask's values (N,) at points (N, 2); False outside it."""
    columns, rows = np.round(points_px).astype(np.int64).T
    height, width = mask.shape
    inside = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
    found = np.zeros(len(points_px), np.bool_)
    found[inside] = mask[rows[inside], columns[inside]]
    return found


def _on_picture(points_mm: NDArray[np.float64], to_px: NDArray[np.float64]) -> NDArray[np.float64]:
    mapped = np.column_stack([points_mm, np.ones(len(points_mm))]) @ to_px.T
    return np.asarray(mapped[:, :2] / mapped[:, 2:])


def _draw_dots(picture: NDArray[np.uint8], reading: Reading, deck: Deck, width_px: float) -> None:
    counted = visible_dots(reading.seen.layout)
    for card in reading.cards:
        dots = np.array(deck.face(card.face).dots_mm, dtype=np.float64).reshape(-1, 2)
        dots = dots[np.array(counted[card.id], dtype=np.bool_)]
        to_px = card_to_px(card, deck.card)
        scale = float(np.sqrt(abs(np.linalg.det(to_px[:2, :2] / to_px[2, 2]))))
        radius = (deck.dot_diameter_mm / 2 + _RING_MM) * scale
        for x, y in _on_picture(dots, to_px):
            draw_ring(picture, (float(x), float(y)), radius, LIGHT, max(2.0, 0.8 * width_px))


def _draw_parts(picture: NDArray[np.uint8], reading: Reading, width_px: float) -> None:
    """The parts of the picture that doubts are about, framed and hatched."""
    for doubt in reading.doubts:
        if not doubt.outline_px:
            continue
        outline = np.array([*doubt.outline_px, doubt.outline_px[0]], dtype=np.float64)
        for start, end in _hatching(outline, _HATCH_MM * reading.scale_px_per_mm):
            draw_plain_line(picture, np.array([start, end]), YELLOW, width_px / 2)
        draw_line(picture, outline, YELLOW, width_px)


def _hatching(
    outline: NDArray[np.float64], step_px: float
) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Slanting lines, one each `step_px`, inside a closed polygon (N, 2)."""
    area, (low, high) = Polygon(outline).buffer(0), (outline.min(axis=0), outline.max(axis=0))
    height = high[1] - low[1]
    starts = np.arange(low[0] - height, high[0], step_px)
    lines = [LineString([(x, high[1]), (x + height, low[1])]) for x in starts]
    inside = MultiLineString(lines).intersection(area)
    parts = [part for part in getattr(inside, "geoms", [inside]) if part.length > 0]
    return [(part.coords[0][:2], part.coords[-1][:2]) for part in parts]


def _labels(reading: Reading, step_px: float) -> list[Label]:
    cards = {card.id: card for card in reading.cards}
    tags = [
        Label(
            f"{number} {_measure(item)}",
            middle_px(cards[item.card].outline_px),
            step_px,
            RED,
            LIGHT,
        )
        for number, item in enumerate(reading.illegal, start=1)
    ]
    numbers = [
        Label(f"{number}?", doubt.at_px, 0.6 * step_px, YELLOW, BLACK)
        for number, doubt in enumerate(reading.doubts, start=1)
    ]
    return tags + numbers


def _measure(illegal: Illegal) -> str:
    name = illegal.rule.replace("_", " ")
    return name if illegal.offset_mm is None else f"{name} {illegal.offset_mm:.1f} mm"
