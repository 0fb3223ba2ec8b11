"""Curls that are tried one by one: what they shift by more than a line's width no step finds."""

from __future__ import annotations

import numpy as np

from vision.arrays import FloatArray, Ints
from vision.drawing.bend import FLAT, NEARER, WHOLE
from vision.raster import Raster

STRONG_SHIFTS_MM, MOST_CURL_MM = (-3.0, -2.0, -1.0, 1.0, 2.0, 3.0), 5.5
"""By which curls that are tried shift a card's ends; those stand up by no more than this."""
MIDDLE_STAYS = (0.0, 0.5, 1.0)
"""Shares of that by which a flat fit may have moved the card: its middle lies right or its ends."""
WIDE_SHIFTS_MM = tuple(s for s in np.arange(-12.75, 13.0, 0.75).tolist() if s)
WIDE_STAYS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
"""The same where a card fits poorly: finer, and as far as cards curl."""


def curled_poses(
    raster: Raster, poses: FloatArray, half_mm: FloatArray, shifts_mm: tuple[float, ...],
    stays: tuple[float, ...],
) -> tuple[FloatArray, Ints]:  # fmt: skip
    """Flat poses (N, 9) curled so that their ends are shifted by so much (C, 9), as far as the
    lens could see that, and whose each is (C,).

    `stays`: shares of that by which a flat fit may have moved the card.
    """
    parallax = raster.parallax(poses[:, :2])
    slant = np.linalg.norm(parallax, axis=1)
    card, shift_mm = np.nonzero(np.abs(shifts_mm) <= MOST_CURL_MM * slant[:, None])
    away = parallax / np.maximum(slant, 1e-9)[:, None]
    shift = away[card] * np.take(shifts_mm, shift_mm)[:, None]
    curled = np.repeat(poses[card][None], len(stays), axis=0)
    curled[..., :2] -= np.multiply.outer(stays, shift)
    curled[..., FLAT + 2 : NEARER] = shift / half_mm[1] ** 2
    curled[..., NEARER:] = raster.nearer(poses[card, :2])
    return curled.reshape(-1, WHOLE), np.tile(card, len(stays))
