"""What stands before what: cards beside stacks, seen aslant."""

from __future__ import annotations

import numpy as np
import shapely

from simulator.camera.camera import PlacedLens
from simulator.camera.canvas import Sheet
from simulator.camera.painting_order import painting_order
from tests.simulator.cameras import GLASSES, camera_at

CARD_MM = np.array([60.0, 90.0])
APART_MM = 60.2
NOTHING: frozenset[int] = frozenset()


def _sheet(x_mm: float, height_mm: float, curl_mm: tuple[float, float] = (0.0, 0.0)) -> Sheet:
    width, height = (int(v) for v in CARD_MM)
    texture = np.ones((height, width, 4), dtype=np.float32)
    return Sheet(texture, 1.0, x_mm, 250.0, 0.0, height_mm, curl_mm)


def _from_the_left(tilt_deg: float) -> PlacedLens:
    """A camera that stands off to the left, or over the middle of the table."""
    for heading in range(0, 360, 15):
        camera = camera_at(GLASSES["plain"], tilt_deg, heading)
        if tilt_deg == 0 or camera.position_mm[0] < -100:
            return camera
    raise AssertionError("no heading stands on the left")


def test_a_stack_stands_before_a_card_laid_later_behind_it() -> None:
    sheets = {0: _sheet(350, 6.0), 1: _sheet(350 + APART_MM, 0.3)}
    below = {0: NOTHING, 1: NOTHING}
    assert painting_order(sheets, below, _from_the_left(30)) == [1, 0]


def test_it_hides_nothing_that_lies_on_the_camera_s_side() -> None:
    sheets = {0: _sheet(350, 6.0), 1: _sheet(350 - APART_MM, 0.3)}
    below = {0: NOTHING, 1: NOTHING}
    assert painting_order(sheets, below, _from_the_left(30)) == [0, 1]


def test_cards_that_are_level_keep_the_order_of_play() -> None:
    sheets = {0: _sheet(350, 0.7), 1: _sheet(350 + APART_MM - 1, 0.3)}
    below = {0: NOTHING, 1: NOTHING}
    assert painting_order(sheets, below, _from_the_left(30)) == [0, 1]


def test_a_curled_edge_stands_before_a_card_behind_it() -> None:
    sheets = {0: _sheet(350, 0.3, (6.0, 0.0)), 1: _sheet(350 + APART_MM, 0.3)}
    below = {0: NOTHING, 1: NOTHING}
    assert painting_order(sheets, below, _from_the_left(30)) == [1, 0]


def test_a_card_comes_after_all_that_it_lies_on_be_it_by_way_of_others() -> None:
    """The first card's curled edge stands higher than the third where they cross."""
    sheets = {
        0: _sheet(350, 0.3, (6.0, 0.0)),
        1: _sheet(350 + APART_MM / 2, 0.7),
        2: _sheet(350 + APART_MM, 1.1),
    }
    camera = _from_the_left(30)
    upon = {0: NOTHING, 1: frozenset({0}), 2: frozenset({1})}
    assert painting_order(sheets, upon, camera) == [0, 1, 2]
    free = {0: NOTHING, 1: NOTHING, 2: NOTHING}
    assert painting_order(sheets, free, camera) != [0, 1, 2]


def test_outlines_that_cross_themselves_do_no_harm() -> None:
    sheets = {card: _sheet(350 + 20 * card, 0.3, (0.0, 150.0)) for card in range(3)}
    camera, below = _from_the_left(35), dict.fromkeys(sheets, NOTHING)
    assert not shapely.Polygon(sheets[0].border_px(camera)).is_valid
    assert sorted(painting_order(sheets, below, camera)) == [0, 1, 2]
