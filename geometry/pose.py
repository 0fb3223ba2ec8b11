"""Where a card lies: the one place where card millimetres become table millimetres.

Table frame: origin at the corner of the play area beside marker 0, x towards
marker 1, y towards marker 3 (y runs down in an upright picture), angles
clockwise in degrees. Card frame: origin in the card's middle, x right, y down,
front face. A mirrored (flipped) card has x negated before it is turned.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NewType

import numpy as np
from numpy.typing import NDArray

PointsMm = NewType("PointsMm", NDArray[np.float64])
"""Float64 array (N, 2) of millimetres; which frame is said where it is used."""


@dataclass(frozen=True, slots=True)
class Pose:
    """A card's place on the table: middle in mm, clockwise angle in degrees, flipped or not."""

    x_mm: float
    y_mm: float
    angle_deg: float
    mirrored: bool = False

    def matrix(self) -> NDArray[np.float64]:
        """The 2 x 3 matrix that takes card points (x, y, 1) to the table frame."""
        angle = math.radians(self.angle_deg)
        cos, sin = math.cos(angle), math.sin(angle)
        flip = -1.0 if self.mirrored else 1.0
        return np.array([[flip * cos, -sin, self.x_mm], [flip * sin, cos, self.y_mm]])

    def to_table(self, card_mm: NDArray[np.float64]) -> PointsMm:
        """Map (N, 2) points of the card frame to the table frame."""
        m = self.matrix()
        return PointsMm(np.asarray(card_mm, dtype=np.float64) @ m[:, :2].T + m[:, 2])

    def to_card(self, table_mm: NDArray[np.float64]) -> PointsMm:
        """Map (N, 2) points of the table frame to the card frame; inverse of `to_table`."""
        m = self.matrix()
        return PointsMm((np.asarray(table_mm, dtype=np.float64) - m[:, 2]) @ m[:, :2])
