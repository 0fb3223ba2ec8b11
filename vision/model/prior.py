"""How likely a table is before anybody has looked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from vision.arrays import FloatArray
from vision.model.hypothesis import Hypothesis
from vision.model.table import CardId, Place, PlacedCard, Table
from vision.reading_config import ReadingConfig


def log_prior(table: Table, config: ReadingConfig) -> float:
    """The log prior of a table: its cards' places, each face once a colour, and equally many cards
    a colour.
    """
    players = [card for card in table.cards if card.ink is not None]
    faces = Counter((card.ink, card.hypothesis.face) for card in players)
    twice = sum(number - 1 for number in faces.values())
    starts = max(len(table.cards) - len(players) - 1, 0)
    colours = Counter(card.ink for card in players)
    fullest = max(colours.values(), default=0)
    fewer = sum(fullest - number for number in colours.values())
    inks = len(colours)
    return -(
        config.ink_cost * inks
        + config.card_cost * len(table.cards)
        + config.twice_cost * twice
        + config.starts_cost * starts
        + config.unequal_cost * fewer
    )


def one_more(
    table: Table, hypotheses: Sequence[Hypothesis], inks: Sequence[str], config: ReadingConfig
) -> FloatArray:
    """The log prior (T, K) of a table with one card more, less that without it, by what the card
    is; of a starting card, the last of the hypotheses, the same in every ink.
    """
    faces: dict[str, int] = {}
    rows = np.array([faces.setdefault(h.face, len(faces)) for h in hypotheses])
    start = hypotheses[-1].face
    before = log_prior(table, config)
    there = Counter((card.hypothesis.face, card.ink) for card in table.cards)
    out = np.empty((len(faces), len(inks)))
    place = Place(0.0, 0.0, 0.0)
    for column, ink in enumerate((*inks, None)):
        fresh = PlacedCard(CardId(-1), place, Hypothesis("" if ink else start), ink)
        more = log_prior(table.with_added(fresh), config) - before
        if ink is None:
            out[faces[start]] = more
            continue
        for face, row in faces.items():
            out[row, column] = more - config.twice_cost * ((face, ink) in there)
    return np.asarray(out[rows])
