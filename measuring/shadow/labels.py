"""Whether each card of a reading is what truly lies there, as far as the picture can tell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np

from measuring.scenes.matching import Match, match_cards
from measuring.scenes.truth import Truth
from vision.likelihood.drawing import Guesses, differing
from vision.likelihood.odds import CardOdds
from vision.likelihood.picture import LaidCards, Picture
from vision.reading import Reading

Label = Literal["right", "alike", "renamed", "face", "colour", "invented"]
UNTOLD: tuple[Label, ...] = ("alike", "renamed")
"""What no single card's picture can tell right from wrong."""
HALF_TURN_DEG = 90.0


def labels(picture: Picture, reading: Reading, truth: Truth) -> dict[int, Label]:
    """What became of each card that was read; `alike`: another face, side or turn of the same
    colour that looks the same where it shows; `renamed`: right, but for the name of its colour,
    which all or most cards of that name truly share.
    """
    matches = {match.read: match for match in match_cards(reading, truth)}
    names = _names(picture, matches, truth)
    return {
        i: _label(picture, matches[i], names, truth) if i in matches else "invented"
        for i in range(len(picture.cards))
    }


def _names(picture: Picture, matches: Mapping[int, Match], truth: Truth) -> Mapping[int, int]:
    """For each colour that was read, which one most of its cards truly are."""
    colours: dict[int, list[int]] = {}
    for i, match in matches.items():
        true = _true(picture, match, truth)[2]
        colours.setdefault(int(picture.cards.colour[i]), []).append(true)
    return {read: max(sorted(true), key=true.count) for read, true in colours.items()}


def told_rightly(picture: Picture, odds: CardOdds, reading: Reading, truth: Truth) -> bool:
    """Whether the likeliest other face or colour of a card is what truly lies there."""
    named = [other for other in odds.alternatives if other.kind in ("face", "colour")]
    match = next((m for m in match_cards(reading, truth) if m.read == odds.card), None)
    if not named or match is None:
        return False
    best, cards = max(named, key=lambda other: other.log_odds), picture.cards
    colour = best.other if best.kind == "colour" else int(cards.colour[odds.card])
    row = best.row if best.row >= 0 else int(cards.rows[odds.card])
    read = Guesses(np.array([row]), np.array([best.turned]), colour)
    return _looks_like(picture, read, match, truth)


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


def differing_mm2(picture: Picture, i: int, both: Guesses) -> float:
    """Over how much of what shows of a card the second of two guesses is drawn otherwise."""
    shown = picture.shown[i]
    return float(differing(picture.templates, both, shown.index)[1] @ shown.mm2)


def _label(picture: Picture, match: Match, names: Mapping[int, int], truth: Truth) -> Label:
    as_read, (row, turned, colour) = picture.cards.as_read(match.read), _true(picture, match, truth)
    if colour != names[as_read.colour]:
        return "colour"
    same = row == as_read.rows[0] and not turned
    if not same and not _looks_like(picture, as_read.of(colour), match, truth):
        return "face"
    if colour != as_read.colour:
        return "renamed"
    return "right" if same else "alike"


def _looks_like(picture: Picture, read: Guesses, match: Match, truth: Truth) -> bool:
    """Whether a guess of a card looks like what truly lies there."""
    row, turned, colour = _true(picture, match, truth)
    if colour == len(picture.templates.colours) - 1 or colour != read.colour:
        return colour == read.colour
    both = Guesses(np.append(read.rows, row), np.append(read.turned, turned), colour)
    return differing_mm2(picture, match.read, both) <= picture.config.alike_mm2


def _true(picture: Picture, match: Match, truth: Truth) -> tuple[int, bool, int]:
    """The template row, the turn as it lies in the reading, and the colour of a true card."""
    card, templates = truth.layout.card(match.true), picture.templates
    row = 2 * templates.faces.index(card.face) + int(card.pose.mirrored)
    return row, match.off_deg > HALF_TURN_DEG, templates.colours.index(card.colour)
