"""Whether a card could lie in a burnt-out patch without anything of it being seen."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.evidence import sample
from vision.pose_fit import turns
from vision.scene import Scene

FloatArray = NDArray[np.float64]
STEP_MM = 2.0
RIM_MM = 4.0
"""What shows of a card's rim beside a burnt-out patch may be lost in its glow."""
ANGLES = np.arange(12) * np.pi / 12


def could_hide(scene: Scene, at_mm: FloatArray, owners: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Over which places (K, 2), in rough table mm, a card could lie that is not seen at all.

    `owners` (K,) are the cards that were read to show there. Such a card would
    lie wholly in what is burnt out and under other cards than the owner.
    """
    size = scene.deck.card
    half = np.array([size.width_mm, size.height_mm]) / 2 - RIM_MM
    reach = float(np.hypot(*half)) * 2
    axis = np.arange(-reach, reach + STEP_MM, STEP_MM)
    around = np.stack(np.meshgrid(axis, axis), axis=-1)
    bodies = [_inside(around, half, angle) for angle in ANGLES]
    out = np.zeros(len(at_mm), np.bool_)
    for k, (at, owner) in enumerate(zip(at_mm, owners, strict=True)):
        raster = scene.evidence.raster
        washed = sample(scene.evidence.washed, raster.to_raster(at + around)) > 127
        top = scene.top.at(at + around)
        free = (washed | ((top > 0) & (top != owner + 1))).astype(np.uint8)
        out[k] = any(_fits(free, body) for body in bodies)
    return out


def _inside(around: FloatArray, half: FloatArray, angle: float) -> NDArray[np.bool_]:
    own = np.abs(around @ turns(np.array([angle]))[0])
    return np.asarray((own <= half).all(axis=-1))


def _fits(free: NDArray[np.uint8], body: NDArray[np.bool_]) -> bool:
    """Whether the body, somewhere over the middle of the window, lies where it is free only."""
    rows, columns = np.nonzero(body)
    kernel = body[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1].astype(np.uint8)
    held = cv2.erode(free, kernel, borderType=cv2.BORDER_CONSTANT, borderValue=0)
    return bool((held > 0)[body].any())
