from __future__ import annotations

import numpy as np

from measuring.shadow.wrongs import made_wrong
from tests.vision.drawing.drawn_cards import DECK
from tests.vision.likelihood.odds_tables import CONFIG, TEMPLATES, table
from vision.evidence import observe
from vision.likelihood.picture import Picture


def test_each_card_made_wrong_is_wrong_in_its_way_alone() -> None:
    raster, cards = table()
    picture = Picture(observe(raster), cards, DECK.card, TEMPLATES, CONFIG)
    wrong, made = made_wrong(picture, list(range(len(cards))), np.random.default_rng(1), 1)
    assert set(made.values()) == {"order", "face", "side", "colour", "invented"}
    for i, way in made.items():
        if way == "invented":
            assert i >= len(cards)
            assert wrong.order.index(i) < wrong.order.index(0)
            continue
        if way == "order":
            assert wrong.order.index(i) > cards.order.index(i)
            continue
        same_face = wrong.rows[i] // 2 == cards.rows[i] // 2
        assert same_face == (way != "face")
        assert ((wrong.rows[i] ^ cards.rows[i]) == 1) == (way == "side")
        assert (wrong.colour[i] == cards.colour[i]) == (way != "colour")
    untouched = [i for i in range(len(cards)) if i not in made]
    np.testing.assert_array_equal(wrong.rows[untouched], cards.rows[untouched])


def test_an_order_made_wrong_puts_the_lower_card_on_top() -> None:
    raster, cards = table()
    picture = Picture(observe(raster), cards, DECK.card, TEMPLATES, CONFIG)
    wrong, made = made_wrong(picture, [3], np.random.default_rng(1))
    lower = int(picture.shown[3].below.max())
    assert made[lower] == "order"
    assert cards.order.index(3) > cards.order.index(lower)
    assert wrong.order.index(3) < wrong.order.index(lower)
