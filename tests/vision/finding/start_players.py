"""Players' cards about a starting card to be found."""

from __future__ import annotations

from geometry.deck_file import published_deck
from tests.vision.drawing.drawn_cards import DECK, DrawnCard
from vision.drawing.printed_deck import PrintedDeck
from vision.drawing.templates import draw_templates

START = DrawnCard(DECK.starting_face.id, DECK.starting_colour.name, (60.0, 70.0, 0.0))
PLAYERS = (
    DrawnCard("circle-4", "green", (130.0, 70.0, 0.4)),
    DrawnCard("square-2", "red", (195.0, 70.0, -0.3)),
)
CARDS = (START, *PLAYERS)
SIZE_MM = (260, 140)
PUBLISHED = PrintedDeck(published_deck(), draw_templates(published_deck()))
