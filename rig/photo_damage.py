"""Damage is doubt: a photo that shows signs of it, or cannot be checked, is never sure."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from geometry.rules import Rules
from rig.damage_signs import Damage
from vision.assemble import assemble
from vision.reading import Doubt, Reading
from vision.reason import Reason

DAMAGED, UNCHECKED = Reason("photo-damaged"), Reason("photo-damage-unchecked")
FEWER_BY = 1
"""A colour with so many fewer cards than the one with the most may have lost them to damage."""


def with_damage(
    reading: Reading, damage: Damage, size_wh: tuple[int, int], rules: Rules
) -> Reading:
    """The reading with the doubt that damage is: every colour's score could be another."""
    is_damaged = damage.plain or (damage.faint and is_odd(reading))
    if not is_damaged and not damage.unchecked:
        return reading
    most = max((face.value for face in reading.seen.layout.deck.faces), default=0)
    deck = reading.seen.layout.deck
    changes = {colour.name: most for colour in (*deck.colours, deck.starting_colour)}
    middle = (size_wh[0] / 2, size_wh[1] / 2)
    reason = DAMAGED if is_damaged else UNCHECKED
    doubt = Doubt("table", None, middle, reason, changes, changes)
    seen = replace(reading.seen, doubts=(*reading.seen.doubts, doubt))
    return assemble(seen, rules)


def is_odd(reading: Reading) -> bool:
    """Whether a face lies there twice in one colour, or colours have unlike numbers of cards.

    Both happen on whole tables, and both are what damage leaves behind. So does a table whose
    place is unknown because its markers are only partly seen.
    """
    cards = [(card.colour, card.face) for card in reading.cards]
    white = reading.seen.layout.deck.starting_colour.name
    counts = Counter(colour for colour, _ in cards if colour != white).values()
    is_uneven = bool(counts) and max(counts) - min(counts) >= FEWER_BY
    return is_uneven or len(set(cards)) < len(cards) or reading.play_area_mm is None
