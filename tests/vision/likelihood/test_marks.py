from __future__ import annotations

import numpy as np
import pytest

from tests.vision.drawing.drawn_cards import DECK
from vision.drawing.templates import draw_templates
from vision.likelihood.drawing import COLUMNS, INK_AT, Guesses
from vision.likelihood.marks import SeenMarks, ink_off_by_white, shares_of

TEMPLATES = draw_templates(DECK)
INDEX = np.flatnonzero(TEMPLATES.marks)
BADGE = TEMPLATES.badge[INDEX]
NOISE = np.full(3, 2.0)
WHITE, RED, PURPLE = (np.array(one) for one in ([80.0, 20, 0], [35.0, 80, -30], [10.0, -10, -8]))
"""In grey and two differences of colour, as cards of a dim photograph had them."""


def test_less_is_known_of_the_ink_of_a_card_whose_ink_is_nearly_grey() -> None:
    red, purple = (ink_off_by_white(WHITE, ink, NOISE) for ink in (RED, PURPLE))
    assert red < 1.5
    assert purple > 4 * red
    seen = np.asarray(0.3 * WHITE[None] + 0.6 * RED, np.float32)
    assert shares_of(seen, WHITE, RED, NOISE)[0] == pytest.approx([0.3, 0.6])
    # A little error in any colour is a large share of such an ink.
    error = np.array([[0.0, 8.0, 0.0]], np.float32)
    of_red, of_purple = (shares_of(error, WHITE, ink, NOISE)[0, 1] for ink in (RED, PURPLE))
    assert abs(of_purple) > 2 * abs(of_red)


def test_the_ink_of_a_badge_is_told_by_the_cards_that_tell_it_well() -> None:
    """The only other card of the face is of such an ink; others of its suit are not."""
    faces = np.array([0, 0, 1, 2, 3])
    white, ink = (np.stack([one[2 * f, INDEX] for f in faces]) for one in
                  (TEMPLATES.white, TEMPLATES.ink))  # fmt: skip
    shares = np.stack([white, ink], axis=-1).astype(np.float32)
    rng = np.random.default_rng(0)
    shares[1, :, 1] = np.clip(rng.normal(0.3, 0.8, len(INDEX)), -0.3, 1.3)
    by_white = np.array([1.0, 8.0, 1.0, 1.0, 1.0])
    marks = SeenMarks(
        TEMPLATES, INDEX, shares, by_white, np.ones((5, 2), np.bool_), faces,
        np.array([0, 4, 0, 1, 2]), least_off=0.12, misprint_mm=0.25,
    )  # fmt: skip
    at = INDEX[BADGE]
    columns = np.zeros((1, len(at), COLUMNS), np.float32)
    spread = np.zeros((1, len(at), 2), np.float32)
    guess = Guesses(np.zeros(1, np.int64), np.zeros(1, np.bool_), 0)
    assert marks.put_in(columns, spread, 0, guess, at[None]).all()
    off = np.abs(columns[0, :, INK_AT] - ink[0, BADGE])
    assert np.median(off) < 0.05
    assert np.mean(np.abs(shares[1, BADGE, 1] - ink[0, BADGE])) > 0.3
    # Where the digits of its suit differ, no card says what the ink is but the poor one.
    differ = np.ptp(white[:, BADGE], axis=0) > 0.5
    assert np.abs(spread[0, differ, 1]).mean() > np.abs(spread[0, ~differ, 1]).mean()
