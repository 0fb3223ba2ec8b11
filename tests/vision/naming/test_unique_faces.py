from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.naming.badge_hypotheses import SHOWN, hypothesis, with_badge_of
from tests.vision.naming.named_tables import TEMPLATES
from vision.naming.badge_correlation import BADGE_LEAD
from vision.naming.colours import Naming
from vision.naming.faces import FaceScores, score_faces
from vision.naming.name_cards import Named, choose
from vision.naming.unique_faces import (
    LEAST_APART_MM2,
    LEAST_LEADS,
    NEAR_LEAD,
    WIDE_MM2,
    Choice,
    Choices,
    CompareFaces,
    DealtCards,
    FaceWitnesses,
    FloatArray,
    Ints,
    Witness,
    find_choices,
    hypothesis_leads,
    near_faces,
    settle_faces,
)

FACES = 5
START_ROW = 2 * FACES
WORST = 0.9
SHOWN_MM2 = 100.0
SURE_ODDS = 50.0


def scores_of(
    *cards: dict[tuple[int, int, int], float], area_mm2: tuple[float, ...] = ()
) -> FaceScores:
    """Misfits by (face, mirrored, turned); all others fit badly. The starting face is last."""
    misfit = np.full((len(cards), 4 * (FACES + 1)), WORST)
    for i, card in enumerate(cards):
        for (face, mirrored, turned), value in card.items():
            misfit[i, 4 * face + 2 * mirrored + turned] = value
    count = len(cards)
    area = np.array(area_mm2 or (SHOWN_MM2,) * count)
    grey = np.zeros((count, 3))
    none = np.zeros((count, 0), np.float32)
    return FaceScores(misfit, np.ones(count), grey, np.ones(count), area, grey, none, none, none)


def naming_of(colours: list[int]) -> Naming:
    return Naming(np.array(colours), np.ones(len(colours)), np.array(colours))


def looked_at(scores: FaceScores, colours: list[int]) -> tuple[Named, FaceScores]:
    """The cards named one by one, and the scores at the poses as they then lie."""
    named = choose(np.zeros((len(colours), 3)), scores, start_too=True)
    turned = np.rint(named.poses[:, 2] / np.pi).astype(int) % 2
    misfit = scores.misfit.reshape(len(colours), -1, 2).copy()
    for i in np.flatnonzero(turned):
        misfit[i] = misfit[i, :, ::-1]
    return named, replace(scores, misfit=misfit.reshape(scores.misfit.shape))


def settled(scores: FaceScores, colours: list[int]) -> Named:
    named, again = looked_at(scores, colours)
    return settle_faces(named, again, naming_of(colours), START_ROW)[0]


def no_badges(cards: Ints) -> FloatArray:
    """Badges that say nothing."""
    return np.zeros((len(cards), 4 * (FACES + 1)))


ALL_DIFFER = np.eye(4 * (FACES + 1), dtype=np.bool_)


def choices_of(
    scores: FaceScores,
    colours: list[int],
    apart_mm2: NDArray[np.float64] | float,
    alike: NDArray[np.bool_] = ALL_DIFFER,
    told: CompareFaces | None = None,
    badges: Witness = no_badges,
    odds: NDArray[np.float64] | float = np.nan,
) -> tuple[Named, Choices]:
    """The choices where the hypotheses differ on so much of each card; without `told` nothing is
    spoilt, and a closer look shows what is seen anyway.
    """
    named, again = looked_at(scores, colours)
    naming = naming_of(colours)
    named, best = settle_faces(named, again, naming, START_ROW)
    apart = np.broadcast_to(apart_mm2, again.misfit.shape).copy()

    costs = again.misfit * again.area_mm2[:, None]
    gaps = costs - np.take_along_axis(costs, best[:, None], axis=1)

    def unspoilt(cards: Ints, others: Ints) -> tuple[FloatArray, FloatArray, FloatArray]:
        return gaps[cards, others], apart[cards, others], apart[cards, others]

    likely = np.broadcast_to(odds, again.misfit.shape).copy()
    near = gaps / np.maximum(apart, LEAST_APART_MM2) < NEAR_LEAD
    witnesses = FaceWitnesses(told or unspoilt, badges, near, likely, SURE_ODDS)
    dealt = DealtCards(named, naming, again, best, START_ROW)
    return find_choices(dealt, apart, alike, witnesses)


