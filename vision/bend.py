"""How a bent card shows: its sides and ends stand up or hang, and seem shifted away from the lens.

A pose is a row of three numbers, x mm, y mm and the angle in radians, or of seven. The other
four say how a bend shows: what lies x and y mm from the card's middle, along its width and its
length, seems shifted by x² times the first two and y² times the last two numbers, in table mm.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
FLAT, WHOLE = 3, 7
"""Numbers of a pose without and with a bend."""


def is_bent(poses: FloatArray) -> bool:
    """Whether any of these poses (N, 3 or 7) has a bend that shows."""
    return poses.shape[1] > FLAT and bool(poses[:, FLAT:].any())


def bend_shift(poses: FloatArray, card_mm: NDArray[Any]) -> NDArray[Any]:
    """By how much (N, K, 2) bends (poses (N, 7)) move cards' points (N or 1, K, 2), table mm."""
    # As complex numbers, like the places: by their columns it takes several times as long.
    kind = np.complex64 if card_mm.dtype == np.float32 else np.complex128
    along, down = np.ascontiguousarray(poses[:, FLAT:]).view(np.complex128).astype(kind).T
    shift = np.square(card_mm[..., 0]) * along[:, None]
    shift += np.square(card_mm[..., 1]) * down[:, None]
    out: NDArray[Any] = shift.view(card_mm.dtype).reshape(*shift.shape, 2)
    return out


def widened(poses: FloatArray) -> FloatArray:
    """Poses (N, 3 or 7) as a copy with seven numbers."""
    return np.hstack([poses, np.zeros((len(poses), WHOLE - poses.shape[1]))])


def flattened(poses: FloatArray) -> FloatArray:
    """Poses (N, 7) as a copy without their bends."""
    return widened(poses[:, :FLAT])


def stacked(poses: FloatArray, others: FloatArray) -> FloatArray:
    """Poses (N, 3 or 7) and then the others (M, 3 or 7): seven numbers where either has them."""
    if poses.shape[1] != others.shape[1]:
        poses, others = widened(poses), widened(others)
    return np.concatenate([poses, others])
