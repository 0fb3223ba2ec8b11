"""What arrays hold; their shapes are told where they are used. And rows that are compared."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Map32 = NDArray[np.float32]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


def unit_rows(rows: Map32) -> Map32:
    """Rows (N, K) less their means, each of length 1: two of them multiply to their correlation."""
    away = rows - rows.mean(axis=1, keepdims=True)
    return np.asarray(away / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-6))
