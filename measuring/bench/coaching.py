"""How long the coach takes to name every place for a card on a full table."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from geometry.coach import suggestions
from geometry.deck_file import published_deck
from geometry.fitting import pairings
from geometry.layout import Layout
from geometry.recent_tables import forget_tables
from geometry.rules import Rules
from measuring.bench.cases import MOST_COACH_S
from simulator.play.rounds import play_round
from simulator.presets import bench_conditions

CARDS = 108
_SEED = 4


@dataclass(frozen=True, slots=True)
class Coached:
    """Processor time for one card on a table of `cards`: `first_s` before anything is known of how
    the faces fit, `later_s` after that, each of the card that takes longest; `most` places.
    """

    cards: int
    first_s: float
    later_s: float
    most: int


def measure_coach() -> Coached:
    """Every face of a colour that is played, on a simulated table of which nothing is known."""
    layout = full_table(CARDS)
    pairings.cache_clear()  # playing the table has filled it
    firsts, laters, places = list[float](), list[float](), list[int]()
    for face in layout.deck.faces:
        for times in (firsts, laters):
            forget_tables()
            begun = time.process_time()
            found = suggestions(layout, layout.deck.colours[0].name, face.id, Rules())
            times.append(time.process_time() - begun)
        places.append(len(found))
    return Coached(len(layout.cards), max(firsts), max(laters), max(places))


def coach_over_limit(coached: Coached) -> Iterator[str]:
    """A line where the coach takes too long."""
    if coached.first_s > MOST_COACH_S:
        yield f"the coach takes {1000 * coached.first_s:.0f} ms, not {1000 * MOST_COACH_S:.0f}"


def coach_lines(coached: Coached) -> Iterator[str]:
    """The section of docs/performance.md, as Markdown."""
    yield "## The coach"
    yield ""
    yield (
        f"Every legal place for a card on a table of {coached.cards}, up to {coached.most} of "
        "them, with what each covers"
    )
    yield (
        f"and gains: {1000 * coached.first_s:.0f} ms of the processor for the slowest face in a "
        f"process that just started, {1000 * coached.later_s:.0f} ms"
    )
    yield f"when asked again (at most {1000 * MOST_COACH_S:.0f} ms)."


@lru_cache(maxsize=1)
def full_table(cards: int) -> Layout:
    """A simulated table of so many cards, the starting card among them."""
    conditions = bench_conditions(cards, (4056, 3040))
    return play_round(np.random.default_rng(_SEED), published_deck(), conditions).layout
