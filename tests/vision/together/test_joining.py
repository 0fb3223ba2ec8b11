from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from geometry.layout import Card
from geometry.showing import over
from tests.vision.together.photographed import (
    RULES,
    SIZE,
    Change,
    Raised,
    at,
    camera,
    codes,
    middle,
    names,
    photographed,
    table,
    true_scores,
)
from vision.assemble import assemble
from vision.reading import AnswerOdds, Corners, Doubt, Reading
from vision.reason import Reason
from vision.together.joining import joined
from vision.together.photographs import OtherTable, Photograph

TABLE = table()
LEFT, RIGHT = camera(TABLE, (-300, 100, 900)), camera(TABLE, (300, -50, 950))
TOP = TABLE.cards[-1].id
HIDING = Reason("something-over-cards")
ANY = {"red": 1}


def read_as_one(*photos: Photograph) -> Reading:
    found = joined(photos, RULES)
    assert isinstance(found, Reading)
    return found


def is_sure(reading: Reading) -> bool:
    return reading.sure and reading.sure_without_illegal


def without(*cards: int) -> Change:
    def change(card: Card) -> Card | None:
        return None if card.id in cards else card

    return change


def doubted(card: int, code: str = "looks-wrong") -> Raised:
    def doubts(outlines: dict[int, Corners]) -> Iterator[Doubt]:
        yield Doubt("card", card, at(outlines, card), Reason(code), ANY, ANY)

    return doubts


def named_otherwise(card: int, face: str) -> Change:
    def change(one: Card) -> Card:
        return replace(one, face=face) if one.id == card else one

    return change


def test_one_photograph_is_as_it_was_read() -> None:
    photo = photographed(TABLE, LEFT)
    assert joined([photo], RULES) is photo.reading


def test_two_photographs_of_one_table_are_one_table_with_each_card_once() -> None:
    reading = read_as_one(
        photographed(TABLE, LEFT),
        photographed(TABLE, RIGHT, turn_deg=170, shift_mm=(400, 90), seed=1, first_id=40),
    )
    assert names(reading) == sorted((one.colour, one.face) for one in TABLE.cards)
    assert dict(reading.scores) == true_scores(TABLE)
    assert is_sure(reading)
    below = over(TABLE)
    assert {card.id: set(card.over) for card in reading.cards} == {
        card: set(under) for card, under in below.items()
    }


def test_what_a_lamp_makes_doubtful_in_each_at_another_place_is_sure_in_both_together() -> None:
    one, other = TABLE.cards[3].id, TABLE.cards[9].id
    first = photographed(TABLE, LEFT, doubts=doubted(one, code="washed-out"))
    second = photographed(TABLE, RIGHT, doubts=doubted(other, code="washed-out"), seed=1)
    assert not first.reading.sure
    assert not second.reading.sure
    assert is_sure(read_as_one(first, second))
    assert is_sure(read_as_one(second, first))


def test_what_both_doubt_stays_in_doubt() -> None:
    one = TABLE.cards[3].id
    first = photographed(TABLE, LEFT, doubts=doubted(one))
    second = photographed(TABLE, RIGHT, doubts=doubted(one), seed=1)
    assert not is_sure(read_as_one(first, second))


@pytest.mark.parametrize("off", [(-300, 100, 900), (-270, 110, 900), (-310, 100, 1100)])
def test_a_photograph_from_the_same_place_settles_nothing(off: tuple[float, float, float]) -> None:
    """A copy, or one taken again with the camera held alike."""
    first = photographed(TABLE, LEFT, doubts=doubted(TABLE.cards[3].id))
    again = photographed(TABLE, camera(TABLE, off), seed=1)
    assert is_sure(again.reading)
    assert not is_sure(read_as_one(first, again))
    assert not is_sure(read_as_one(again, first))
    assert is_sure(read_as_one(again, first, photographed(TABLE, RIGHT, seed=2)))


@pytest.mark.parametrize(("scale", "cut"), [(0.5, (0, 0)), (1.0, (260, 10)), (1.3, (90, 150))])
def test_a_smaller_copy_or_a_part_of_the_picture_settles_nothing(
    scale: float, cut: tuple[int, int]
) -> None:
    first = photographed(TABLE, LEFT, doubts=doubted(TABLE.cards[3].id))
    again = photographed(TABLE, LEFT, seed=1)

    def moved(outline: Corners) -> Corners:
        a, b, c, d = ((scale * (x - cut[0]), scale * (y - cut[1])) for x, y in outline)
        return a, b, c, d

    seen = again.reading.seen
    cards = tuple(replace(one, outline_px=moved(one.outline_px)) for one in seen.cards)
    found = assemble(replace(seen, cards=cards), RULES)
    size = round(scale * (SIZE[0] - cut[0])), round(scale * (SIZE[1] - cut[1]))
    assert not is_sure(read_as_one(first, Photograph(found, size)))


