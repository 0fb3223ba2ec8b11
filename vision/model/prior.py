"""How likely a table is before anybody has looked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from vision.arrays import FloatArray
from vision.model.hypothesis import Hypothesis
from vision.model.table import Table
from vision.reading_config import ReadingConfig


def log_prior(table: Table, colours: int, config: ReadingConfig) -> float:
    """The log prior of a table: its cards' places, each face once a colour, equally many cards a
    colour, and no more inks than the deck has `colours`.
    """
    players = [card for card in table.cards if card.ink is not None]
    faces = Counter((card.ink, card.hypothesis.face) for card in players)
    twice = sum(number - 1 for number in faces.values())
    starts = max(len(table.cards) - len(players) - 1, 0)
    inks = Counter(card.ink for card in players)
    fullest = max(inks.values(), default=0)
    fewer = sum(fullest - number for number in inks.values())
    return -(
        config.ink_cost * len(inks)
        + config.inks_cost * max(len(inks) - colours, 0)
        + config.card_cost * len(table.cards)
        + config.twice_cost * twice
        + config.starts_cost * starts
        + config.unequal_cost * fewer
    )


def one_more(
    table: Table, hypotheses: Sequence[Hypothesis], inks: Sequence[str], colours: int,
    config: ReadingConfig,
) -> FloatArray:  # fmt: skip
    """The log prior (T, K) of a table with one card more, less that without it, by what the card
    is; of a starting card, the last of the hypotheses, the same in every ink.
    """
    players = [card for card in table.cards if card.ink is not None]
    there_are = Counter(card.ink for card in players)
    fullest = max(there_are.values(), default=0)
    new_ink = config.ink_cost + config.inks_cost * (len(there_are) >= colours)
    out = np.full((len(hypotheses), len(inks)), -config.card_cost)
    rows: dict[str, list[int]] = {}
    for row, hypothesis in enumerate(hypotheses):
        rows.setdefault(hypothesis.face, []).append(row)
    for column, ink in enumerate(inks):
        # Every other colour lacks one more where this one becomes the fullest.
        fuller = there_are[ink] == fullest
        rest = len(there_are) - (ink in there_are)
        lacks = rest if fuller else -1 if ink in there_are else fullest - 1
        out[:, column] -= config.unequal_cost * lacks + new_ink * (ink not in there_are)
        there = {card.hypothesis.face for card in players if card.ink == ink}
        twice = [row for face in there for row in rows[face]]
        out[twice, column] -= config.twice_cost
    out[-1] = -config.card_cost - config.starts_cost * (len(players) < len(table.cards))
    return out
