"""Where cards may lie that a known table has not: frames near white that it does not draw."""

from __future__ import annotations

import cv2
import numpy as np

from geometry.deck import CardSize
from vision.arrays import Bools
from vision.model.table import Place, Table, as_array
from vision.observe.observation import Observation, part_of
from vision.propose.line_fit import frame_points
from vision.propose.places import Proposal, proposed_places, same_places
from vision.reading_config import ReadingConfig

COARSE_MM = 2.0
"""White is gathered into blots on a grid of this size."""
Box = tuple[int, int, int, int]
"""Rows and columns of an observation: the first and the one beyond the last of each."""


def proposed_near(
    seen: Observation, white: Bools, table: Table, size: CardSize, config: ReadingConfig
) -> tuple[Proposal, ...]:
    """Places that no card of a table has, of frames that lie on unexplained white (H, W) in part;
    those first that show most.
    """
    out: list[Proposal] = []
    kept = as_array(card.place for card in table.cards)
    near = cv2.dilate(white.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    for box in _boxes(seen, white, size, config):
        for proposal in proposed_places(part_of(seen, *box), size, config):
            at = as_array([proposal.place])
            some = _share_on(seen, near, proposal.place, size, config)
            if some >= config.new_share and not same_places(kept, at[0], config).any():
                kept = np.concatenate([kept, at])
                out.append(proposal)
    return tuple(sorted(out, key=lambda proposal: -proposal.share))


def _boxes(seen: Observation, white: Bools, size: CardSize, config: ReadingConfig) -> list[Box]:
    """What of an observation has all of each card that lies on white: boxes that do not overlap."""
    step = round(COARSE_MM * seen.density)
    grid = cv2.resize(
        white.astype(np.float32), None, fx=1 / step, fy=1 / step, interpolation=cv2.INTER_AREA
    )
    side = int(config.white_near_mm / COARSE_MM) | 1
    blots = cv2.dilate((grid > 0).astype(np.uint8), np.ones((side, side), np.uint8))
    number, labels, stats, _ = cv2.connectedComponentsWithStats(blots)
    area_mm2 = np.bincount(labels.ravel(), grid.ravel(), number) * COARSE_MM**2
    reach = int(np.hypot(size.width_mm, size.height_mm) * seen.density)
    boxes = []
    for (x, y, w, h, _), area in zip(stats[1:].tolist(), area_mm2[1:].tolist(), strict=True):
        if area >= config.new_white_mm2:
            boxes.append(
                (y * step - reach, (y + h) * step + reach, x * step - reach, (x + w) * step + reach)
            )
    return [_within(box, seen.white.shape) for box in _joined(boxes)]


def _joined(boxes: list[Box]) -> list[Box]:
    """Boxes round those that overlap."""
    out: list[Box] = []
    for box in boxes:
        own = box
        while True:
            other = next((o for o in out if _overlap(o, own)), None)
            if other is None:
                break
            out.remove(other)
            own = (
                min(own[0], other[0]), max(own[1], other[1]),
                min(own[2], other[2]), max(own[3], other[3]),
            )  # fmt: skip
        out.append(own)
    return out


def _overlap(one: Box, other: Box) -> bool:
    rows = one[0] < other[1] and other[0] < one[1]
    return rows and one[2] < other[3] and other[2] < one[3]


def _within(box: Box, shape: tuple[int, ...]) -> Box:
    return max(box[0], 0), min(box[1], shape[0]), max(box[2], 0), min(box[3], shape[1])


def _share_on(
    seen: Observation, near: Bools, place: Place, size: CardSize, config: ReadingConfig
) -> float:
    """Which share of a frame at a place lies on some places (H, W)."""
    at = place.pose.to_table(frame_points(size, config))
    column, row = np.rint((at - seen.origin_mm) * seen.density).astype(int).T
    inside = (row >= 0) & (row < near.shape[0]) & (column >= 0) & (column < near.shape[1])
    return float(near[row[inside], column[inside]].sum() / len(at))
