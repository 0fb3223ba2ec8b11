from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from geometry.layout import Card, Layout
from geometry.pose import Pose
from geometry.rules import Rules
from geometry.showing import visible_dots
from measuring.scenes.true_reading import true_reading
from rig.overlay.canvas import LIGHT, colour_bgr, load_font
from rig.overlay.labels import Label, draw_labels
from rig.overlay.overlay import RED, YELLOW, card_to_px, draw_overlay
from rig.overlay.panel import panel_lines
from rig.wording.kept_reasons import reason_of
from tests.decks import OLDER_DECK
from tests.scenes import NAMES, scene
from vision.assemble import assemble, middle_px
from vision.reading import Corners, Doubt, ReadCard, Reading, SeenCard, SeenTable

DECK = OLDER_DECK
SCALE = 3.0
GREY = 100


def outline(pose: Pose) -> Corners:
    """The card's corners in a picture of 3 pixels to the millimetre."""
    x, y = DECK.card.width_mm / 2, DECK.card.height_mm / 2
    corners = SCALE * pose.to_table(np.array([[-x, -y], [x, -y], [x, y], [-x, y]]))
    a, b, c, d = ((float(u), float(v)) for u, v in corners)
    return a, b, c, d


def reading_of(*cards: Card, doubts: tuple[Doubt, ...] = ()) -> Reading:
    seen = tuple(SeenCard(card.id, outline(card.pose), 1.0) for card in cards)
    return assemble(SeenTable(Layout(DECK, cards), seen, doubts, SCALE), Rules())


def grey(width: int = 900, height: int = 700) -> NDArray[np.uint8]:
    return np.full((height, width, 3), GREY, np.uint8)


def drawn_at(picture: NDArray[np.uint8], x: float, y: float, reach: int = 0) -> NDArray[np.uint8]:
    row, column = round(y), round(x)
    patch = picture[row - reach : row + reach + 1, column - reach : column + reach + 1]
    return np.asarray(patch.reshape(-1, 3))


def has(patch: NDArray[np.uint8], colour: tuple[int, int, int], near: int = 3) -> bool:
    return bool((np.abs(patch.astype(int) - colour).max(axis=1) <= near).any())


def on_card(card: ReadCard, x_mm: float, y_mm: float) -> tuple[float, float]:
    u, v, w = card_to_px(card, DECK.card) @ (x_mm, y_mm, 1.0)
    return float(u / w), float(v / w)


@cache
def two_cards() -> tuple[Reading, NDArray[np.uint8]]:
    """A red card whose lower half lies on a blue one's upper half."""
    lower = Card(0, "blue", "circle-6", Pose(100, 130, 0))
    upper = Card(1, "red", "circle-1", Pose(100, 80, 0))
    reading = reading_of(lower, upper)
    return reading, draw_overlay(grey(), reading, DECK)


def test_the_photo_stays_as_it_is_and_where_it_is() -> None:
    picture = grey()
    drawn = draw_overlay(picture, two_cards()[0], DECK)
    assert np.all(picture == GREY)
    assert drawn.shape[1:] == (900, 3)
    assert drawn.shape[0] > 700
    assert np.all(drawn[650:700, 700:] == GREY)


def test_colours_are_blue_green_red() -> None:
    assert colour_bgr("#0d93d0") == (0xD0, 0x93, 0x0D)


def test_outlines_have_the_player_s_colour() -> None:
    reading, drawn = two_cards()
    lower, upper = reading.cards
    side = DECK.card.width_mm / 2 - 1.2
    assert has(drawn_at(drawn, *on_card(upper, side, -20), 1), colour_bgr(DECK.colour("red").hex))
    assert has(drawn_at(drawn, *on_card(lower, side, 30), 1), colour_bgr(DECK.colour("blue").hex))
    assert np.all(drawn_at(drawn, *on_card(upper, side - 9, -20)) == GREY)


