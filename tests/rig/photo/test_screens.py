"""Pictures of screens: bars along a side and moire are no damage, bands across the cards are."""

from __future__ import annotations

import io
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest
from PIL import Image

from geometry.rules import Rules
from measuring.scenes.true_reading import true_reading
from rig.photo.bands import bars_round, inside_bars
from rig.photo.damage_signs import Area, Damage, PlacedSign
from rig.photo.damaged_reading import with_damage
from rig.photo.decoding import decode_photo_told, load_photo
from rig.photo.picture_damage import SMEARED, picture_damage
from tests.rig.photo.picture_families import Image8
from tests.scenes import SCENES, scene
from vision.assemble import assemble
from vision.reading import Reading


@cache
def _photo() -> Image8:
    image = load_photo(SCENES / "full-felt" / "image.jpg")
    return np.asarray(cv2.resize(image, (1000, 750), interpolation=cv2.INTER_AREA), np.uint8)


def photo() -> Image8:
    return _photo().copy()


Colour = tuple[int, int, int]
Sides = tuple[int, int, int, int]
SIDES = {"above and below": (500, 500, 0, 0), "beside": (0, 0, 400, 300), "round": (64, 90, 80, 40)}
COLOURS = {
    "black": (12, 12, 12),
    "white": (255, 255, 255),
    "a messenger's green": (84, 94, 7),
    "navy": (80, 30, 20),
    "paper": (200, 225, 232),
}


def on_screen(
    image: Image8, colour: tuple[int, int, int], sides: tuple[int, int, int, int]
) -> Image8:
    """The photo on a telephone, bars of so many pixels above, below, left and right of it, with
    words in them.
    """
    bars = cv2.copyMakeBorder(image, *sides, borderType=cv2.BORDER_CONSTANT, value=colour)
    words = (255, 255, 255) if max(colour) < 128 else (0, 0, 0)
    above, below, left, _ = sides
    for high, y in ((above, 60), (below, len(bars) - 40)):
        if high > 100:
            cv2.putText(bars, "21:47 Share Delete", (40, y), 0, 1.2, words, 3, cv2.LINE_AA)
    if left > 100:
        for y in (200, 400, 600):
            cv2.circle(bars, (30, y), 12, words, 3, cv2.LINE_AA)
    return np.asarray(bars, np.uint8)


def again(image: Image8, quality: int) -> Image8:
    """The picture as a JPEG of this quality shows it."""
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


@pytest.mark.parametrize("sides", SIDES.values(), ids=SIDES)
@pytest.mark.parametrize("colour", COLOURS.values(), ids=COLOURS)
def test_bars_with_words_are_no_damage(colour: Colour, sides: Sides) -> None:
    shown = on_screen(photo(), colour, sides)
    above, below, left, right = sides
    for image in (shown, again(shown, 90)):
        found = picture_damage(image)
        assert (found.signs, found.faint) == ((), ())
        high, wide = image.shape[:2]
        right_bars = bars_round(Area(left, above, wide - right, high - below), (wide, high))
        assert len(found.bars) == len(right_bars)
        assert np.abs(np.subtract(found.bars, right_bars)).max() <= SMEARED


def test_a_band_inside_or_of_a_decoders_grey_is_damage() -> None:
    image = on_screen(photo(), (12, 12, 12), SIDES["above and below"])
    image[800:840] = 12
    assert picture_damage(image).placed == (
        PlacedSign("a band of one colour", Area(0, 800, 1000, 840)),
    )
    grey = on_screen(photo(), (128, 128, 128), SIDES["above and below"])
    assert "a band of one colour" in picture_damage(grey).signs


def test_a_bar_on_the_cards_is_damage() -> None:
    whole = true_reading(scene("full-felt").truth)
    assert whole.sure
    xs, ys = np.array([xy for card in whole.cards for xy in card.outline_px]).T
    for bar in (Area(0, 0, 4000, int(ys.min()) + 5), Area(0, 0, int(xs.min()) + 5, 3000)):
        assert not with_damage(whole, Damage(bars=(bar,)), (100, 80), Rules()).sure
    beside = Area(-900, 0, -800, 3000), Area(0, -900, 4000, -800)
    assert with_damage(whole, Damage(bars=beside), (100, 80), Rules()) is whole


