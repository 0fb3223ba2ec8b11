"""Drawn tables, read rightly and wrongly: what is likelier is what was drawn."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.drawing.drawn_cards import DECK, DrawnCard, drawn_evidence
from tests.vision.likelihood.odds_tables import CARDS, CONFIG, ON_TOP, TEMPLATES, table
from vision.evidence import observe
from vision.likelihood.config import LikelihoodConfig
from vision.likelihood.drawing import Guesses
from vision.likelihood.odds import (
    Alternative,
    Kind,
    card_odds,
    faces_left,
    guess_odds,
    likelier_on_top,
    uncovered_odds,
)
from vision.likelihood.picture import LaidCards, Picture
from vision.raster import Raster


def likeliest(cards: LaidCards, i: int, raster: Raster | None = None) -> dict[Kind, Alternative]:
    """Of each kind the likeliest other explanation of a card."""
    picture = Picture(observe(raster or table()[0]), cards, DECK.card, TEMPLATES, CONFIG)
    best: dict[Kind, Alternative] = {}
    for other in sorted(card_odds(picture, i).alternatives, key=lambda a: a.log_odds):
        best[other.kind] = other
    return best


@pytest.mark.parametrize("i", [0, 1, ON_TOP])
def test_nothing_is_likelier_than_what_was_drawn(i: int) -> None:
    best = likeliest(table()[1], i)
    assert max(other.log_odds for other in best.values()) <= 0
    assert best["face"].log_odds < -20
    assert best["absent"].log_odds < -100


@pytest.mark.parametrize(("i", "read"), [(0, "circle-2"), (1, "square-5"), (ON_TOP, "square-2")])
def test_the_face_drawn_is_likelier_than_another(i: int, read: str) -> None:
    cards = table()[1]
    rows = cards.rows.copy()
    rows[i] = 2 * TEMPLATES.faces.index(read)
    best = likeliest(replace(cards, rows=rows), i)["face"]
    assert best.log_odds > 20
    assert (best.row, best.turned) == (cards.rows[i], False)


@pytest.mark.parametrize("read", ["circle-3", "circle-2"])
def test_what_shows_leaves_no_face_but_the_true_one_and_what_is_likelier_than_a_wrong_one(
    read: str,
) -> None:
    raster, cards = table()
    rows = cards.rows.copy()
    rows[0] = 2 * TEMPLATES.faces.index(read)
    config = replace(CONFIG, sure_odds=20.0)
    picture = Picture(observe(raster), replace(cards, rows=rows), DECK.card, TEMPLATES, config)
    faces = faces_left(picture, 0)
    assert faces is not None
    assert ("circle-3" in {TEMPLATES.faces[face] for face in faces}) == bool(faces)
    assert bool(faces) == (read != "circle-3")
    picture.judged.remove(0)
    assert faces_left(picture, 0) is None


def test_the_side_drawn_is_likelier_than_the_other() -> None:
    cards = table()[1]
    rows = cards.rows.copy()
    rows[0] ^= 1
    best = likeliest(replace(cards, rows=rows), 0)["face"]
    assert best.log_odds > 20
    assert best.row == cards.rows[0]


def test_the_ink_of_its_colour_is_likelier_than_of_another() -> None:
    cards = table()[1]
    colour, true = cards.colour.copy(), int(cards.colour[2])
    # A third card says what orange is; one misread green does not change what green is.
    colour[2] = TEMPLATES.colours.index("green")
    more = (*CARDS, DrawnCard("circle-1", "orange", (200.0, 140.0, 0.3)))
    raster = drawn_evidence(*more, size_mm=(280, 190)).raster
    laid = LaidCards(
        np.array([card.pose for card in more]),
        np.append(cards.rows, 0),
        np.append(colour, true),
        tuple(range(len(more))),
    )
    best = likeliest(laid, 2, raster)["colour"]
    assert best.log_odds > 3
    assert best.other == true


def test_no_card_is_likelier_where_none_lies() -> None:
    cards = table()[1]
    laid = LaidCards(
        np.vstack([cards.poses, [[185.0, 140.0, 0.2]]]),
        np.append(cards.rows, 4),
        np.append(cards.colour, cards.colour[0]),
        (*cards.order, len(cards)),
    )
    assert likeliest(laid, len(cards))["absent"].log_odds > 100


def test_who_lies_on_top_is_told_where_both_overlap() -> None:
    cards = table()[1]
    below = likeliest(cards, ON_TOP)["order"]
    assert below.log_odds < -20
    swapped = replace(cards, order=(0, ON_TOP, 1, 2, 4, 5))
    over = likeliest(swapped, below.other)["order"]
    assert over.log_odds > 20
    assert over.other == ON_TOP


def test_what_lies_on_a_card_is_told_from_the_card() -> None:
    assert likeliest(table()[1], 1)["covered"].log_odds == 0
    raster = table()[0]
    image = raster.image_bgr.copy()
    x, y = np.rint(raster.to_raster(np.array([95.0, 60.0]))).astype(int)
    image[y - 30 : y + 30, x - 30 : x + 30] = (90, 160, 200)
    covered = replace(raster, image_bgr=image)
    assert likeliest(table()[1], 1, covered)["covered"].log_odds > 50


def test_a_card_of_which_hardly_anything_shows_is_not_judged() -> None:
    cards = table()[1]
    laid = LaidCards(
        np.vstack([cards.poses, cards.poses[:1]]),
        np.append(cards.rows, cards.rows[0]),
        np.append(cards.colour, cards.colour[0]),
        (len(cards), *cards.order),
    )
    assert likeliest(laid, len(cards)) == {}


def test_a_picture_out_of_focus_is_known_to_be() -> None:
    raster, cards = table()
    soft = cv2.GaussianBlur(raster.image_bgr, (0, 0), 0.7 * raster.density)
    config = LikelihoodConfig(blurs_mm=(0.0, 0.7), blur_cards=3)
    for image, blur_mm in ((raster.image_bgr, 0.0), (soft, 0.7)):
        seen = replace(raster, image_bgr=np.asarray(image, np.uint8))
        assert Picture(observe(seen), cards, DECK.card, TEMPLATES, config).blur_mm == blur_mm


BENEATH, UPPER = "square-5", "square-2"
"""Lying on another's rectangle with three dots, the one's own has three, the other's none."""


