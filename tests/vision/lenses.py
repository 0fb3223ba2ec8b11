"""Lenses and tilted views."""

from __future__ import annotations

import numpy as np

from vision.lens import Lens
from vision.view import (
    TableView,
    rotation_from_vector,
)

SIZE_WH = (1600, 1200)
MATRIX = np.array([[1300.0, 0, 811.5], [0, 1296.0, 588.0], [0, 0, 1]])
LENSES = {
    "plain": Lens(SIZE_WH, MATRIX.copy(), np.array([-0.21, 0.06, 0.001, -0.002, 0.003])),
    "rational": Lens(
        SIZE_WH, MATRIX.copy(), np.array([0.3, -0.1, 0.0, 0.001, 0.02, 0.5, -0.12, 0.03])
    ),
    "prism": Lens(
        SIZE_WH,
        MATRIX.copy(),
        np.array([-0.2, 0.05, 0.001, -0.002, 0, 0, 0, 0, 0.002, 0.001, -0.003, 0.001]),
    ),
    "fisheye": Lens(SIZE_WH, MATRIX.copy(), np.array([-0.02, 0.004, -0.002, 0.0]), "fisheye"),
}
NO_DISTORTION = Lens(SIZE_WH, MATRIX.copy(), np.zeros(5))


def tilted(lens: Lens, tilt_deg: float = 25.0, turn_deg: float = 40.0) -> TableView:
    """A camera 550 mm from the middle (200, 150) of the table, tilted about the picture's x."""
    turn = rotation_from_vector(np.array([0, 0, np.deg2rad(turn_deg)]))
    rotation = rotation_from_vector(np.array([np.deg2rad(tilt_deg), 0, 0])) @ turn
    return TableView(lens, rotation, np.array([0.0, 0.0, 550.0]) - rotation @ [200.0, 150.0, 0.0])
