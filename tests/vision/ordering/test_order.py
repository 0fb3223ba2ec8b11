from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.comparing import compare_pairs
from tests.vision.drawing.drawn_cards import DECK, DrawnCard, drawn_evidence
from tests.vision.ordering.ordered_cards import LOWER, TEMPLATES, UPPER, drawing_of
from vision.drawing.coverage import COVER_DENSITY, cover, top_map
from vision.evidence import observe
from vision.naming.faces import BURNT_WEIGHT
from vision.naming.name_cards import Named
from vision.ordering import order
from vision.ordering.order import (
    LEAST_LEAD,
    LEAST_LIT,
    LEAST_PLACES,
    MANY_PLACES,
    NO_PAIRS,
    PLAIN_LEAD,
    PairEvidence,
    bottom_up,
    compare_under_others,
    swapped,
)
from vision.ordering.stacking import Stack, stack_up

CORNER = DrawnCard("triangle-3", "blue", (134.0, 95.0, 0.2))


def pairs_of(
    *bottom_up_cards: DrawnCard,
    listed: list[int] | None = None,
    burnt: float = 0.0,
    thinning: Mapping[int, int] = order.FINE,
) -> PairEvidence:
    """The pairs' evidence with the cards listed in another order than they lie.

    `burnt` is how much of the cards, from the left, is burnt out.
    """
    cards = [bottom_up_cards[k] for k in listed or range(len(bottom_up_cards))]
    evidence = drawn_evidence(*bottom_up_cards)
    drawing, patches = drawing_of(evidence, *cards)
    weight = patches.weight.reshape(-1, *TEMPLATES.shape_hw).copy()
    weight[:, :, : round(burnt * weight.shape[2])] = BURNT_WEIGHT
    patches = replace(patches, weight=weight.reshape(patches.weight.shape))
    coverage = cover(evidence.raster, drawing.poses, DECK.card)
    return compare_pairs(drawing, patches, coverage, TEMPLATES, thinning=thinning)


@pytest.mark.parametrize("listed", [[0, 1], [1, 0]])
@pytest.mark.parametrize("upper", [UPPER, DrawnCard("square-2", "green", (75.0, 75.0, 1.2))])
def test_the_card_drawn_last_lies_on_top(listed: list[int], upper: DrawnCard) -> None:
    """Whichever is listed first, and in another colour or the same."""
    found = pairs_of(LOWER, upper, listed=listed)
    assert found.pairs.tolist() == [[0, 1]]
    lead = found.lead[0] if listed == [1, 0] else -found.lead[0]
    assert lead > 0.4


def test_inks_far_apart_lead_by_all_they_could() -> None:
    """The same shapes in another colour, exactly over the first ones: only inks differ."""
    low = DrawnCard("circle-4", "green", (50.0, 60.0, 0.0))
    high = replace(low, colour="pink")
    evidence = drawn_evidence(low, high)
    drawing, patches = drawing_of(evidence, low, high)
    hidden = drawing_of(drawn_evidence(low), low)[0].ink[0]
    drawing = replace(drawing, ink=np.array([hidden, drawing.ink[1]]))
    found = compare_pairs(
        drawing, patches, cover(evidence.raster, drawing.poses, DECK.card), TEMPLATES
    )
    assert found.lead[0] == pytest.approx(-1.0, abs=0.1)


def test_a_coarse_map_weighs_a_pair_as_a_fine_one_does() -> None:
    """Its places stand for as many as they leave out."""
    evidence = drawn_evidence(LOWER, UPPER)
    drawing, patches = drawing_of(evidence, LOWER, UPPER)
    fine, rough = (
        compare_pairs(
            drawing, patches, cover(evidence.raster, drawing.poses, DECK.card, 0.0, density),
            TEMPLATES, thinning=thinning,
        )
        for density, thinning in ((COVER_DENSITY, order.FINE), (order.ROUGH_DENSITY, order.ROUGH))
    )  # fmt: skip
    assert rough.pairs.tolist() == fine.pairs.tolist() == [[0, 1]]
    assert rough.lead[0] == pytest.approx(fine.lead[0], abs=0.15)
    assert rough.places[0] == pytest.approx(fine.places[0], rel=0.2)