def test_damage_counts_where_it_lies_on_the_cards_or_near_them() -> None:
    whole = true_reading(scene("full-felt").truth)
    outlines = [np.array(card.outline_px) for card in whole.cards]
    length = max(float(np.linalg.norm(one[1] - one[2])) for one in outlines)
    lowest = max(float(one[:, 1].max()) for one in outlines)

    def told(cards_away: float) -> Reading:
        first = int(lowest + cards_away * length)
        sign = PlacedSign("a band of one colour", Area(0, first, 4000, first + 9000))
        return with_damage(whole, Damage(placed=(sign,)), (100, 80), Rules())

    assert not told(-0.5).sure
    assert not told(0.8).sure
    assert told(1.5) is whole


def test_where_no_card_was_read_any_damage_counts() -> None:
    whole = true_reading(scene("full-felt").truth)
    layout = replace(whole.seen.layout, cards=())
    empty = assemble(replace(whole.seen, layout=layout, cards=()), Rules())
    sign = PlacedSign("a band of one colour", Area(0, 0, 10, 10))
    assert not with_damage(empty, Damage(placed=(sign,)), (100, 80), Rules()).sure


def under_a_grid(image: Image8, pitch: float, strength: float) -> Image8:
    """The picture as a screen shows it whose grid the camera's beats with."""
    y, x = np.mgrid[: image.shape[0], : image.shape[1]]
    grid = 1 + strength * np.sin(2 * np.pi * x / pitch) * np.sin(2 * np.pi * y / pitch)
    return np.asarray(np.clip(image * grid[..., None], 0, 255), np.uint8)


@pytest.mark.parametrize("strength", [0.01, 0.02, 0.03, 0.06])
@pytest.mark.parametrize("pitch", [2.3, 2.7, 3.4, 5.1])
def test_moire_is_no_damage_however_weak(pitch: float, strength: float) -> None:
    shown = under_a_grid(photo(), pitch, strength)
    assert picture_damage(shown) == Damage()
    assert picture_damage(again(shown, 92)) == Damage()


def test_a_band_that_comes_twice_is_damage_under_weak_moire_as_well() -> None:
    for image in (photo(), under_a_grid(photo(), 3.4, 0.02)):
        image[300:400] = image[200:300]
        (sign,) = picture_damage(image).placed
        assert sign.what == "a band that comes twice"
        assert 190 <= sign.area.top <= 210
        assert sign.area.bottom == 750


@pytest.mark.parametrize("orientation", range(1, 9))
def test_damage_of_a_turned_photo_is_where_it_is_seen(orientation: int) -> None:
    image = photo()
    image[600:640] = (0, 0, 255)
    exif = Image.Exif()
    exif[0x0112] = orientation
    data = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(image[..., ::-1])).save(data, "PNG", exif=exif)
    shown, damage = decode_photo_told(data.getvalue(), "photo")
    (area,) = {sign.area for sign in damage.placed if sign.what == "a band of one colour"}
    left, top, right, bottom = area
    assert (right - left) * (bottom - top) == 40 * 1000
    assert (shown[top:bottom, left:right] == (0, 0, 255)).all()


def test_damage_names_only_colours_in_play() -> None:
    whole = true_reading(scene("two-walnut").truth)
    here = {card.colour for card in whole.cards} - {"white"}
    told = with_damage(whole, Damage(("something",)), (100, 80), Rules())
    assert not told.sure
    assert not told.sure_without_illegal
    assert here == next(set(one.changes_scores_by) for one in told.doubts if one.kind == "table")


@pytest.mark.parametrize("level", [0, 64, 255])
def test_a_picture_of_one_colour_has_nothing_between_its_bars(level: int) -> None:
    image = np.full((60, 80, 3), level, np.uint8)
    assert inside_bars(image) == Area(0, 0, 0, 0)
    assert picture_damage(np.full((200, 300, 3), level, np.uint8)).placed == ()
