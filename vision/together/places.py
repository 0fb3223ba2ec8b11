"""Between the table's millimetres and the picture's pixels, near the cards that were seen.

Every seen card says where four points of the table lie in the picture. A
homography fitted to them, the near cards counting most, follows a bent lens
well enough to draw an outline and to take a finger's place; it measures nothing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from geometry.deck import CardSize
from geometry.layout import Card
from geometry.pose import Pose
from vision.reading import Corners, SeenTable

Points = NDArray[np.float64]
_NEAR_CARDS = 1.5
"""The weight of a card falls to a half at so many card heights."""


class Places:
    """The picture around a seen table. ValueError if no card was seen."""

    def __init__(self, seen: SeenTable) -> None:
        if not seen.cards:
            raise ValueError("expected at least one card, found an empty table")
        size = seen.layout.deck.card
        outlines = {card.id: card.outline_px for card in seen.cards}
        self._size = size
        self._mm = np.concatenate([corners_mm(size, card.pose) for card in seen.layout.cards])
        self._px = np.concatenate([np.array(outlines[card.id]) for card in seen.layout.cards])

    def outline_px(self, card: Card) -> Corners:
        """Where this card's corners lie in the picture."""
        corners = corners_mm(self._size, card.pose)
        a, b, c, d = self._map(self._mm, self._px, corners)
        return a, b, c, d

    def to_mm(self, at_px: tuple[float, float]) -> tuple[float, float]:
        """The place on the table under a place in the picture."""
        (place,) = self._map(self._px, self._mm, np.array([at_px]))
        return place

    def to_px(self, places_mm: Points) -> Points:
        """Where places (N, 2) of the table that lie near each other are in the picture (N, 2); nan
        where that is beyond the horizon.
        """
        h = self._near(self._mm, self._px, places_mm)
        mapped = np.column_stack([places_mm, np.ones(len(places_mm))]) @ h.T
        depth = np.column_stack([self._mm, np.ones(len(self._mm))]) @ h[2]
        before = mapped[:, 2] * np.sign(np.median(depth)) > 1e-9 * np.abs(depth).max()
        with np.errstate(divide="ignore", invalid="ignore"):
            px = mapped[:, :2] / mapped[:, 2:]
        return np.where(before[:, None], px, np.nan)

    @property
    def to_picture(self) -> Points:
        """The homography from the table to the picture, (3, 3), that suits all cards alike."""
        return _homography(self._mm, self._px, np.ones(len(self._mm)))

    def _map(self, source: Points, target: Points, points: Points) -> list[tuple[float, float]]:
        h = self._near(source, target, points)
        mapped = np.column_stack([points, np.ones(len(points))]) @ h.T
        return [(float(x / w), float(y / w)) for x, y, w in mapped]

    def _near(self, source: Points, target: Points, points: Points) -> Points:
        """The homography (3, 3) that suits the cards near some points (N, 2) best."""
        near = points.mean(axis=0)
        card = np.hypot(*(source[1] - source[2]))
        apart = np.linalg.norm(source - near, axis=1) / (_NEAR_CARDS * card)
        return _homography(source, target, 1 / (1 + apart**4))


def corners_mm(size: CardSize, pose: Pose) -> Points:
    """A card's corners (as if not rounded) on the table, front face from the top left."""
    x, y = size.width_mm / 2, size.height_mm / 2
    return np.asarray(pose.to_table(np.array([[-x, -y], [x, -y], [x, y], [-x, y]])))


def _homography(source: Points, target: Points, weights: Points) -> Points:
    """The weighted direct linear transform, on points scaled to about one."""
    from_source, a = _scaled(source)
    from_target, b = _scaled(target)
    ones, zeros = np.ones(len(a)), np.zeros((len(a), 3))
    points = np.column_stack([a, ones])
    rows_x = np.hstack([points, zeros, -points * b[:, :1]])
    rows_y = np.hstack([zeros, points, -points * b[:, 1:]])
    rows = np.concatenate([rows_x, rows_y]) * np.sqrt(np.tile(weights, 2))[:, None]
    h = np.linalg.svd(rows)[2][-1].reshape(3, 3)
    return np.asarray(np.linalg.inv(from_target) @ h @ from_source)


def _scaled(points: Points) -> tuple[Points, Points]:
    middle, spread = points.mean(axis=0), float(points.std()) or 1.0
    matrix = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, spread]]) / spread
    return matrix, (points - middle) / spread