def test_a_card_that_only_one_of_two_shows_plainly_is_kept_and_doubted() -> None:
    reading = read_as_one(
        photographed(TABLE, LEFT), photographed(TABLE, RIGHT, without(TOP), seed=1)
    )
    assert len(reading.cards) == len(TABLE.cards)
    told = [one for one in reading.doubts if one.reason.code == "together-not-there"]
    assert [one.card for one in told] == [TOP]
    assert not reading.sure
    swapped = read_as_one(
        photographed(TABLE, LEFT, without(TOP)), photographed(TABLE, RIGHT, seed=1)
    )
    assert len(swapped.cards) == len(TABLE.cards)
    assert "together-not-there" in codes(swapped.doubts)
    assert not swapped.sure


def test_a_card_that_a_lamp_hides_in_one_is_taken_from_the_other() -> None:
    def glow(outlines: dict[int, Corners]) -> Iterator[Doubt]:
        x, y = SIZE[0] / 2, SIZE[1] / 2
        near = RIGHT.to_px(np.array([[TABLE.cards[-1].pose.x_mm, TABLE.cards[-1].pose.y_mm]]))[0]
        del x, y, outlines
        yield Doubt("missing", None, (float(near[0]), float(near[1])), Reason("glow-beside"), ANY)

    reading = read_as_one(
        photographed(TABLE, LEFT), photographed(TABLE, RIGHT, without(TOP), glow, seed=1)
    )
    assert names(reading) == sorted((one.colour, one.face) for one in TABLE.cards)
    assert "together-not-there" not in codes(reading.doubts)


def test_two_plain_names_of_one_card_are_a_doubt_with_both() -> None:
    card = TABLE.cards[-1]
    free = next(
        one.id
        for one in TABLE.deck.faces
        if (card.colour, one.id) not in {(c.colour, c.face) for c in TABLE.cards}
    )
    for first, second in ((card.face, free), (free, card.face)):
        reading = read_as_one(
            photographed(TABLE, LEFT, named_otherwise(card.id, first)),
            photographed(TABLE, RIGHT, named_otherwise(card.id, second), seed=1),
        )
        (doubt,) = [one for one in reading.doubts if one.kind == "face"]
        assert doubt.reason.code == "face-differs"
        assert {doubt.reason.facts["face"], doubt.reason.facts["rival"]} == {card.face, free}
        assert not is_sure(reading)


def test_a_doubtful_name_gives_way_to_a_plain_one_that_it_names_itself() -> None:
    card = TABLE.cards[-1]
    free = next(
        one.id
        for one in TABLE.deck.faces
        if (card.colour, one.id) not in {(c.colour, c.face) for c in TABLE.cards}
    )

    def asked(log_odds: float) -> Raised:
        def doubts(outlines: dict[int, Corners]) -> Iterator[Doubt]:
            reason = Reason("face-unclear", {"face": free, "rival": card.face})
            odds = AnswerOdds("face", free, 0.0), AnswerOdds("face", card.face, log_odds)
            yield Doubt("face", card.id, at(outlines, card.id), reason, ANY, ANY, odds=odds)

        return doubts

    misread = named_otherwise(card.id, free)
    plain = photographed(TABLE, RIGHT, seed=1)
    near = read_as_one(photographed(TABLE, LEFT, misread, asked(-0.5)), plain)
    assert names(near) == names(plain.reading)
    assert is_sure(near)
    far = read_as_one(photographed(TABLE, LEFT, misread, asked(-2.9)), plain)
    assert names(far) == names(plain.reading)
    assert not is_sure(far)


def test_a_table_larger_than_a_picture_is_read_from_two_that_overlap() -> None:
    large = table(5, 46)
    x, y = middle(large)
    photos = [
        photographed(
            large,
            camera(large, (10 * k, 60, 700), (x + 140 * k, y)),
            seed=k + 5,
            turn_deg=30.0 * k,
            shift_mm=(55.0 * k, 3.0),
        )
        for k in (-1, 1)
    ]
    assert all(len(one.reading.cards) < len(large.cards) for one in photos)
    reading = read_as_one(*photos)
    assert names(reading) == sorted((one.colour, one.face) for one in large.cards)
    assert dict(reading.scores) == true_scores(large)
    outside = [
        card
        for card in reading.cards
        if not all(0 <= u < SIZE[0] and 0 <= v < SIZE[1] for u, v in card.outline_px)
    ]
    assert outside
    assert is_sure(reading)


