from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from geometry.layout import Layout
from geometry.rules import Rules
from geometry.spread import even_spread
from measuring.scenes.true_reading import true_table
from referee.corrections.applied import CorrectedTable, apply
from referee.corrections.kinds import (
    KINDS,
    AddCard,
    ChangeColour,
    ChangeFace,
    ChangeSide,
    Correction,
    LayOver,
    LayUnder,
    MoveCard,
    OverruleVerdict,
    RemoveCard,
    SettleDoubt,
    correction_data,
    correction_of,
)
from referee.corrections.misfits import (
    CardGone,
    DoubtGone,
    NothingToChange,
    NotInDeck,
    NotNeighbours,
)
from referee.corrections.replay import corrected, replay
from referee.corrections.rulings import doubt_key
from referee.corrections.snap import snapped
from rig.wording.kept_reasons import reason_of
from tests.scenes import scene
from vision.reading import Doubt, Reading, SeenTable
from vision.together.places import Places

RULES = Rules()


@pytest.fixture(scope="module")
def plain(borderline: SeenTable) -> Reading:
    return corrected(borderline, [], RULES)


def refused(seen: SeenTable, correction: Correction) -> Callable[[], CorrectedTable]:
    return lambda: apply(correction, CorrectedTable(seen, seen, RULES))


def a_card(seen: SeenTable, dots: bool = True) -> int:
    """An ordinary card, whose dots (partly) show."""
    reading = corrected(seen, [], RULES)
    return next(c.id for c in reading.cards if (c.visible_dots > 0) == dots and c.face != "start")


def spare_face(seen: SeenTable, colour: str) -> str:
    here = {card.face for card in seen.layout.cards if card.colour == colour}
    left = [face.id for face in seen.layout.deck.faces if face.id not in here]
    return left[0] if left else seen.layout.deck.faces[0].id


def test_no_correction_changes_nothing(borderline: SeenTable, plain: Reading) -> None:
    truth = scene("two-walnut").truth
    assert plain.scores == truth.scores
    assert plain.scores_without_illegal == truth.scores_without_illegal


def test_a_card_of_another_colour_scores_for_the_other(
    borderline: SeenTable, plain: Reading
) -> None:
    card = next(c for c in plain.cards if c.visible_dots)
    other = next(name for name in plain.scores if name != card.colour)
    reading = corrected(borderline, [ChangeColour(card.id, other)], RULES)
    assert reading.scores[card.colour] == plain.scores[card.colour] - card.visible_dots
    assert reading.scores[other] == plain.scores[other] + card.visible_dots
    assert borderline == true_table(scene("two-walnut").truth), "the reading itself is never edited"


def test_another_face_and_side(borderline: SeenTable) -> None:
    card = a_card(borderline)
    laid = borderline.layout.card(card)
    reading = corrected(
        borderline,
        [
            ChangeFace(card, spare_face(borderline, laid.colour)),
            ChangeSide(card, not laid.pose.mirrored),
        ],
        RULES,
    )
    found = next(c for c in reading.cards if c.id == card)
    assert found.face == spare_face(borderline, laid.colour)
    assert found.mirrored is not laid.pose.mirrored


def test_a_moved_card_moves_in_the_picture_too(borderline: SeenTable) -> None:
    card = a_card(borderline)
    pose = borderline.layout.card(card).pose
    reading = corrected(
        borderline, [MoveCard(card, pose.x_mm + 10.0, pose.y_mm, pose.angle_deg)], RULES
    )
    before = next(c for c in borderline.cards if c.id == card)
    after = next(c for c in reading.cards if c.id == card)
    shift = np.linalg.norm(np.array(after.outline_px) - np.array(before.outline_px), axis=1)
    assert shift == pytest.approx(np.full(4, 10 * borderline.scale_px_per_mm), rel=0.05)
    assert after.x_mm == pytest.approx(pose.x_mm + 10)


def test_of_a_moved_card_how_exactly_it_was_seen_is_forgotten(borderline: SeenTable) -> None:
    """It lies where somebody put it; a card of which a doubt is answered lies where it did."""
    card, spread = a_card(borderline), even_spread(0.1, 0.1)
    seen = replace(borderline, cards=tuple(replace(c, spread=spread) for c in borderline.cards))
    pose = borderline.layout.card(card).pose
    table = CorrectedTable(seen, seen, RULES)
    moved = apply(MoveCard(card, pose.x_mm + 10.0, pose.y_mm, pose.angle_deg), table)
    flipped = apply(ChangeSide(card, not pose.mirrored), table)
    for changed, expected in ((moved, None), (flipped, spread)):
        by_id = {one.id: one.spread for one in changed.seen.cards}
        assert by_id.pop(card) == expected
        assert set(by_id.values()) == {spread}


