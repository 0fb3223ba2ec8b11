from __future__ import annotations

import numpy as np

from tests.vision.naming.badge_hypotheses import with_badge_of
from tests.vision.naming.named_tables import TEMPLATES
from vision.naming.badge_correlation import BADGE_LEAD
from vision.naming.badge_witness import gainsaid
from vision.naming.faces import Patches
from vision.naming.others_badges import leads_by_others, like_faces

OWN, OTHER = (TEMPLATES.faces.index(name) for name in ("circle-2", "circle-5"))
TYPEFACE = "circle-6"
"""What this printing's badges of the own face look like by the deck's drawings."""


def cards(*badges: str) -> tuple[Patches, np.ndarray]:
    """Cards with these badges, printed a little off one another, and that they show whole."""
    cut = [with_badge_of(name, "circle-2", (k % 3 - 1, k % 2)) for k, name in enumerate(badges)]
    pixels = np.concatenate([one.pixels for one in cut])
    shown = np.ones(pixels.shape[:2], np.float32)
    return Patches(pixels, shown), shown


def rows_of(*faces: int) -> np.ndarray:
    return 2 * np.array(faces)


def test_a_badge_in_another_typeface_is_told_by_the_other_cards_of_its_face() -> None:
    """By the deck's drawing it is another face's."""
    rows = rows_of(OWN, OWN, OWN, OTHER, OTHER)
    patches, shown = cards(*3 * [TYPEFACE], *2 * ["circle-5"])
    leads = leads_by_others(rows, patches, shown, np.arange(3), TEMPLATES)
    assert (leads[:, OTHER] > BADGE_LEAD).all()
    assert not gainsaid(rows, patches, shown, TEMPLATES).badge.any()


def test_a_card_says_nothing_of_itself() -> None:
    """Of a card that is alone with its badge nothing is told, and what it shows is another's."""
    rows = rows_of(OWN, OWN, OWN, OTHER)
    patches, shown = cards(TYPEFACE, "circle-2", "circle-2", "circle-5")
    like = like_faces(rows, patches, shown, TEMPLATES)
    assert np.isnan(like[3, OTHER])
    assert like[0, OWN] < like[1:3, OWN].min(initial=1.0) or np.isnan(like[1:3, OWN]).any()
    assert gainsaid(rows, patches, shown, TEMPLATES).badge.tolist() == [True, False, False, False]


def test_a_badge_that_looks_like_the_others_of_another_face_says_so() -> None:
    rows = rows_of(OWN, OWN, OWN, OTHER, OTHER)
    patches, shown = cards("circle-5", *2 * ["circle-2"], *2 * ["circle-5"])
    leads = leads_by_others(rows, patches, shown, np.arange(1), TEMPLATES)
    assert leads[0, OTHER] < -BADGE_LEAD


def test_a_hidden_badge_tells_nothing() -> None:
    rows = rows_of(OWN, OWN, OWN, OTHER, OTHER)
    patches, shown = cards(*3 * ["circle-2"], *2 * ["circle-5"])
    shown[0, TEMPLATES.badge] = 0
    assert np.isnan(leads_by_others(rows, patches, shown, np.arange(1), TEMPLATES)).all()
