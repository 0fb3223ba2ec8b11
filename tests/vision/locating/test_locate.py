from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from geometry.pose import PointsMm
from measuring.scenes.truth import Truth, parse_truth
from simulator import simulate_scene
from tests.vision.small_scenes import DECK, small_scene
from vision.lens import Lens
from vision.locating.locate import (
    FARTHER_MM,
    MARGIN_MM,
    NEXT_CARD_MM,
    REACH_MM,
    Located,
    first_look,
    fits_cards,
    locate_by_cards,
)
from vision.locating.quads import Quads
from vision.reading import NotSeen
from vision.view import TableView

FloatArray = NDArray[np.float64]


def located(image: NDArray[np.uint8], lens: object) -> Located:
    found = first_look(image, lens, DECK.card)  # type: ignore[arg-type]
    if isinstance(found, Located) and not fits_cards(found, DECK.card):
        found = locate_by_cards(image, lens, DECK.card)  # type: ignore[arg-type]
    assert isinstance(found, Located)
    return found


def cards_mm(truth: Truth) -> FloatArray:
    return np.array([[card.pose.x_mm, card.pose.y_mm] for card in truth.layout.cards])


def without_markers(image: NDArray[np.uint8], truth: Truth, *gone: int) -> NDArray[np.uint8]:
    """The picture with some markers painted over."""
    width, height = truth.layout.play_area_mm or (0.0, 0.0)
    centres = [(-40, -40), (width + 40, -40), (width + 40, height + 40), (-40, height + 40)]
    image = image.copy()
    for i in gone:
        square = np.array([[-45, -45], [45, -45], [45, 45], [-45, 45]]) + np.array(centres[i])
        px = np.rint(truth.camera.to_px(PointsMm(square))).astype(np.int32)
        cv2.fillConvexPoly(image, px, (70, 70, 70))
    return image