def test_every_outline_is_cased_light() -> None:
    reading, drawn = two_cards()
    place = on_card(reading.cards[1], DECK.card.width_mm / 2 - 1.2, 0)
    assert has(drawn_at(drawn, *place, 4), LIGHT)


def test_a_covered_edge_is_dotted_and_the_upper_one_runs_on() -> None:
    reading, drawn = two_cards()
    lower, upper = reading.cards
    red, blue = (colour_bgr(DECK.colour(name).hex) for name in ("red", "blue"))
    top = -(DECK.card.height_mm / 2 - 1.2)
    edge = [
        has(drawn_at(drawn, *on_card(lower, x, top), 1), blue, 60) for x in np.arange(-20, 20, 0.3)
    ]
    assert 0.2 < np.mean(edge) < 0.8
    whole = [
        has(drawn_at(drawn, *on_card(upper, x, -top), 1), red) for x in np.arange(-20, 20, 0.3)
    ]
    assert all(whole)


def test_counted_dots_are_ringed_and_covered_ones_are_not() -> None:
    reading, drawn = two_cards()
    counted = visible_dots(reading.seen.layout)
    assert {*counted[0]} == {True, False}
    for card in reading.cards:
        for (x, y), shows in zip(DECK.face(card.face).dots_mm, counted[card.id], strict=True):
            angle = np.deg2rad(np.arange(0, 360, 10))
            ring = [
                has(drawn_at(drawn, *on_card(card, x + 3 * np.cos(a), y + 3 * np.sin(a)), 1), LIGHT)
                for a in angle
            ]
            assert (np.mean(ring) > 0.9) == shows


def test_mirrored_cards_have_their_dots_on_the_other_side() -> None:
    card = Card(0, "blue", "square-3", Pose(150, 110, 0, mirrored=True))
    reading = reading_of(card)
    drawn = draw_overlay(grey(), reading, DECK)
    for x, y in DECK.face("square-3").dots_mm:
        at_x, at_y = SCALE * (150 - x), SCALE * (110 + y)
        assert has(drawn_at(drawn, at_x + 9, at_y, 2), LIGHT)


def test_illegal_cards_carry_a_tag_and_doubts_a_number() -> None:
    reading, drawn = two_cards()
    (illegal,) = reading.illegal
    place = middle_px(reading.cards[illegal.card].outline_px)
    assert has(drawn_at(drawn, *place), RED)
    doubt = Doubt("dot", None, (650.0, 200.0), reason_of("Is it a dot?"))
    doubted = draw_overlay(grey(), replace(reading, doubts=(doubt,)), DECK)
    assert has(drawn_at(doubted, 650, 200), YELLOW)
    assert not has(drawn_at(drawn, 650, 200), YELLOW)


def test_the_panel_grows_with_what_there_is_to_say() -> None:
    reading, drawn = two_cards()
    doubts = (Doubt("card", None, (50.0, 50.0), reason_of("Look here. " * 20)),) * 3
    assert draw_overlay(grey(), replace(reading, doubts=doubts), DECK).shape[0] > drawn.shape[0]


def test_text_is_legible_on_a_phone() -> None:
    """Tags are at least a sixtieth of the picture's width high: 6 points at a phone's width."""
    place = (600.0, 450.0)
    for width, height in ((1200, 900), (4056, 3040)):
        font = load_font(width / 52)
        label = Label("1 misaligned 4.1 mm", place, 100, RED, LIGHT)
        covered = np.zeros((height, width), np.bool_)
        drawn = draw_labels(grey(width, height), covered, [label], font)
        rows = np.flatnonzero((drawn == RED).all(axis=2).any(axis=1))
        assert np.ptp(rows) > width / 60


def test_labels_lie_apart_beside_their_place_and_off_the_cards() -> None:
    covered = np.zeros((700, 900), np.bool_)
    covered[250:450, 300:600] = True
    labels = [Label(f"{i} two cards", (450.0, 350.0), 120, RED, LIGHT) for i in range(4)]
    drawn = draw_labels(grey(), covered, labels, load_font(20))
    red = (drawn == RED).all(axis=2)
    boxes = red & ~covered
    assert boxes.sum() > 4 * 20 * 80
    assert (red & covered).sum() < 0.25 * boxes.sum()  # the leaders lie there


