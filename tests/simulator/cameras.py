"""Cameras over a simulated table."""

from __future__ import annotations

import numpy as np

from simulator.camera.camera import Glass, PlacedLens, Stand, place_camera

CORNERS = np.array([[0.0, 0.0], [700.0, 0.0], [700.0, 500.0], [0.0, 500.0]])
GLASSES = {
    "plain": Glass(0.8, (0.0,) * 5),
    "wide": Glass(0.55, (-0.22, 0.06, 0.0005, -0.0005, -0.006)),
    "fisheye": Glass(0.5, (0.02, -0.01, 0.002, 0.0), fisheye=True),
}


def camera_at(glass: Glass, tilt_deg: float, heading_deg: float = 30.0) -> PlacedLens:
    stand = Stand(tilt_deg, heading_deg, 12.0)
    rotation, translation = place_camera(stand, glass, CORNERS, 4 / 3)
    return PlacedLens(glass.on_sensor(2000, 1500), rotation, translation)
