"""A known table is gone on from: only what a picture shows otherwise becomes another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from geometry.layout import Card
from geometry.pose import Pose
from tests.vision.model.drawn_table import CARDS, CONFIG, DECK, DrawnTable, drawn_table
from vision.infer.known_table import GoneOn, gone_on
from vision.model.drawing import draw_faces, told_apart
from vision.model.hypothesis import Hypothesis
from vision.model.table import CardId, PlacedCard, Table
from vision.propose.known_places import KnownPlaces
from vision.propose.places import given_places

pytestmark = pytest.mark.slow
TOP = CARDS[-1]
ASIDE = CARDS[3]
"""A card that no other one touches."""


def went(drawn: DrawnTable, known: Table) -> GoneOn | None:
    seen = drawn.seen()
    given = given_places(seen, [card.place for card in known.cards], DECK.card, CONFIG)
    shares = np.array([one.share for one in given])
    return gone_on(seen, KnownPlaces(known, shares, shares), DECK, CONFIG)


def went_on(drawn: DrawnTable, known: Table) -> GoneOn:
    out = went(drawn, known)
    assert out is not None
    return out


def known_of(cards: Sequence[Card]) -> Table:
    return drawn_table(cards).table


def moved(card: Card, by_mm: float) -> Card:
    return replace(card, pose=replace(card.pose, x_mm=card.pose.x_mm + by_mm))


def same(one: PlacedCard, other: PlacedCard) -> bool:
    """Whether two cards look alike, and lie at one place."""
    faces = draw_faces(DECK, CONFIG)
    off = np.hypot(one.place.x_mm - other.place.x_mm, one.place.y_mm - other.place.y_mm)
    turn = abs((one.place.angle_deg - other.place.angle_deg + 90) % 180 - 90)
    if one.ink is None or other.ink is None:
        return bool(off < 0.5 and turn < 0.5 and one.ink == other.ink)
    up = (one.place.angle_deg - other.place.angle_deg + 90) % 360 < 180
    what = other.hypothesis if up else replace(other.hypothesis, turned=not other.hypothesis.turned)
    differs = told_apart(faces.drawn(one.hypothesis), faces.drawn(what)).any()
    return bool(off < 0.5 and turn < 0.5 and not differs and one.ink == other.ink)


def lies(card: PlacedCard, table: Table) -> bool:
    return any(same(card, other) for other in table.cards)


def ids(table: Table) -> set[CardId]:
    return {card.id for card in table.cards}


def by_id(table: Table) -> dict[CardId, PlacedCard]:
    """The cards, whatever their order."""
    return {card.id: card for card in table.cards}


def is_told(out: GoneOn) -> bool:
    """Whether so much lies over the cards that it is a doubt."""
    return bool(out.over.sum() > CONFIG.worse_mm2 * CONFIG.density**2)


@pytest.fixture(scope="module")
def drawn() -> DrawnTable:
    return drawn_table()


def test_what_stayed_as_it_was_is_not_asked(drawn: DrawnTable) -> None:
    out = went_on(drawn, drawn.table)
    assert by_id(out.found.table) == by_id(drawn.table)
    assert not out.asked
    assert not is_told(out)


def test_a_card_more_is_found_and_the_others_stay(drawn: DrawnTable) -> None:
    known = known_of(CARDS[:-1])
    out = went_on(drawn, known)
    (new,) = (card for card in out.found.table.cards if card.id not in ids(known))
    assert by_id(out.found.table.without(new.id)) == by_id(known)
    assert same(new, drawn.table.cards[-1])
    assert new.id in out.asked
    assert CARDS[2].id in out.asked  # it lies under the new card
    assert ASIDE.id not in out.asked
    assert not is_told(out)


def test_a_card_of_a_colour_that_was_not_there_is_found() -> None:
    green = replace(TOP, colour="green")
    out = went_on(drawn_table((*CARDS[:-1], green)), known_of(CARDS[:-1]))
    (new,) = (card for card in out.found.table.cards if card.id >= len(CARDS) - 1)
    assert new.hypothesis.face == green.face
    assert new.ink not in {"red", "blue"}


def test_a_card_that_was_taken_lies_there_no_more(drawn: DrawnTable) -> None:
    out = went_on(drawn_table(CARDS[:-1]), drawn.table)
    gone = drawn.table.cards[-1].id
    assert by_id(out.found.table) == by_id(drawn.table.without(gone))
    assert CARDS[2].id in out.asked
    assert not is_told(out)


@pytest.mark.parametrize("by_mm", [3.0, 12.0])
def test_a_card_that_was_nudged_lies_where_it_shows(drawn: DrawnTable, by_mm: float) -> None:
    after = drawn_table([moved(c, by_mm) if c == ASIDE else c for c in CARDS])
    out = went_on(after, drawn.table)
    assert len(out.found.table.cards) == len(CARDS)
    assert all(lies(card, out.found.table) for card in after.table.cards)
    assert not is_told(out)


def test_a_card_slid_under_others_is_found_below_them() -> None:
    under = Card(9, "red", "circle-3", Pose(222.0, 140.0, 300.0))
    known = known_of(CARDS)
    after = drawn_table((*CARDS[:-1], under, TOP))
    out = went_on(after, known)
    (new,) = (card for card in out.found.table.cards if card.id not in ids(known))
    assert same(new, after.table.cards[-2])
    assert out.found.table.rank(new.id) < out.found.table.rank(known.cards[-1].id)


def test_what_was_known_wrongly_is_asked_again(drawn: DrawnTable) -> None:
    wrong = drawn.table.cards[3]
    known = drawn.table.with_card(replace(wrong, hypothesis=Hypothesis("square-2")))
    out = went_on(drawn, known)
    assert same(out.found.table.card(wrong.id), wrong)
    assert wrong.id in out.asked


def covered(drawn: DrawnTable, card: Card, radius_mm: float) -> DrawnTable:
    """The table with a cup over a card's middle."""
    image = drawn.raster.image_bgr.copy()
    at = drawn.raster.to_raster(np.array([card.pose.x_mm, card.pose.y_mm]))
    x, y = (round(value) for value in at.tolist())
    radius = round(radius_mm * drawn.raster.density)
    cv2.circle(image, (x, y), radius, (190, 140, 40), -1)
    cv2.circle(image, (x, y), radius - 6, (150, 190, 200), 4)
    return replace(drawn, raster=replace(drawn.raster, image_bgr=image))


@pytest.mark.parametrize("radius_mm", [12.0, 55.0])
def test_what_lies_over_a_card_is_told(drawn: DrawnTable, radius_mm: float) -> None:
    """Of a card that is covered in part it shows on the card; of one that cannot be seen any more,
    that where it lay no table shows.
    """
    out = went_on(covered(drawn, ASIDE, radius_mm), drawn.table)
    row, column = np.nonzero(out.over)
    assert is_told(out)
    mm = np.column_stack([column, row]) / drawn.raster.density
    off = np.hypot(*(mm - [ASIDE.pose.x_mm, ASIDE.pose.y_mm]).T)
    assert off.max() < radius_mm + 5.0


def test_another_table_is_not_gone_on_from() -> None:
    """Four cards are otherwise, and a turn changes three."""
    others = [
        replace(card, face=face)
        for card, face in zip(
            CARDS[1:], ("circle-1", "square-3", "square-1", "triangle-4"), strict=True
        )
    ]
    assert went(drawn_table((CARDS[0], *others)), known_of(CARDS)) is None