@pytest.mark.parametrize("stranger", [0, 1, 2])
def test_a_photograph_of_another_table_is_named(stranger: int) -> None:
    views = [LEFT, RIGHT, camera(TABLE, (0, 400, 900))]
    photos = [
        photographed(table(8) if k == stranger else TABLE, view, seed=k)
        for k, view in enumerate(views)
    ]
    assert joined(photos, RULES) == OtherTable(stranger)


def test_of_two_tables_the_second_is_the_other() -> None:
    photos = [photographed(TABLE, LEFT), photographed(table(9), RIGHT)]
    assert joined(photos, RULES) == OtherTable(1)


def test_some_misread_cards_do_not_make_it_another_table() -> None:
    wrong = {card.id for card in TABLE.cards[4:10]}

    def change(card: Card) -> Card:
        return replace(card, colour="purple") if card.id in wrong else card

    reading = read_as_one(photographed(TABLE, LEFT), photographed(TABLE, RIGHT, change, seed=1))
    assert len(reading.cards) == len(TABLE.cards)
    assert not reading.sure


@pytest.mark.parametrize("cards", [1, 2, 3])
def test_a_few_cards_are_a_table_too(cards: int) -> None:
    few = replace(TABLE, cards=TABLE.cards[:cards])
    photos = [photographed(few, LEFT), photographed(few, RIGHT, turn_deg=120, seed=1)]
    reading = read_as_one(*photos)
    assert len(reading.cards) == cards


def test_something_over_the_cards_in_one_hides_there_alone() -> None:
    def arm(outlines: dict[int, Corners]) -> Iterator[Doubt]:
        own = outlines[TABLE.cards[-3].id]
        yield Doubt("table", None, at(outlines, TABLE.cards[-3].id), HIDING, ANY, ANY,
                    outline_px=own)  # fmt: skip

    hidden = photographed(TABLE, LEFT, without(TOP), arm)
    clear = photographed(TABLE, RIGHT, seed=1)
    assert not hidden.reading.sure
    assert is_sure(read_as_one(photographed(TABLE, LEFT, doubts=arm), clear))
    # another arm over the same cards clears nothing
    both = read_as_one(hidden, photographed(TABLE, RIGHT, doubts=arm, seed=1))
    assert not both.sure


def test_the_order_of_a_pair_is_told_by_the_photograph_that_shows_it() -> None:
    upper = TABLE.cards[-1].id
    (lower, *_) = over(TABLE)[upper]

    def unclear(outlines: dict[int, Corners]) -> Iterator[Doubt]:
        (a, b), (c, d) = at(outlines, upper), at(outlines, lower)
        place = ((a + c) / 2, (b + d) / 2)
        yield Doubt("order", upper, place, Reason("order-unclear"), ANY, ANY)

    first = photographed(TABLE, LEFT, doubts=unclear)
    assert is_sure(read_as_one(first, photographed(TABLE, RIGHT, seed=1)))
    both = read_as_one(first, photographed(TABLE, RIGHT, doubts=unclear, seed=1))
    assert "order-unclear" in codes(both.doubts)
    assert not is_sure(both)


def test_an_order_that_two_photographs_tell_otherwise_is_a_doubt() -> None:
    ids = [card.id for card in TABLE.cards]
    upper = TABLE.cards[-1].id
    (lower, *_) = over(TABLE)[upper]
    rest = [card for card in TABLE.cards if card.id != upper]
    rest.insert([one.id for one in rest].index(lower), TABLE.card(upper))
    turned = replace(TABLE, cards=tuple(rest))
    assert ids != [one.id for one in turned.cards]
    reading = read_as_one(photographed(TABLE, LEFT), photographed(turned, RIGHT, seed=1))
    assert "order-differs" in codes(reading.doubts)
    assert not is_sure(reading)


def test_a_picture_that_is_doubted_as_a_whole_settles_nothing_and_is_settled_by_others() -> None:
    def poor(_: dict[int, Corners]) -> Iterator[Doubt]:
        yield Doubt("table", None, (5.0, 5.0), Reason("blurred"), ANY, ANY)

    blurred = photographed(TABLE, RIGHT, doubts=poor, seed=1)
    assert is_sure(read_as_one(photographed(TABLE, LEFT), blurred))
    open_card = photographed(TABLE, LEFT, doubts=doubted(TABLE.cards[3].id))
    assert not is_sure(read_as_one(open_card, blurred))