def test_turning_the_pile_over_turns_the_lead_over() -> None:
    assert pairs_of(LOWER, UPPER).lead[0] < -0.4
    assert pairs_of(UPPER, LOWER, listed=[1, 0]).lead[0] > 0.4


def test_a_small_overlap_is_told_too_and_apart_is_no_pair() -> None:
    found = pairs_of(UPPER, CORNER, LOWER)
    assert found.pairs.tolist() == [[0, 1], [0, 2]]
    small, wide = found.places
    assert 6 < small < wide / 3
    assert found.lead[0] < -0.3
    assert found.lead[1] < -0.3


@pytest.mark.parametrize("thinning", [order.FINE, order.ROUGH])
def test_thinning_changes_neither_the_lead_nor_the_places(thinning: Mapping[int, int]) -> None:
    thinned = pairs_of(LOWER, UPPER, thinning=thinning)
    whole = pairs_of(LOWER, UPPER, thinning={})
    assert thinned.lead[0] == pytest.approx(whole.lead[0], abs=0.05)
    assert thinned.places[0] == pytest.approx(whole.places[0], rel=0.1)


def test_no_overlap_no_evidence() -> None:
    found = pairs_of(LOWER, CORNER)
    assert found.pairs.shape == (0, 2)
    assert len(found.lead) == len(found.places) == 0


def test_burnt_places_do_not_tell_and_are_counted_as_lost() -> None:
    clear = pairs_of(LOWER, UPPER)
    assert clear.lost.tolist() == [0]
    assert clear.clear.tolist() == [True]
    half = pairs_of(LOWER, UPPER, burnt=0.5)
    assert half.lost[0] > 50
    assert half.lost[0] + half.places[0] == pytest.approx(clear.places[0], rel=0.1)
    gone = pairs_of(LOWER, UPPER, burnt=1.0)
    assert gone.places.tolist() == [0]
    assert gone.lost[0] == pytest.approx(clear.places[0], rel=0.1)
    assert gone.clear.tolist() == [False]


@pytest.mark.parametrize(
    ("lead", "places", "lost", "clear"),
    [
        (LEAST_LEAD + 0.01, 600, 0, True),
        (-LEAST_LEAD - 0.01, 600, 0, True),
        (LEAST_LEAD - 0.01, 1000, 0, False),
        (LEAST_LEAD + 0.01, 270, 0, False),
        (1.0, 40, 0, False),
        (1.0, 60, 0, True),
        (9.0, LEAST_PLACES - 1, 0, False),
        (0.9, 100, 100 / LEAST_LIT - 1, True),
        (0.9, 100, 100 / LEAST_LIT + 1, False),
        (PLAIN_LEAD + 0.01, MANY_PLACES, 100 * MANY_PLACES, True),
        (PLAIN_LEAD - 0.01, MANY_PLACES, 100 * MANY_PLACES, False),
    ],
    ids=[
        "lead",
        "lead of the other",
        "even",
        "small lead",
        "sliver",
        "small",
        "tiny",
        "half burnt",
        "nearly all burnt",
        "wide and plain",
        "wide and not plain",
    ],
)
def test_who_plainly_lies_on_top(lead: float, places: int, lost: float, clear: bool) -> None:
    found = PairEvidence(
        np.array([[0, 1]]), np.array([lead]), np.array([places]), np.array([int(lost)])
    )
    assert found.clear.tolist() == [clear]


def test_evidence_of_pairs_can_be_taken_and_joined() -> None:
    many = PairEvidence(
        np.array([[0, 1], [0, 2], [1, 2]]), np.array([0.1, 0.2, 0.3]), np.array([7, 8, 9]),
        np.array([1, 2, 3]),
    )  # fmt: skip
    two = many.take(np.array([True, False, True]))
    both = two.joined(many.take(np.array([False, True, False]))).joined(NO_PAIRS)
    assert both.pairs.tolist() == [[0, 1], [1, 2], [0, 2]]
    assert both.lead.tolist() == [0.1, 0.3, 0.2]
    assert both.places.tolist() == [7, 9, 8]
    assert both.lost.tolist() == [1, 3, 2]


