from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from geometry.layout import Card, Layout
from geometry.pose import Pose
from geometry.rules import Rules, Tolerance
from geometry.spread import even_spread
from geometry.verdict import Status, Verdict, judge
from measuring.scenes.true_reading import true_reading
from tests.conftest import quick_or_thorough
from tests.decks import OLDER_DECK
from tests.geometry.tables import beside, laid_on, random_table, turned_about
from tests.scenes import NAMES, scene
from vision.assemble import _allowing_for_error, _judged, assemble, middle_px
from vision.reading import Corners, Doubt, SeenCard, SeenTable
from vision.reason import Reason

DECK = OLDER_DECK
SQUARE: Corners = ((0, 0), (10, 0), (10, 10), (0, 10))
AT = (5.0, 5.0)


def seen(layout: Layout, *doubts: Doubt) -> SeenTable:
    cards = tuple(SeenCard(card.id, SQUARE, 0.9) for card in layout.cards)
    return SeenTable(layout, cards, doubts, 2.5)


@pytest.mark.parametrize("name", NAMES)
def test_the_true_layouts_give_the_true_scores_and_verdicts(name: str) -> None:
    truth = scene(name).truth
    reading = true_reading(truth)
    assert dict(reading.scores) == dict(truth.scores)
    assert dict(reading.scores_without_illegal) == dict(truth.scores_without_illegal)
    assert {item.card: item.rule for item in reading.illegal} == dict(truth.illegal)
    assert {doubt.card for doubt in reading.doubts} == set(truth.borderline)
    assert {card.id: card.visible_dots for card in reading.cards} == dict(truth.visible_dots)
    assert reading.sure


@pytest.mark.parametrize("seed", quick_or_thorough(range(40), range(10)))
def test_of_what_is_not_borderline_nothing_else_is_said_where_more_is_allowed(seed: int) -> None:
    layout = replace(random_table(seed), play_area_mm=(780.0, 520.0))
    verdicts = _judged(layout, Rules(), measured=True)
    assert verdicts == judge(layout, _allowing_for_error(Rules()))
    assert list(verdicts) == [card.id for card in layout.cards]


def test_every_card_shows_or_hides_each_of_its_dots() -> None:
    for card in true_reading(scene("full-felt").truth).cards:
        assert card.visible_dots + card.hidden_dots == len(DECK.face(card.face).dots_mm)


def test_over_names_the_cards_below() -> None:
    truth = scene("panel-oak").truth
    cards = {card.id: card for card in true_reading(truth).cards}
    for upper, lower in truth.covers.items():
        assert lower in cards[upper].over
        assert upper not in cards[lower].over


def test_free_cards_are_told() -> None:
    cards = {card.id: card for card in true_reading(scene("two-walnut").truth).cards}
    assert cards[2].free
    assert not cards[1].free


def test_the_starting_colour_has_no_score() -> None:
    assert "white" not in true_reading(scene("panel-oak").truth).scores


def test_a_borderline_card_says_what_taking_it_off_changes() -> None:
    truth = scene("two-walnut").truth
    reading = true_reading(truth)
    (doubt,) = reading.doubts
    assert doubt.card is not None
    assert doubt.kind == "verdict"
    assert not doubt.changes_scores_by
    changed = dict(reading.scores_without_illegal)
    for name, change in doubt.changes_scores_without_illegal_by.items():
        assert change != 0
        changed[name] += change
    gone = [*truth.illegal, doubt.card]
    kept = true_reading(replace(truth, layout=truth.layout.without(gone)))
    assert dict(kept.scores) == changed
    assert reading.sure
    assert not reading.sure_without_illegal


@pytest.mark.parametrize(
    ("off_mm", "as_measured", "as_it_is"),
    [(1.9, "fine", "fine"), (2.2, "fine", "asked"), (2.3, "asked", "asked"), (3.05, "no", "no")],
)
def test_what_measuring_may_add_is_allowed(off_mm: float, as_measured: str, as_it_is: str) -> None:
    below, card = laid_on("square-2", 0, "square-2", 0)
    slipped = replace(card, pose=beside(card.pose, off_mm))
    layout = Layout(DECK, (below, slipped), None)
    for measured, expected in ((True, as_measured), (False, as_it_is)):
        reading = assemble(seen(layout), Rules(), measured=measured)
        said = "no" if reading.illegal else "asked" if reading.doubts else "fine"
        assert said == expected