@pytest.mark.parametrize("place", [(-500.0, -500.0), (0.0, 0.0), (5000.0, 350.0), (450.0, 699.0)])
def test_labels_stay_in_the_picture(place: tuple[float, float]) -> None:
    label = Label("1 overhang 3.0 mm", place, 40, RED, LIGHT)
    drawn = draw_labels(grey(), np.zeros((700, 900), np.bool_), [label], load_font(20))
    assert (drawn == RED).all(axis=2).sum() > 1000


@pytest.mark.parametrize(
    "pose", [Pose(0, 0, 30), Pose(-500, -500, 0), Pose(300, 233, 271, mirrored=True)]
)
def test_cards_at_and_past_the_edge_of_the_picture(pose: Pose) -> None:
    drawn = draw_overlay(grey(), reading_of(Card(3, "pink", "circle-6", pose)), DECK)
    assert drawn.shape[1] == 900


def test_an_empty_table_and_a_tiny_picture() -> None:
    assert draw_overlay(grey(40, 30), reading_of(), DECK).shape[1] == 40


@pytest.mark.parametrize("name", NAMES)
def test_draws_every_fixture(name: str) -> None:
    taken = scene(name)
    drawn = draw_overlay(taken.image_bgr, true_reading(taken.truth), DECK)
    height, width = taken.image_bgr.shape[:2]
    assert drawn.shape[1] == width
    changed = (drawn[:height] != taken.image_bgr).any(axis=2).mean()
    assert 0.01 < changed < 0.35


def test_the_panel_names_suits_in_letters_that_its_font_has() -> None:
    reading = true_reading(scene("two-walnut").truth)
    font = load_font(20.0)
    said = " ".join(line.text for line in panel_lines(reading, reading.seen.layout.deck))
    assert "off the red 4 square" in said
    missing = font.getmask("\N{CJK UNIFIED IDEOGRAPH-4E00}")
    drawn = {letter: font.getmask(letter) for letter in set(said)}
    assert [letter for letter, mask in drawn.items() if bytes(mask) == bytes(missing)] == []


def test_a_table_without_players_cards_is_told_in_a_sentence() -> None:
    empty = assemble(SeenTable(Layout(DECK, ()), (), (), SCALE), Rules())
    assert [line.text for line in panel_lines(empty, DECK)] == ["No card lies on the table."]
    start = Card(0, "white", "start", Pose(100.0, 100.0, 0.0))
    corners = ((0.0, 0.0), (50.0, 0.0), (50.0, 80.0), (0.0, 80.0))
    alone = assemble(
        SeenTable(Layout(DECK, (start,)), (SeenCard(0, corners, 0.99),), (), SCALE), Rules()
    )
    (line,) = panel_lines(alone, DECK)
    assert line.text == "Only the starting card lies on the table: no dots yet."
    blank = np.zeros((300, 400, 3), np.uint8)
    assert draw_overlay(blank, empty, DECK).shape[1] == 400


def test_the_part_that_a_doubt_is_about_is_framed_and_hatched() -> None:
    corners = ((500.0, 300.0), (700.0, 300.0), (700.0, 450.0), (500.0, 450.0))
    doubt = Doubt("table", None, (600.0, 375.0), reason_of("ask"), outline_px=corners)
    reading = reading_of(Card(0, "blue", "circle-6", Pose(100, 130, 0)), doubts=(doubt,))
    picture = draw_overlay(grey(), reading, DECK)
    assert has(drawn_at(picture, 700, 420, 2), YELLOW)
    row = picture[440, 520:680]
    assert 2 < np.count_nonzero(np.abs(row.astype(int) - YELLOW).max(axis=1) <= 3) < 80
    assert not has(drawn_at(picture, 760, 420, 20), YELLOW)