BASE = DrawnCard("circle-5", "blue", (60.0, 90.0, 0.0))
LEFT = DrawnCard("circle-4", "green", (36.0, 70.0, 0.0))
RIGHT = DrawnCard("square-2", "red", (84.0, 110.0, 0.0))
"""These two overlap in a strip 10 mm wide, all of it on the first."""
OVER_BOTH = DrawnCard("triangle-3", "orange", (60.0, 90.0, 0.0))


def stacked(*bottom_up_cards: DrawnCard, listed: list[int]) -> Stack:
    cards = [bottom_up_cards[k] for k in listed]
    evidence = drawn_evidence(*bottom_up_cards)
    drawing, _ = drawing_of(evidence, *cards)
    count = len(cards)
    named = Named(drawing.poses, drawing.rows, np.full(count, 0.2), np.ones(count), drawing.ink)
    return stack_up(evidence, named, DECK, TEMPLATES)


def under_others(
    *bottom_up_cards: DrawnCard, order: list[int], pairs: list[list[int]]
) -> PairEvidence:
    evidence = drawn_evidence(*bottom_up_cards)
    drawing, patches = drawing_of(evidence, *bottom_up_cards)
    top = top_map(evidence.raster, drawing.poses, order, DECK.card)
    return compare_under_others(drawing, patches, top, np.array(pairs), TEMPLATES)


@pytest.mark.parametrize("cards", [(BASE, LEFT, RIGHT), (BASE, RIGHT, LEFT)])
@pytest.mark.parametrize("guessed", [[0, 1, 2], [0, 2, 1]])
def test_a_pair_that_lies_on_a_third_card_is_weighed_where_either_shows(
    cards: tuple[DrawnCard, ...], guessed: list[int]
) -> None:
    """All of their overlap has three bodies; whichever was thought to show, the upper is told."""
    evidence = drawn_evidence(*cards)
    drawing, patches = drawing_of(evidence, *cards)
    alone = compare_pairs(
        drawing, patches, cover(evidence.raster, drawing.poses, DECK.card), TEMPLATES
    )
    assert alone.pairs.tolist() == [[0, 1], [0, 2]]
    more = under_others(*cards, order=guessed, pairs=[[1, 2]])
    assert more.pairs.tolist() == [[1, 2]]
    assert more.lead[0] < -0.4
    assert more.clear.tolist() == [True]


def test_of_a_pair_all_covered_nothing_is_said() -> None:
    found = under_others(LEFT, RIGHT, OVER_BOTH, order=[0, 1, 2], pairs=[[0, 1]])
    assert found.pairs.shape == (0, 2)


@pytest.mark.parametrize("listed", [[0, 1, 2], [1, 0, 2], [2, 1, 0]])
@pytest.mark.parametrize("cards", [(BASE, LEFT, RIGHT), (BASE, RIGHT, LEFT)])
def test_the_stack_merges_what_pairs_say_alone_and_on_others(
    cards: tuple[DrawnCard, ...], listed: list[int]
) -> None:
    stack = stacked(*cards, listed=listed)
    assert [listed[k] for k in stack.order] == [0, 1, 2]
    assert sorted(stack.pairs.pairs.tolist()) == [[0, 1], [0, 2], [1, 2]]
    assert stack.pairs.clear.all()
    assert stack.against == []


def test_another_witness_tells_but_does_not_gainsay() -> None:
    pairs = PairEvidence(
        np.array([[0, 1], [0, 2], [1, 2]]), np.array([0.0, -0.49, -0.5]), np.array([0, 400, 40]),
        np.array([9, 90_000, 9]),
    )  # fmt: skip
    found = pairs.told_anew(np.array([0, 1, 2]), np.array([1.0, 1.0, 1.0]), np.array([200] * 3))
    assert found.lead.tolist() == [1.0, -0.49, 1.0]
    assert found.clear.tolist() == [True, False, True]
    assert found.lost.tolist() == [0, 90_000, 0]
    assert pairs.lead.tolist() == [0.0, -0.49, -0.5]


