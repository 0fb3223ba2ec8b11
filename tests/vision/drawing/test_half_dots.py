from __future__ import annotations

import numpy as np
import pytest

from tests.vision.drawing.drawn_cards import DECK
from vision.drawing.half_dots import hidden_by, parts_seen
from vision.drawing.pose_fit import place
from vision.observing.dots import disc_places

CARD = DECK.card
HALF_MM = np.array([CARD.width_mm, CARD.height_mm]) / 2
POSE = np.array([70.0, 90.0, 0.7, 0.0, 0.0, 0.0, 0.0, 0.002, 0.0])
END_MM = 3.0
BENT = POSE + [0.0, 0.0, 0.0, 0.0, 0.0, END_MM / HALF_MM[1] ** 2, 0.0, 0.0, 0.0]
"""Its ends seem shifted by three millimetres along x."""


@pytest.mark.parametrize("pose", [POSE[:3], POSE, BENT])
def test_a_card_hides_what_lies_on_it_as_it_is_seen(pose: np.ndarray) -> None:
    rng = np.random.default_rng(1)
    own = rng.uniform(-1.3, 1.3, (400, 2)) * HALF_MM
    inside = (np.abs(own) < HALF_MM - 1.5).all(axis=1)
    outside = (np.abs(own) > HALF_MM + 0.1).any(axis=1)
    hidden = hidden_by(pose, CARD, place(pose[None], own)[0])
    assert hidden[inside].all()
    assert not hidden[outside].any()


def test_what_stands_up_hides_another_part_of_a_dot() -> None:
    below = np.array([62.0, 100.0, 0.1, *np.zeros(6)])
    middle = place(POSE[None], np.array([[0.0, HALF_MM[1]]]))[0]
    places = disc_places(middle, DECK)
    flat, bent = (
        parts_seen(places, np.array([0]), np.array([below, upper]), [0, 1], CARD)[0]
        for upper in (POSE, BENT)
    )
    assert flat == pytest.approx(0.5, abs=0.06)
    # The end's edge moves by 3 mm along x, and so by 1.9 mm inwards.
    assert bent > 0.9
    # A card under the dot's own hides nothing.
    assert parts_seen(places, np.array([0]), np.array([below, POSE]), [1, 0], CARD)[0] == 1