def test_photographs_that_are_all_doubted_as_a_whole_raise_no_more_doubts() -> None:
    def poor(_: dict[int, Corners]) -> Iterator[Doubt]:
        yield Doubt("table", None, (5.0, 5.0), Reason("blurred"), ANY, ANY)

    reading = read_as_one(
        photographed(TABLE, LEFT, doubts=poor), photographed(TABLE, RIGHT, doubts=poor, seed=1)
    )
    assert codes(reading.doubts) == ["blurred", "blurred"]


def test_millimetres_that_are_doubted_stay_so() -> None:
    def scale(_: dict[int, Corners]) -> Iterator[Doubt]:
        yield Doubt("table", None, (5.0, 5.0), Reason("markers-misscaled"), {}, ANY)

    first = photographed(TABLE, LEFT, doubts=scale)
    assert not is_sure(read_as_one(first, photographed(TABLE, RIGHT, seed=1)))


def test_numbers_of_cards_are_asked_of_the_joined_table() -> None:
    def few(_: dict[int, Corners]) -> Iterator[Doubt]:
        reason = Reason("cards-too-few", {"colour": "red", "count": 1, "most": 2})
        yield Doubt("missing", None, (5.0, 5.0), reason, ANY, ANY)

    assert is_sure(
        read_as_one(
            photographed(TABLE, LEFT, doubts=few), photographed(TABLE, RIGHT, doubts=few, seed=1)
        )
    )
    fewer = replace(TABLE, cards=TABLE.cards[:-1])
    reading = read_as_one(photographed(fewer, LEFT), photographed(fewer, RIGHT, seed=1))
    assert "cards-too-few" in codes(reading.doubts)


def test_doubts_are_told_in_pixels_of_the_first_photograph() -> None:
    card = TABLE.cards[5].id
    reading = read_as_one(
        photographed(TABLE, LEFT, doubts=doubted(card)),
        photographed(TABLE, RIGHT, doubts=doubted(card), seed=1),
    )
    here = at({card: reading.cards[5].outline_px}, card)
    told = [one for one in reading.doubts if one.reason.code == "looks-wrong"]
    assert len(told) == 2
    for one in told:
        assert np.hypot(*np.subtract(one.at_px, here)) < 3.0


def test_a_card_that_two_photographs_show_at_different_places_is_a_doubt() -> None:
    """It is one card all the same; where it lies decides whether it lies legally."""

    def slid(card: Card) -> Card:
        if card.id != TOP:
            return card
        return replace(card, pose=replace(card.pose, x_mm=card.pose.x_mm + 9.0))

    reading = read_as_one(photographed(TABLE, LEFT), photographed(TABLE, RIGHT, slid, seed=1))
    assert len(reading.cards) == len(TABLE.cards)
    assert not is_sure(reading)
    assert {"together-place-differs", "together-verdict-differs"} & set(codes(reading.doubts))


def test_a_blurred_picture_may_have_missed_what_others_do_not_show() -> None:
    """Its own cards are all plain elsewhere, but not what lies round them."""

    def poor(_: dict[int, Corners]) -> Iterator[Doubt]:
        yield Doubt("table", None, (5.0, 5.0), Reason("blurred"), ANY, ANY)

    blurred = photographed(TABLE, LEFT, doubts=poor)
    plain = photographed(TABLE, RIGHT, seed=1)
    assert is_sure(read_as_one(blurred, plain))
    cards = plain.reading.cards
    least = min(min(x for x, _ in card.outline_px) for card in cards) - 25.0
    seen = plain.reading.seen
    near = tuple(
        replace(one, outline_px=tuple((x - least, y) for x, y in one.outline_px))  # type: ignore[arg-type]
        for one in seen.cards
    )
    cut = Photograph(assemble(replace(seen, cards=near), RULES), SIZE)
    assert not read_as_one(blurred, cut).sure


def test_what_nobody_reads_is_never_taken_for_what_is_there() -> None:
    """Numbers of cards may gainsay what the picture alone finds likelier."""
    card = TABLE.cards[-1]
    free = next(
        one.id
        for one in TABLE.deck.faces
        if (card.colour, one.id) not in {(c.colour, c.face) for c in TABLE.cards}
    )

    def likelier(outlines: dict[int, Corners]) -> Iterator[Doubt]:
        reason = Reason("face-unclear", {"face": card.face, "rival": free})
        odds = AnswerOdds("face", card.face, 0.0), AnswerOdds("face", free, 9.0)
        yield Doubt("face", card.id, at(outlines, card.id), reason, ANY, ANY, odds=odds)

    for view in (LEFT, RIGHT):
        reading = read_as_one(
            photographed(TABLE, LEFT, doubts=likelier),
            photographed(TABLE, view, doubts=likelier, seed=1),
        )
        assert names(reading) == sorted((one.colour, one.face) for one in TABLE.cards)
        assert "face-unclear" in codes(reading.doubts)
