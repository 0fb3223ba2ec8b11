"""What is measured: three pictures with a limit each, and a series with more and more cards."""

from __future__ import annotations

from dataclasses import dataclass

from simulator import simulate_scene
from simulator.presets import bench_conditions
from vision.lens import Lens

_SEED = 4
SERIES_CARDS = (13, 25, 49, 109)
SERIES_WH = (4056, 3040)
OTHER_TABLE = (13, (1280, 960))
"""Cards and picture of the table that is read between repeats."""


@dataclass(frozen=True, slots=True)
class Case:
    """A picture to measure. `most_decodes` is the limit."""

    name: str
    cards: int
    picture_wh: tuple[int, int]
    most_decodes: float

    @property
    def megapixels(self) -> float:
        """Size of the picture."""
        return self.picture_wh[0] * self.picture_wh[1] / 1e6


CASES = (
    Case("a", 29, (2028, 1520), 15),
    Case("b", 49, (2592, 1944), 10),
    Case("c", 109, SERIES_WH, 6),
)
MOST_MEGABYTES = 600
MOST_SLOPE = 1.0
MOST_COACH_S = 0.3
"""Of the processor, for one card on a table of 108."""
MOST_FOLLOW_S = 0.3
"""Of the processor, from a reading of 60 cards in hand to its verdict in the stream of events."""


def picture(cards: int, picture_wh: tuple[int, int]) -> tuple[bytes, Lens | None]:
    """The JPEG (quality 90) of a simulated table with so many cards, and its lens."""
    scene = simulate_scene(_SEED, bench_conditions(cards, picture_wh))
    return scene.jpeg, scene.lens
