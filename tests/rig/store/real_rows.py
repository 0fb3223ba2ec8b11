"""Rows as a rig writes them: a deck, what was seen in a photo, a match, a round."""

from __future__ import annotations

from geometry.deck_file import published_deck
from geometry.layout import Layout
from referee.rounds.match import Match, Player
from referee.rounds.round import Round
from referee.rounds.rounds_json import match_data, round_data
from rig.store.seen_json import deck_digest, deck_text, seen_text
from vision.reading import SeenTable

DECK = deck_text(published_deck())
DIGEST = deck_digest(DECK)
SEEN = seen_text(SeenTable(Layout(published_deck(), ()), (), (), 2.0))
MATCH = match_data(Match((Player("Ada", "green"), Player("Bob", "orange"))))
ROUND = round_data(Round(1, "2024-01-01T00:00:00Z"))
CORRECTION = {"kind": "remove", "card": 1}