def on_a_rectangle(shown: str, read: str) -> tuple[Raster, LaidCards]:
    """A card that lies with its rectangle on that of a card of the same ink, and is read as another
    one that lies under it.
    """
    upper = DrawnCard(shown, "orange", (60.0, 140.0, 0.0), mirrored=shown != UPPER)
    rectangle = DECK.face(shown).shapes[-1].outline_mm
    middle = np.mean(rectangle, axis=0)
    lower = DrawnCard("circle-6", "orange", (60.0, 140.0 + 2 * float(middle[1]), np.pi))
    others = (
        DrawnCard("circle-3", "orange", (150.0, 60.0, 0.1)),
        DrawnCard("square-4", "purple", (150.0, 160.0, 1.2)),
    )
    cards = (lower, upper, *others)
    raster = drawn_evidence(*cards, size_mm=(220, 220)).raster
    rows = np.array([2 * TEMPLATES.faces.index(card.face) + card.mirrored for card in cards])
    rows[1] = 2 * TEMPLATES.faces.index(read) + (read != UPPER)
    colours = np.array([TEMPLATES.colours.index(card.colour) for card in cards])
    return raster, LaidCards(np.array([card.pose for card in cards]), rows, colours, (1, 0, 2, 3))


def odds_on_top(raster: Raster, laid: LaidCards, shown: str) -> tuple[NDArray[np.float64], float]:
    """Of what was read and of what is `shown`: lying on top, and the latter lying where it does."""
    picture = Picture(observe(raster), laid, DECK.card, TEMPLATES, CONFIG)
    row = 2 * TEMPLATES.faces.index(shown) + (shown != UPPER)
    guesses = Guesses(np.array([laid.rows[1], row]), np.zeros(2, np.bool_), int(laid.colour[1]))
    assert np.isneginf(uncovered_odds(picture, 0, guesses)).all()
    return uncovered_odds(picture, 1, guesses), float(guess_odds(picture, 1, guesses)[1])


@pytest.mark.parametrize(("shown", "read"), [(UPPER, BENEATH), (BENEATH, UPPER)])
def test_a_face_taken_for_another_that_would_be_covered_is_told_by_what_shows_there(
    shown: str, read: str
) -> None:
    (as_read, true), beneath = odds_on_top(*on_a_rectangle(shown, read), shown)
    assert true > 20
    assert true > as_read + 20
    # As it is read little of that shows.
    assert true > 5 * abs(beneath)


def test_a_band_whose_colour_is_blurred_tells_no_other_ink_than_a_shape_has() -> None:
    """As a JPEG blurs colours: what shows of a card is its band, what it may hide its shape."""
    raster, laid = on_a_rectangle(BENEATH, UPPER)
    grey, *colours = cv2.split(cv2.cvtColor(raster.image_bgr, cv2.COLOR_BGR2YCrCb))
    blurred = [cv2.GaussianBlur(one, (0, 0), 1.2 * raster.density) for one in colours]
    image = cv2.cvtColor(cv2.merge([grey, *blurred]), cv2.COLOR_YCrCb2BGR)
    soft = replace(raster, image_bgr=np.asarray(image, np.uint8))
    (as_read, true), _ = odds_on_top(soft, laid, BENEATH)
    assert true > 20
    assert true > as_read + 20


def test_a_card_read_under_the_one_that_it_lies_on_is_likelier_on_top() -> None:
    raster, wrong = on_a_rectangle(BENEATH, UPPER)
    assert likelier_on_top(Picture(observe(raster), wrong, DECK.card, TEMPLATES, CONFIG), 1)
    rows = wrong.rows.copy()
    rows[1] = 2 * TEMPLATES.faces.index(BENEATH) + 1
    right = Picture(
        observe(raster), replace(wrong, rows=rows, order=(0, 1, 2, 3)), DECK.card, TEMPLATES, CONFIG
    )
    assert not any(likelier_on_top(right, i) for i in range(len(rows)))


def test_what_a_lamp_washes_out_is_not_asked() -> None:
    raster, cards = table()
    evidence = observe(raster)
    clear = Picture(evidence, cards, DECK.card, TEMPLATES, CONFIG)
    washed = np.zeros_like(evidence.washed)
    x, y = np.rint(raster.to_raster(cards.poses[0, :2])).astype(int)
    washed[y - 20 : y + 20, x - 20 : x + 20] = 255
    lamp = Picture(replace(evidence, washed=washed), cards, DECK.card, TEMPLATES, CONFIG)
    lost = np.setdiff1d(clear.shown[0].index, lamp.shown[0].index)
    assert 0 < len(lost) < len(clear.shown[0].index) / 2
    assert (np.abs(TEMPLATES.grid_mm[lost]) < 20 * np.sqrt(2) / raster.density).all()
    everywhere = replace(evidence, washed=np.full_like(washed, 255))
    assert Picture(everywhere, cards, DECK.card, TEMPLATES, CONFIG).judged == []