def test_a_pair_of_which_nothing_shows_stays_in_the_stack_as_unclear() -> None:
    stack = stacked(LEFT, RIGHT, OVER_BOTH, listed=[0, 1, 2])
    hidden = stack.pairs.pairs.tolist().index([0, 1])
    assert not stack.pairs.clear[hidden]
    assert stack.pairs.places[hidden] == 0
    assert stack.pairs.clear.sum() == 2
    assert stack.order[-1] == 2


PAIRS = np.array([[0, 1], [1, 2], [0, 2], [1, 3]])


@pytest.mark.parametrize("listed", [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 4, 1, 3, 0]])
def test_what_a_third_card_hides_is_not_told_by_that_card_s_own_looks(listed: list[int]) -> None:
    """The last but two lies on two cards, and so seems to lie high up; but wherever it overlaps the
    two last ones, the last lies over all.
    """
    lower = DrawnCard("circle-5", "blue", (130.0, 98.0, 0.0))
    upper = DrawnCard("circle-4", "green", (130.0, 90.0, 0.0))
    left = [DrawnCard("circle-1", "pink", (31.0, y, 0.0)) for y in (70.0, 110.0)]
    beside = DrawnCard("square-4", "red", (66.5, 94.0, np.pi / 2))
    stack = stacked(*left, beside, lower, upper, listed=listed)
    told = dict(zip(map(tuple, stack.pairs.pairs.tolist()), stack.pairs.clear, strict=True))
    at = [listed.index(k) for k in range(5)]
    assert not told[min(at[2], at[3]), max(at[2], at[3])]
    assert told[min(at[2], at[4]), max(at[2], at[4])]
    assert stack.order.index(at[4]) > max(stack.order.index(at[2]), stack.order.index(at[3]))


def test_two_cards_are_swapped_and_all_other_pairs_stay() -> None:
    other = swapped(told(PAIRS), [0, 1, 2, 3], 2, 1)
    assert other is not None
    rank = [other.index(card) for card in range(4)]
    assert rank[2] < rank[1] < rank[3]
    assert rank[0] < min(rank[1:])


def test_what_lies_between_two_cards_does_not_let_them_swap() -> None:
    """The lowest cannot lie on the highest while the middle one lies on it and under that."""
    assert swapped(told(PAIRS), [0, 1, 2, 3], 2, 0) is None
    assert swapped(told(PAIRS[[0, 2, 3]]), [0, 1, 2, 3], 2, 0) is not None


@pytest.mark.parametrize("unclear", [[0, 1], [1, 2]])
def test_what_is_not_clear_gives_way(unclear: list[int]) -> None:
    pairs = told(PAIRS)
    lead = np.where([pair == unclear for pair in PAIRS.tolist()], 0.1, pairs.lead)
    other = swapped(replace(pairs, lead=lead), [0, 1, 2, 3], 2, 0)
    assert other is not None
    assert other.index(2) < other.index(0)
    lower, upper = (other.index(card) for card in unclear)
    assert lower > upper


def told(pairs: NDArray[np.int64]) -> PairEvidence:
    """Pairs that all say plainly who lies on top."""
    count = len(pairs)
    return PairEvidence(pairs, np.ones(count), np.full(count, 100), np.zeros(count, np.int64))


def test_bottom_up_puts_the_upper_card_later() -> None:
    cards, dropped = bottom_up(4, {(0, 2): 1.0, (2, 3): 1.0, (1, 0): 0.5})
    assert dropped == []
    assert cards.index(3) < cards.index(2) < cards.index(0) < cards.index(1)


def test_of_a_circle_the_weakest_pair_is_dropped() -> None:
    cards, dropped = bottom_up(3, {(0, 1): 3.0, (1, 2): 2.0, (2, 0): 0.5})
    assert dropped == [(2, 0)]
    assert cards == [2, 1, 0]