def slipped_by(
    off_mm: float, sigma_mm: float | None, turned_deg: float = 0.0, sigma_deg: float = 0.05
) -> SeenTable:
    """One card on another, off by so much, where cards lie to so much (sigma)."""
    below, card = laid_on("square-2", 0, "square-2", 0)
    shape = np.array(DECK.face("square-2").shapes[0].outline_mm)
    x, y = card.pose.to_table(shape).mean(axis=0).tolist()
    moved = beside(turned_about(card.pose, x, y, turned_deg), off_mm)
    table = seen(Layout(DECK, (below, replace(card, pose=moved)), None))
    spread = None if sigma_mm is None else even_spread(sigma_mm, sigma_deg)
    return replace(table, cards=tuple(replace(one, spread=spread) for one in table.cards))


@pytest.mark.parametrize(
    ("off_mm", "sigma_mm", "said"),
    [
        (0.5, 0.05, "fine"), (1.8, 0.05, "fine"), (2.05, 0.1, "fine"),
        (2.4, 0.05, "asked"), (2.9, 0.05, "asked"), (3.02, 0.05, "asked"),
        (3.3, 0.05, "no"), (4.5, 0.05, "no"),
        (1.0, 0.4, "fine"), (2.6, 0.4, "asked"), (0.5, 0.2, "fine"), (3.3, 0.3, "asked"),
        (6.0, 0.3, "no"),
    ],
)  # fmt: skip
def test_near_a_limit_a_placement_is_asked_about(off_mm: float, sigma_mm: float, said: str) -> None:
    """How near depends on how exactly the cards are seen."""
    reading = assemble(slipped_by(off_mm, sigma_mm), Rules())
    assert said == ("no" if reading.illegal else "asked" if reading.doubts else "fine")
    if said == "asked":
        (doubt,) = reading.doubts
        assert doubt.kind == "verdict"
        assert doubt.offset_mm == pytest.approx(off_mm, abs=1e-6)
        assert doubt.offset_deg == pytest.approx(0.0, abs=1e-6)
        assert doubt.reason.code == "misaligned-borderline"
        assert reading.sure
        assert reading.sure_without_illegal == (not doubt.changes_scores_without_illegal_by)
        assert doubt.changes_scores_without_illegal_by


def test_a_doubt_near_a_limit_says_how_probable_each_answer_is() -> None:
    odds = []
    for off_mm in (2.5, 2.9, 3.02):
        (doubt,) = assemble(slipped_by(off_mm, 0.1), Rules()).doubts
        (_, legal, first), (_, not_legal, second) = (
            (one.answer, one.value, one.log_odds) for one in doubt.odds
        )
        assert (legal, not_legal, first) == (True, False, 0.0)
        odds.append(second)
    assert odds[0] < -2.0 < odds[1] < -0.3 < odds[2]


def test_a_doubt_about_an_angle_says_that_it_is_one() -> None:
    (doubt,) = assemble(slipped_by(0.0, 0.05, 4.1, 0.4), Rules()).doubts
    assert doubt.offset_deg == pytest.approx(4.1)
    assert doubt.reason.code == "misaligned-deg-borderline"


def test_without_how_exactly_a_card_is_seen_it_is_judged_as_before() -> None:
    for off_mm, said in ((2.2, "fine"), (2.9, "asked"), (3.02, "no")):
        reading = assemble(slipped_by(off_mm, None), Rules())
        assert said == ("no" if reading.illegal else "asked" if reading.doubts else "fine")


def test_what_is_true_is_not_uncertain() -> None:
    assert assemble(slipped_by(3.02, 0.3), Rules(), measured=False).illegal


def test_what_is_illegal_is_so_however_it_was_measured() -> None:
    below, card = laid_on("square-2", 0, "square-2", 0)
    layout = Layout(DECK, (below, replace(card, pose=beside(card.pose, 2.05))), None)
    assert assemble(seen(layout), Rules(Tolerance(legal_mm=2.0, illegal_mm=2.0))).illegal


