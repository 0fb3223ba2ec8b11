"""The table drawn as a plan, seen from above: each card as the deck prints it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from geometry.layout import Card, Layout
from geometry.pose import Pose
from rig.overlay.canvas import Bgr, draw_line
from simulator.cards.card_art import Side, paint_face
from simulator.cards.printing import printing_of_deck
from simulator.tabletop.sheets import CardPrint, colours_of_parts

Picture = NDArray[np.uint8]
GROUND_RGB = (214, 206, 192)
"""A table on which black cards and all inks stand out."""
EDGE_MM = 12.0
_BLACK = 0.012
_GAMMA = 2.2


@dataclass(frozen=True, slots=True)
class Window:
    """What of the table a plan of `size_wh` pixels shows: from `left_mm`, `top_mm` on."""

    left_mm: float
    top_mm: float
    px_per_mm: float
    size_wh: tuple[int, int]

    def matrix(self, pose: Pose) -> NDArray[np.float64]:
        """Takes (x, y, 1) of the card frame, mm, to pixels: (2, 3)."""
        moved = pose.matrix()
        moved[:, 2] -= (self.left_mm, self.top_mm)
        return np.asarray(self.px_per_mm * moved)


def window_on(tables: Sequence[Layout], size_wh: tuple[int, int]) -> Window:
    """The window of this size that shows all cards of all tables, as large as they can be."""
    deck = tables[0].deck
    reach = math.hypot(deck.card.width_mm, deck.card.height_mm) / 2 + EDGE_MM
    poses = {card.pose for table in tables for card in table.cards} or {Pose(0.0, 0.0, 0.0)}
    xs, ys = zip(*((pose.x_mm, pose.y_mm) for pose in poses), strict=True)
    width, height = max(xs) - min(xs) + 2 * reach, max(ys) - min(ys) + 2 * reach
    scale = min(size_wh[0] / width, size_wh[1] / height)
    left = (min(xs) + max(xs) - size_wh[0] / scale) / 2
    top = (min(ys) + max(ys) - size_wh[1] / scale) / 2
    return Window(left, top, scale, size_wh)


def draw_plan(table: Layout, window: Window) -> Picture:
    """The table (H, W, 3), blue green red."""
    width, height = window.size_wh
    plan = np.empty((height, width, 3), np.uint8)
    plan[:] = GROUND_RGB[::-1]
    for card in table.cards:
        _lay(plan, card, table.deck, window)
    return plan


def mark(plan: Picture, card: Card, deck: Deck, window: Window, colour: Bgr) -> None:
    """Draw a line round one card's edge into the plan."""
    corners = np.array(deck.card.corners_mm)
    matrix = window.matrix(card.pose)
    outline = corners @ matrix[:, :2].T + matrix[:, 2]
    draw_line(plan, np.vstack([outline, outline[:1]]), colour, max(1.5, 0.9 * window.px_per_mm))


def _lay(plan: Picture, card: Card, deck: Deck, window: Window) -> None:
    """Paint a card over what lies there; only where it can reach."""
    sprite = _sprite(deck, card.colour, card.face, card.pose.mirrored, _fine(window.px_per_mm))
    scale = _fine(window.px_per_mm)
    # The sprite shows the card as it lies, so that a mirrored pose turns and no more.
    pose = Pose(card.pose.x_mm, card.pose.y_mm, card.pose.angle_deg)
    to_plan = window.matrix(pose)
    height, width = sprite.shape[:2]
    middle = np.array([(width - 1) / 2, (height - 1) / 2])
    linear = to_plan[:, :2] / scale
    matrix = np.column_stack([linear, to_plan[:, 2] - linear @ middle])
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)])
    corners = corners @ matrix[:, :2].T + matrix[:, 2]
    low = np.clip(np.floor(corners.min(axis=0)).astype(int) - 1, 0, window.size_wh)
    high = np.clip(np.ceil(corners.max(axis=0)).astype(int) + 2, 0, window.size_wh)
    if (high <= low).any():
        return
    matrix[:, 2] -= low
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    drawn = cv2.warpAffine(sprite, matrix, size, flags=cv2.INTER_AREA)
    part = plan[low[1] : high[1], low[0] : high[0]]
    share = drawn[..., 3:]
    part[:] = np.round(drawn[..., :3] + (1 - share) * part).astype(np.uint8)


def _fine(px_per_mm: float) -> float:
    """The scale of sprites: about that of the plan, so that few are made."""
    return float(max(0.5, math.ceil(4 * px_per_mm) / 4))


@lru_cache(maxsize=256)
def _sprite(
    deck: Deck, colour: str, face: str, mirrored: bool, px_per_mm: float
) -> NDArray[np.float32]:
    """A card as it lies at angle 0: (H, W, 4), blue green red times coverage, and coverage."""
    inks = {
        one.name: tuple(int(one.hex[k : k + 2], 16) / 255 for k in (1, 3, 5))
        for one in (*deck.colours, deck.starting_colour)
    }
    prints = CardPrint(deck, printing_of_deck(deck), inks, px_per_mm)  # type: ignore[arg-type]
    colours = colours_of_parts(prints, colour, _BLACK, 1.0)
    side = Side(deck.face(face), colour, mirrored)
    rgba = paint_face(deck, prints.printing, side, px_per_mm, colours)
    share = rgba[..., 3:]
    plain = np.divide(rgba[..., :3], share, out=np.zeros_like(rgba[..., :3]), where=share > 0)
    shown = 255 * np.clip(plain, 0, 1) ** np.float32(1 / _GAMMA) * share
    return np.concatenate([shown[..., ::-1], share], axis=2).astype(np.float32)
