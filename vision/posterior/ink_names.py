"""Which colours of the deck the inks of a table are, by their hues, dealt once for all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from geometry.deck import Deck
from vision.arrays import Ints
from vision.model.ink_hues import ColourHues, dealt, ink_counts, mean_chroma
from vision.model.score import TableScore
from vision.model.table import Table

NEVER = 1e6
"""Nats of a name that is asked not to be dealt."""


@dataclass(frozen=True, slots=True)
class InkNames:
    """The colour of each ink, and how else the colours may be dealt: `others`, the likeliest first,
    each with by how many nats it is likelier (less than 0) and an ink that has another colour then.
    """

    of: Mapping[str, str]
    others: tuple[tuple[float, str, Mapping[str, str]], ...] = ()


def ink_names(score: TableScore, table: Table, deck: Deck) -> InkNames:
    """A colour for each ink of a table. Where there are more inks than colours, those that most
    cards have are named first and the rest as is likeliest for each.
    """
    number = Counter(card.ink for card in table.cards if card.ink is not None)
    inks = [ink for ink, _ in number.most_common()]
    if not inks:
        return InkNames({})
    hues, counts = ColourHues.of(deck, score.config), ink_counts(score, table)
    costs = hues.costs([mean_chroma(counts[ink], score.config) for ink in inks])

    def named(chosen: Ints) -> dict[str, str]:
        return {ink: hues.names[int(colour)] for ink, colour in zip(inks, chosen, strict=True)}

    least, chosen = dealt(costs)
    others = []
    for row, ink in enumerate(inks[: len(hues.names)] if len(hues.names) > 1 else []):
        forbidden = costs.copy()
        forbidden[row, chosen[row]] = NEVER
        cost, other = dealt(forbidden)
        others.append((least - cost, ink, named(other)))
    others.sort(key=lambda one: -one[0])
    return InkNames(named(chosen), tuple(others))
