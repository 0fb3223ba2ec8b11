"""Whether what lies on the table are the deck's cards at all."""

from __future__ import annotations

from geometry.deck import Deck
from vision.evidence import Evidence
from vision.finding.belief import LEAST_RIGHT, looking_right, share_right
from vision.finding.white_beside import white_beside_mm2
from vision.reading import NotSeen
from vision.reconstruct import Found

MUCH_WHITE_MM2 = 1000.0
"""Beside a starting card that lies alone: the lines of four cards."""


def other_game(found: Found, evidence: Evidence, deck: Deck) -> NotSeen | None:
    """A refusal where the deck does not explain the cards that were found with it."""
    if not _unlike(found, evidence):
        return None
    return NotSeen(
        f"The cards in the picture do not look like those of the deck {deck.name}, but like "
        "another game's or another printing's: photograph them side by side, make their deck file "
        "with tacta enrol, and read the picture with it."
    )


def _unlike(found: Found, evidence: Evidence) -> bool:
    """Whether hardly any player's card looks as the deck draws it, or, where a starting card is all
    that was found, that one does not and much beside it is white.
    """
    seen = found.named, found.stack.patches, found.visible, found.hearing.templates
    share = share_right(*seen)
    if share is not None:
        return share < LEAST_RIGHT
    if looking_right(*seen).any():
        return False
    return white_beside_mm2(evidence, found.named.poses[:, :3], found.deck) > MUCH_WHITE_MM2
