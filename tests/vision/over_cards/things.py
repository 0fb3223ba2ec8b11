"""Things painted over a picture of a table: sleeves, cups, telephones, napkins, books."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.view import TableView

Image = NDArray[np.uint8]
FINE = 3.0
"""Pixels per mm of what is painted."""
INKS = {"red": (60, 60, 200), "green": (90, 150, 40), "blue": (190, 140, 40), "black": (28, 26, 25)}


def painted_over(
    image_bgr: Image, view: TableView, thing: Image, middle_mm: tuple[float, float],
    turn_deg: float = 0.0, shadow: float = 0.45,
) -> Image:  # fmt: skip
    """The picture with a thing (h, w, 4) BGR and cover, lying on the table plane with its middle at
    a place, with a soft shadow beside it.
    """
    height, width = thing.shape[:2]
    corners = np.array([[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]], float)
    turn = np.deg2rad(turn_deg)
    rotation = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    local = (corners - [(width - 1) / 2, (height - 1) / 2]) / FINE
    px = view.to_px(local @ rotation + middle_mm)
    to_picture = cv2.getPerspectiveTransform(corners.astype(np.float32), px.astype(np.float32))
    size = image_bgr.shape[1], image_bgr.shape[0]
    layer = cv2.warpPerspective(thing, to_picture, size, flags=cv2.INTER_LINEAR)
    cover = layer[..., 3:].astype(np.float32) / 255
    shade = cv2.GaussianBlur(cover, (0, 0), 8)[..., None]
    shade = np.roll(shade, (8, 10), (0, 1))
    lit = image_bgr * (1 - shadow * shade)
    out = lit * (1 - cover) + layer[..., :3] * cover
    return np.asarray(np.clip(np.rint(out), 0, 255), np.uint8)


def sleeve(ink: str, length_mm: float = 260.0, width_mm: float = 62.0) -> Image:
    """An arm in cloth of a card's ink, or black, darker towards its sides."""
    width, length = round(width_mm * FINE), round(length_mm * FINE)
    across = np.cos(np.linspace(-1.3, 1.3, width))[:, None, None]
    cloth = np.array(INKS[ink]) * (0.45 + 0.55 * across) * np.ones((width, length, 1))
    weave = 1 + 0.04 * np.sin(np.arange(length) * 0.9)[None, :, None]
    return _whole(cloth * weave)


def cup(diameter_mm: float = 85.0) -> Image:
    """A white cup from above, full of coffee."""
    size = round(diameter_mm * FINE)
    y, x = (np.mgrid[:size, :size] - (size - 1) / 2) / (size / 2)
    far = np.hypot(x, y)[..., None]
    shaded = 200 + 35 * x[..., None]
    inside = np.where(far < 0.86, [25.0, 38.0, 58.0], shaded * np.ones(3))
    out = _whole(inside)
    out[..., 3] = np.where(far[..., 0] <= 1, 255, 0)
    return out


def telephone() -> Image:
    """Black glass with a lamp's mirror image in it."""
    height, width = round(72 * FINE), round(148 * FINE)
    y, x = np.mgrid[:height, :width]
    glare = 90 * np.exp(-(((x - width * 0.7) / 60) ** 2 + ((y - height * 0.4) / 35) ** 2))
    return _whole(14 + glare[..., None] * np.ones(3))


def napkin() -> Image:
    """White paper with soft folds."""
    size = round(110 * FINE)
    y, x = np.mgrid[:size, :size]
    folds = 224 + 8 * np.sin(x / 90.0) + 6 * np.sin(y / 70.0)
    return _whole(folds[..., None] * np.ones(3))


def book() -> Image:
    """A cover with a pattern of stripes and a title."""
    height, width = round(140 * FINE), round(110 * FINE)
    _, x = np.mgrid[:height, :width]
    stripes = np.where((x // 30) % 2 == 0, 1.0, 0.75)[..., None] * np.array([70.0, 60.0, 120.0])
    out = _whole(stripes)
    cv2.putText(out, "TALES", (40, 90), cv2.FONT_HERSHEY_SIMPLEX, 2.0, (150, 200, 210, 255), 6)
    return out


THINGS: dict[str, Callable[[], Image]] = {
    **{f"{ink} sleeve": lambda ink=ink: sleeve(ink) for ink in INKS},  # type: ignore[misc]
    "cup": cup,
    "telephone": telephone,
    "napkin": napkin,
    "book": book,
}
KINDS = ("black sleeve", "cup", "telephone", "napkin", "book")
"""One of each kind: sleeves differ in nothing but their ink."""


def _whole(bgr: NDArray[np.floating]) -> Image:
    """A picture with full cover."""
    out = np.full((*bgr.shape[:2], 4), 255, np.uint8)
    out[..., :3] = np.clip(bgr, 0, 255)
    return out
