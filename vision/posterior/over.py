"""Doubts about what shows over the cards that is neither card nor table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import cv2
import numpy as np

from geometry.layout import Layout
from vision.arrays import Bools
from vision.doubting.over_doubts import COUNTING, OVER_CARDS, WHOLE_TABLE
from vision.observe.observation import Observation
from vision.posterior.ledger import of_any_colour
from vision.reading import Doubt
from vision.reading_config import ReadingConfig
from vision.reason import Reason
from vision.view import TableView


def over_doubts(
    seen: Observation, over: Bools, layout: Layout, view: TableView, config: ReadingConfig
) -> Iterator[Doubt]:
    """A doubt for each place where (H, W) something lies over the cards of a layout, by the view
    that it was observed in. Any colour in play may have dots there, up to those of its best card.
    """
    changes = of_any_colour(layout)
    side = int(config.worse_near_mm * seen.density) | 1
    near = cv2.dilate(over.astype(np.uint8), np.ones((side, side), np.uint8))
    number, labels = cv2.connectedComponents(near)
    mm2 = np.bincount(labels[over], minlength=number) / seen.density**2
    for thing in np.flatnonzero(mm2 > config.worse_mm2).tolist():
        row, column = np.nonzero((labels == thing) & over)
        hull = cv2.convexHull(np.column_stack([column, row]).astype(np.int32))[:, 0]
        mm = hull / seen.density + np.asarray(seen.origin_mm)
        px = view.to_px(mm)
        x, y = view.to_px(mm.mean(axis=0)[None])[0].tolist()
        outline = tuple((float(a), float(b)) for a, b in px)
        yield Doubt("table", None, (x, y), Reason(OVER_CARDS), changes, changes, outline_px=outline)


def told_by(doubt: Doubt, things: Iterable[Doubt], near_px: float) -> bool:
    """Whether a doubt says nothing more than those of things over the cards: it asks about what
    lies under one, or so near it, or about cards that are missing somewhere.
    """
    things = tuple(things)
    if not things or doubt.kind in WHOLE_TABLE:
        return False
    if doubt.reason.code in COUNTING:
        return True
    at = tuple(float(value) for value in doubt.at_px)
    outlines = [np.array(t.outline_px, np.float32) for t in things if t.outline_px]
    return any(cv2.pointPolygonTest(outline, at, True) > -near_px for outline in outlines)
