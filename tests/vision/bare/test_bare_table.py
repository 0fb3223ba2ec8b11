"""A table with the starting card alone, or with none, is a reading; one that may hide cards is not
sure.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from geometry.deck_file import published_deck
from geometry.rules import Rules
from measuring.scenes.truth import parse_truth
from simulator import Conditions, SimulatedScene, simulate_scene
from simulator.camera import photograph
from tests.conftest import cases_quick_or_thorough, quick_or_thorough
from vision.bare.table import bare_table
from vision.locating.locate import first_look
from vision.pace import Pace
from vision.read import read_table
from vision.reading import NotSeen, Reading
from vision.table_search import Photograph, _looked_at

DECK = published_deck()
ALONE = Conditions(cards=1, px_per_mm=2.1)
LIGHTS = {
    "panel on oak": ALONE,
    "window on white": replace(ALONE, table="white", light="window", dimmest=0.5),
    "warm lamp on navy": replace(ALONE, table="navy", light="lamp", cast=(1.0, 0.8, 0.55)),
    "dim on felt": replace(ALONE, table="felt", white_level=0.4, noise=0.012),
    "another printing": replace(ALONE, table="slate", printing="random"),
}
EACH = [(light, True) for light in LIGHTS]
EACH += [(light, False) for light in LIGHTS if light != "another printing"]
"""That printing is pale: without a lens its lines are too faint to be found."""
QUICK = (("window on white", True), ("another printing", True), ("dim on felt", False))


def read(scene: SimulatedScene, *, with_lens: bool = True) -> Reading | NotSeen:
    return read_table(scene.image_bgr, DECK, scene.lens if with_lens else None, Rules())


@pytest.mark.slow
@pytest.mark.parametrize(("light", "with_lens"), cases_quick_or_thorough(EACH, QUICK))
def test_the_starting_card_alone_is_one_card_without_dots(light: str, with_lens: bool) -> None:
    scene = simulate_scene(4, LIGHTS[light])
    reading = read(scene, with_lens=with_lens)
    assert isinstance(reading, Reading)
    (card,) = reading.cards
    (true,) = parse_truth(scene.truth).layout.cards
    assert (card.colour, card.face, card.visible_dots) == ("white", "start", 0)
    off_mm = np.hypot(card.x_mm - true.pose.x_mm, card.y_mm - true.pose.y_mm)
    off_deg = (card.angle_deg - true.pose.angle_deg + 90) % 180 - 90
    assert off_mm < 1.5
    assert abs(off_deg) < 1.5
    assert dict(reading.scores) == {}
    assert reading.sure
    assert reading.sure_without_illegal
    assert reading.doubts == ()


@pytest.mark.slow
def test_it_is_read_without_markers() -> None:
    scene = simulate_scene(4, replace(ALONE, markers="none", lens_known=False, margin=0.3))
    reading = read(scene)
    assert isinstance(reading, Reading)
    (card,) = reading.cards
    assert (card.face, card.x_mm, card.y_mm) == ("start", 0.0, 0.0)
    assert reading.play_area_mm is None


def without_cards(monkeypatch: pytest.MonkeyPatch, conditions: Conditions) -> SimulatedScene:
    monkeypatch.setattr(photograph, "_lay_cards", lambda *_: None)
    return simulate_scene(4, replace(conditions, cards=7))


@pytest.mark.slow
@pytest.mark.parametrize("table", quick_or_thorough(["oak", "slate", "felt"], ["oak"]))
def test_an_empty_table_has_no_cards(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    reading = read(without_cards(monkeypatch, replace(ALONE, table=table)))
    assert isinstance(reading, Reading)
    assert reading.cards == ()
    assert dict(reading.scores) == {}
    assert reading.sure


@pytest.mark.slow
def test_an_empty_table_that_nothing_marks_may_be_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(read(without_cards(monkeypatch, replace(ALONE, markers="none"))), NotSeen)


def something_over(image: NDArray[np.uint8], grey: int) -> NDArray[np.uint8]:
    """A thing larger than a card, in the middle of the left half of a picture."""
    out, (height, width) = image.copy(), image.shape[:2]
    at = (int(width * 0.27), int(height * 0.5))
    cv2.circle(out, at, int(0.1 * width), (grey, grey, grey), -1, cv2.LINE_AA)
    return out


@pytest.mark.slow
@pytest.mark.parametrize("grey", quick_or_thorough([15, 240], [240]))
def test_beside_something_that_may_hide_a_card_the_starting_card_is_not_sure(grey: int) -> None:
    scene = simulate_scene(4, replace(ALONE, table="slate"))
    image = something_over(scene.image_bgr, grey)
    reading = read_table(image, DECK, scene.lens, Rules())
    assert isinstance(reading, Reading)
    assert len(reading.cards) == 1
    assert not reading.sure
    assert not reading.sure_without_illegal
    (doubt,) = reading.doubts
    assert (doubt.kind, doubt.reason.code) == ("table", "more-than-start")
    assert doubt.at_px[0] < 0.45 * image.shape[1]


@pytest.mark.slow
@pytest.mark.parametrize("grey", quick_or_thorough([15, 240], [15]))
def test_an_empty_table_with_something_on_it_is_not_called_empty(
    grey: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = without_cards(monkeypatch, replace(ALONE, table="slate"))
    image = something_over(scene.image_bgr, grey)
    assert isinstance(read_table(image, DECK, scene.lens, Rules()), NotSeen)


HARD = {
    "few": Conditions(cards=3),
    "in the dark": Conditions(cards=4, white_level=0.2, dimmest=0.15, noise=0.02, light="lamp"),
    "blurred": Conditions(cards=4, blur_mm=1.2),
    "hazy": Conditions(cards=4, haze=1.5, black_level=0.2),
    "small": Conditions(cards=4, px_per_mm=1.0, least_px_per_mm=1.0),
    "one player's": Conditions(cards=2, table="walnut"),
}


@pytest.mark.slow
@pytest.mark.parametrize("why", quick_or_thorough(HARD, ["few", "in the dark", "hazy"]))
@pytest.mark.parametrize("seed", quick_or_thorough([7, 8], [7]))
def test_where_cards_lie_no_table_is_surely_bare(why: str, seed: int) -> None:
    """Whatever the reader makes of them: this is asked where it has found none."""
    scene = simulate_scene(seed, HARD[why])
    photo = Photograph(scene.image_bgr, scene.lens, DECK, Rules(), Pace())
    located = first_look(scene.image_bgr, scene.lens, DECK.card)
    if isinstance(located, NotSeen):
        return
    seen = bare_table(scene.image_bgr, located, _looked_at(photo, located), DECK)
    assert seen is None or seen.doubts