def test_what_a_badge_gainsays_is_closed() -> None:
    scores = scores_of(LIKES_3_OR_2)
    assert faces_open(choices_of(scores, [0], 100.0)[1]) == [[2]]

    def badges(cards: Ints) -> FloatArray:
        leads = no_badges(cards)
        leads[:, 4 * 2 : 4 * 3] = BADGE_LEAD
        return leads

    assert faces_open(choices_of(scores, [0], 100.0, badges=badges)[1]) == [[]]


@pytest.mark.parametrize(("log_odds", "open_"), [(-51.0, []), (-49.0, [2]), (np.nan, [2])])
def test_what_is_plainly_less_likely_is_closed(log_odds: float, open_: list[int]) -> None:
    scores = scores_of(LIKES_3_OR_2)
    odds = np.full(scores.misfit.shape, np.nan)
    odds[:, 4 * 2 : 4 * 3] = log_odds
    assert faces_open(choices_of(scores, [0], 100.0, odds=odds)[1]) == [open_]


@pytest.mark.parametrize(("share", "open_"), [(0.55, [[3], [2]]), (0.15, [[], []])])
def test_what_is_less_likely_stays_open_where_it_is_plainly_better_drawn(
    share: float, open_: list[list[int]]
) -> None:
    """Each has the face that the other's drawing is nearer to: the deal of the colour has it so."""
    better = 0.40 - share * 100 / SHOWN_MM2
    scores = scores_of({(3, 0, 0): better, (2, 0, 0): 0.40}, {(3, 0, 0): 0.10, (2, 0, 0): 0.90})
    odds = np.full(scores.misfit.shape, np.nan)
    odds[0, 4 * 3] = -51.0
    odds[1, 4 * 2] = 51.0
    assert faces_open(choices_of(scores, [0, 0], 100.0, odds=odds)[1]) == open_


@pytest.mark.parametrize(("log_odds", "open_"), [(51.0, [1]), (49.0, []), (np.nan, [])])
def test_what_is_plainly_likelier_is_open_whatever_else_tells(
    log_odds: float, open_: list[int]
) -> None:
    scores = scores_of({(3, 0, 0): 0.20})
    odds = np.full(scores.misfit.shape, np.nan)
    odds[:, 4 * 1] = log_odds
    assert faces_open(choices_of(scores, [0], 100.0, odds=odds)[1]) == [open_]


@pytest.mark.parametrize(
    ("left", "lead", "open_"),
    [
        (0.0, 0.0, [1]),
        (0.5, -0.9, [1]),
        (0.5, LEAST_LEADS[1] - 0.02, [1]),
        (0.5, LEAST_LEADS[1] + 0.02, []),
    ],
)
def test_what_only_glare_and_clutter_tell_apart_is_open(
    left: float, lead: float, open_: list[int]
) -> None:
    """The own face leads by half of all that differs; without what is spoilt there is less."""
    apart_mm2 = 4 * WIDE_MM2
    scores = scores_of({(3, 0, 0): 0.1, (1, 0, 0): 0.1 + 0.5 * apart_mm2 / SHOWN_MM2})
    scores.misfit[scores.misfit == WORST] = 20.0
    apart = np.full((1, 4 * (FACES + 1)), 10 * SHOWN_MM2)
    apart[0, [4, 12]] = apart_mm2, 0

    def told(cards: Ints, _others: Ints) -> tuple[FloatArray, FloatArray, FloatArray]:
        there = np.full(len(cards), left * apart_mm2)
        return lead * there, there, there

    assert faces_open(choices_of(scores, [0], apart)[1]) == [[]]
    assert faces_open(choices_of(scores, [0], apart, told=told)[1]) == [open_]


