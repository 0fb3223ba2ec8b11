"""How likely a table is before anybody has looked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from vision.arrays import FloatArray
from vision.model.hypothesis import Hypothesis
from vision.model.table import Table
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
    players = [card for card in table.cards if card.ink is not None]
    there = {(card.hypothesis.face, card.ink) for card in players}
    colours = Counter(card.ink for card in players)
    fullest = max(colours.values(), default=0)
    out = np.full((len(hypotheses), len(inks)), -config.card_cost)
    for column, ink in enumerate(inks):
        # Every other colour lacks one more where this one becomes the fullest.
        fuller = colours[ink] == fullest
        rest = len(colours) - (ink in colours)
        lacks = rest if fuller else -1 if ink in colours else fullest - 1
        out[:, column] -= config.unequal_cost * lacks + config.ink_cost * (ink not in colours)
        twice = [row for row, h in enumerate(hypotheses[:-1]) if (h.face, ink) in there]
        out[twice, column] -= config.twice_cost
    out[-1] = -config.card_cost - config.starts_cost * (len(players) < len(table.cards))
    return out
