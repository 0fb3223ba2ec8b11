"""Things that hide only cards that are not known: what the known ones draw is all there."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from measuring.scenes.truth import Truth
from tests.conftest import quick_or_thorough
from tests.vision.over_cards.tables import found, place_of, table
from tests.vision.over_cards.things import FINE, KINDS, THINGS, Image, painted_over
from vision.arrays import Bools, Map32
from vision.over_cards.table_looks import Looks, table_colours, table_looks
from vision.over_cards.touching import may_touch, touching_parts

DENSITY = 2.0


def cards_within(
    truth: Truth, middle_mm: tuple[float, float], size_mm: tuple[float, float]
) -> list[int]:
    """The cards of which something lies in an upright rectangle."""
    rectangle = middle_mm, size_mm, 0.0
    out = []
    for card in truth.layout.cards:
        pose, size = card.pose, truth.layout.deck.card
        own = (pose.x_mm, pose.y_mm), (size.width_mm, size.height_mm), pose.angle_deg
        if cv2.rotatedRectangleIntersection(rectangle, own)[0] != cv2.INTERSECT_NONE:
            out.append(card.id)
    return out


@pytest.mark.parametrize("thing", quick_or_thorough(THINGS, KINDS))
def test_a_thing_that_hides_no_known_card_is_found(thing: str) -> None:
    image, truth = table()
    lowest = max(truth.layout.cards, key=lambda card: card.pose.y_mm)
    at, picture = place_of(truth, lowest.id), THINGS[thing]()
    size = picture.shape[1] / FINE, picture.shape[0] / FINE
    hidden = cards_within(truth, at, size)
    covered = painted_over(image, truth.camera.view, picture, at)
    [over_cards] = found(covered, truth, hidden)
    outline = np.asarray(over_cards.outline_mm, np.float32)
    assert cv2.pointPolygonTest(outline, at, False) > 0


def test_a_thing_three_millimetres_beside_the_cards_is_not_found() -> None:
    image, truth = table()
    lowest = max(truth.layout.cards, key=lambda card: card.pose.y_mm)
    size, pose = truth.layout.deck.card, lowest.pose
    angle = np.deg2rad(pose.angle_deg)
    below = (abs(np.sin(angle)) * size.width_mm + abs(np.cos(angle)) * size.height_mm) / 2
    picture = THINGS["napkin"]()
    at = pose.x_mm, pose.y_mm + below + 3.0 + picture.shape[0] / FINE / 2
    assert found(painted_over(image, truth.camera.view, picture, at), truth) == ()


@pytest.fixture(name="cloth")
def _cloth() -> Image:
    """A table of 500 x 400 mm in checks, lit from the left."""
    rows, columns = np.mgrid[:800, :1000]
    checks = (rows // 24 + columns // 24) % 2 == 0
    colours = np.where(checks[..., None], [60.0, 80.0, 150.0], [190.0, 200.0, 205.0])
    lit = colours * (1.1 - 0.5 * columns / 1000)[..., None]
    return np.asarray(np.clip(lit, 0, 255), np.uint8)


def likeness(picture: Image, on_card: Bools) -> Map32:
    shown = np.ones(on_card.shape, np.bool_)
    colours = table_colours(picture, shown, on_card, DENSITY)
    assert colours is not None
    return table_looks(colours, picture, shown, on_card, DENSITY).usual


def test_all_of_a_patterned_table_is_usual_in_a_shadow_as_well(cloth: Image) -> None:
    cloth[300:500, 200:400] = cloth[300:500, 200:400] * 0.5
    on_card = np.zeros(cloth.shape[:2], np.bool_)
    assert (likeness(cloth, on_card) < 0.25).mean() < 0.002


@pytest.mark.parametrize("colour", [(150, 60, 50), (90, 130, 190), (40, 140, 60)])
def test_what_is_not_the_table_is_unusual(cloth: Image, colour: tuple[int, int, int]) -> None:
    cloth[300:500, 200:400] = colour
    usual = likeness(cloth, np.zeros(cloth.shape[:2], np.bool_)) >= 0.25
    assert not usual[310:490, 210:390].any()
    assert usual[:280].mean() > 0.99


def test_only_a_thing_beside_cards_is_looked_at_closely(cloth: Image) -> None:
    on_card = np.zeros(cloth.shape[:2], np.bool_)
    on_card[300:500, 200:400] = True
    shown = np.ones_like(on_card)

    def closely(left: int, side: int) -> bool:
        picture = cloth.copy()
        picture[300 : 300 + side, left : left + side] = 40, 140, 60
        colours = table_colours(picture, shown, on_card, DENSITY)
        return colours is not None and may_touch(colours)

    assert closely(400, 90)
    assert closely(404, 90)
    assert not closely(440, 90)
    assert not closely(400, 20)


def test_on_cards_all_is_usual(cloth: Image) -> None:
    cloth[300:500, 200:400] = 250, 40, 40
    on_card = np.zeros(cloth.shape[:2], np.bool_)
    on_card[300:500, 200:400] = True
    assert (likeness(cloth, on_card)[on_card] == 1).all()


def test_a_table_of_which_nearly_nothing_shows_says_nothing(cloth: Image) -> None:
    cloth[300:500, 200:400] = 250, 40, 40
    on_card = np.ones(cloth.shape[:2], np.bool_)
    on_card[300:500, 200:400] = False
    assert table_colours(cloth, np.ones_like(on_card), on_card, DENSITY) is None


def block(
    gap_mm: float, side_mm: int, step: float = 1.0, elsewhere: float = 1.0, grain: float = 0.0,
    patches: int = 0, between: bool = False,
) -> bool:  # fmt: skip
    """Whether a square that is strange, its edges so sharp, is seen to touch a card. `grain`: by
    how much places differ from what is round about them. `patches`: so many strange ones of 34 mm
    lie further off. `between`: strips of 3 mm lead from it to the card.
    """
    usual, on_card = np.ones((400, 2200), np.float32), np.zeros((400, 2200), np.bool_)
    on_card[:, :150] = True
    left = 150 + round(gap_mm * DENSITY)
    side = round(side_mm * DENSITY)
    usual[:, 300:] = elsewhere
    for k in range(patches):
        top, column = 40 + 150 * (k % 2), 500 + 100 * k
        usual[top : top + 68, column : column + 68] = 0.0
    usual[100 : 100 + side, left : left + side] = 0.0
    if between:
        for row in range(100, 100 + side - 6, 14):
            usual[row : row + 6, 150:left] = 0.0
    steps = np.asarray(cv2.morphologyEx(usual, cv2.MORPH_GRADIENT, np.ones((5, 5))) * step)
    specks = np.zeros_like(steps)
    specks[::9, ::9] = grain
    specks = np.asarray(cv2.dilate(specks, np.ones((5, 5))))
    looks = Looks(usual, np.maximum(steps, specks).astype(np.float32))
    shown = np.ones(on_card.shape, np.bool_)
    return bool(touching_parts(looks, shown, on_card, DENSITY).any())


def test_what_is_strange_touches_cards_where_no_table_shows_between() -> None:
    assert block(0.0, 40)
    assert not block(4.0, 40)


def test_grain_between_a_thing_and_cards_does_not_make_it_touch_them() -> None:
    assert block(0.0, 40, between=True)
    assert not block(12.0, 40, between=True)


def test_a_small_patch_is_no_thing() -> None:
    assert not block(0.0, 24)


def test_a_lamps_glow_has_no_sharp_edge_and_is_no_thing() -> None:
    assert not block(0.0, 40, step=0.2)


def test_grain_in_the_dark_is_no_sharp_edge() -> None:
    assert not block(0.0, 40, step=0.2, grain=0.5)


def test_of_a_table_with_many_patches_a_thing_is_what_is_larger_than_they() -> None:
    assert block(0.0, 40)
    assert block(0.0, 40, patches=11)
    assert not block(0.0, 40, patches=16)
    assert block(0.0, 60, patches=16)


def test_a_table_that_is_strange_all_over_says_nothing() -> None:
    assert not block(0.0, 40, elsewhere=0.0)
