"""Tags beside what they speak of: where they cover the fewest cards, with a line to the place."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from rig.overlay.canvas import DARK, LIGHT, Bgr

Box = tuple[float, float, float, float]
"""Left, top, right, bottom, in pixels."""

_DIRECTIONS = 16
_FAR_COSTS = 0.12
"""What a tag may cover more, of itself, to be nearer by one step."""


@dataclass(frozen=True, slots=True)
class Label:
    """A text that speaks of `place_px`. `step_px` is how far off it is tried first."""

    text: str
    place_px: tuple[float, float]
    step_px: float
    ground: Bgr
    ink: Bgr


def draw_labels(
    image_bgr: NDArray[np.uint8],
    covered: NDArray[np.bool_],
    labels: Sequence[Label],
    font: ImageFont.FreeTypeFont,
) -> NDArray[np.uint8]:
    """The image (H, W, 3) with the labels on it, apart from each other.

    `covered` (H, W) says where cards lie, which labels rather leave alone.
    """
    picture = Image.fromarray(np.ascontiguousarray(image_bgr[..., ::-1]))
    draw = ImageDraw.Draw(picture)
    share = _Shares(covered)
    boxes: list[Box] = []
    for label in labels:
        boxes.append(_best_box(label, font, share, boxes))
    for label, box in zip(labels, boxes, strict=True):
        _draw_leader(draw, label, box, font.size)
    for label, box in zip(labels, boxes, strict=True):
        _draw_box(draw, label, box, font)
    return np.ascontiguousarray(np.asarray(picture)[..., ::-1])


class _Shares:
    """How much of a box is covered, from sums over a coarse copy of the mask."""

    _CELL = 8

    def __init__(self, covered: NDArray[np.bool_]) -> None:
        self.height, self.width = covered.shape
        coarse = covered[:: self._CELL, :: self._CELL]
        self._sums = np.pad(np.cumsum(np.cumsum(coarse, 0, np.int64), 1), ((1, 0), (1, 0)))

    def of(self, box: Box) -> float:
        """The covered share of the box, 0 to 1."""
        left, top, right, bottom = (round(edge / self._CELL) for edge in box)
        s = self._sums
        rows, columns = s.shape
        bottom, right = min(bottom, rows - 1), min(right, columns - 1)
        cells = max(1, (bottom - top) * (right - left))
        return float((s[bottom, right] - s[top, right] - s[bottom, left] + s[top, left]) / cells)


def _best_box(
    label: Label, font: ImageFont.FreeTypeFont, share: _Shares, taken: Sequence[Box]
) -> Box:
    width = font.getlength(label.text) + 0.7 * font.size
    height = 1.35 * font.size
    best: tuple[float, Box] | None = None
    for middle, steps in _places(label):
        box = _inside(middle, width, height, share)
        crowded = sum(_overlap(box, other) for other in taken)
        hides = _overlap(box, (*label.place_px, *label.place_px))
        cost = share.of(box) + _FAR_COSTS * steps + 2 * crowded + 2 * hides
        if best is None or cost < best[0]:
            best = (cost, box)
    if best is None:
        raise ValueError("no places to try")
    return best[1]


def _places(label: Label) -> Iterator[tuple[tuple[float, float], float]]:
    x, y = label.place_px
    for steps in (1.0, 1.4, 2.0, 2.8, 4.0):
        for angle in np.arange(_DIRECTIONS) * 2 * np.pi / _DIRECTIONS:
            reach = steps * label.step_px
            yield (x + reach * float(np.cos(angle)), y + reach * float(np.sin(angle))), steps


def _inside(middle: tuple[float, float], width: float, height: float, share: _Shares) -> Box:
    left = float(np.clip(middle[0] - width / 2, 0, max(0.0, share.width - width)))
    top = float(np.clip(middle[1] - height / 2, 0, max(0.0, share.height - height)))
    return left, top, left + width, top + height


def _overlap(one: Box, other: Box) -> bool:
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]


def _draw_leader(draw: ImageDraw.ImageDraw, label: Label, box: Box, size: float) -> None:
    x, y = label.place_px
    ends = [(x, y), ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)]
    dot = 0.22 * size
    for ink, width, more in ((DARK, 0.3, 0.12), (LIGHT, 0.2, 0.06), (label.ground, 0.12, 0.0)):
        draw.line(ends, ink[::-1], max(1, round(width * size)))
        radius = dot + more * size
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), ink[::-1])


def _draw_box(
    draw: ImageDraw.ImageDraw, label: Label, box: Box, font: ImageFont.FreeTypeFont
) -> None:
    edge = max(1, round(font.size / 14))
    draw.rounded_rectangle(box, 0.25 * font.size, label.ground[::-1], LIGHT, edge)
    middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
    draw.text(middle, label.text, label.ink[::-1], font, anchor="mm")
