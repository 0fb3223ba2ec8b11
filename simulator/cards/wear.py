"""What paper and use do to a printed card: grain, scratches, white edges."""

import cv2
import numpy as np

from simulator.camera.canvas import Image
from simulator.cards.printing import Printing

_PAPER = 0.6
"""Reflectance of the card's core where ink is gone."""


def used(rng: np.random.Generator, texture: Image, px_per_mm: float, printing: Printing) -> Image:
    """A face (H, W, 4) with the grain of its paper and the marks of its use."""
    grained = _grained(rng, texture, px_per_mm, printing)
    bare = _scratches(rng, texture.shape[:2], px_per_mm, printing.scratches)
    bare = np.maximum(bare, _bare_edge(rng, texture[..., 3], px_per_mm, printing.worn_mm))[
        ..., None
    ]
    worn = grained
    worn[..., :3] = grained[..., :3] * (1 - bare) + _PAPER * bare * texture[..., 3:]
    return worn


def worn(rng: np.random.Generator, texture: Image, px_per_mm: float, wear: float) -> Image:
    """Scratches across the face and white paper showing at the edges: 0 none to 1 very worn."""
    height, width = texture.shape[:2]
    cover = texture[..., 3]
    rubbed = np.zeros((height, width), dtype=np.float32)
    for _ in range(rng.poisson(6 * wear)):
        x, y = rng.uniform(0, width), rng.uniform(0, height)
        angle, length = rng.uniform(0, np.pi), rng.exponential(12) * px_per_mm
        end = (int(x + length * np.cos(angle)), int(y + length * np.sin(angle)))
        strength = float(rng.uniform(0.05, 0.35) * wear)
        cv2.line(rubbed, (int(x), int(y)), end, strength, 1, cv2.LINE_AA)
    edge = 1 - cv2.GaussianBlur(cover, (0, 0), 0.7 * px_per_mm)
    coarse = rng.random((max(2, height // 12), max(2, width // 12)), dtype=np.float32)
    patches = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    rubbed += np.clip(edge * 2.2 - 0.3, 0, 1) * np.clip(patches * 2 - 1, 0, 1) * wear * 0.8
    rubbed = np.clip(rubbed, 0, 0.9)[..., None]
    result = texture.copy()
    result[..., :3] = texture[..., :3] * (1 - rubbed) + 0.55 * rubbed * cover[..., None]
    return result


def _grained(
    rng: np.random.Generator, texture: Image, px_per_mm: float, printing: Printing
) -> Image:
    """Brightness that varies from grain to grain, on black the most."""
    noise = _blotches(rng, texture.shape[:2], printing.grain_mm * px_per_mm)
    dark = np.exp(-4 * texture[..., :3].max(axis=2))
    tone = np.exp(printing.grain * noise * (0.25 + 0.75 * dark))
    grained = texture.copy()
    grained[..., :3] *= tone[..., None].astype(np.float32)
    return grained


def _blotches(rng: np.random.Generator, shape: tuple[int, int], cell_px: float) -> Image:
    """Smooth noise (H, W), mean about 0, deviation about 1, with blotches of this size."""
    height, width = shape
    rows, columns = (max(2, round(n / max(cell_px, 1.0))) for n in (height, width))
    coarse = rng.standard_normal((rows, columns), dtype=np.float32)
    fine = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(fine / max(float(fine.std()), 1e-6))


def _scratches(
    rng: np.random.Generator, shape: tuple[int, int], px_per_mm: float, mean: float
) -> Image:
    """Thin bent lines (H, W), 0 to 1: how much of the ink is gone."""
    height, width = shape
    bare = np.zeros(shape, dtype=np.float32)
    for _ in range(rng.poisson(mean)):
        start = rng.uniform(0, (width, height))
        way, length = rng.uniform(0, 2 * np.pi), (2 + rng.exponential(9)) * px_per_mm
        steps = np.linspace(0, 1, 9)[:, None]
        bend = rng.normal(0, 0.15) * np.sin(np.pi * steps)
        along, across = np.array([np.cos(way), np.sin(way)]), np.array([-np.sin(way), np.cos(way)])
        points = start + length * (steps * along + bend * across)
        fixed = np.round(points * 16).astype(np.int32)
        strength = float(rng.uniform(0.04, 0.35))
        cv2.polylines(bare, [fixed], False, strength, 1, cv2.LINE_AA, 4)
    return bare


def _bare_edge(rng: np.random.Generator, cover: Image, px_per_mm: float, worn_mm: float) -> Image:
    """The white edge (H, W), 0 to 1: wider at corners and where fingers were."""
    height, width = cover.shape
    if worn_mm <= 0:
        return np.zeros((height, width), dtype=np.float32)
    inside = np.pad((cover > 0.5).astype(np.uint8), 1)
    deep_mm = cv2.distanceTransform(inside, cv2.DIST_L2, 3)[1:-1, 1:-1] / px_per_mm
    x = np.abs(np.linspace(-1, 1, width, dtype=np.float32))
    y = np.abs(np.linspace(-1, 1, height, dtype=np.float32))
    corners = np.clip(x[None] + y[:, None] - 1.6, 0, 0.4) / 0.4
    patches = _blotches(rng, cover.shape, 5 * px_per_mm)
    wide_mm = worn_mm * np.clip(0.25 + 0.35 * patches + 0.6 * corners, 0, 1.2)
    return np.asarray(np.clip((wide_mm - deep_mm) * px_per_mm + 0.5, 0, 0.9) * (wide_mm > 0.02))
