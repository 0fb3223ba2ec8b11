"""Whether a card could lie in a burnt-out patch without anything of it being seen."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bools, FloatArray, Ints
from vision.doubting.doubt_context import DoubtContext
from vision.drawing.pose_fit import turns

STEP_MM = 2.0
RIM_MM = 4.0
"""What shows of a card's rim beside a burnt-out patch may be lost in its glow."""
ANGLES = np.arange(12) * np.pi / 12


def could_hide(scene: DoubtContext, at_mm: FloatArray, owners: Ints) -> Bools:
    """Over which places (K, 2), in rough table mm, a card could lie that is not seen at all.

    `owners` (K,) are the cards that were read to show there. Such a card would
    lie wholly in what is burnt out and under other cards; not under those that the owner itself
    lies on, for it would lie on the owner.
    """
    size = scene.deck.card
    half = np.array([size.width_mm, size.height_mm]) / 2 - RIM_MM
    reach = float(np.hypot(*half)) * 2
    axis = np.arange(-reach, reach + STEP_MM, STEP_MM)
    around = np.stack(np.meshgrid(axis, axis), axis=-1)
    bodies = [_inside(around, half, angle) for angle in ANGLES]
    out = np.zeros(len(at_mm), np.bool_)
    covers = {owner: _could_cover(scene, owner) for owner in np.unique(owners).tolist()}
    for k, (at, owner) in enumerate(zip(at_mm, owners, strict=True)):
        washed = scene.evidence.is_washed(at + around)
        free = (washed | covers[owner][scene.top.at(at + around)]).astype(np.uint8)
        out[k] = any(_fits(free, body) for body in bodies)
    return out


def _could_cover(scene: DoubtContext, owner: int) -> Bools:
    """Which cards, by their index plus 1 (N + 1,), could lie on something that lies on the owner.

    Neither the owner nor those that plainly lie under it, one under the other; 0 is the table.
    """
    stack = scene.table.stack
    rank = {card: k for k, card in enumerate(stack.order)}
    under: dict[int, list[int]] = {}
    for a, b in stack.pairs.pairs[stack.pairs.clear].tolist():
        upper, lower = (a, b) if rank[a] > rank[b] else (b, a)
        under.setdefault(upper, []).append(lower)
    below, left = {owner}, [owner]
    while left:
        more = set(under.get(left.pop(), [])) - below
        below |= more
        left += more
    out = np.ones(len(rank) + 1, np.bool_)
    out[[0, *(card + 1 for card in below)]] = False
    return out


def _inside(around: FloatArray, half: FloatArray, angle: float) -> Bools:
    own = np.abs(around @ turns(np.array([angle]))[0])
    return np.asarray((own <= half).all(axis=-1))


def _fits(free: NDArray[np.uint8], body: Bools) -> bool:
    """Whether the body, somewhere over the middle of the window, lies where it is free only."""
    rows, columns = np.nonzero(body)
    kernel = body[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1].astype(np.uint8)
    held = cv2.erode(free, kernel, borderType=cv2.BORDER_CONSTANT, borderValue=0)
    return bool((held > 0)[body].any())
