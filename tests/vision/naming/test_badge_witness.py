from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.naming.badge_hypotheses import ONE, SHOWN, hypothesis, with_badge_of
from tests.vision.naming.named_tables import TEMPLATES
from vision.drawing.templates import Templates
from vision.naming.badge_correlation import BADGE_LEAD
from vision.naming.badge_witness import (
    GAINSAID_MM2,
    badge_leads,
    badge_likeness,
    gainsaid,
    heeding_badges,
    shown_leads,
)
from vision.naming.faces import BURNT_WEIGHT, Patches, score_faces

Map32 = NDArray[np.float32]


@pytest.mark.parametrize("shift", [(0, 0), (3, -2), (-4, 1)])
def test_a_badge_is_known_though_curl_has_moved_it(shift: tuple[int, int]) -> None:
    patches = with_badge_of("circle-2", "triangle-1", shift)
    like = badge_likeness(patches, SHOWN, ONE, TEMPLATES)
    own = hypothesis("circle-2")
    assert like[0].argmax() in (own, own + 2)
    leads = badge_leads(like, np.array([own]), TEMPLATES)[0]
    others = [h for h in range(72) if h // 4 != own // 4]
    assert leads[others].min() > BADGE_LEAD
    assert abs(leads[own + 2]) < 0.1  # the back's badge is the same


@pytest.mark.parametrize(("read_as", "wrong"), [("triangle-1", True), ("circle-2", False)])
@pytest.mark.parametrize("shift", [(0, 0), (3, -2)])
def test_a_card_read_as_another_face_than_its_badge_shows_is_told(
    read_as: str, wrong: bool, shift: tuple[int, int]
) -> None:
    patches = with_badge_of("circle-2", "triangle-1", shift)
    for side in (0, 1):
        row = np.array([2 * TEMPLATES.faces.index(read_as) + side])
        told = gainsaid(row, patches, SHOWN, TEMPLATES)
        assert told.badge.tolist() == [wrong]
        assert not (told.badge & told.looks).any()
        if wrong:
            assert TEMPLATES.faces[told.like[0].argmax()] == "circle-2"
    covered = SHOWN * ~TEMPLATES.badge
    assert not gainsaid(row, patches, covered, TEMPLATES).badge.any()


def test_a_badge_that_gainsays_a_face_may_look_much_like_that_face_s() -> None:
    """As digits do that differ by a stroke; here one that is half of either."""
    rows = [2 * TEMPLATES.faces.index(name) for name in ("circle-3", "circle-5")]
    mixed = 0.4 * TEMPLATES.white[rows[0]] + 0.6 * TEMPLATES.white[rows[1]]
    level = np.asarray(mixed * 255, np.uint8)
    patches = Patches(np.repeat(level[None, :, None], 4, axis=2), SHOWN.copy())
    assert gainsaid(np.array(rows[:1]), patches, SHOWN, TEMPLATES).looks.all()


def test_a_badge_that_is_not_there_gainsays_nothing() -> None:
    """What is burnt out looks like the middle of the starting card."""
    patches = with_badge_of(TEMPLATES.faces[-1], "circle-2")
    row = np.array([2 * TEMPLATES.faces.index("circle-2")])
    assert not gainsaid(row, patches, SHOWN, TEMPLATES).badge.any()


def test_what_hardly_shows_of_a_drawing_is_not_like_it() -> None:
    """Where a corner covers all that a drawing has there, it varies by nothing."""
    patches = with_badge_of("circle-2", "triangle-1")
    part = SHOWN.copy()
    part[:, TEMPLATES.grid_mm[:, 1] > 4.0] = 0
    like = badge_likeness(patches, part, ONE, TEMPLATES)
    assert 0 < like.max() < 1.1


def test_a_badge_does_not_tell_which_way_up_its_card_lies() -> None:
    """Some printings have badges half turned."""
    like = badge_likeness(with_badge_of("triangle-5", "circle-1"), SHOWN, ONE, TEMPLATES)
    own, turned = hypothesis("triangle-5"), hypothesis("triangle-5", 1)
    leads = badge_leads(like, np.array([own]), TEMPLATES)[0]
    assert like[0, own] > like[0, turned]
    assert leads[turned] == 0
    assert leads[hypothesis("triangle-4", 1)] > BADGE_LEAD


def learned(*seen: str, often: bool) -> Templates:
    """Templates where the badges of two faces look like each other's drawing, seen on cards."""
    rows = [2 * TEMPLATES.faces.index(name) for name in seen]
    white, known = TEMPLATES.white.copy(), np.zeros(len(TEMPLATES.white), np.bool_)
    for row, other in zip(rows, reversed(rows), strict=True):
        white[row : row + 2, TEMPLATES.badge] = TEMPLATES.white[other, TEMPLATES.badge]
        known[row : row + 2] = True
    badges = replace(TEMPLATES, white=white, badge_known=known, badge_often=known & often)
    return replace(TEMPLATES, learned=badges)


def test_badges_seen_on_several_cards_tell_their_faces_apart() -> None:
    cards = with_badge_of("square-2", "square-5")
    own = np.array([hypothesis("square-5")])
    leads = shown_leads(cards, SHOWN, ONE, own, learned("square-2", "square-5", often=True))[0]
    assert leads[hypothesis("square-2")] > BADGE_LEAD
    # Of a face that no card shows the drawing tells.
    assert leads[hypothesis("square-3")] < 0


def test_a_badge_seen_once_is_believed_where_its_drawing_agrees() -> None:
    cards = with_badge_of("square-2", "square-5")
    templates = learned("square-2", "square-5", often=False)
    for face, other in (("square-2", "square-5"), ("square-5", "square-2")):
        own = np.array([hypothesis(face)])
        assert shown_leads(cards, SHOWN, ONE, own, templates)[0, hypothesis(other)] < BADGE_LEAD


@pytest.mark.parametrize("often", [True, False])
def test_beside_shapes_a_badge_seen_counts_against_faces_that_no_card_shows(often: bool) -> None:
    """As far as those are drawn unlike it."""
    cards = with_badge_of("square-2", "square-5")
    templates = learned("square-2", "square-5", often=often)
    assert templates.learned is not None
    named = replace(templates.learned, badge_mm2=np.full(len(TEMPLATES.white), 100.0))
    templates = replace(templates, learned=named)
    scores = score_faces(cards, templates, SHOWN)
    worse = (heeding_badges(scores, cards, SHOWN, templates).misfit - scores.misfit)[0] > 0
    # The badge looks like square-5's as it is seen.
    assert worse[[hypothesis("square-3"), hypothesis("square-2")]].all()
    assert not worse[hypothesis("square-5")]


def test_a_badge_s_word_is_worth_what_names_the_card_it_was_seen_on() -> None:
    cards = with_badge_of("square-2", "circle-1")
    templates = learned("square-2", "square-5", often=True)
    assert templates.learned is not None
    scores = score_faces(cards, templates, SHOWN)
    for named_mm2 in (50.0, 10 * GAINSAID_MM2):
        told = replace(templates.learned, badge_mm2=np.full(len(TEMPLATES.white), named_mm2))
        heeded = heeding_badges(scores, cards, SHOWN, replace(templates, learned=told))
        worse = (heeded.misfit - scores.misfit)[0] * scores.area_mm2[0]
        assert worse.max() == pytest.approx(min(named_mm2, GAINSAID_MM2), rel=1e-3)


def test_badges_that_are_covered_or_cut_off_say_nothing() -> None:
    patches = with_badge_of("square-3", "circle-1")
    half = SHOWN.copy()
    half[:, TEMPLATES.grid_mm[:, 0] > 1.0] = 0
    cut_off = Patches(patches.pixels, half)
    for seen, visible in ((patches, half), (cut_off, SHOWN)):
        like = badge_likeness(seen, visible, ONE, TEMPLATES)
        assert not like.any()
        assert not badge_leads(like, np.array([hypothesis("square-3")]), TEMPLATES).any()


def test_what_is_left_of_a_washed_badge_is_heard() -> None:
    legible = with_badge_of("square-3", "circle-1")
    blank = legible.pixels.copy()
    blank[..., 3] = np.random.default_rng(2).integers(0, 40, blank.shape[:2], np.uint8)
    washed = np.full_like(SHOWN, BURNT_WEIGHT)
    own = np.array([hypothesis("square-3")])
    leads = []
    for pixels in (legible.pixels, blank):
        like = badge_likeness(Patches(pixels, washed), SHOWN, ONE, TEMPLATES)
        leads.append(badge_leads(like, own, TEMPLATES)[0, hypothesis("circle-1")])
    assert leads[0] > BADGE_LEAD
    assert leads[1] == 0


def test_a_corner_over_the_badge_leaves_it_a_witness() -> None:
    patches = with_badge_of("square-3", "circle-1")
    corner = SHOWN.copy()
    corner[:, TEMPLATES.grid_mm.sum(axis=1) > 5.5] = 0
    patches.pixels[:, corner[0] == 0] = 255
    like = badge_likeness(patches, corner, ONE, TEMPLATES)
    leads = badge_leads(like, np.array([hypothesis("square-3")]), TEMPLATES)[0]
    assert leads[hypothesis("circle-1")] > BADGE_LEAD
    assert leads[hypothesis("square-5")] > BADGE_LEAD


def test_a_smudge_is_no_witness() -> None:
    patches = with_badge_of("square-3", "circle-1")
    patches.pixels[:] = np.random.default_rng(1).integers(0, 90, patches.pixels.shape, np.uint8)
    like = badge_likeness(patches, SHOWN, ONE, TEMPLATES)
    assert not badge_leads(like, like.argmax(axis=1), TEMPLATES).any()


@pytest.mark.parametrize("shift", [(0, 0), (3, 3)])
def test_what_the_badge_gainsays_costs_more(shift: tuple[int, int]) -> None:
    patches = with_badge_of("square-2", "square-4", shift)
    scores = score_faces(patches, TEMPLATES)
    heeded = heeding_badges(scores, patches, SHOWN, TEMPLATES)
    more = (heeded.misfit - scores.misfit)[0, :72] * scores.area_mm2[0]
    own = hypothesis("square-2") + np.arange(4)
    assert np.flatnonzero(more == 0).tolist() == own.tolist()
    np.testing.assert_allclose(np.delete(more, own), GAINSAID_MM2)


def test_where_no_badge_shows_nothing_costs_more() -> None:
    patches = with_badge_of("square-2", "square-4")
    scores = score_faces(patches, TEMPLATES)
    heeded = heeding_badges(scores, patches, SHOWN * 0, TEMPLATES)
    assert (heeded.misfit == scores.misfit).all()


def test_two_badges_lead_by_no_more_than_the_likelier_leaves_unexplained() -> None:
    """Of another typeface two digits are about as unlike as each other's drawings."""
    own, other = hypothesis("square-5"), hypothesis("square-6")
    like = np.zeros((1, 4 * len(TEMPLATES.faces)))
    like[0, own : own + 4], like[0, other : other + 4] = 0.8, 0.74
    assert 0 < badge_leads(like, np.array([own]), TEMPLATES)[0, other] < BADGE_LEAD
    like[0, own : own + 4] = 0.97
    assert badge_leads(like, np.array([own]), TEMPLATES)[0, other] > BADGE_LEAD
