"""The older deck, which the fixtures' scenes were photographed with, and its badges."""

from __future__ import annotations

from dataclasses import replace

from geometry.deck import DRAWN_BADGES, Deck
from geometry.deck_file import load_deck
from tests.scenes import FIXTURES

OLDER_DECK: Deck = replace(
    load_deck(FIXTURES / "decks" / "first-drawing.json"),
    badges=DRAWN_BADGES,
    either_way=frozenset(),
)
