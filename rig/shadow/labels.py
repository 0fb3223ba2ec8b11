"""Whether each card of a reading is what truly lies there, as far as the picture can tell."""

from __future__ import annotations

from typing import Literal

import numpy as np

from geometry.layout import Card
from rig.scenes.matching import Match, match_cards
from rig.scenes.truth import Truth
from vision.drawing.templates import Templates
from vision.likelihood.drawing import Guesses, differing
from vision.likelihood.picture import LaidCards, Picture
from vision.reading import Reading

Label = Literal["right", "alike", "face", "colour", "invented"]
HALF_TURN_DEG = 90.0


def labels(picture: Picture, reading: Reading, truth: Truth) -> dict[int, Label]:
    """What became of each card that was read; `alike`: another face, side or turn of the same
    colour that looks the same where it shows.
    """
    matches = {match.read: match for match in match_cards(reading, truth)}
    return {
        i: _label(picture, i, matches[i], truth) if i in matches else "invented"
        for i in range(len(picture.cards))
    }


def upside_down(cards: LaidCards, reading: Reading, truth: Truth) -> set[tuple[int, int]]:
    """Pairs (upper, lower) of cards as they were read that truly lie the other way round."""
    true = {match.read: match.true for match in match_cards(reading, truth)}
    rank = {card.id: k for k, card in enumerate(truth.layout.cards)}
    known = [i for i in cards.order if i in true]
    return {
        (upper, lower)
        for k, upper in enumerate(known)
        for lower in known[:k]
        if rank[true[upper]] < rank[true[lower]]
    }


def _label(picture: Picture, i: int, match: Match, truth: Truth) -> Label:
    card, templates, cards = truth.layout.card(match.true), picture.templates, picture.cards
    if card.colour != templates.colours[int(cards.colour[i])]:
        return "colour"
    turned = match.off_deg > HALF_TURN_DEG
    row = _row(card, templates)
    if row == cards.rows[i] and not turned:
        return "right"
    same_face, starts = row // 2 == cards.rows[i] // 2, row // 2 == len(templates.faces) - 1
    differs = differing_mm2(picture, i, row, turned=turned)
    return "alike" if differs <= picture.config.alike_mm2 or (same_face and starts) else "face"


def _row(card: Card, templates: Templates) -> int:
    return 2 * templates.faces.index(card.face) + int(card.pose.mirrored)


def differing_mm2(picture: Picture, i: int, row: int, *, turned: bool = False) -> float:
    """Over how much of what shows of a card another face is drawn otherwise than the one read."""
    rows, shown = np.array([picture.cards.rows[i], row]), picture.shown[i]
    both = Guesses(rows, np.array([False, turned]), 0)
    return float(differing(picture.templates, both, shown.index)[1] @ shown.mm2)
