"""What is written down of each reading: one JSON object a scene."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from geometry.deck import CardSize
from measuring.scenes.comparison import compare
from measuring.scenes.truth import Truth
from measuring.shadow.labels import labels, told_rightly, upside_down
from measuring.shadow.wrongs import made_wrong
from vision.drawing.templates import Templates
from vision.evidence import Evidence
from vision.likelihood.config import LikelihoodConfig
from vision.likelihood.odds import CardOdds, card_odds
from vision.likelihood.picture import LaidCards, Picture
from vision.read import Explained
from vision.reading import Reading

DIGITS = 2


class Read(NamedTuple):
    """A reading, and what the likelihood is asked about it."""

    name: str
    reading: Reading
    truth: Truth
    evidence: Evidence
    cards: LaidCards
    templates: Templates
    size: CardSize


def read_of(name: str, explained: Explained, truth: Truth) -> Read:
    """A reading as it left the reader."""
    table, reading = explained.table, explained.reading
    order = tuple(card.id for card in reading.seen.layout.cards)
    cards = LaidCards(table.named.poses, table.named.rows, table.naming.colour, order)
    size = truth.layout.deck.card
    return Read(name, reading, truth, explained.evidence, cards, table.templates, size)


def record_of(read: Read, config: LikelihoodConfig) -> dict[str, Any]:
    """Each card as it was read, and some made wrong on purpose, with the log-odds against them."""
    picture = Picture(read.evidence, read.cards, read.size, read.templates, config)
    named = labels(picture, read.reading, read.truth)
    swapped = upside_down(read.cards, read.reading, read.truth)
    doubted = {doubt.card for doubt in read.reading.doubts}
    odds = [card_odds(picture, card.id) for card in read.reading.cards]
    cards = [
        {
            **_odds(own),
            "label": named[card.id],
            "confidence": round(card.confidence, 4),
            "doubted": card.id in doubted,
            "told_rightly": told_rightly(picture, own, read.reading, read.truth),
            "upside_down": [lower for upper, lower in swapped if upper == card.id],
        }
        for card, own in zip(read.reading.cards, odds, strict=True)
    ]
    right = [i for i, label in named.items() if label == "right"]
    rng = np.random.default_rng([*read.name.encode()])
    wrong, made = made_wrong(picture, right, rng)
    false = Picture(read.evidence, wrong, read.size, read.templates, config)
    compared = compare(read.reading, read.truth)
    return {
        "scene": read.name,
        "exact": compared.as_it_lies.exact,
        "sure": compared.as_it_lies.sure,
        "missed": compared.cards - len(compared.matches),
        "blur_mm": picture.blur_mm,
        "cards": cards,
        "made": [{**_odds(card_odds(false, i)), "label": way} for i, way in made.items()],
    }


def _odds(odds: CardOdds) -> dict[str, Any]:
    orders = [a for a in odds.alternatives if a.kind == "order"]
    return {
        "card": odds.card,
        "shown_mm2": round(odds.shown_mm2),
        "misfit": None if np.isnan(odds.misfit) else round(odds.misfit, DIGITS),
        "log_odds": dict(_likeliest(odds)),
        "orders": [[a.other, round(a.log_odds, DIGITS)] for a in orders],
    }


def _likeliest(odds: CardOdds) -> Iterable[tuple[str, float]]:
    kinds: Mapping[str, list[float]] = {a.kind: [] for a in odds.alternatives}
    for other in odds.alternatives:
        kinds[other.kind].append(other.log_odds)
    for kind, values in kinds.items():
        yield kind, round(max(values), DIGITS)
