"""From light on the sensor to a picture file: blur, noise, gamma, sharpening, JPEG."""

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.conditions import Conditions
from simulator.lighting.light import to_encoded, to_linear

Image = NDArray[np.float32]
_CURVE_STEPS = 16384
_SHARPEN_SIGMA_PX = 1.2
_BOX_SIGMA_PX = 0.4
"""What averaging over a pixel and interpolating the texture blur by themselves."""


def blur(linear: Image, sigma_px: float, motion_px: float, angle_deg: float) -> Image:
    """Defocus and shake, in linear light."""
    left = np.sqrt(max(0.0, sigma_px**2 - _BOX_SIGMA_PX**2))
    if left > 0.05:
        linear = np.asarray(cv2.GaussianBlur(linear, (0, 0), float(left)))
    if motion_px > 0.3:
        linear = np.asarray(cv2.filter2D(linear, -1, _streak(motion_px, angle_deg)))
    return linear


def fringe(linear: Image, apart_px: float) -> Image:
    """Red drawn a little larger and blue a little smaller than green, about the middle."""
    if apart_px < 0.05:
        return linear
    height, width = linear.shape[:2]
    middle = np.array([(width - 1) / 2, (height - 1) / 2])
    for channel, sign in ((0, 1), (2, -1)):
        scale = 1 + sign * apart_px / 2 / float(np.hypot(*middle))
        matrix = np.array([[scale, 0, 0], [0, scale, 0.0]])
        matrix[:, 2] = middle * (1 - scale)
        plane = np.ascontiguousarray(linear[..., channel])
        linear[..., channel] = cv2.warpAffine(
            plane, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE
        )
    return linear


def _streak(length_px: float, angle_deg: float) -> NDArray[np.float32]:
    """A line of this length as a filter kernel; sums to 1."""
    half = int(np.ceil(length_px / 2)) + 1
    kernel = np.zeros((2 * half + 1, 2 * half + 1), dtype=np.float32)
    for step in np.linspace(-length_px / 2, length_px / 2, int(8 * length_px) + 8):
        x = half + step * np.cos(np.deg2rad(angle_deg))
        y = half + step * np.sin(np.deg2rad(angle_deg))
        x0, y0 = int(x), int(y)
        for dx, dy in ((0, 0), (1, 0), (0, 1), (1, 1)):
            share = (1 - abs(x - x0 - dx)) * (1 - abs(y - y0 - dy))
            kernel[min(y0 + dy, 2 * half), min(x0 + dx, 2 * half)] += share
    return np.asarray(kernel / kernel.sum())


def noise_scale(noise: float, black: float, white: float) -> tuple[float, float]:
    """Shot and read noise (variance per light, standard deviation), linear.

    Their standard deviation after encoding reaches `noise` at its worst tone
    between the linear levels of black and white. Where even black is burnt out no
    noise shows, and both are 0.
    """
    tones = np.geomspace(max(black, 1e-3), max(white, 2e-3), 24)
    shot_share, read_share = 1.0, 0.012
    sigma = np.sqrt(shot_share * tones * 0.02 + read_share**2)
    step = 1e-3
    slope = (to_encoded(tones + step) - to_encoded(tones - step)) / (2 * step)
    worst = float((sigma * slope).max())
    gain = noise / worst if worst > 0 else 0.0
    return shot_share * 0.02 * gain**2, read_share * gain


def add_noise(
    linear: Image, shot: float, read: float, grain_px: float, rng: np.random.Generator
) -> Image:
    """Shot and read noise in place of none; `grain_px` spreads it over neighbours."""
    result = np.empty_like(linear)
    for channel in range(linear.shape[2]):
        plane = linear[..., channel]
        white = rng.standard_normal(plane.shape, dtype=np.float32)
        if grain_px > 0.2:
            white = cv2.GaussianBlur(white, (0, 0), grain_px)
            white /= max(float(white[::4, ::4].std()), 1e-6)
        sigma = np.sqrt(np.maximum(plane, 0) * np.float32(shot) + np.float32(read**2))
        result[..., channel] = plane + white * sigma
    return result


def sharpening_gain(strength: float, grain_px: float) -> float:
    """How much sharpening raises the standard deviation of noise with this grain."""
    grain = grain_px if grain_px > 0.2 else 0.0
    var = grain**2
    own = 1 / (4 * np.pi * var) if var > 0.08 else 1.0
    crossed = 1 / (2 * np.pi * (2 * var + _SHARPEN_SIGMA_PX**2))
    soft = 1 / (4 * np.pi * (var + _SHARPEN_SIGMA_PX**2))
    kept = (1 + strength) ** 2 * own - 2 * strength * (1 + strength) * crossed + strength**2 * soft
    return float(np.sqrt(kept / own))


def _encode(linear: Image) -> Image:
    """Encode as sRGB by a table: (H, W, 3) linear to encoded, both from 0 to 1."""
    curve = to_encoded(np.linspace(0, 1, _CURVE_STEPS, dtype=np.float32))
    index = np.clip(linear * (_CURVE_STEPS - 1), 0, _CURVE_STEPS - 1).astype(np.uint16)
    return np.asarray(curve[index])


def expose(
    linear: Image, conditions: Conditions, px_per_mm: float, rng: np.random.Generator
) -> NDArray[np.uint8]:
    """The picture (H, W, 3) uint8, blue green red, from linear red green blue."""
    angle = float(rng.uniform(0, 180))
    sigma_px = conditions.blur_mm * px_per_mm
    linear = fringe(linear, conditions.fringe_px)
    linear = blur(linear, sigma_px, conditions.motion_mm * px_per_mm, angle)
    white = float(to_linear(conditions.white_level))
    noise = conditions.noise / sharpening_gain(conditions.sharpen, conditions.grain_px)
    shot, read = noise_scale(noise, white * conditions.black_level, white)
    linear = add_noise(linear, shot, read, conditions.grain_px, rng)
    encoded = _encode(linear)
    if conditions.sharpen > 0:
        soft = cv2.GaussianBlur(encoded, (0, 0), _SHARPEN_SIGMA_PX)
        encoded = encoded + conditions.sharpen * (encoded - soft)
    return np.asarray(np.clip(encoded[..., ::-1] * 255 + 0.5, 0, 255), dtype=np.uint8)


def as_jpeg(image_bgr: NDArray[np.uint8], quality: int) -> bytes:
    """The picture as a JPEG file."""
    done, data = cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError("the picture could not be encoded")
    return bytes(data)
