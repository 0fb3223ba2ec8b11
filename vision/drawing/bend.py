"""How a bent card shows: its sides and ends stand up or hang, and seem shifted away from the lens.

A pose is a row of three numbers, x mm, y mm and the angle in radians, or of nine. The next
four say how a bend shows: what lies x and y mm from the card's middle, along its width and its
length, seems shifted by x² times the first two and y² times the other two numbers, in table mm.
What stands up is also seen nearer to the lens, and so larger: the last two numbers, per mm, say by
which share of its distance from the middle for each mm of that shift. They are the direction away
from the lens over how far it stands aside.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatArray, Ints
from vision.raster import Raster

FLAT, NEARER, WHOLE = 3, 7, 9
"""Numbers of a pose without a bend, with its shifts, and with what tells how it grows by them."""
MOST_STEPS, STILL_MM = 5, 0.02
"""Each step at least halves how far off a place lies from where a strong bend has it; of weak ones
one or two are enough."""
STRONG_SHIFTS_MM, MOST_CURL_MM = (-3.0, -2.0, -1.0, 1.0, 2.0, 3.0), 5.5
"""By which curls that are tried shift a card's ends; those stand up by no more than this."""
MIDDLE_STAYS = (0.0, 0.5, 1.0)
"""Shares of that by which a flat fit may have moved the card: its middle lies right or its ends."""
WIDE_SHIFTS_MM = tuple(s for s in np.arange(-12.75, 13.0, 0.75).tolist() if s)
WIDE_STAYS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
"""The same where a card fits poorly: finer, and as far as cards curl."""


def is_bent(poses: FloatArray) -> bool:
    """Whether any of these poses (N, 3 or 9) has a bend that shows."""
    return poses.shape[1] > FLAT and bool(poses[:, FLAT:].any())


def bend_shift(poses: FloatArray, card_mm: NDArray[Any]) -> NDArray[Any]:
    """By how much (N, K, 2) bends (poses (N, 9)) move cards' points (N or 1, K, 2), table mm."""
    # As complex numbers, like the places: by their columns it takes several times as long.
    kind = np.complex64 if card_mm.dtype == np.float32 else np.complex128
    points = np.ascontiguousarray(card_mm).view(kind)[..., 0]
    bends = complex_bends(poses).astype(kind)
    shift = seen_shift(points, points * np.exp(1j * poses[:, 2, None]).astype(kind), bends[:, None])
    out: NDArray[Any] = shift.view(card_mm.dtype).reshape(*shift.shape, 2)
    return out


def complex_bends(poses: FloatArray) -> NDArray[np.complex128]:
    """The bends of poses (N, 9), x + iy: along the width, along the length, and nearer (N, 3)."""
    return np.ascontiguousarray(poses[:, FLAT:]).view(np.complex128)


def seen_shift(own: NDArray[Any], turned: NDArray[Any], bends: NDArray[Any]) -> NDArray[Any]:
    """By how much (...) bends (..., 3) move points, as complex numbers: `own` as they lie in the
    card's frame, `turned` as they lie on the table from its middle.
    """
    along, down, nearer = bends[..., 0], bends[..., 1], bends[..., 2]
    shift = np.square(own.real) * along + np.square(own.imag) * down
    share = (shift * np.conj(nearer)).real
    return np.asarray((shift + share * turned) / (1 - share))


def own_places(seen: NDArray[Any], bends: NDArray[Any]) -> NDArray[Any]:
    """Where on cards (...) lies what is `seen` (...) from their middles, both in the cards' own
    frames, as complex numbers; so are the bends (..., 3) turned. What `seen_shift` does, undone.
    """
    own = seen
    for _ in range(MOST_STEPS):
        # A bend shifts hardly otherwise a little farther on.
        before, own = own, seen - seen_shift(own, own, bends)
        moved = np.ascontiguousarray(own - before).view(own.real.dtype)
        if np.abs(moved).max(initial=0.0) < STILL_MM:
            break
    return own


def widened(poses: FloatArray) -> FloatArray:
    """Poses (N, 3 or 9) as a copy with nine numbers."""
    return np.hstack([poses, np.zeros((len(poses), WHOLE - poses.shape[1]))])


def flattened(poses: FloatArray) -> FloatArray:
    """Poses (N, 9) as a copy without their bends."""
    return widened(poses[:, :FLAT])


def stacked(poses: FloatArray, others: FloatArray) -> FloatArray:
    """Poses (N, 3 or 9) and then the others (M, 3 or 9): nine numbers where either has them."""
    if poses.shape[1] != others.shape[1]:
        poses, others = widened(poses), widened(others)
    return np.concatenate([poses, others])


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
