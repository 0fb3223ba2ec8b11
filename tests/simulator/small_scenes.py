"""Small scenes and what is read from their truth."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from geometry.deck_file import published_deck
from geometry.layout import Card, Layout
from geometry.pose import Pose
from simulator import Conditions
from simulator.camera.camera import PlacedLens
from vision.lens import Lens

SMALL = Conditions(cards=13, px_per_mm=2.2)


def layout_of(truth: dict[str, Any]) -> Layout:
    cards = tuple(
        Card(
            layer,
            card["colour"],
            card["face"],
            Pose(card["x_mm"], card["y_mm"], card["angle_deg"], card["mirrored"]),
        )
        for layer, card in enumerate(truth["cards"])
    )
    return Layout(published_deck(), cards, tuple(truth["play_area_mm"]))


def camera_of(truth: dict[str, Any]) -> PlacedLens:
    camera = truth["camera"]
    width, height = camera["size_px"]
    lens = Lens(
        (width, height),
        np.array(camera["matrix"]),
        np.array(camera["distortion"]),
        camera.get("model", "plain"),
    )
    return PlacedLens(lens, np.array(camera["rotation"]), np.array(camera["translation_mm"]))


def level_at(image: NDArray[np.uint8], px: NDArray[np.float64]) -> NDArray[np.float32]:
    """Mean of the channels at points (N, 2)."""
    grey = image.mean(axis=2).astype(np.float32)
    at = px.astype(np.float32).reshape(1, -1, 2)
    return np.asarray(cv2.remap(grey, at[..., 0], at[..., 1], cv2.INTER_LINEAR)).ravel()
