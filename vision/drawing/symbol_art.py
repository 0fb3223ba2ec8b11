"""A symbol as printings may draw it, on a square of places whose middle is the symbol's."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import FloatArray, Map32, unit_rows

TURNS_DEG, SIZES, MORE_BLUR_MM = (-10, 0, 10), (0.85, 1.0, 1.17), (0.0, 0.25, 0.5)
"""How else than the deck a printing draws the same symbol, and how a lens shows it."""


def looks_of_symbols(symbols: Map32, density: float) -> Map32:
    """Looks (C, B, side * side) of symbols (C, side, side), less their means, of length 1: turned,
    larger and smaller, more blurred, and mirrored, as some printings have them. `density`: places
    to a mm.
    """
    middle = (symbols.shape[1] - 1) / 2
    looks = []
    for symbol in symbols:
        own = centred(symbol)
        for turn in TURNS_DEG:
            for size in SIZES:
                matrix = cv2.getRotationMatrix2D((middle, middle), turn, size)
                turned = cv2.warpAffine(own, matrix, own.shape)
                for blur_mm in MORE_BLUR_MM:
                    sigma = blur_mm * density
                    look = cv2.GaussianBlur(turned, (0, 0), sigma) if sigma else turned
                    looks += [centred(look), centred(look[:, ::-1])]
    flat = unit_rows(np.array(looks).reshape(len(looks), -1))
    return flat.reshape(len(symbols), -1, flat.shape[1])


def unlike_symbols(white: Map32, looks: Map32) -> FloatArray:
    """The shares (K, C) of symbols (K, S) that the likest of each's looks (C, B, S), of length 1,
    leaves unexplained.
    """
    like = unit_rows(white) @ looks.reshape(-1, white.shape[1]).T
    best = like.reshape(len(white), *looks.shape[:2]).max(axis=2, initial=0.0)
    return np.asarray(1 - np.square(best), np.float64)


def centred(white: Map32) -> Map32:
    """A square moved so that its white has its middle in the square's; as it is if it is black."""
    total = float(white.sum())
    if total <= 0:
        return white
    across = np.arange(len(white)) - (len(white) - 1) / 2
    x, y = float(white.sum(axis=0) @ across) / total, float(white.sum(axis=1) @ across) / total
    step = np.array([[1, 0, -x], [0, 1, -y]])
    moved = cv2.warpAffine(np.ascontiguousarray(white, np.float32), step, white.shape)
    return np.asarray(moved, np.float32)
