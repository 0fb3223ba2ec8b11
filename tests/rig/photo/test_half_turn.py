"""A picture turned by half is read as the picture is."""

from __future__ import annotations

import numpy as np
import pytest

from geometry.deck_file import published_deck
from geometry.layout import Card, Layout
from geometry.pose import Pose
from rig.photo.half_turn import half_turned, lens_half_turned, turned_back
from vision.lens import FocalLength, Lens, LensModel
from vision.reading import Doubt, SeenCard, SeenTable
from vision.reason import Reason

SIZE = (640, 480)
LENSES: dict[str, tuple[LensModel, tuple[float, ...]]] = {
    "plain": ("plain", (0.1, -0.05, 0.004, -0.003)),
    "prism": (
        "plain", (0.1, -0.05, 0.004, -0.003, 0.01, 0.0, 0.0, 0.0, 0.003, 0.002, -0.004, 0.001),
    ),
    "tilted": (
        "plain",
        (0.1, 0.0, 0.004, -0.003, 0.01, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.03, -0.02),
    ),
    "fisheye": ("fisheye", (0.05, -0.01, 0.002, 0.0)),
}  # fmt: skip


@pytest.mark.parametrize("kind", LENSES)
def test_a_ray_turned_by_half_falls_on_the_turned_pixel(kind: str) -> None:
    model, distortion = LENSES[kind]
    matrix = np.array([[510.0, 0, 330.0], [0, 500.0, 229.0], [0, 0, 1.0]])
    lens = Lens(SIZE, matrix, np.array(distortion), model)
    rays = np.array([[0.2, 0.1], [-0.3, 0.25], [0.0, -0.2]])
    turned = lens_half_turned(lens)
    assert isinstance(turned, Lens)
    here, there = lens.to_px(rays), turned.to_px(-rays)
    assert there == pytest.approx(np.array([SIZE[0] - 1, SIZE[1] - 1]) - here, abs=1e-6)


def test_a_focal_length_and_no_lens_stay_what_they_are() -> None:
    assert lens_half_turned(None) is None
    assert lens_half_turned(FocalLength(900.0)) == FocalLength(900.0)


def test_a_pixel_is_found_where_it_was() -> None:
    image = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    image[100, 30] = 255
    ((y, x, *_), *_) = np.argwhere(half_turned(image))
    corners = ((float(x), float(y)), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    doubt = Doubt("dot", 0, (float(x), float(y)), Reason("dot-unexplained"), outline_px=corners)
    layout = Layout(published_deck(), (), (600.0, 450.0))
    seen = SeenTable(layout, (SeenCard(0, corners, 1.0),), (doubt,), 2.0)
    back = turned_back(seen, SIZE)
    assert back.cards[0].outline_px[0] == (30.0, 100.0)
    assert (back.doubts[0].at_px, back.doubts[0].outline_px[0]) == ((30.0, 100.0), (30.0, 100.0))


@pytest.mark.parametrize(
    ("area", "lies"),
    [(None, Pose(-10.0, 20.0, 210.0)), ((600.0, 450.0), Pose(10.0, -20.0, 30.0))],
)
def test_without_markers_the_tables_axes_turn_with_the_picture(
    area: tuple[float, float] | None, lies: Pose
) -> None:
    card = Card(0, "red", "circle-1", Pose(10.0, -20.0, 30.0))
    seen = SeenTable(Layout(published_deck(), (card,), area), (), (), 2.0)
    assert turned_back(seen, SIZE).layout.cards[0].pose == lies
