from __future__ import annotations

import numpy as np

from measuring.shadow.strips import SHARES, strip
from tests.vision.drawing.drawn_cards import DECK
from tests.vision.likelihood.odds_tables import CONFIG, TEMPLATES, table
from vision.evidence import observe
from vision.likelihood.picture import Picture


def test_a_strip_is_one_side_of_what_shows() -> None:
    raster, cards = table()
    picture = Picture(observe(raster), cards, DECK.card, TEMPLATES, CONFIG)
    rng = np.random.default_rng(1)
    whole = picture.shown[0]
    for _ in range(20):
        cut = strip(picture, 0, rng)
        assert set(cut.index) <= set(whole.index)
        kept = np.isin(whole.index, cut.index)
        assert SHARES[0] * 0.9 < kept.mean() < SHARES[1] * 1.1
        np.testing.assert_array_equal(cut.seen.values, whole.seen.values[kept])
        np.testing.assert_array_equal(cut.mm2, whole.mm2[kept])
        places = TEMPLATES.grid_mm[whole.index]
        apart = places[kept].mean(axis=0) - places[~kept].mean(axis=0)
        along = places @ apart
        # A straight cut: what is left and what is cut off overlap on few places.
        assert np.mean(along[~kept] > along[kept].min()) < 0.35
    assert picture.shown[0] is whole
