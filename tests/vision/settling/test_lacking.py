from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.drawing.test_pose_fit import DECK, drawn_evidence
from tests.vision.naming.test_name_cards import TEMPLATES
from tests.vision.settling.test_surplus import CARDS, settled_with
from tests.vision.settling.test_twin_search import ROOM_MM
from vision.naming.colours import Naming
from vision.settling.lacking import with_lacking
from vision.settling.settling import Settled

UNREAD, NONE_UNREAD = np.array([[20.0, 20.0, 0.0]]), np.empty((0, 3))
EVEN = [0, 0, 0, 1, 1, 1]


def coloured(settled: Settled, colours: list[int]) -> Settled:
    """The cards, of these colours."""
    known = np.array(colours)
    return replace(settled, naming=Naming(known, np.ones(len(known)), known))


@pytest.mark.parametrize(
    ("unread", "hazed", "covering", "taken"),
    [
        (UNREAD, [0, 1], (), True),
        (UNREAD, [0, 1], (3,), False),
        (UNREAD, [], (), False),
        (NONE_UNREAD, [0, 1], (), False),
    ],
)
def test_where_a_badge_shows_that_no_card_has_each_colour_may_lack_one(
    monkeypatch: pytest.MonkeyPatch, unread: np.ndarray, hazed: list[int],
    covering: tuple[int, ...], taken: bool,
) -> None:  # fmt: skip
    known = coloured(settled_with(), EVEN)
    poses = [(70.0, 20.0, 0.0), (20.0, 120.0, 0.0)][: len(hazed)]
    more = replace(coloured(settled_with(*poses), EVEN + hazed), covering=covering)
    monkeypatch.setattr("vision.settling.lacking._with_one", lambda *_, **__: more)
    evidence = drawn_evidence(*CARDS, size_mm=ROOM_MM)
    assert (with_lacking(evidence, known, unread, DECK, TEMPLATES) is more) == taken
