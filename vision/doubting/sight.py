"""What of the cards at the picture's edge lies in the picture: no dot outside can be counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import cv2
import numpy as np

from geometry.deck import CardSize
from geometry.layout import Card
from vision.arrays import Bools, FloatArray
from vision.doubting.doubt_context import DoubtContext, with_card
from vision.reading import Doubt
from vision.reason import Reason
from vision.view import TableView

STEP_MM = 0.5
SIMPLER_MM = 0.05
SAME_MM = 0.5
FEWEST_CORNERS = 3
"""Of an area."""


def in_sight(cards: list[Card], view: TableView, heights: FloatArray, size: CardSize) -> list[Card]:
    """The cards, each with what of the table is in the picture where it reaches out of it.

    `heights` (N,), mm above the table, are those of the cards, by id.
    """
    if not cards:
        return cards
    corners = np.array(size.corners_mm)
    mm = np.concatenate([card.pose.to_table(corners) for card in cards])
    shown = _shown(mm, view, np.repeat(heights[[card.id for card in cards]], len(corners)))
    whole = np.all(shown.reshape(len(cards), -1), axis=1)
    return [
        card if uncut else _cut_off(card, view, float(heights[card.id]), size)
        for card, uncut in zip(cards, whole, strict=True)
    ]


def _cut_off(card: Card, view: TableView, height: float, size: CardSize) -> Card:
    """The card, `height` mm above the table, with the part of the table round it that shows."""
    reach = float(np.hypot(size.width_mm, size.height_mm)) / 2
    steps = np.arange(-reach, reach + STEP_MM, STEP_MM)
    x, y = np.meshgrid(card.pose.x_mm + steps, card.pose.y_mm + steps)
    grid = np.column_stack([x.ravel(), y.ravel()])
    grid = grid[_shown(grid, view, height)]
    if len(grid) == 0:
        return replace(card, in_sight_mm=())
    # Over one card the picture's edge is as good as straight, and its corner juts out.
    hull = cv2.convexHull(grid.astype(np.float32))
    simple = cv2.approxPolyDP(hull, SIMPLER_MM, closed=True).reshape(-1, 2).tolist()
    area = simple if len(simple) >= FEWEST_CORNERS else []
    return replace(card, in_sight_mm=tuple((round(x, 2), round(y, 2)) for x, y in area))


def _shown(mm: FloatArray, view: TableView, height: float | FloatArray) -> Bools:
    """Which places (N, 2), `height` mm above the table (each its own, or all), are in the picture.

    Far outside, a lens's distortion may turn round and bring places back into the picture: their
    pixels are those of other places.
    """
    px = view.to_px(mm, height)
    last = np.array(view.lens.size_wh) - 1
    inside = np.asarray(((px >= 0) & (px <= last)).all(axis=1))
    high = np.broadcast_to(height, inside.shape)[inside]
    inside[inside] = np.linalg.norm(view.to_mm(px[inside], high) - mm[inside], axis=1) < SAME_MM
    return inside


def sight_doubts(scene: DoubtContext) -> Iterable[Doubt]:
    """Cards of which dots that no other card hides lie outside the picture."""
    last = np.array(scene.rough.lens.size_wh) - 1
    for card in scene.layout.cards:
        if card.in_sight_mm is None:
            continue
        whole = with_card(scene.layout, replace(card, in_sight_mm=None))
        middle = scene.table.named.poses[card.id, :2]
        doubt = scene.doubt_of("dot", card.id, middle, Reason("dots-outside"), whole)
        if doubt.matters:
            x, y = np.clip(doubt.at_px, 0, last).tolist()
            yield replace(doubt, at_px=(x, y))
