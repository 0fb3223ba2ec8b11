"""Cards on a plane, and a camera over it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from geometry.deck_file import published_deck
from vision.locating.plane import lens_from
from vision.view import TableView, rotation_from_vector

FloatArray = NDArray[np.float64]
CARD = published_deck().card
SIZE_WH = (1600, 1200)
POSES = (
    (-150.0, -110.0, 10.0), (140.0, -120.0, 95.0), (10.0, 5.0, 45.0),
    (-160.0, 120.0, 170.0), (150.0, 110.0, 60.0), (20.0, -140.0, 130.0),
)  # fmt: skip


def rectangle(width_mm: float, height_mm: float, pose: tuple[float, float, float]) -> FloatArray:
    half = np.array([width_mm, height_mm]) / 2
    cos, sin = np.cos(np.deg2rad(pose[2])), np.sin(np.deg2rad(pose[2]))
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    return np.asarray(corners @ np.array([[cos, sin], [-sin, cos]]) + pose[:2])


def outline(pose: tuple[float, float, float]) -> FloatArray:
    """The outer edge of a card's white line, on the table."""
    return rectangle(CARD.frame_width_mm + CARD.line_mm, CARD.frame_height_mm + CARD.line_mm, pose)


def camera(tilt_deg: float, direction_deg: float, k1: float = 0.0) -> TableView:
    angle = np.deg2rad(direction_deg)
    axis = np.array([np.cos(angle), np.sin(angle), 0]) * np.deg2rad(tilt_deg)
    lens = lens_from(np.array([np.log(1250.0), k1, 0.0, 0.0, 0.0]), SIZE_WH)
    return TableView(lens, rotation_from_vector(axis), np.array([0.0, 0.0, 560.0]))
