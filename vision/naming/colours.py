"""Which colour each card has: groups found in the picture, named by symbols and the deck."""

from __future__ import annotations

from dataclasses import dataclass, replace

from vision.arrays import FloatArray, Ints

MOST_MIXED = 2.5
"""By so much another colour's symbol may fit a card better than its own: never on 1,217
cards of hard tables, by more on one in sixty of photographs of printed cards."""
PLAIN_INK = 0.98
"""How sure a colour is by its ink from which on no symbol says otherwise."""
GAINSAID = 0.4
"""How sure a colour is that the symbols gainsay: less than any is by its ink alone."""


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


def by_symbol(naming: Naming, cards: Ints, symbols: FloatArray) -> Naming:
    """The naming with some of the cards (K,) of the colours whose symbols (N, C) they plainly bear:
    what lies unseen over a card has ink of its own. The same object where none bears another's.
    """
    best = symbols[cards].argmax(axis=1)
    own = naming.colour[cards]
    plain = symbols[cards, best] - symbols[cards, own] > MOST_MIXED
    plain &= naming.confidence[cards] < PLAIN_INK
    if not plain.any():
        return naming
    colour, confidence = naming.colour.copy(), naming.confidence.copy()
    runner, told = naming.runner_up.copy(), cards[plain]
    colour[told], runner[told], confidence[told] = best[plain], own[plain], GAINSAID
    return replace(naming, colour=colour, confidence=confidence, runner_up=runner)
