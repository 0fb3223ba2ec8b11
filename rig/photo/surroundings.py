"""A photo in which nothing can be made out but the table: what lies round it is blurred for good.

The table is the hull of all cards and, where markers gave it, of the play area with them, and
round these as much again as half a card takes in the picture.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading import SeenTable

FloatArray = NDArray[np.float64]
MARKERS_REACH_MM = 80.0
"""Beyond the play area: markers of 60 mm, whose middles lie 40 mm outside it."""
LEFT_ACROSS = 24
"""So many pixels are left of the picture's longer side: a face at the table's far side has two."""
FAR_PX = 30_000.0
"""Nothing is drawn farther out; OpenCV counts in 16 bits before the point."""


def table_px(seen: SeenTable) -> FloatArray | None:
    """The hull (K, 2) of the table in the photo as shown, pixels; None where no card was seen."""
    outlines = {card.id: np.array(card.outline_px) for card in seen.cards}
    if not outlines:
        return None
    points = np.concatenate(list(outlines.values()))
    if seen.layout.play_area_mm is not None:
        points = np.concatenate([points, _play_area_px(seen, points)])
    hull = cv2.convexHull(np.clip(points, -FAR_PX, FAR_PX).astype(np.float32))
    return np.asarray(hull.reshape(-1, 2), np.float64)


def margin_px(seen: SeenTable) -> float:
    """Half of the longest side of a card in the photo."""
    sides = [np.diff(card.outline_px, axis=0) for card in seen.cards]
    return float(max(np.linalg.norm(side, axis=1).max() for side in sides)) / 2


def with_blurred_surroundings(
    image_bgr: NDArray[np.uint8], table_px: FloatArray, margin_px: float
) -> NDArray[np.uint8]:
    """The photo (H, W, 3) as it is within the margin of the table, and a blur elsewhere."""
    height, width = image_bgr.shape[:2]
    share = LEFT_ACROSS / max(height, width)
    few_wh = max(1, round(width * share)), max(1, round(height * share))
    few = cv2.resize(image_bgr, few_wh, interpolation=cv2.INTER_AREA)
    blur = cv2.resize(few, (width, height), interpolation=cv2.INTER_LINEAR)
    table, outline = np.zeros((height, width), np.uint8), np.round(table_px).astype(np.int32)
    cv2.fillConvexPoly(table, outline, 255)
    cv2.polylines(table, [outline], True, 255, min(2 * round(margin_px) + 1, 32_767))
    return np.where(table[..., None] > 0, image_bgr, np.asarray(blur, np.uint8))


def _play_area_px(seen: SeenTable, outlines_px: FloatArray) -> FloatArray:
    """The corners (4, 2) of the play area with its markers, as the cards' corners have it."""
    width, height = seen.layout.play_area_mm or (0.0, 0.0)
    corners = np.array(seen.layout.deck.card.corners_mm)
    poses = {card.id: card.pose for card in seen.layout.cards}
    mm = np.concatenate([poses[card.id].to_table(corners) for card in seen.cards])
    plane, _ = cv2.findHomography(mm, outlines_px)
    out = MARKERS_REACH_MM
    area = [[-out, -out], [width + out, -out], [width + out, height + out], [-out, height + out]]
    return np.asarray(cv2.perspectiveTransform(np.array([area]), plane)[0], np.float64)