@pytest.mark.parametrize("name", ["two-walnut", "wide-slate", "phone-oak"])
def test_places_in_the_picture_follow_a_bent_lens(name: str) -> None:
    seen = true_table(scene(name).truth)
    for left_out in seen.layout.cards[::5]:
        fewer = SeenTable(
            seen.layout.without([left_out.id]),
            tuple(card for card in seen.cards if card.id != left_out.id),
            (),
            seen.scale_px_per_mm,
        )
        places = Places(fewer)
        (outline,) = [np.array(c.outline_px) for c in seen.cards if c.id == left_out.id]
        off = np.linalg.norm(np.array(places.outline_px(left_out)) - outline, axis=1)
        assert off.max() < 3 * seen.scale_px_per_mm
        there = places.to_mm((float(outline[:, 0].mean()), float(outline[:, 1].mean())))
        assert there == pytest.approx((left_out.pose.x_mm, left_out.pose.y_mm), abs=3)


def overlapping(seen: SeenTable) -> tuple[int, int]:
    reading = corrected(seen, [], RULES)
    return next((c.id, c.over[0]) for c in reading.cards if len(c.over) == 1 and c.over[0] != 0)


def pairs(reading: Reading) -> set[tuple[int, int]]:
    return {(card.id, below) for card in reading.cards for below in card.over}


def test_over_and_under_turn_one_pair_only(borderline: SeenTable, plain: Reading) -> None:
    upper, lower = overlapping(borderline)
    reading = corrected(borderline, [LayUnder(upper, lower)], RULES)
    assert pairs(plain) ^ pairs(reading) == {(upper, lower), (lower, upper)}
    assert pairs(corrected(borderline, [LayOver(lower, upper)], RULES)) == pairs(reading)
    back = corrected(borderline, [LayUnder(upper, lower), LayOver(upper, lower)], RULES)
    assert pairs(back) == pairs(plain)
    assert back.scores == plain.scores


def test_cards_apart_have_no_order(borderline: SeenTable, plain: Reading) -> None:
    upper, lower = overlapping(borderline)
    apart = next(
        c.id for c in plain.cards if (c.id, upper) not in pairs(plain)
        and (upper, c.id) not in pairs(plain) and c.id != upper
    )  # fmt: skip
    with pytest.raises(NotNeighbours):
        refused(borderline, LayOver(upper, apart))()
    with pytest.raises(NothingToChange):
        refused(borderline, LayOver(upper, lower))()


def test_added_and_removed_are_inverse(borderline: SeenTable, plain: Reading) -> None:
    top = borderline.layout.cards[-1]
    fewer = corrected(borderline, [RemoveCard(top.id)], RULES)
    assert len(fewer.cards) == len(plain.cards) - 1
    pose = top.pose
    again = AddCard(99, top.colour, top.face, pose.x_mm, pose.y_mm, pose.angle_deg, pose.mirrored)
    reading = corrected(borderline, [RemoveCard(top.id), again], RULES)
    assert reading.scores == plain.scores
    assert reading.scores_without_illegal == plain.scores_without_illegal
    assert (
        corrected(borderline, [RemoveCard(top.id), again, RemoveCard(99)], RULES).cards
        == fewer.cards
    )


def test_the_table_overrules_a_verdict(borderline: SeenTable, plain: Reading) -> None:
    assert {item.card for item in plain.illegal} == {19, 32}
    reading = corrected(borderline, [OverruleVerdict(19, True), OverruleVerdict(32, True)], RULES)
    assert reading.illegal == ()
    assert reading.scores_without_illegal == reading.scores == plain.scores
    called = corrected(borderline, [OverruleVerdict(33, False, "misaligned")], RULES)
    assert {item.card: item.rule for item in called.illegal}[33] == "misaligned"
    assert not [d for d in called.doubts if d.kind == "verdict" and d.card == 33]
    away = borderline.layout.without([19, 32, 33])
    assert called.scores_without_illegal == scored(away, plain)


