"""Whether the markers' millimetres are the cards': prints come out smaller, or get mixed up.

Three markers of different sizes make up a plane of their own, and no marker
knows how large it was printed. The cards do.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from geometry.deck import CardSize
from vision.arrays import Bools, FloatArray
from vision.locating.frame_lines import sharpen_frames
from vision.locating.quads import quads_in
from vision.raster import reduced
from vision.view import TableView

SOUGHT_PX_PER_MM = 1.35
BAND_PX = 300
ENOUGH = 5
"""Frames; the rest of the picture is not asked then."""
LEAST = 3
SIDES_AGREE = 0.03
"""Of a card's height over its width: other rectangles are no cards."""
SIZES_AGREE = 0.008
HIGHEST_MM = 6.0
"""Cards on stacks look larger by as much as they are nearer."""
MOST_STRANGE = 1 / 3
PLAINLY_AGREE, FEW_STRANGE = 0.005, 1 / 6
"""The same where the sizes were measured on the table as it was read: then no frames are sought."""


def plainly_agree(sizes: FloatArray, away_mm: float) -> bool:
    """Whether cards that look so large (K,), over what they are, on a table that is so far away,
    leave no doubt that they have their size.
    """
    if len(sizes) < ENOUGH:
        return False
    return bool(_strange(sizes, away_mm, PLAINLY_AGREE).mean() <= FEW_STRANGE)


def _strange(sizes: FloatArray, away_mm: float, by: float) -> Bools:
    """Which sizes (K,) are off by so much, and by more than what stacks make up."""
    return np.asarray((sizes < 1 - by) | (sizes > 1 + by + HIGHEST_MM / away_mm))


def sizes_agree(frames_px: FloatArray, view: TableView, card: CardSize) -> bool | None:
    """Whether cards that are wholly seen (`whole_frames`) have their size in this view; None: too
    few to tell.
    """
    sizes = card_sizes(frames_px, view, card)
    if len(sizes) < LEAST:
        return None
    away_mm = float(abs(view.rotation[:, 2] @ view.translation_mm))
    return bool(_strange(sizes, away_mm, SIZES_AGREE).mean() <= MOST_STRANGE)


def whole_frames(image_bgr: NDArray[np.uint8], rough: TableView, card: CardSize) -> FloatArray:
    """Corners (Q, 4, 2) px of frames that are wholly seen, to a tenth of a pixel.

    Band by band of the picture, its middle first, until there are enough. `rough`: a view that
    is right to a millimetre or two will do.
    """
    height, width = image_bgr.shape[:2]
    middle = rough.to_mm(np.array([[(width - 1) / 2, (height - 1) / 2]]))[0]
    share = min(SOUGHT_PX_PER_MM / max(rough.px_per_mm(middle), 1e-6), 1.0)
    reach = round(card.height_mm * SOUGHT_PX_PER_MM / share / 2)
    frames: FloatArray = np.empty((0, 4, 2))
    count = max(1, round(height * share / BAND_PX))
    edges = np.linspace(0, height, count + 1).astype(int)
    for band in sorted(range(count), key=lambda k: abs(k - (count - 1) / 2)):
        top = max(0, edges[band] - reach)
        part = image_bgr[top : edges[band + 1] + reach]
        small, scale = reduced(part, share * max(part.shape[:2]))
        corners = (quads_in(small, 0) + 0.5) / scale - 0.5 + [0, top]
        sharp = sharpen_frames(image_bgr, rough, corners)
        sharp = sharp[np.isfinite(sharp).all(axis=(1, 2))]
        frames = np.concatenate([frames, sharp])
        if len(card_sizes(frames, rough, card)) >= ENOUGH:
            break
    return frames


def card_sizes(frames_px: FloatArray, view: TableView, card: CardSize) -> FloatArray:
    """How large cards measure, over what they are (K,), by corners (Q, 4, 2) px of frames; without
    those that have not a card's shape.
    """
    mm = view.to_mm(frames_px.reshape(-1, 2)).reshape(-1, 4, 2)
    sides = np.linalg.norm(np.roll(mm, -1, axis=1) - mm, axis=2)
    pairs = (sides[:, :2] + sides[:, 2:]) / 2
    short, long_ = pairs.min(axis=1), pairs.max(axis=1)
    shape = (long_ / np.maximum(short, 1e-9)) / (card.frame_height_mm / card.frame_width_mm)
    size = np.sqrt(short * long_ / (card.frame_height_mm * card.frame_width_mm))
    return np.asarray(size[np.abs(shape - 1) < SIDES_AGREE])
