"""A first table is made of however few places show plainly."""

from __future__ import annotations

from tests.vision.model.drawn_table import CARDS, CONFIG, DECK, drawn_table
from vision.infer.first_table import first_table
from vision.model.drawing import draw_faces
from vision.model.footprint import Footprints
from vision.propose.places import Proposal


def test_one_card_alone_is_a_table() -> None:
    drawn = drawn_table(CARDS[1:2])
    seen, faces = drawn.seen(), draw_faces(DECK, CONFIG)
    places = [Proposal(card.place, 1.0) for card in drawn.table.cards]
    table = first_table(seen, places, DECK, Footprints(seen, faces), faces, CONFIG)[1]
    assert [card.place for card in table.cards] == [place.place for place in places]


def test_where_none_shows_plainly_those_begin_that_show_most() -> None:
    """By one alone of a blurred picture all of it looked like a starting card."""
    drawn = drawn_table()
    seen, faces = drawn.seen(), draw_faces(DECK, CONFIG)
    shares = (0.7, 0.69, 0.64, 0.68, 0.5)
    places = [Proposal(c.place, s) for c, s in zip(drawn.table.cards, shares, strict=True)]
    table = first_table(seen, places, DECK, Footprints(seen, faces), faces, CONFIG)[1]
    assert {card.place for card in table.cards} == {one.place for one in places[:4]}