def scored(layout: Layout, like: Reading) -> dict[str, int]:
    from geometry.score import scores
    from geometry.showing import visible_dots

    points = scores(layout, visible_dots(layout))
    return {name: points.get(name, 0) for name in like.scores}


def test_a_free_card_can_be_disputed(borderline: SeenTable) -> None:
    card = borderline.layout.cards[-1]
    moved = MoveCard(card.id, 5000.0, 5000.0, 0.0)
    far = replace(borderline, layout=replace(borderline.layout, play_area_mm=None))
    assert next(c for c in corrected(far, [moved], RULES).cards if c.id == card.id).free
    reading = corrected(far, [moved, OverruleVerdict(card.id, False)], RULES)
    assert [item.rule for item in reading.illegal if item.card == card.id] == ["ruled"]


@pytest.mark.parametrize("legal", [True, False])
def test_settling_a_borderline_card_makes_sure(borderline: SeenTable, legal: bool) -> None:
    plain = corrected(borderline, [], RULES)
    assert not plain.sure_without_illegal
    reading = corrected(borderline, [OverruleVerdict(33, legal)], RULES)
    assert reading.sure_without_illegal
    assert (33 in {item.card for item in reading.illegal}) is not legal
    settled = corrected(borderline, [SettleDoubt("verdict-33")], RULES)
    assert settled.sure_without_illegal
    assert settled.scores_without_illegal == plain.scores_without_illegal


def test_a_ruling_is_about_one_placement(borderline: SeenTable) -> None:
    pose = borderline.layout.card(19).pose
    moved = MoveCard(19, pose.x_mm + 0.01, pose.y_mm, pose.angle_deg)
    reading = corrected(borderline, [OverruleVerdict(19, True), moved], RULES)
    assert 19 in {item.card for item in reading.illegal}


DOUBTS = {
    "colour": Doubt("colour", 5, (1.0, 2.0), reason_of("red or pink"), {"red": 1}),
    "face": Doubt("face", 5, (1.0, 2.0), reason_of("2 or 3"), {"red": 1}),
    "card": Doubt("card", 5, (1.0, 2.0), reason_of("half hidden"), {"red": 1}),
    "other": Doubt("dot", 6, (1.0, 2.0), reason_of("a glare"), {"red": 1}),
}


@pytest.mark.parametrize("settled", ["colour", "face", "card"])
def test_a_change_settles_the_doubts_about_what_it_changed(
    borderline: SeenTable, settled: str
) -> None:
    doubted = replace(borderline, doubts=tuple(DOUBTS.values()))
    laid = borderline.layout.card(5)
    pose = laid.pose
    changes: dict[str, Correction] = {
        "colour": ChangeColour(5, "blue"),
        "face": ChangeFace(5, spare_face(borderline, laid.colour)),
        "card": MoveCard(5, pose.x_mm + 1, pose.y_mm, pose.angle_deg),
    }
    left = [d for d in corrected(doubted, [changes[settled]], RULES).doubts if d in DOUBTS.values()]
    assert left == [doubt for name, doubt in DOUBTS.items() if name != settled]
    gone = corrected(doubted, [RemoveCard(5)], RULES).doubts
    assert [d for d in gone if d in DOUBTS.values()] == [DOUBTS["other"]]


def test_a_settled_doubt_makes_sure(borderline: SeenTable) -> None:
    doubted = replace(borderline, doubts=(DOUBTS["other"],))
    assert not corrected(doubted, [], RULES).sure
    key = doubt_key(DOUBTS["other"])
    assert corrected(doubted, [SettleDoubt(key)], RULES).sure
    with pytest.raises(DoubtGone):
        refused(borderline, SettleDoubt(key))()


def test_a_missing_card_that_is_added_is_missed_no_more(borderline: SeenTable) -> None:
    top = borderline.layout.cards[-1]
    (card,) = [c for c in borderline.cards if c.id == top.id]
    x, y = np.array(card.outline_px).mean(axis=0)
    missing = Doubt("missing", None, (float(x), float(y)), reason_of("a card?"), {"red": 2})
    fewer = replace(
        borderline,
        layout=borderline.layout.without([top.id]),
        cards=tuple(c for c in borderline.cards if c.id != top.id),
        doubts=(missing,),
    )
    pose = top.pose
    add = AddCard(99, top.colour, top.face, pose.x_mm, pose.y_mm, pose.angle_deg, pose.mirrored)
    assert missing not in corrected(fewer, [add], RULES).doubts
    far = replace(add, x_mm=pose.x_mm + 200)
    assert missing in corrected(fewer, [far], RULES).doubts


