"""Cards of any deck laid side by side on a plain table, photographed: for enrolment's tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.printed.target_sheets import marker_cells
from geometry.deck import Deck
from geometry.pose import Pose
from vision.drawing.face_art import CardSide, paint, palette, rgb_of
from vision.lens import Lens
from vision.locating.markers import MARKER_MM
from vision.view import TableView, rotation_from_vector

Image = NDArray[np.float32]
TEXTURE = 10.0


@dataclass(frozen=True, slots=True)
class Laid:
    """A card of the scene."""

    face: str
    colour: str
    pose: Pose


@dataclass(frozen=True, eq=False)
class SpreadScene:
    """A photo (H, W, 3) uint8 BGR with its lens and true view."""

    image_bgr: NDArray[np.uint8]
    lens: Lens
    view: TableView


def rows_of_cards(
    deck: Deck, cards: Sequence[tuple[str, str]], rng: np.random.Generator, across: int = 6
) -> list[Laid]:
    """Faces and colours in rows, each turned a little at random and some by half or a quarter."""
    step_x, step_y = deck.card.height_mm + 45, deck.card.height_mm + 30
    laid = []
    for number, (face, colour) in enumerate(cards):
        x, y = (number % across + 0.5) * step_x, (number // across + 0.5) * step_y
        angle = float(rng.choice([0, 90, 180, 270]) + rng.normal(0, 6))
        laid.append(Laid(face, colour, Pose(x, y, angle)))
    return laid


def photograph(
    deck: Deck,
    laid: Sequence[Laid],
    area_mm: tuple[float, float],
    rng: np.random.Generator,
    size_wh: tuple[int, int] = (2592, 1944),
    markers: bool = True,
    table: float = 0.55,
) -> SpreadScene:
    """Draw the cards (and markers at the area's corners) on a table and photograph them."""
    width, height = size_wh
    focal = 0.83 * width
    matrix = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1.0]])
    lens = Lens(size_wh, matrix, np.array([-0.08, 0.02, 0.0003, -0.0002, 0.0]))
    turn = rotation_from_vector(np.array([0.05, -0.03, 0.01]))
    away = max((area_mm[0] + 170) / width, (area_mm[1] + 170) / height) * focal
    middle = turn @ np.array([area_mm[0] / 2, area_mm[1] / 2, 0])
    view = TableView(lens, turn, np.array([0, 0, away]) - middle)
    light = np.full((height, width, 3), table, np.float32)
    for card in laid:
        colours = _linear(palette(deck, card.colour, ink=rgb_of(deck.colour(card.colour).hex)))
        side = CardSide(card.face, card.colour, card.pose.mirrored)
        texture = paint(deck, side, TEXTURE, colours)
        _lay(light, view, texture[..., [2, 1, 0, 3]], card.pose)
    if markers:
        for number in range(4):
            x = area_mm[0] + 40 if number in (1, 2) else -40.0
            y = area_mm[1] + 40 if number in (2, 3) else -40.0
            _lay(light, view, _marker(number), Pose(x, y, float(rng.normal(0, 2))))
    return SpreadScene(_developed(light, rng), lens, view)


def _linear(colours: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4).astype(
        np.float32
    )


def _marker(number: int) -> Image:
    cells = np.pad(marker_cells("4X4_50", number), 1, constant_values=True)
    side = round(MARKER_MM / 6 * TEXTURE)
    grey = np.kron(cells, np.ones((side, side))).astype(np.float32) * 0.78 + 0.03
    return np.dstack([grey, grey, grey, np.ones_like(grey)])


def _lay(light: Image, view: TableView, texture: Image, pose: Pose) -> None:
    """Blend a texture, (h, w, 4) premultiplied linear BGR and cover, into the picture."""
    h, w = texture.shape[:2]
    corners = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2 / TEXTURE
    m = pose.matrix()
    if pose.mirrored:
        m = m * [[-1, 1, 1], [-1, 1, 1]]  # the texture is drawn as seen
    px = view.to_px(corners @ m[:, :2].T + m[:, 2])
    low = np.maximum(np.floor(px.min(axis=0)).astype(int) - 3, 0)
    high = np.minimum(np.ceil(px.max(axis=0)).astype(int) + 4, light.shape[1::-1])
    if np.any(high <= low):
        return
    fine = 4
    xs = np.arange(low[0] * fine, high[0] * fine) / fine - 0.5 + 0.5 / fine
    ys = np.arange(low[1] * fine, high[1] * fine) / fine - 0.5 + 0.5 / fine
    grid = np.stack(np.meshgrid(xs, ys), axis=-1)
    table = view.to_mm(grid.reshape(-1, 2))
    own = (table - m[:, 2]) @ np.linalg.inv(m[:, :2]).T
    at = (own * TEXTURE + [(w - 1) / 2, (h - 1) / 2]).reshape(grid.shape).astype(np.float32)
    seen = cv2.remap(texture, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderValue=(0, 0, 0, 0))
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    part = cv2.resize(seen, size, interpolation=cv2.INTER_AREA)
    spot = light[low[1] : high[1], low[0] : high[0]]
    spot[:] = spot * (1 - part[..., 3:]) + part[..., :3]


def _developed(light: Image, rng: np.random.Generator) -> NDArray[np.uint8]:
    soft = cv2.GaussianBlur(light, (0, 0), 0.7)
    code = np.where(
        soft < 0.0031308, 12.92 * soft, 1.055 * np.maximum(soft, 0) ** (1 / 2.4) - 0.055
    )
    noisy = code * 255 + rng.normal(0, 2.0, light.shape)
    return np.asarray(np.clip(np.round(noisy), 0, 255), np.uint8)
