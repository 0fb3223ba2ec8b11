"""Damage is doubt: a photo that shows signs of it, or cannot be checked, is never sure."""

from collections import Counter
from dataclasses import replace

import shapely

from geometry.rules import Rules
from rig.photo.damage_signs import Area, Damage
from rig.photo.surroundings import margin_px
from vision.assemble import assemble
from vision.reading import Doubt, Reading
from vision.reason import Reason

DAMAGED, UNCHECKED = Reason("photo-damaged"), Reason("photo-damage-unchecked")
FEWER_BY = 1
"""A colour with so many fewer cards than the one with the most may have lost them to damage."""


def with_damage(
    reading: Reading, damage: Damage, size_wh: tuple[int, int], rules: Rules
) -> Reading:
    """The reading with the doubt that damage is: any score of a colour in play may be another.

    What is damaged beside the cards, further from each than a card is long, changes nothing: a card
    lies on another, so that none is hidden there alone.
    """
    is_damaged = (
        damage.plain
        or (damage.faint and is_odd(reading))
        or any(_reaches(reading, sign.area, 1.0) for sign in damage.placed)
        or any(reading.cards and _reaches(reading, bar, 0.5) for bar in damage.bars)
    )
    is_unchecked = damage.unchecked or (damage.unheard and is_odd(reading))
    if not is_damaged and not is_unchecked:
        return reading
    most = max((face.value for face in reading.seen.layout.deck.faces), default=0)
    changes = dict.fromkeys(_colours_in_play(reading), most)
    middle = (size_wh[0] / 2, size_wh[1] / 2)
    reason = DAMAGED if is_damaged else UNCHECKED
    doubt = Doubt("table", None, middle, reason, changes, changes)
    seen = replace(reading.seen, doubts=(*reading.seen.doubts, doubt))
    return assemble(seen, rules)


def _colours_in_play(reading: Reading) -> list[str]:
    """The players' colours that lie on the table; where none was read, it could be any."""
    deck = reading.seen.layout.deck
    here = {card.colour for card in reading.cards}
    names = [colour.name for colour in deck.colours if colour.name != deck.starting_colour.name]
    return [name for name in names if name in here] or names


def _reaches(reading: Reading, area: Area, cards: float) -> bool:
    """Whether an area of the photo is so many cards' lengths from a card at most; of cards that
    were not read nobody knows.
    """
    if not reading.cards:
        return True
    near = 2 * cards * margin_px(reading.seen)
    outlines = (shapely.MultiPoint(card.outline_px).convex_hull for card in reading.cards)
    return any(shapely.box(*area).distance(outline) <= near for outline in outlines)


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
