"""A picture that is too dark to recognise the cards in, as if it had been exposed for longer."""

import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from geometry.rules import Rules
from vision.lens import LensKnown
from vision.pace import Pace
from vision.reading import NotSeen, Reading

BRIGHT_SHARE = 1.0
"""Per cent of a picture's pixels: the lines of a few cards alone are as much."""
DIM, WHITE = 180.0, 230.0
"""The brightest pixels of a picture that is dim are darker, and are made so bright; paper is about
that bright where a camera exposes as usual. Of 8 bits a channel.
"""


def brightened(image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8] | None:
    """A dim picture (H, W, 3) with its whites as white as they usually are; None where it is as
    bright as usual, or black.
    """
    brightest = image_bgr.reshape(-1, 3).max(axis=1)
    top = float(np.percentile(brightest, 100.0 - BRIGHT_SHARE))
    if not 1.0 <= top < DIM:
        return None
    table = np.clip(np.rint(np.arange(256) * (WHITE / top)), 0, 255).astype(np.uint8)
    return np.asarray(table[image_bgr])


def read_in_dim_light(
    image_bgr: NDArray[np.uint8], deck: Deck, lens: LensKnown, rules: Rules,
    pace: Pace | None = None,
) -> Reading | NotSeen:  # fmt: skip
    """As `vision.read.read_table`; a dim picture (H, W, 3) in which no cards of the game are
    recognised is read once more as `brightened`.
    """
    from vision.read import read_table
    from vision.sharpness import SEEM_OTHERS

    found = read_table(image_bgr, deck, lens, rules, pace)
    if isinstance(found, Reading) or found.reason.code not in SEEM_OTHERS:
        return found
    bright = brightened(image_bgr)
    if bright is None:
        return found
    again = read_table(bright, deck, lens, rules, pace)
    return again if isinstance(again, Reading) else found
