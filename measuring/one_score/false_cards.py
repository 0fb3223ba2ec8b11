"""Places where no card lies, though one could by the rules: exactly beside a card that does."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from geometry.deck import Deck
from geometry.neighbours import neighbour_places
from vision.model.table import CardId, Place, PlacedCard, Table

APART_MM = 6.0
"""Nearer to a true card's middle a place is that card's own."""


def false_cards(
    table: Table, deck: Deck, number: int, rng: np.random.Generator
) -> Iterator[tuple[PlacedCard, CardId]]:
    """Cards at false places, each with the card whose shape it would lie on: so many draws, of
    which those at a true card's place are left out. What the cards are does not matter.
    """
    faces = [face.id for face in (*deck.faces, deck.starting_face)]
    fresh = CardId(max((card.id for card in table.cards), default=0) + 1)
    middles = np.array([[card.place.x_mm, card.place.y_mm] for card in table.cards])
    for _ in range(number):
        on = table.cards[int(rng.integers(len(table.cards)))]
        near = neighbour_places(deck)[faces.index(on.hypothesis.face)]
        x, y, angle = near[int(rng.integers(len(near)))].tolist()
        pose = on.pose
        (at,) = pose.to_table(np.array([[x, y]]))
        if np.hypot(*(middles - at).T).min() < APART_MM:
            continue
        turned = pose.angle_deg + (-angle if pose.mirrored else angle)
        place = Place(float(at[0]), float(at[1]), turned, on.place.height_mm)
        yield PlacedCard(fresh, place, on.hypothesis, on.ink), on.id