def test_a_faint_ink_leads_as_clearly_as_a_strong_one() -> None:
    """The lead is a share of what the drawings differ by, and that is little where ink is dark."""
    dark = DrawnCard("square-6", "purple", UPPER.pose)
    assert pairs_of(LOWER, dark).lead[0] < -0.6
    assert pairs_of(dark, LOWER, listed=[1, 0]).lead[0] > 0.6


def test_a_haze_as_strong_as_the_ink_does_not_turn_a_pair_round() -> None:
    """In a dim, tinted picture black is as far from grey as an ink may be, the other way."""
    evidence = drawn_evidence(LOWER, UPPER)
    drawing, patches = drawing_of(evidence, LOWER, UPPER)
    haze = -1.2 * drawing.ink[1]
    colour = patches.pixels[..., :3] + haze * (1 - patches.white[..., None] / 255)
    pixels = patches.pixels.copy()
    pixels[..., :3] = np.clip(np.rint(colour + 40), 0, 255)
    hazy = replace(patches, pixels=pixels)
    coverage = cover(evidence.raster, drawing.poses, DECK.card)
    clear = compare_pairs(drawing, patches, coverage, TEMPLATES).lead[0]
    unknown = compare_pairs(drawing, hazy, coverage, TEMPLATES).lead[0]
    known = compare_pairs(replace(drawing, haze=haze), hazy, coverage, TEMPLATES).lead[0]
    assert clear < -0.6
    assert known < -0.5
    assert known < unknown - 0.3
    np.testing.assert_allclose(
        known,
        compare_pairs(
            replace(drawing, haze=np.stack([haze, haze])), hazy, coverage, TEMPLATES
        ).lead[0],
    )


@pytest.mark.parametrize("upper", [0, 1])
def test_a_shadow_that_runs_across_one_of_two_cards_does_not_tell_who_lies_on_top(
    upper: int,
) -> None:
    """Both draw the same shape in the same ink where they overlap; one lies wholly in a shadow, of
    the other only that shape does. Only the bands beside the shape tell.
    """
    in_shadow = DrawnCard("square-5", "green", (65.0, 80.0, np.deg2rad(264.5)), mirrored=True)
    half_lit = DrawnCard("circle-3", "green", (133.6, 73.5, np.deg2rad(84.4)))
    cards = [in_shadow, half_lit]
    drawn = drawn_evidence(*(cards if upper else cards[::-1]), size_mm=(190, 160)).raster
    image = drawn.image_bgr.copy()
    image[:, : round((112.0 - drawn.origin_mm[0]) * drawn.density)] //= 4
    evidence = observe(replace(drawn, image_bgr=image))
    drawing, patches = drawing_of(evidence, *cards)
    strength = np.linalg.norm(drawing.ink, axis=1)
    assert strength[1] > 2 * strength[0]
    coverage = cover(evidence.raster, drawing.poses, DECK.card)
    told = compare_pairs(drawing, patches, coverage, TEMPLATES)
    assert told.clear[0]
    assert (told.lead[0] > 0) == (upper == 0)


def test_beside_a_third_card_nothing_is_asked() -> None:
    """The two overlap in a strip that comes within a millimetre of a third card's edge."""
    evidence = drawn_evidence(LOWER, UPPER)
    drawing, patches = drawing_of(evidence, LOWER, UPPER)
    alone = cover(evidence.raster, drawing.poses, DECK.card)
    third = np.concatenate([drawing.poses, drawing.poses[1:]])
    near = cover(evidence.raster, third, DECK.card, 0.8)
    assert len(compare_pairs(drawing, patches, alone, TEMPLATES).pairs) == 1
    assert len(compare_pairs(drawing, patches, alone, TEMPLATES, near).pairs) == 0
    clear = cover(evidence.raster, drawing.poses, DECK.card, 0.8)
    told = compare_pairs(drawing, patches, alone, TEMPLATES, clear)
    assert told.places.tolist() == compare_pairs(drawing, patches, alone, TEMPLATES).places.tolist()
