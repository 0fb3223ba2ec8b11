"""A comparison is only worth something if it notices each kind of mistake."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from geometry.deck_file import published_deck
from geometry.pose import PointsMm, Pose
from measuring.scenes.comparison import compare
from measuring.scenes.matching import is_own_mirror_image, match_cards
from measuring.scenes.true_reading import true_reading
from measuring.scenes.truth import Truth, parse_truth
from rig.wording.kept_reasons import reason_of
from tests.scenes import NAMES, SCENES, scene
from vision.doubting.over_doubts import OVER_CARDS
from vision.reading import Doubt, Illegal, ReadCard, Reading
from vision.reason import Reason

DECK = published_deck()
DOUBT = Doubt("dot", 1, (5.0, 5.0), reason_of("Look."), {"blue": 1})


def truth_and_reading(name: str = "panel-oak") -> tuple[Truth, Reading]:
    truth = scene(name).truth
    return truth, true_reading(truth)


def with_card(reading: Reading, card: ReadCard) -> Reading:
    cards = tuple(card if other.id == card.id else other for other in reading.cards)
    return replace(reading, cards=cards)


@pytest.mark.parametrize("name", NAMES)
def test_the_truth_is_right(name: str) -> None:
    truth, reading = truth_and_reading(name)
    seen = compare(reading, truth)
    assert seen.as_it_lies.good
    assert seen.without_illegal.good
    assert seen.named == seen.cards == len(seen.matches) == len(truth.layout.cards)
    assert seen.invented == seen.legal_doubted == seen.needless == 0
    assert seen.pairs == seen.pairs_right
    assert seen.accused == ()
    assert all(outcome == "named" for _, outcome in seen.verdicts)
    assert len(seen.verdicts) == len(truth.illegal)
    assert max(match.off_mm for match in seen.matches) < 1e-6
    assert max(match.off_deg for match in seen.matches) < 1e-6


def test_only_one_face_is_its_own_mirror_image() -> None:
    assert [face.id for face in DECK.faces if is_own_mirror_image(face)] == ["circle-6"]


def test_a_wrong_score_called_sure_is_silent() -> None:
    truth, reading = truth_and_reading()
    wrong = replace(reading, scores={**reading.scores, "blue": reading.scores["blue"] + 1})
    assert compare(wrong, truth).as_it_lies.silent
    assert not compare(wrong, truth).without_illegal.silent
    assert not compare(replace(wrong, sure=False), truth).as_it_lies.silent
    assert not compare(replace(wrong, sure=False), truth).as_it_lies.good


def with_a_cup(truth: Truth) -> Truth:
    square = np.array([[300.0, 200.0], [340.0, 200.0], [340.0, 240.0], [300.0, 240.0]])
    return replace(truth, over_px=(320.0, 220.0), over_outlines_px=(square,))


def test_under_something_no_score_may_be_sure_however_right() -> None:
    truth, reading = truth_and_reading()
    seen = compare(reading, with_a_cup(truth))
    assert seen.as_it_lies.silent
    assert seen.without_illegal.silent
    unsure = compare(replace(reading, sure=False, sure_without_illegal=False), with_a_cup(truth))
    assert unsure.as_it_lies.good
    assert unsure.without_illegal.good
    assert not unsure.as_it_lies.silent
    doubted = replace(reading, sure=False, doubts=(DOUBT,))
    assert compare(doubted, with_a_cup(truth)).needless == 0


def test_a_thing_over_the_cards_is_told_where_it_is() -> None:
    truth, reading = truth_and_reading()
    assert compare(reading, truth).over_told is None
    assert compare(reading, with_a_cup(truth)).over_told is False
    for kind, at, told in (
        ("table", (330.0, 210.0), True),
        ("table", (345.0, 210.0), True),
        ("table", (800.0, 700.0), False),
        ("dot", (330.0, 210.0), False),
    ):
        doubt = replace(DOUBT, kind=kind, at_px=at)  # type: ignore[arg-type]
        there = replace(reading, sure=False, doubts=(doubt,))
        assert compare(there, with_a_cup(truth)).over_told is told, (kind, at)


def test_a_thing_told_where_nothing_lies_is_told_falsely() -> None:
    truth, reading = truth_and_reading()
    doubt = replace(DOUBT, kind="table", reason=Reason(OVER_CARDS))
    told = replace(reading, sure=False, doubts=(doubt,))
    assert compare(told, truth).over_falsely_told
    assert not compare(told, with_a_cup(truth)).over_falsely_told
    assert not compare(reading, truth).over_falsely_told


def test_a_truth_may_say_only_that_something_lies_over_the_cards() -> None:
    data = json.loads((SCENES / "panel-oak" / "truth.json").read_text("utf-8"))
    bare = parse_truth({**data, "over": ["arm"]})
    assert bare.over_px is not None
    middle = bare.camera.to_px(
        PointsMm(np.mean([[c.pose.x_mm, c.pose.y_mm] for c in bare.layout.cards], axis=0)[None])
    )[0]
    assert bare.over_px == pytest.approx(tuple(middle))
    placed = parse_truth({**data, "over": ["cup", 100.0, 50.0, 0.3]})
    assert placed.over_px == pytest.approx(
        tuple(bare.camera.to_px(PointsMm(np.array([[100.0, 50.0]])))[0])
    )
    assert parse_truth(data).over_px is None


def test_a_colour_too_many_or_too_few_is_wrong() -> None:
    truth, reading = truth_and_reading()
    more = replace(reading, scores={**reading.scores, "mauve": 0})
    fewer = replace(reading, scores=dict(list(reading.scores.items())[1:]))
    assert not compare(more, truth).as_it_lies.exact
    assert not compare(fewer, truth).as_it_lies.exact


@pytest.mark.parametrize(
    "change", [{"colour": "mauve"}, {"face": "start"}, {"mirrored": True}, {"mirrored": False}]
)
def test_a_card_misnamed(change: dict[str, object]) -> None:
    truth, reading = truth_and_reading()
    before = compare(reading, truth).named
    card = next(
        card
        for card in reading.cards
        if card.face not in ("circle-6", "start")
        and all(getattr(card, key) != value for key, value in change.items())
    )
    seen = compare(with_card(reading, replace(card, **change)), truth)  # type: ignore[arg-type]
    assert seen.named == before - 1
    assert len(seen.matches) == seen.cards


def test_the_side_of_a_mirror_image_does_not_matter() -> None:
    truth, reading = truth_and_reading("full-felt")
    card = next(card for card in reading.cards if card.face == "circle-6")
    seen = compare(with_card(reading, replace(card, mirrored=not card.mirrored)), truth)
    assert seen.named == seen.cards


def test_a_card_overlooked_and_one_invented() -> None:
    truth, reading = truth_and_reading()
    fewer = compare(replace(reading, cards=reading.cards[:-1]), truth)
    assert len(fewer.matches) == fewer.cards - 1
    assert fewer.pairs_right < fewer.pairs
    again = replace(reading.cards[3], id=999)
    more = compare(replace(reading, cards=(*reading.cards, again)), truth)
    assert more.invented == 1
    assert len(more.matches) == more.cards


def test_of_two_cards_on_one_spot_each_is_matched_with_its_own() -> None:
    truth, _ = truth_and_reading()
    first, second = truth.layout.cards[1], truth.layout.cards[2]
    assert (first.colour, first.face) != (second.colour, second.face)
    piled = replace(second, pose=first.pose)
    cards = tuple(piled if card.id == second.id else card for card in truth.layout.cards)
    stack = replace(truth, layout=replace(truth.layout, cards=cards))
    reading = true_reading(stack)
    shuffled = replace(reading, cards=tuple(reversed(reading.cards)))
    assert all(match.true == match.read for match in match_cards(shuffled, stack))


def test_millimetres_and_degrees() -> None:
    truth, reading = truth_and_reading()
    card = reading.cards[4]
    moved = replace(card, x_mm=card.x_mm + 3, y_mm=card.y_mm - 4, angle_deg=card.angle_deg + 359)
    seen = compare(with_card(reading, moved), truth)
    match = next(match for match in seen.matches if match.true == card.id)
    assert match.off_mm == pytest.approx(5)
    assert match.off_deg == pytest.approx(1)


def test_a_frame_of_its_own_is_laid_over_the_true_one() -> None:
    truth, reading = truth_and_reading()
    turn = Pose(-200, 55, 77)
    cards = []
    for card in reading.cards:
        ((x, y),) = turn.to_table(np.array([[card.x_mm, card.y_mm]]))
        cards.append(replace(card, x_mm=x, y_mm=y, angle_deg=card.angle_deg + 77))
    own = replace(reading, cards=tuple(cards), play_area_mm=None)
    assert max(match.off_mm for match in match_cards(own, truth)) < 1e-6
    assert max(match.off_deg for match in match_cards(own, truth)) < 1e-6
    known = replace(own, play_area_mm=truth.layout.play_area_mm)
    assert max(match.off_mm for match in match_cards(known, truth)) > 100


def test_an_order_upside_down_is_one_pair_wrong() -> None:
    truth, reading = truth_and_reading()
    upper = next(card for card in reading.cards if len(card.over) == 1)
    lower = next(card for card in reading.cards if card.id == upper.over[0])
    flipped = with_card(reading, replace(upper, over=()))
    flipped = with_card(flipped, replace(lower, over=(*lower.over, upper.id)))
    before, after = compare(reading, truth), compare(flipped, truth)
    assert after.pairs == before.pairs
    assert after.pairs_right == before.pairs_right - 1


def test_an_invented_overlap_is_one_pair_more_and_wrong() -> None:
    truth, reading = truth_and_reading()
    one, other = reading.cards[1], reading.cards[-1]
    assert one.id not in other.over
    invented = with_card(reading, replace(other, over=(*other.over, one.id)))
    before, after = compare(reading, truth), compare(invented, truth)
    assert (after.pairs, after.pairs_right) == (before.pairs + 1, before.pairs_right)


def test_what_becomes_of_an_illegal_card() -> None:
    truth, reading = truth_and_reading()
    ((card, rule),) = truth.illegal.items()
    (illegal,) = reading.illegal
    assert compare(reading, truth).verdicts == ((rule, "named"),)
    misnamed = replace(reading, illegal=(replace(illegal, rule="overhang"),))
    assert compare(misnamed, truth).verdicts == ((rule, "misnamed"),)
    unsaid = replace(reading, illegal=())
    assert compare(unsaid, truth).verdicts == ((rule, "missed"),)
    other_doubt = replace(unsaid, doubts=(replace(DOUBT, kind="order", card=card),))
    assert compare(other_doubt, truth).verdicts == ((rule, "missed"),)
    doubted = replace(unsaid, doubts=(replace(DOUBT, kind="verdict", card=card),))
    assert compare(doubted, truth).verdicts == ((rule, "doubted"),)


def test_a_false_accusation() -> None:
    truth, reading = truth_and_reading()
    legal = next(card.id for card in reading.cards if card.id not in truth.illegal)
    false = Illegal(legal, "overhang", (), 3.5, None, Reason("ruled"))
    seen = compare(replace(reading, illegal=(*reading.illegal, false)), truth)
    assert seen.accused == ("overhang",)


def test_doubts_about_right_readings_are_needless() -> None:
    truth, reading = truth_and_reading()
    doubts = (DOUBT, replace(DOUBT, changes_scores_by={}), replace(DOUBT, kind="verdict"))
    seen = compare(replace(reading, doubts=doubts), truth)
    assert seen.needless == 2
    assert seen.legal_doubted == 1
    wrong = replace(reading, doubts=doubts, scores={})
    assert compare(wrong, truth).needless == 0


def test_a_borderline_card_may_be_called_anything() -> None:
    truth, reading = truth_and_reading("two-walnut")
    (card,) = truth.borderline
    assert reading.sure_without_illegal is False
    assert compare(reading, truth).needless == 0
    (doubt,) = reading.doubts
    legal = replace(reading, doubts=(), sure_without_illegal=True)
    assert compare(legal, truth).without_illegal.good
    lower = {
        name: dots + doubt.changes_scores_without_illegal_by.get(name, 0)
        for name, dots in reading.scores_without_illegal.items()
    }
    accused = Illegal(card, "mismatched", (), None, None, Reason("ruled"))
    illegal = replace(legal, illegal=(*reading.illegal, accused), scores_without_illegal=lower)
    assert compare(illegal, truth).without_illegal.good
    assert compare(illegal, truth).accused == ()
    inconsistent = replace(illegal, scores_without_illegal=reading.scores_without_illegal)
    assert compare(inconsistent, truth).without_illegal.silent


def test_without_a_known_table_nothing_lies_off_it() -> None:
    truth, _ = truth_and_reading()
    far = replace(truth.layout.cards[-1], pose=Pose(5.0, 5.0, 0.0))
    layout = replace(truth.layout, cards=(*truth.layout.cards[:-1], far))
    illegal = {**truth.illegal, far.id: "off_table"}
    edge = replace(truth, layout=layout, illegal=illegal)
    unknown = true_reading(replace(edge, layout=replace(layout, play_area_mm=None)))
    assert compare(unknown, edge).without_illegal.good
    assert "off_table" not in dict(compare(unknown, edge).verdicts)
    assert ("off_table", "named") in compare(true_reading(edge), edge).verdicts
