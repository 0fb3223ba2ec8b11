from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.drawing.drawn_cards import DECK, DrawnCard
from tests.vision.finding.hidden_tables import EVIDENCE, KNOWN
from tests.vision.naming.named_tables import PRINTED, TEMPLATES, named_of
from vision.finding import explain
from vision.finding.beside import poses_beside
from vision.naming.name_cards import Named
from vision.ordering.stacking import stack_up

FloatArray = NDArray[np.float64]
EXACT = poses_beside(named_of(KNOWN), DECK)[0]
CARELESS = DrawnCard("square-2", "red", (15.0, 165.0, 0.3))


@pytest.mark.parametrize(
    ("guessed", "framed", "thorough", "taken"),
    [
        (EXACT, True, False, "guessed"),
        (EXACT + [9.0, 5.0, 0.4], True, False, "framed"),
        (EXACT + [9.0, 5.0, 0.4], False, False, "guessed"),
        (EXACT + [9.0, 5.0, 0.4], True, True, "guessed"),
    ],
)
def test_a_frame_beside_a_card_says_more_than_lines_from_which_one_is_guessed_that_fits_none(
    guessed: FloatArray, framed: bool, thorough: bool, taken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it is known that cards are missing, careless neighbours were asked before."""
    known = named_of(KNOWN)
    found = {
        "guessed": known.with_card(guessed, 0, 0.2),
        "framed": known.joined(named_of(CARELESS)),
    }

    def neighbour(*asked: object) -> Named | None:
        assert asked[-1] is True
        return found["framed"] if framed else None

    monkeypatch.setattr(explain, "with_hidden", lambda *_: found["guessed"])
    monkeypatch.setattr(explain, "with_neighbours", neighbour)
    stack = stack_up(EVIDENCE, known, DECK, TEMPLATES)
    more = explain._hidden(EVIDENCE, known, stack, PRINTED, thorough)
    assert more is found[taken]
