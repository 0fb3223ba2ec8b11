from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.naming.badge_hypotheses import ONE, SHOWN, hypothesis
from tests.vision.naming.named_tables import TEMPLATES
from vision.naming.badge_correlation import BADGE_LEAD
from vision.naming.badge_outlines import outlines_seen
from vision.naming.badge_witness import heeding_badges, shown_leads
from vision.naming.faces import Patches, score_faces

SUITS = ("circle", "square", "triangle")
SEEN = replace(TEMPLATES, learned=replace(TEMPLATES, badge_often=TEMPLATES.badge_known))
"""Templates of a table whose cards show all badges as they are drawn."""


def in_another_typeface(face: str) -> Patches:
    """A card whose badge has the face's outline, and in it a mark that no digit looks like."""
    row = 2 * TEMPLATES.faces.index(face)
    white = TEMPLATES.white[row] + np.random.default_rng(5).normal(0, 0.08, SHOWN.shape[1])
    inside = TEMPLATES.badge & ~TEMPLATES.outline & ~TEMPLATES.rim[row]
    white[inside] = TEMPLATES.grid_mm[inside, 0] > 0
    level = np.asarray(np.clip(white, 0, 1) * 255, np.uint8)
    return Patches(np.repeat(level[None, :, None], 4, axis=2), SHOWN.copy())


@pytest.mark.parametrize("suit", SUITS)
def test_an_outline_tells_its_suit_whatever_stands_in_it(suit: str) -> None:
    patches = in_another_typeface(f"{suit}-4")
    outlines = outlines_seen(patches, SHOWN, ONE, SEEN)
    leads = outlines.leads(np.array([hypothesis(f"{suit}-2")]), SEEN)[0]
    others = outlines.others(SEEN)[0]
    for other in SUITS:
        for value in range(1, 7):
            lead = leads[hypothesis(f"{other}-{value}")]
            assert np.isnan(lead) if other == suit else lead > BADGE_LEAD
            assert others[hypothesis(f"{other}-{value}")] == (other != suit)
    assert np.isnan(leads[2 * TEMPLATES.start_row :]).all()
    assert not others[2 * TEMPLATES.start_row :].any()


def test_the_witness_of_badges_heeds_outlines() -> None:
    patches = in_another_typeface("circle-4")
    leads = shown_leads(patches, SHOWN, ONE, np.array([hypothesis("circle-2")]), SEEN)[0]
    assert leads[hypothesis("square-2")] > BADGE_LEAD
    assert leads[hypothesis("circle-5")] < BADGE_LEAD


def test_an_outline_is_worth_what_names_the_plainest_card_of_its_suit() -> None:
    """A value no more than what names the cards that show it."""
    patches = in_another_typeface("circle-4")
    named_mm2 = np.full(len(TEMPLATES.white), 50.0)
    named_mm2[2 * TEMPLATES.faces.index("circle-6")] = 300.0
    assert SEEN.learned is not None
    templates = replace(SEEN, learned=replace(SEEN.learned, badge_mm2=named_mm2))
    scores = score_faces(patches, templates, SHOWN)
    heeded = heeding_badges(scores, patches, SHOWN, templates)
    worse = (heeded.misfit - scores.misfit)[0] * scores.area_mm2[0]
    for suit, most_mm2 in (("square", 300.0), ("triangle", 300.0), ("circle", 50.0)):
        own = [worse[hypothesis(f"{suit}-{value}")] for value in range(1, 7)]
        assert max(own) == pytest.approx(most_mm2, rel=1e-3) or (suit == "circle" and max(own) == 0)


def test_a_suit_that_the_outline_gainsays_leads_over_none() -> None:
    outlines = outlines_seen(in_another_typeface("circle-4"), SHOWN, ONE, SEEN)
    leads = outlines.leads(np.array([hypothesis("square-2")]), SEEN)[0]
    assert not (leads > 0).any()


@pytest.mark.parametrize(("from_mm", "told"), [(1.0, True), (-2.0, False)])
def test_so_much_of_an_outline_must_show(from_mm: float, told: bool) -> None:
    patches = in_another_typeface("square-4")
    part = SHOWN.copy()
    part[:, TEMPLATES.grid_mm[:, 0] > from_mm] = 0
    patches.pixels[:, part[0] == 0] = 255
    leads = outlines_seen(patches, part, ONE, SEEN).leads(np.array([hypothesis("square-2")]), SEEN)[
        0
    ]
    assert (leads[hypothesis("circle-2")] > BADGE_LEAD) == told


def test_bare_black_tells_no_suit() -> None:
    patches = in_another_typeface("circle-4")
    patches.pixels[:] = np.random.default_rng(1).integers(0, 60, patches.pixels.shape, np.uint8)
    outlines = outlines_seen(patches, SHOWN, ONE, SEEN)
    assert not outlines.others(SEEN).any()


def test_a_suit_that_fewer_than_two_cards_show_is_told_by_nothing() -> None:
    """Another printing's triangle may be less like the deck's than like a circle."""
    once = np.zeros_like(TEMPLATES.badge_known)
    once[2 * TEMPLATES.faces.index("triangle-4")] = True
    known = ~np.char.startswith(np.repeat(TEMPLATES.faces, 2), "triangle") | once
    learned = replace(TEMPLATES, badge_known=known, badge_often=known & ~once)
    templates = replace(TEMPLATES, learned=learned)
    for face, rival in (("circle-4", "triangle-4"), ("triangle-4", "circle-4")):
        outlines = outlines_seen(in_another_typeface(face), SHOWN, ONE, templates)
        leads = outlines.leads(np.array([hypothesis(face)]), templates)[0]
        assert np.isnan(leads[hypothesis(rival)])
        assert not outlines.others(templates)[0, hypothesis(face)]