def faces_of(named: Named) -> list[int]:
    return [int(row) // 2 for row in named.rows]


def faces_open(choices: Choices) -> list[list[int]]:
    return [[choice.row // 2 for choice in card] for card in choices]


LIKES_3 = {(3, 0, 0): 0.10, (1, 0, 0): 0.30, (2, 0, 0): 0.50}
LIKES_3_OR_2 = {(3, 0, 0): 0.20, (2, 0, 0): 0.25, (1, 0, 0): 0.60}


@pytest.mark.parametrize(("lead", "near"), [(0.0, True), (BADGE_LEAD, False)])
def test_a_face_of_like_shapes_is_near_unless_the_badge_plainly_gainsays_it(
    lead: float, near: bool
) -> None:
    """The two differ on a corner that another card hides, and by their badges."""
    patches = with_badge_of("triangle-4", "circle-3")
    visible = SHOWN * (TEMPLATES.grid_mm[:, 1] > -15.0)
    scores = score_faces(patches, TEMPLATES, visible)
    own, other, third = (hypothesis(name) for name in ("triangle-4", "circle-3", "square-5"))
    best = np.array([own])
    assert hypothesis_leads(scores, best, TEMPLATES)[0, other] > NEAR_LEAD

    def badges(cards: Ints) -> FloatArray:
        return np.full((len(cards), scores.misfit.shape[1]), lead)

    found = near_faces(scores, best, badges, TEMPLATES)[0]
    assert found[other] == near
    assert not found[third]


def test_two_cards_with_the_same_best_face_are_dealt_apart() -> None:
    assert faces_of(choose(np.zeros((2, 3)), scores_of(LIKES_3, LIKES_3_OR_2))) == [3, 3]
    named = settled(scores_of(LIKES_3, LIKES_3_OR_2), [0, 0])
    assert faces_of(named) == [3, 2]
    np.testing.assert_allclose(named.fit, [0.10, 0.25])


def test_the_misfits_together_decide_and_not_the_first_card() -> None:
    """The second fits face 3 worse than the first does, but has nothing else."""
    stubborn = {(3, 0, 0): 0.20, (2, 0, 0): 0.80}
    assert faces_of(settled(scores_of(LIKES_3, stubborn), [0, 0])) == [1, 3]


def test_a_card_of_which_more_shows_says_more() -> None:
    """Of two cards that want face 3 the one that shows has it, though the other's gap is wider."""
    shy = {(3, 0, 0): 0.10, (1, 0, 0): 0.40}
    plain = {(3, 0, 0): 0.10, (1, 0, 0): 0.20}
    assert faces_of(settled(scores_of(shy, plain), [0, 0])) == [3, 1]
    assert faces_of(settled(scores_of(shy, plain, area_mm2=(20.0, 100.0)), [0, 0])) == [1, 3]


def test_other_colours_have_faces_of_their_own() -> None:
    assert faces_of(settled(scores_of(LIKES_3, LIKES_3_OR_2), [0, 1])) == [3, 3]


@pytest.mark.parametrize(("mirrored", "turned"), [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_side_and_turn_of_the_face_dealt(mirrored: int, turned: int) -> None:
    """The second card keeps face 3; the first must take face 1, as it fits best."""
    first = {(3, 0, 0): 0.10, (1, mirrored, turned): 0.15}
    named = settled(scores_of(first, {(3, 0, 0): 0.11}), [0, 0])
    assert named.rows.tolist() == [2 + mirrored, 6]
    assert np.cos(named.poses[0, 2]) == pytest.approx(1 - 2 * turned)


def test_the_hypotheses_taken_are_named_too() -> None:
    first = {(3, 0, 0): 0.10, (1, 1, 1): 0.15}
    scores = scores_of(first, {(3, 0, 0): 0.11}, {(FACES, 0, 0): 0.1})
    named, again = looked_at(scores, [0, 0, 0])
    _, best = settle_faces(named, again, naming_of([0, 0, 0]), START_ROW)
    assert best.tolist() == [4 + 3, 12, 4 * FACES]


def test_starting_cards_stay_as_they_are() -> None:
    start = {(FACES, 0, 0): 0.1, (3, 0, 0): 0.2}
    assert faces_of(settled(scores_of(LIKES_3, start), [0, 0])) == [3, FACES]


def test_more_cards_than_faces_are_left_alone() -> None:
    named = settled(scores_of(*[LIKES_3] * (FACES + 1)), [0] * (FACES + 1))
    assert faces_of(named) == [3] * (FACES + 1)


NARROW, WIDE = LEAST_LEADS


@pytest.mark.parametrize(
    ("apart_mm2", "lead", "open_"),
    [
        (LEAST_APART_MM2, NARROW - 0.02, True),
        (LEAST_APART_MM2, NARROW + 0.02, False),
        (WIDE_MM2, NARROW - 0.02, False),
        (WIDE_MM2, WIDE - 0.02, True),
        (2 * WIDE_MM2, WIDE + 0.02, False),
        (2 * WIDE_MM2, WIDE - 0.02, True),
        ((LEAST_APART_MM2 + WIDE_MM2) / 2, (NARROW + WIDE) / 2 - 0.02, True),
        ((LEAST_APART_MM2 + WIDE_MM2) / 2, (NARROW + WIDE) / 2 + 0.02, False),
    ],
)
def test_the_right_face_explains_most_of_what_differs_and_less_of_what_differs_widely(
    apart_mm2: float, lead: float, open_: bool
) -> None:
    gap = lead * apart_mm2 / SHOWN_MM2
    card = {(3, 0, 0): 0.1, (1, 0, 0): 0.1 + gap}
    apart = np.full((1, 4 * (FACES + 1)), 10 * SHOWN_MM2)
    apart[0, [4, 12]] = apart_mm2, 0
    scores = scores_of(card)
    scores.misfit[scores.misfit == WORST] = 20.0
    named, choices = choices_of(scores, [0], apart)
    assert faces_open(choices) == [[1] * open_]
    assert named.margin[0] == pytest.approx(lead)


def test_faces_that_differ_on_less_than_a_fifth_of_a_dot_cannot_be_told_apart() -> None:
    """However much better one of them fits: on so little it may be dirt."""
    apart = np.full((1, 4 * (FACES + 1)), SHOWN_MM2)
    apart[0, 4] = LEAST_APART_MM2 - 0.1
    _, choices = choices_of(scores_of({(3, 0, 0): 0.1}), [0], apart)
    assert faces_open(choices) == [[1]]


def test_choices_come_nearest_first_and_say_how_the_card_would_lie() -> None:
    """The card is read as face 3, its back, turned; what is said of the others is against that."""
    card = {(3, 1, 1): 0.10, (1, 0, 1): 0.14, (2, 1, 0): 0.12, (3, 0, 0): 0.13}
    named, choices = choices_of(scores_of(card), [0], SHOWN_MM2)
    assert (named.rows[0], np.cos(named.poses[0, 2])) == (7, pytest.approx(-1))
    assert choices == ((Choice(5, True), Choice(6, True), Choice(2, False)),)


def test_a_card_that_looks_like_nothing_else_has_no_choice() -> None:
    named, choices = choices_of(scores_of({(3, 0, 0): 0.1}), [0], 50.0)
    assert choices == ((),)
    assert named.margin[0] == 1.0


def test_nobody_may_be_the_starting_card_and_it_may_be_nobody_else() -> None:
    player = {(3, 0, 0): 0.10, (FACES, 0, 0): 0.11}
    start = {(FACES, 0, 0): 0.1, (3, 0, 0): 0.11}
    _, choices = choices_of(scores_of(player, start), [0, 6], SHOWN_MM2)
    assert choices == ((), ())


SURE_1 = {(1, 0, 0): 0.1}
ONE_OR_2 = {(2, 0, 0): 0.10, (1, 0, 0): 0.12}
TWO_OR_3 = {(3, 0, 0): 0.10, (2, 0, 0): 0.12}


def test_two_cards_may_have_each_other_s_face() -> None:
    both = {(1, 0, 0): 0.10, (2, 0, 0): 0.11}
    _, choices = choices_of(scores_of(both, both), [0, 0], SHOWN_MM2)
    assert sorted(faces_open(choices)) == [[1], [2]]


def test_a_face_that_another_card_surely_has_is_no_choice() -> None:
    _, choices = choices_of(scores_of(ONE_OR_2, SURE_1), [0, 0], SHOWN_MM2)
    assert choices == ((), ())
    _, elsewhere = choices_of(scores_of(ONE_OR_2, SURE_1), [0, 1], SHOWN_MM2)
    assert faces_open(elsewhere) == [[1], []]


def test_what_is_sure_then_makes_others_sure() -> None:
    """The last card's face is sure, so the middle one's is, and so the first one's."""
    _, choices = choices_of(scores_of(TWO_OR_3, ONE_OR_2, SURE_1), [0, 0, 0], SHOWN_MM2)
    assert choices == ((), (), ())
    _, without = choices_of(scores_of(TWO_OR_3, ONE_OR_2), [0, 0], SHOWN_MM2)
    assert faces_open(without) == [[2], [1]]


def test_the_own_face_s_other_side_stays_a_choice() -> None:
    """That a card surely has its face does not say which way it lies."""
    card = {(3, 0, 0): 0.10, (3, 1, 0): 0.11, (1, 0, 0): 0.12}
    _, choices = choices_of(scores_of(card, SURE_1), [0, 0], SHOWN_MM2)
    assert choices == ((Choice(7, False),), ())


def test_what_looks_the_same_anyhow_is_no_choice() -> None:
    """Face 3 is its own mirror image: its back, turned, is not another reading of it."""
    card = {(3, 0, 0): 0.10, (3, 1, 1): 0.10, (3, 1, 0): 0.11}
    alike = ALL_DIFFER.copy()
    alike[12, 15] = alike[15, 12] = True
    named, choices = choices_of(scores_of(card), [0], SHOWN_MM2, alike)
    assert choices == ((Choice(7, False),),)
    assert named.margin[0] == pytest.approx(0.01)
    _, without = choices_of(scores_of(card), [0], SHOWN_MM2)
    assert without == ((Choice(7, True), Choice(7, False)),)
