from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.conftest import quick_or_thorough
from tests.vision.over_cards.tables import found, place_of, place_px, table
from tests.vision.over_cards.things import KINDS, THINGS, painted_over
from vision.over_cards.over_cards import find_over_cards


@pytest.mark.parametrize(
    "cloth", quick_or_thorough(["cloth", "oak", "white", "walnut"], ["cloth", "white"])
)
def test_nothing_lies_over_a_table_of_cards(cloth: str) -> None:
    image, truth = table(cloth=cloth)
    assert found(image, truth) == ()


@pytest.mark.parametrize("thing", quick_or_thorough(THINGS, KINDS))
@pytest.mark.parametrize("card", quick_or_thorough([4, 9], [9]))
def test_a_thing_over_cards_is_found(thing: str, card: int) -> None:
    image, truth = table()
    at = place_of(truth, card)
    [over_cards] = found(painted_over(image, truth.camera.view, THINGS[thing](), at, 25.0), truth)
    outline = np.asarray(over_cards.outline_mm, np.float32)
    assert cv2.pointPolygonTest(outline, at, True) > -30


@pytest.mark.parametrize("thing", quick_or_thorough(THINGS, KINDS))
def test_a_thing_beside_the_cards_changes_nothing(thing: str) -> None:
    image, truth = table()
    x = max(c.pose.x_mm for c in truth.layout.cards) + 90
    y = float(np.mean([c.pose.y_mm for c in truth.layout.cards]))
    beside = (x + THINGS[thing]().shape[1] / 6, y)
    assert found(painted_over(image, truth.camera.view, THINGS[thing](), beside), truth) == ()


def test_a_shadow_over_cards_is_nothing() -> None:
    image, truth = table()
    x, y = (int(v) for v in place_px(truth, 9))
    shaded = image.copy()
    part = shaded[y - 150 : y + 150, x - 250 : x + 250]
    part[:] = part * 0.58  # 0.3 of the light, as it is encoded
    assert found(shaded, truth) == ()


def test_a_lamps_mirror_image_over_cards_is_nothing() -> None:
    image, truth = table()
    x, y = place_px(truth, 9)
    rows, columns = np.mgrid[: image.shape[0], : image.shape[1]]
    lamp = 110 * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * 60.0**2))
    veiled = np.clip(image + lamp[..., None], 0, 255).astype(np.uint8)
    assert found(veiled, truth) == ()


def test_in_the_dark_what_a_lamps_mirror_image_shines_round_it_is_nothing() -> None:
    """As light adds up, and as a camera encodes it: white stands out by less where it is bright."""
    image, truth = table()
    x, y = place_px(truth, 9)
    rows, columns = np.mgrid[: image.shape[0], : image.shape[1]]
    away = np.hypot(columns - x, rows - y)
    lamp = np.where(away < 30, 1.0, 0.25 * np.exp(-(away - 30) / 12))
    light = 0.03 * (image / 255) ** 2.2 + lamp[..., None]
    dark = np.clip(255 * np.minimum(light, 1) ** (1 / 2.2), 0, 255).astype(np.uint8)
    assert found(dark, truth) == ()


def test_a_windows_mirror_image_on_a_card_is_nothing() -> None:
    image, truth = table()
    x, y = (int(v) for v in place_px(truth, 9))
    lit = (image * 0.6).astype(np.uint8)
    lit[y - 40 : y + 40, x - 60 : x + 60] = 255
    assert found(lit, truth) == ()


def test_a_thing_is_found_though_the_cards_under_it_are_not_known() -> None:
    image, truth = table()
    at = place_of(truth, 9)
    hidden = [
        card.id
        for card in truth.layout.cards
        if np.hypot(card.pose.x_mm - at[0], card.pose.y_mm - at[1]) < 45
    ]
    covered = painted_over(image, truth.camera.view, THINGS["book"](), at)
    assert found(covered, truth, hidden)


def test_of_no_cards_nothing_is_said() -> None:
    image, truth = table()
    assert find_over_cards(image, truth.camera.view, [], truth.layout.deck) == ()
