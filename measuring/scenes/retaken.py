"""Photographs with known truth, as another camera might have taken them of the same table.

A camera that is turned about its own lens sees what it saw before under a homography, whatever
stands up from the table; light that is dimmer, uneven or of another colour multiplies what was
there, and softness, noise, sharpening and JPEG come on top. So one photograph becomes many, and
what the simulated table may draw otherwise than reality stays in all of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from measuring.scenes.scene_files import Scene
from measuring.scenes.truth import TrueView, Truth
from simulator.camera.sensor import as_jpeg, blur
from simulator.lighting.light import to_encoded, to_linear
from vision.lens import Lens
from vision.view import rotation_from_vector

FloatArray = NDArray[np.float64]
Image = NDArray[np.float32]
MOST_TURNED_DEG = 12.0
"""Tilt that is added: none of the photographs is then seen at more than 36 degrees."""
ENLARGED = (1.1, 1.25)
"""What lies at the far end of a tilted picture is seen smaller: it keeps its pixels so."""
MOST_SIDE_PX = 6000
SOFT_PX = (0.4, 0.9)
"""Sigma of the blur that is added, about 0.2 to 0.45 mm: with the photographs' own at most 0.5."""


@dataclass(frozen=True, slots=True, eq=False)
class Retaken:
    """A photograph (H, W, 3) uint8 BGR, its truth with the camera that took it, and the lens as far
    as it is known: None for a phone whose lens nobody has measured.
    """

    image_bgr: NDArray[np.uint8]
    truth: Truth
    lens: Lens | None


def retaken(scene: Scene, seed: int) -> Retaken:
    """The scene as another camera might have taken it: the same seed gives the same picture."""
    rng = np.random.default_rng([seed, *scene.name.encode()])
    image, truth = scene.image_bgr, scene.truth
    if rng.random() < 0.5:
        image, truth = _turned(image, truth, rng)
    lens = truth.lens if rng.random() < 0.5 else None
    light = _relit(to_linear(image / np.float32(255)), rng)
    if rng.random() < 0.3:
        light = blur(light, float(np.hypot(rng.uniform(*SOFT_PX), 0.4)), 0.0, 0.0)
    encoded = _developed(to_encoded(np.clip(light, 0, 1)), rng)
    bgr = np.asarray(np.clip(encoded * 255 + 0.5, 0, 255), np.uint8)
    jpeg = np.frombuffer(as_jpeg(bgr, int(rng.integers(55, 96))), np.uint8)
    seen = np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)
    return Retaken(seen, truth, lens)


def _turned(
    image: NDArray[np.uint8], truth: Truth, rng: np.random.Generator
) -> tuple[NDArray[np.uint8], Truth]:
    """The picture of a camera without distortion that is tilted and rolled about the same lens; all
    that was in the picture still is.
    """
    camera = truth.camera
    matrix, height, width = camera.lens.matrix, *image.shape[:2]
    pinhole = _without_distortion(image, camera.lens)
    towards, roll = rng.uniform(0, 2 * np.pi, 2)
    tilt = np.deg2rad(rng.uniform(0, MOST_TURNED_DEG))
    tilted = rotation_from_vector(tilt * np.array([np.cos(towards), np.sin(towards), 0.0]))
    turn = rotation_from_vector(np.array([0.0, 0.0, roll])) @ tilted
    bend = matrix @ turn @ np.linalg.inv(matrix)
    ends = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    middle = matrix[:2, 2]
    reach = np.abs(cv2.perspectiveTransform(ends[None], bend)[0] - middle).max(axis=0)
    scale = min(float(rng.uniform(*ENLARGED)), MOST_SIDE_PX / 2 / float(reach.max()))
    half = np.ceil(reach * scale)
    onto = np.array([[scale, 0, half[0]], [0, scale, half[1]], [0, 0, 1.0]])
    onto[:2, 2] -= scale * middle
    size = int(2 * half[0]), int(2 * half[1])
    seen = cv2.warpPerspective(
        pinhole, onto @ bend, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE
    )
    lens = Lens(size, onto @ matrix, np.zeros(5))
    taken = TrueView(lens, turn @ camera.rotation, turn @ camera.translation_mm)
    return np.asarray(seen, np.uint8), replace(truth, camera=taken)


def _without_distortion(image: NDArray[np.uint8], lens: Lens) -> NDArray[np.uint8]:
    if lens.model == "fisheye":
        plain = cv2.fisheye.undistortImage(image, lens.matrix, lens.distortion, Knew=lens.matrix)
    else:
        plain = cv2.undistort(image, lens.matrix, lens.distortion)
    return np.asarray(plain, np.uint8)


def _relit(light: Image, rng: np.random.Generator) -> Image:
    """Linear light (H, W, 3) BGR of another colour, that fades, dimmer, or with a haze in it."""
    height, width = light.shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float32)
    if rng.random() < 0.4:
        tint = rng.uniform(0.6, 1.0, 3)
        light = light * np.float32(tint / tint.max())
    if rng.random() < 0.4:
        angle, least = rng.uniform(0, 2 * np.pi), rng.uniform(0.35, 0.8)
        along = x / width * np.cos(angle) + y / height * np.sin(angle)
        share = (along - along.min()) / np.ptp(along)
        light = light * (least + (1 - least) * share)[..., None].astype(np.float32)
    if rng.random() < 0.3:
        light = light * np.float32(rng.uniform(0.35, 1.1))
    if rng.random() < 0.2:
        at, wide = rng.uniform(0.1, 0.9, 2), rng.uniform(0.1, 0.3)
        apart = (x / width - at[0]) ** 2 + (y / width - at[1] * height / width) ** 2
        haze = rng.uniform(0.03, 0.12) * np.exp(-apart / (2 * wide**2))
        light = light + haze[..., None].astype(np.float32)
    return np.asarray(light, np.float32)


def _developed(encoded: Image, rng: np.random.Generator) -> Image:
    """The picture (H, W, 3), 0 to 1, as a camera's software leaves it: contrast, saturation and
    sharpening of its own, and noise.
    """
    if rng.random() < 0.2:
        curved = encoded * encoded * (3 - 2 * encoded)
        encoded = encoded + np.float32(rng.uniform(0.2, 0.8)) * (curved - encoded)
    if rng.random() < 0.2:
        grey = encoded.mean(axis=2, keepdims=True)
        encoded = grey + np.float32(rng.uniform(0.7, 1.4)) * (encoded - grey)
    if rng.random() < 0.3:
        soft = cv2.GaussianBlur(encoded, (0, 0), float(rng.uniform(0.8, 1.6)))
        encoded = encoded + np.float32(rng.uniform(0.3, 1.2)) * (encoded - soft)
    if rng.random() < 0.4:
        noise = rng.standard_normal(encoded.shape, dtype=np.float32)
        encoded = encoded + np.float32(rng.uniform(0.005, 0.025)) * noise
    return np.asarray(encoded, np.float32)
