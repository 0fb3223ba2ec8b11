"""Which outlines the badges of this printing have: those that look most like what is seen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from geometry.deck import DRAWN_BADGES, PRINTED_BADGES, Deck
from vision.arrays import FloatArray
from vision.drawing.templates import draw_templates
from vision.evidence import Evidence
from vision.naming.name_cards import LEAST_BADGE, badge_like

MOST_COMPARED = 24
"""Badges, those that are plainest, of which styles are told apart by a dozen."""


def deck_as_printed(evidence: Evidence, poses: FloatArray, deck: Deck) -> Deck:
    """The deck with badges in the style that cards at rough poses (N, 3), each known up to a half
    turn, show; as it is where they show none.
    """
    styles = list(dict.fromkeys((deck.badges, PRINTED_BADGES, DRAWN_BADGES)))
    if len(poses) == 0:
        return deck
    decks = [replace(deck, badges=style) for style in styles]
    likeness = np.array([badge_like(evidence, poses, draw_templates(d)) for d in decks])
    plain = np.argsort(-likeness.max(axis=0), kind="stable")[:MOST_COMPARED]
    plain = plain[likeness.max(axis=0)[plain] > LEAST_BADGE]
    if len(plain) == 0:
        return deck
    return decks[int(likeness[:, plain].mean(axis=1).argmax())]
