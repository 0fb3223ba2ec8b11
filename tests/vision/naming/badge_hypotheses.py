"""Cards with badges drawn on them, and what they may be."""

from __future__ import annotations

import numpy as np

from tests.vision.naming.named_tables import TEMPLATES
from vision.naming.faces import Patches

ONE = np.zeros(1, np.int64)
SHOWN = np.ones((1, len(TEMPLATES.grid_mm)), np.float32)


def hypothesis(face: str, turned: int = 0) -> int:
    return 4 * TEMPLATES.faces.index(face) + turned


def with_badge_of(face: str, rest: str, shift: tuple[int, int] = (0, 0)) -> Patches:
    """A card that shows one face's badge, moved by so many rows and columns, and is else another
    face; with some noise.
    """
    own, other = (TEMPLATES.white[2 * TEMPLATES.faces.index(name)] for name in (face, rest))
    moved = np.roll(own.reshape(TEMPLATES.shape_hw), shift, axis=(0, 1)).reshape(-1)
    near = np.roll(TEMPLATES.badge.reshape(TEMPLATES.shape_hw), shift, axis=(0, 1)).reshape(-1)
    white = np.where(near, moved, np.where(TEMPLATES.badge, 0, other))
    white = white + np.random.default_rng(5).normal(0, 0.08, white.shape)
    level = np.asarray(np.clip(white, 0, 1) * 255, np.uint8)
    return Patches(np.repeat(level[None, :, None], 4, axis=2), SHOWN.copy())
