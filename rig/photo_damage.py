"""Damage is doubt: a photo that its decoder read past damage in is never read for sure."""

from __future__ import annotations

from dataclasses import replace

from geometry.rules import Rules
from vision.assemble import assemble
from vision.reading import Doubt, Reading


def with_damage(
    reading: Reading, is_damaged: bool, size_wh: tuple[int, int], rules: Rules
) -> Reading:
    """The reading with the doubt that damage is: every colour's score could be another."""
    if not is_damaged:
        return reading
    most = max((face.value for face in reading.seen.layout.deck.faces), default=0)
    deck = reading.seen.layout.deck
    changes = {colour.name: most for colour in (*deck.colours, deck.starting_colour)}
    middle = (size_wh[0] / 2, size_wh[1] / 2)
    reason = "the photo is damaged and may show what was not there: take it again"
    doubt = Doubt("table", None, middle, reason, changes, changes)
    seen = replace(reading.seen, doubts=(*reading.seen.doubts, doubt))
    return assemble(seen, rules)
