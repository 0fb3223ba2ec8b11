"""How much memory a process holds that reads one picture and does nothing else."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from geometry.rules import Rules
from measuring.bench.measure import decoded
from measuring.scenes.peak_memory import peak_megabytes
from vision.lens import Lens, LensKnown
from vision.read import read_table

Read = Callable[[NDArray[np.uint8], Deck, LensKnown, Rules], object]
"""One of the functions that read a picture, as a process of its own can import it."""


def peak_alone_megabytes(
    jpeg: bytes, lens: Lens | None, deck: Deck, rules: Rules, read: Read = read_table
) -> float:
    """The most resident memory, libraries included, of a process of its own that decodes a JPEG and
    reads it once, as `tacta score` does.

    One that reads on holds more: what earlier pictures, and scenes that were simulated, needed is
    not all given back to the system.
    """
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as alone:
        return alone.submit(_peak_megabytes, jpeg, lens, deck, rules, read).result()


def _peak_megabytes(jpeg: bytes, lens: Lens | None, deck: Deck, rules: Rules, read: Read) -> float:
    read(decoded(np.frombuffer(jpeg, np.uint8)), deck, lens, rules)
    return peak_megabytes()
