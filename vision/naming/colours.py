"""Which colour each card has: groups found in the picture, named by symbols and the deck."""

from __future__ import annotations

from dataclasses import dataclass

from vision.arrays import FloatArray, Ints


@dataclass(frozen=True, eq=False)
class Naming:
    """Colour index of every card (N,), into the templates' colours, and how sure (N,), 0 to 1.

    `open_names`: pairs of colours of which it is not clear which group of cards is which, the one
    read first.
    """

    colour: Ints
    confidence: FloatArray
    runner_up: Ints
    open_names: tuple[tuple[int, int], ...] = ()