def test_two_equal_cards_are_never_sure(borderline: SeenTable, plain: Reading) -> None:
    first, second = [c for c in borderline.layout.cards if c.colour == "red"][:2]
    reading = corrected(borderline, [ChangeFace(second.id, first.face)], RULES)
    assert {d.card for d in reading.doubts if d.kind == "face"} == {first.id, second.id}
    assert not reading.sure
    back = corrected(
        borderline, [ChangeFace(second.id, first.face), ChangeFace(second.id, second.face)], RULES
    )
    assert back.doubts == plain.doubts


@pytest.mark.parametrize(
    ("correction", "trouble"),
    [
        (ChangeColour(999, "red"), CardGone),
        (ChangeFace(999, "circle-1"), CardGone),
        (ChangeSide(999, True), CardGone),
        (MoveCard(999, 0.0, 0.0, 0.0), CardGone),
        (LayOver(999, 1), CardGone),
        (LayUnder(1, 999), CardGone),
        (RemoveCard(999), CardGone),
        (OverruleVerdict(999, True), CardGone),
        (SettleDoubt("card-1-2-3"), DoubtGone),
        (ChangeColour(1, "mauve"), NotInDeck),
        (ChangeColour(1, "white"), NotInDeck),
        (ChangeFace(1, "star-9"), NotInDeck),
        (ChangeFace(0, "circle-1"), NotInDeck),
        (AddCard(99, "red", "start", 0.0, 0.0, 0.0, False), NotInDeck),
        (AddCard(1, "red", "circle-1", 0.0, 0.0, 0.0, False), NothingToChange),
    ],
)
def test_what_does_not_fit_is_refused(
    borderline: SeenTable, correction: Correction, trouble: type[Exception]
) -> None:
    with pytest.raises(trouble):
        refused(borderline, correction)()


def test_the_starting_card_can_be_named(borderline: SeenTable) -> None:
    reading = corrected(
        borderline, [ChangeFace(0, "circle-1", "red"), ChangeFace(1, "start")], RULES
    )
    assert [(c.colour, c.face) for c in reading.cards if c.id in (0, 1)] == [
        ("red", "circle-1"),
        ("white", "start"),
    ]


def test_what_was_built_on_an_undone_correction_finds_no_hold(borderline: SeenTable) -> None:
    replayed = replay(borderline, [MoveCard(99, 0.0, 0.0, 0.0), RemoveCard(5)], RULES)
    assert replayed.idle == (0,)
    assert replayed.reading == corrected(borderline, [RemoveCard(5)], RULES)


def test_a_moved_card_snaps_to_the_fit_that_was_meant(borderline: SeenTable) -> None:
    laid = scene("two-walnut").truth
    clean = laid.layout.without([19, 32, 33])
    card = clean.cards[-1]
    off = replace(card, pose=replace(card.pose, x_mm=card.pose.x_mm + 6, y_mm=card.pose.y_mm - 5))
    pose = snapped(clean, off, RULES)
    assert (pose.x_mm, pose.y_mm) == pytest.approx((card.pose.x_mm, card.pose.y_mm), abs=2)
    far = replace(card, pose=replace(card.pose, x_mm=card.pose.x_mm + 500))
    assert snapped(replace(clean, play_area_mm=None), far, RULES) == far.pose


@pytest.mark.parametrize(
    "correction",
    [
        ChangeColour(1, "red"),
        ChangeFace(1, "circle-1"),
        ChangeSide(1, True),
        MoveCard(1, 0.5, 1.5, 2.5),
        LayOver(1, 2),
        LayUnder(1, 2),
        RemoveCard(1),
        AddCard(99, "red", "circle-1", 0.5, 1.5, 2.5, True),
        OverruleVerdict(1, False, "overhang"),
        SettleDoubt("dot-1-2-3"),
    ],
)
def test_corrections_come_back_from_json(correction: Correction) -> None:
    assert correction_of(correction_data(correction)) == correction
    assert KINDS[correction.kind] is type(correction)
