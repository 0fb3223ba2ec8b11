"""The deck's colours in one photograph, from the cards that lie uncovered in it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.deck_colours import DeckColours, NoColours, look_at_colours, sample_cards
from calibration.table.table_look import sharp_table
from geometry.deck import Deck
from geometry.pose import Pose
from vision.lens import Lens
from vision.locating.edges import Photo, linear_light
from vision.reason import Reason

Lying = tuple[str, float, float, float]
"""A card that nothing covers: its colour, and its middle and turn on the table."""


def colours_in_photo(
    image_bgr: NDArray[np.uint8], lens: Lens, deck: Deck, lying: Sequence[Lying]
) -> DeckColours | NoColours:
    """Measure the colours of these cards in a photo (H, W, 3); NoColours says what is missing."""
    table = sharp_table(image_bgr, lens)
    if table is None:
        return NoColours(Reason("colours-no-markers"))
    cards: dict[str, list[Pose]] = {}
    for colour, x, y, angle in lying:
        if colour != deck.starting_colour.name:
            cards.setdefault(colour, []).append(Pose(x, y, angle))
    photo = Photo(linear_light(image_bgr), table.view, deck.card.thickness_mm)
    return look_at_colours(*sample_cards(photo, deck.card, cards))