def test_a_doubt_lies_on_its_card() -> None:
    reading = true_reading(scene("two-walnut").truth)
    (doubt,) = reading.doubts
    card = next(card for card in reading.cards if card.id == doubt.card)
    corners = np.array(card.outline_px)
    assert np.all(corners.min(axis=0) < doubt.at_px)
    assert np.all(corners.max(axis=0) > doubt.at_px)


def pile(*poses: tuple[str, str, float, float]) -> Layout:
    cards = (Card(i, colour, face, Pose(x, y, 0)) for i, (colour, face, x, y) in enumerate(poses))
    return Layout(DECK, tuple(cards), (600.0, 600.0))


def test_two_borderline_cards_that_hide_the_same_dots_are_both_doubted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Taking either off alone changes nothing; the dots below show when both go."""
    monkeypatch.setattr(
        "vision.assemble.judge",
        lambda layout, rules, of=None: {
            card.id: Verdict(card.id, "borderline" if card.id else "legal", "mismatched", (0,))
            for card in layout.cards
        },
    )
    blank = ("white", "start", 200.0, 200.0)
    table = pile(("orange", "circle-6", 200.0, 200.0), blank, blank)
    reading = assemble(seen(table), Rules())
    assert dict(reading.scores_without_illegal) == {"orange": 0}
    stakes = [dict(doubt.changes_scores_without_illegal_by) for doubt in reading.doubts]
    assert stakes == [{"orange": 6}, {"orange": 6}]
    assert not reading.sure_without_illegal


def test_what_an_illegal_card_hides_counts_when_a_borderline_one_is_taken_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The illegal card goes first (E2), so that all dots of the borderline one are at stake."""
    status: dict[int, Status] = {0: "legal", 1: "borderline", 2: "illegal"}
    monkeypatch.setattr(
        "vision.assemble.judge",
        lambda layout, rules, of=None: {
            card.id: Verdict(card.id, status[card.id], "overhang", (0,)) for card in layout.cards
        },
    )
    half = ("white", "start", 200.0, 240.0)
    table = pile(("orange", "circle-6", 400, 400), ("blue", "circle-6", 200, 200), half)
    reading = assemble(seen(table), Rules())
    assert 0 < reading.scores["blue"] < 6
    (doubt,) = reading.doubts
    assert doubt.changes_scores_without_illegal_by == {"blue": -6}


DOUBT = Doubt("dot", 0, AT, Reason("dot-unexplained"), {"orange": 1})


@pytest.mark.parametrize(
    ("doubt", "sure", "sure_without_illegal"),
    [
        (None, True, True),
        (replace(DOUBT, changes_scores_by={}), True, True),
        (DOUBT, False, False),
        (replace(DOUBT, changes_scores_without_illegal_by={"orange": 1}), False, False),
        (
            replace(DOUBT, changes_scores_by={}, changes_scores_without_illegal_by={"orange": 1}),
            True,
            False,
        ),
    ],
)
def test_a_doubt_takes_the_sureness(
    doubt: Doubt | None, sure: bool, sure_without_illegal: bool
) -> None:
    table = seen(pile(("orange", "circle-6", 200, 200)), *([] if doubt is None else [doubt]))
    reading = assemble(table, Rules())
    assert (reading.sure, reading.sure_without_illegal) == (sure, sure_without_illegal)
    assert reading.doubts == table.doubts


def test_seen_cards_must_be_the_layout_s() -> None:
    table = seen(pile(("orange", "circle-6", 200, 200)))
    with pytest.raises(ValueError, match="expected the layout's cards"):
        assemble(replace(table, cards=()), Rules())
    with pytest.raises(ValueError, match="expected the layout's cards"):
        assemble(replace(table, cards=table.cards * 2), Rules())


def test_the_middle_is_where_the_diagonals_cross() -> None:
    assert middle_px(((0, 0), (4, 0), (4, 2), (0, 2))) == pytest.approx((2, 1))
    assert middle_px(((0, 0), (6, 0), (4, 2), (2, 2))) == pytest.approx((3, 1.5))
    assert middle_px(((0, 0), (1, 1), (2, 2), (3, 3))) == pytest.approx((1.5, 1.5))
