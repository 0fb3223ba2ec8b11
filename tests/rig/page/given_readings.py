"""A reader that is given what pictures show: by a number drawn into each. In the reader's process.

The readings are files of the folder that TACTA_TEST_PICTURES names.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from geometry.rules import Rules
from rig.store.seen_json import seen_of
from vision.assemble import assemble
from vision.lens import Lens
from vision.pace import Pace
from vision.reading import Reading

PICTURES = "TACTA_TEST_PICTURES"
_BITS, _BIT_PX = 8, 24
_EDGE_PX = 60
"""From the picture's edge: the watcher takes what changes there for an arm, and waits for it."""


def numbered(picture: NDArray[np.uint8], number: int) -> NDArray[np.uint8]:
    """A picture with its number in black and white squares, near the corner at the top."""
    for bit in range(_BITS):
        shade = 255 if number >> bit & 1 else 0
        left = _EDGE_PX + bit * _BIT_PX
        picture[_EDGE_PX : _EDGE_PX + _BIT_PX, left : left + _BIT_PX] = shade
    return picture


def number_of(picture: NDArray[np.uint8]) -> int:
    """The number of a picture that `numbered` made."""
    row = _EDGE_PX + _BIT_PX // 2
    middles = (_EDGE_PX + np.arange(_BITS) * _BIT_PX + _BIT_PX // 2).tolist()
    return sum(int(picture[row, x].mean() > 127) << bit for bit, x in enumerate(middles))


def read_given(
    image_bgr: NDArray[np.uint8],
    deck: Deck,
    lens: Lens | None,
    rules: Rules,
    pace: Pace | None = None,
) -> Reading:
    """What is written of the picture with that number."""
    for stage in ("locate", "rectify", "report"):
        (pace or Pace()).say(stage)
    given = Path(os.environ[PICTURES], f"{number_of(image_bgr):03}.json")
    return assemble(seen_of(given.read_text("utf-8"), deck), rules)
