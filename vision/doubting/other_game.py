"""Whether what lies on the table are the deck's cards at all."""

from __future__ import annotations

from geometry.deck import Deck
from vision.drawing.templates import draw_templates
from vision.evidence import Evidence
from vision.finding.belief import LEAST_RIGHT, looking_right, share_right
from vision.finding.white_beside import white_beside_mm2
from vision.reading import NotSeen
from vision.reason import Reason
from vision.reconstruct import Found

MUCH_WHITE_MM2 = 1000.0
"""Beside a starting card that lies alone: the lines of four cards."""


def other_game(found: Found, evidence: Evidence, deck: Deck) -> NotSeen | None:
    """A refusal where the deck does not explain the cards that were found with it."""
    if not _unlike(found, evidence):
        return None
    return NotSeen(Reason("other-game", {"deck": deck.name}))


def _unlike(found: Found, evidence: Evidence) -> bool:
    """Whether hardly any player's card looks as the deck draws it, or, where a starting card is all
    that was found, that one does not and much beside it is white.
    """
    seen = found.named, found.stack.patches, found.visible, draw_templates(found.deck)
    share = share_right(*seen)
    if share is not None:
        return share < LEAST_RIGHT
    if looking_right(*seen).any():
        return False
    return white_beside_mm2(evidence, found.named.poses[:, :3], found.deck) > MUCH_WHITE_MM2
