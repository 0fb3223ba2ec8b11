"""Which colours of the deck the inks of a table are, by their hues and by the symbols that their
cards show, dealt once for all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from geometry.deck import Deck
from vision.arrays import FloatArray, Ints
from vision.model.colour_symbols import symbols_tell
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
    by_hue = hues.costs([mean_chroma(counts[ink], score.config) for ink in inks])
    printings = _printings(by_hue, inks, score, table, deck)

    def named(chosen: Ints) -> dict[str, str]:
        return {ink: hues.names[int(colour)] for ink, colour in zip(inks, chosen, strict=True)}

    least, chosen = _likeliest(printings)
    others = []
    for row, ink in enumerate(inks[: len(hues.names)] if len(hues.names) > 1 else []):
        never = np.zeros_like(by_hue)
        never[row, chosen[row]] = NEVER
        cost, other = _likeliest([(costs + never, more) for costs, more in printings])
        others.append((least - cost, ink, named(other)))
    others.sort(key=lambda one: -one[0])
    return InkNames(named(chosen), tuple(others))


def _printings(
    by_hue: FloatArray, inks: list[str], score: TableScore, table: Table, deck: Deck
) -> list[tuple[FloatArray, float]]:
    """The costs (N, C) of each colour for each ink in either kind of printing, and what that kind
    costs by itself, nats: with the deck's symbols, or with others, of which any is as likely for
    any colour.
    """
    config = score.config
    told = symbols_tell(score, table, deck)
    as_drawn = by_hue.copy()
    for row, ink in enumerate(inks):
        if ink in told:
            as_drawn[row] += np.minimum(-told[ink], config.symbol_most_nats)
    return [(as_drawn, 0.0), (by_hue, config.other_symbol_nats * (1 + len(told)))]


def _likeliest(printings: list[tuple[FloatArray, float]]) -> tuple[float, Ints]:
    """The least cost of dealing colours in any printing, and the colours (N,)."""
    tried = [(dealt(costs), more) for costs, more in printings]
    return min(((cost + more, of) for (cost, of), more in tried), key=lambda one: one[0])