@pytest.mark.parametrize("gone", [(), (2,), (2, 3), (1, 3)], ids=str)
def test_from_markers_and_lens(gone: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.locating.locate.find_quads", None)  # the cards are not asked
    scene, truth = small_scene(5)
    found = located(without_markers(scene.image_bgr, truth, *gone), scene.lens)
    assert [m.id for m in found.markers] == [i for i in range(4) if i not in gone]
    at = found.view.to_mm(truth.camera.to_px(PointsMm(cards_mm(truth))))
    np.testing.assert_allclose(at, cards_mm(truth), atol=3.0)
    assert (found.play_area_mm is None) == (gone == (2, 3))
    if found.play_area_mm is not None:
        np.testing.assert_allclose(
            np.array(found.play_area_mm), np.array(truth.layout.play_area_mm), rtol=0.012
        )


def test_the_play_area_and_a_margin_are_looked_at() -> None:
    scene, truth = small_scene(5)
    found = located(scene.image_bgr, scene.lens)
    assert found.play_area_mm is not None
    low, high = np.array([-MARGIN_MM] * 2), np.array(found.play_area_mm) + MARGIN_MM
    assert (found.box_mm[:2] >= low - 1e-6).all()
    assert (found.box_mm[2:] <= high + 1e-6).all()
    half = float(np.hypot(DECK.card.width_mm, DECK.card.height_mm)) / 2
    spots = cards_mm(truth)
    assert (found.box_mm[:2] < spots.min(axis=0) - half + 12).all()
    assert (found.box_mm[2:] > spots.max(axis=0) + half - 12).all()


@pytest.mark.parametrize("lens_known", [True, False])
def test_from_the_cards_alone(lens_known: bool) -> None:
    scene, truth = small_scene(5, "none")
    found = located(scene.image_bgr, truth.lens if lens_known else None)
    assert found.play_area_mm is None
    assert found.markers == ()
    spots = cards_mm(truth)
    at = found.view.to_mm(truth.camera.to_px(PointsMm(spots)))
    gaps = [np.linalg.norm(p[:, None] - p[None], axis=2) for p in (at, spots)]
    far = gaps[1] > 1
    np.testing.assert_allclose(gaps[0][far], gaps[1][far], rtol=0.04)
    # The axes are the picture's: no turn.
    right = found.view.to_px(np.array([at[0], at[0] + [50.0, 0.0]]))
    way = right[1] - right[0]
    assert abs(np.rad2deg(np.arctan2(way[1], way[0]))) < 3
    assert (found.box_mm[:2] < at.min(axis=0)).all()
    assert (found.box_mm[2:] > at.max(axis=0)).all()


@pytest.mark.parametrize(("size_mm", "seen"), [((57.0, 87.0), True), ((105.0, 148.0), False)])
def test_a_card_far_from_those_that_gave_the_view_is_looked_at(
    size_mm: tuple[float, float], seen: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There the view is a few percent wrong, and outlines of cards no longer agree with it."""
    lens = Lens((4000, 1000), np.array([[1000.0, 0, 0], [0, 1000.0, 0], [0, 0, 1]]), np.zeros(5))
    view = TableView(lens, np.eye(3), np.array([0.0, 0.0, 500.0]))

    def outline(x_mm: float, width_mm: float, height_mm: float) -> FloatArray:
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [width_mm / 2, height_mm / 2]
        return view.to_px(corners + [x_mm, 250.0])

    near = np.array([outline(100.0 + 70 * k, 51.2, 82.0) for k in range(5)])
    outlines = Quads(np.concatenate([near, outline(1500.0, *size_mm)[None]]))
    monkeypatch.setattr("vision.locating.locate.find_quads", lambda _image, **_: outlines)
    monkeypatch.setattr(
        "vision.locating.locate.view_from_photo", lambda *_: (view, Quads(near, True))
    )
    found = located(np.full((1000, 4000, 3), 90, np.uint8), lens)
    far_mm = 1500.0 + size_mm[0] / 2 if seen else 100.0 + 4 * 70 + 51.2 / 2
    assert found.box_mm[2] == pytest.approx(min(far_mm + REACH_MM, 3999 / 2))


def test_edges_of_cards_in_a_haze_are_no_frames() -> None:
    """Four outer edges and two frames agree on a view whose millimetres are 6 % short; four frames
    show their lines.
    """
    scene = simulate_scene(23018, "hard")
    truth = parse_truth(scene.truth)
    spots = cards_mm(truth)
    at = located(scene.image_bgr, None).view.to_mm(truth.camera.to_px(PointsMm(spots)))
    gaps = [np.linalg.norm(p[:, None] - p[None], axis=2) for p in (at, spots)]
    far = gaps[1] > 1
    np.testing.assert_allclose(gaps[0][far], gaps[1][far], rtol=0.015)


def test_without_a_lens_markers_still_give_the_frame() -> None:
    scene, truth = small_scene(5)
    found = located(scene.image_bgr, None)
    assert len(found.markers) == 4
    at = found.view.to_mm(truth.camera.to_px(PointsMm(cards_mm(truth))))
    np.testing.assert_allclose(at, cards_mm(truth), atol=15)
    assert found.play_area_mm is not None


def with_markers(
    image: NDArray[np.uint8], truth: Truth, sizes_mm: dict[int, float]
) -> NDArray[np.uint8]:
    """The picture with markers of other sizes in the place of its own."""
    width, height = truth.layout.play_area_mm or (0.0, 0.0)
    centres = [(-40, -40), (width + 40, -40), (width + 40, height + 40), (-40, height + 40)]
    image = without_markers(image, truth, 0, 1, 2, 3)
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    around = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    for i, size in sizes_mm.items():
        print_ = cv2.copyMakeBorder(
            cv2.aruco.generateImageMarker(family, i, 240), 40, 40, 40, 40,
            cv2.BORDER_CONSTANT, value=(230,),
        )  # fmt: skip
        # 240 of the 320 pixels are the black square.
        corners = truth.camera.to_px(PointsMm(around * size * 160 / 240 + np.array(centres[i])))
        own = np.array([[-0.5, -0.5], [319.5, -0.5], [319.5, 319.5], [-0.5, 319.5]])
        there = cv2.getPerspectiveTransform(own.astype(np.float32), corners.astype(np.float32))
        size_wh = (image.shape[1], image.shape[0])
        cv2.warpPerspective(
            cv2.cvtColor(print_, cv2.COLOR_GRAY2BGR), there, size_wh, image,
            cv2.INTER_AREA, cv2.BORDER_TRANSPARENT,
        )  # fmt: skip
    return image


def scale_of(found: Located, truth: Truth) -> float:
    """How much larger the cards lie apart than they do."""
    spots = cards_mm(truth)
    at = found.view.to_mm(truth.camera.to_px(PointsMm(spots)))
    return float(np.linalg.norm(at - at.mean(axis=0)) / np.linalg.norm(spots - spots.mean(axis=0)))


@pytest.mark.parametrize(
    "sizes_mm",
    [
        pytest.param(dict.fromkeys(range(4), 57.0), id="all printed too small"),
        pytest.param(dict.fromkeys(range(4), 66.0), id="all printed too large"),
        pytest.param({0: 60.0, 2: 52.0}, id="two that contradict each other"),
        pytest.param({0: 60.0, 1: 55.0, 2: 60.0, 3: 60.0}, id="one of four too small"),
        pytest.param({1: 60.0}, id="one alone"),
        pytest.param(dict.fromkeys(range(4), 60.0), id="all as they should be"),
    ],
)
def test_the_scale_is_the_cards_whatever_size_markers_have(sizes_mm: dict[int, float]) -> None:
    scene, truth = small_scene(5)
    found = located(with_markers(scene.image_bgr, truth, sizes_mm), scene.lens)
    assert scale_of(found, truth) == pytest.approx(1, abs=0.012)
    assert found.scaled == (sizes_mm.get(0) == sizes_mm.get(3) == 60.0)


def test_markers_of_the_wrong_size_and_no_cards_to_tell() -> None:
    """Two that contradict each other on an empty table: nothing is believed."""
    scene, truth = small_scene(5)
    ground = np.full_like(scene.image_bgr, 90)
    found = first_look(with_markers(ground, truth, {0: 60.0, 2: 40.0}), scene.lens, DECK.card)
    assert isinstance(found, NotSeen)
    assert found.reason.code == "markers-disagree"


@pytest.mark.parametrize(("level", "code"), [(0, "too-dark"), (120, "no-table")])
def test_nothing_to_go_by(level: int, code: str) -> None:
    found = first_look(np.full((300, 400, 3), level, np.uint8), None, DECK.card)
    assert isinstance(found, NotSeen)
    assert found.reason.code == code


def test_more_is_looked_at_only_where_cards_reach_out_and_the_picture_shows_it() -> None:
    scene, truth = small_scene(5)
    found = located(scene.image_bgr, truth.lens)
    assert found.picture_mm is not None
    x0, y0, x1, y1 = found.box_mm
    inside = np.array([[x0 + 1, y0 + 1], [x1 - 1, y1 - 1]])
    assert found.widened(inside) is None
    wide = replace(found, picture_mm=found.box_mm + np.array([-300.0, -300, 300, 300]))
    farther = wide.widened(inside + np.array([[-3.0, 0.0], [0.0, 0.0]]))
    assert farther is not None
    np.testing.assert_allclose(farther.box_mm, [x0 - 2 - FARTHER_MM, y0, x1, y1])
    least = replace(found, picture_mm=found.box_mm + np.array([-50.0, 0, 0, 0]))
    farther = least.widened(inside + np.array([[-3.0, 0.0], [9.0, 9.0]]))
    assert farther is not None
    np.testing.assert_allclose(farther.box_mm, [x0 - 50, y0, x1, y1])
    assert replace(found, picture_mm=found.box_mm).widened(inside - 9) is None
    unframed = replace(wide, framed=False)
    assert unframed.widened(inside + np.array([[NEXT_CARD_MM] * 2, [-NEXT_CARD_MM] * 2])) is None
    farther = unframed.widened(
        inside + np.array([[NEXT_CARD_MM - 5.0, NEXT_CARD_MM], [-NEXT_CARD_MM] * 2])
    )
    assert farther is not None
    np.testing.assert_allclose(farther.box_mm, [x0 - 4 + NEXT_CARD_MM - FARTHER_MM, y0, x1, y1])
    assert found.holds(inside)
    assert not found.holds(inside - 9)
