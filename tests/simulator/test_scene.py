"""What the picture shows is what the truth says."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from geometry.rules import Rules
from geometry.score import without_illegal
from geometry.showing import dot_parts, visible_dots
from geometry.verdict import judge
from simulator import SimulatedScene, simulate_scene
from tests.simulator.small_scenes import SMALL, camera_of, layout_of, level_at


@pytest.fixture(scope="module")
def scene() -> SimulatedScene:
    conditions = replace(SMALL, faults=("two_cards", "misaligned"), clutter=("cup", "die"))
    return simulate_scene(11, conditions)


def test_another_view_shows_the_same_table_from_another_side() -> None:
    first, other = (simulate_scene(11, replace(SMALL, burnt_share=0.02), view=k) for k in (0, 1))
    assert layout_of(first.truth) == layout_of(other.truth)
    one, two = (camera_of(scene.truth).position_mm for scene in (first, other))
    middle = np.append(
        np.mean([[c.pose.x_mm, c.pose.y_mm] for c in layout_of(first.truth).cards], axis=0), 0.0
    )
    away = [(place - middle) / np.linalg.norm(place - middle) for place in (one, two)]
    assert away[0] @ away[1] < np.cos(np.deg2rad(14.0))


def test_the_same_seed_gives_the_same_scene(scene: SimulatedScene) -> None:
    again = simulate_scene(11, scene.conditions)
    assert np.array_equal(scene.image_bgr, again.image_bgr)
    assert scene.truth == again.truth
    other = simulate_scene(12, scene.conditions)
    assert other.truth["cards"] != scene.truth["cards"]


def test_light_does_not_change_the_round(scene: SimulatedScene) -> None:
    dim = simulate_scene(11, replace(scene.conditions, white_level=0.3, table="navy", noise=0.02))
    assert dim.truth["cards"] == scene.truth["cards"]
    assert dim.truth["camera"] == scene.truth["camera"]


@pytest.mark.parametrize("lens", ["plain", "wide", "fisheye"])
@pytest.mark.parametrize("tilt", [0.0, 30.0])
def test_visible_dots_are_white_where_they_are_projected(lens: str, tilt: float) -> None:
    conditions = replace(SMALL, lens=lens, tilt_deg=tilt, table="navy", gap_mm=0.0)
    made = simulate_scene(21, conditions)
    layout, camera = layout_of(made.truth), camera_of(made.truth)
    dots, blacks = [], []
    for card in layout.cards:
        face = layout.deck.face(card.face)
        shows = visible_dots(layout)[card.id]
        places = card.pose.to_table(np.array(face.dots_mm).reshape(-1, 2))
        dots += [place for place, seen in zip(places, shows, strict=True) if seen]
        blacks.append(card.pose.to_table(np.array([[0.0, 14.0]]))[0])
    white = level_at(made.image_bgr, camera.to_px(np.array(dots), 1.0))
    assert len(white) > 15
    assert white.min() > 140
    assert np.median(level_at(made.image_bgr, camera.to_px(np.array(blacks), 1.0))) < 60


def test_the_frame_line_lies_where_it_is_projected(scene: SimulatedScene) -> None:
    layout, camera = layout_of(scene.truth), camera_of(scene.truth)
    card = layout.cards[-1]
    size = layout.deck.card
    along = np.linspace(-15, 15, 9)
    offsets = np.linspace(-2, 2, 41)
    for side in (-1, 1):
        profile = [
            level_at(
                scene.image_bgr,
                camera.to_px(
                    card.pose.to_table(
                        np.column_stack(
                            [along, np.full(9, side * size.frame_height_mm / 2 + offset)]
                        )
                    ),
                    1.0,
                ),
            ).mean()
            for offset in offsets
        ]
        bright = np.clip(np.array(profile) - np.percentile(profile, 60), 0, None)
        assert abs(float((bright * offsets).sum() / bright.sum())) < 0.35


def test_markers_are_found_where_they_are_projected(scene: SimulatedScene) -> None:
    camera = camera_of(scene.truth)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(dictionary, parameters)
    corners, ids, _ = detector.detectMarkers(cv2.cvtColor(scene.image_bgr, cv2.COLOR_BGR2GRAY))
    found = dict(zip(np.asarray(ids).ravel().tolist(), corners, strict=True))
    markers: Any = scene.truth["markers"]
    assert sorted(found) == [marker["id"] for marker in markers] == [0, 1, 2, 3]
    for marker in markers:
        expected = camera.to_px(np.array(marker["corners_mm"]))
        assert np.abs(np.asarray(found[marker["id"]]).reshape(4, 2) - expected).max() < 1.0


def test_truth_agrees_with_a_recount(scene: SimulatedScene) -> None:
    truth: Any = json.loads(json.dumps(scene.truth))
    layout = layout_of(truth)
    verdicts = judge(layout, Rules(**truth["rules"]))
    assert truth["illegal"] == [k for k, v in verdicts.items() if v.status == "illegal"]
    assert truth["borderline"] == [k for k, v in verdicts.items() if v.status == "borderline"]
    assert {truth["cards"][k]["rule"] for k in truth["illegal"]} == {"two_cards", "misaligned"}
    for name, table in (
        ("scores", layout),
        ("scores_without_illegal", without_illegal(layout, verdicts)),
    ):
        count = dict.fromkeys(truth[name], 0)
        for card in table.cards:
            if card.colour in count:
                count[card.colour] += sum(part > 0.5 for part in dot_parts(table)[card.id])
        assert truth[name] == count
    shown = visible_dots(layout)
    assert [c["visible_dots"] for c in truth["cards"]] == [sum(shown[c.id]) for c in layout.cards]


def test_truth_has_the_form_of_the_shared_photographs(scene: SimulatedScene) -> None:
    keys = {"deck", "play_area_mm", "scores", "scores_without_illegal", "illegal", "borderline"}
    assert keys | {"cards", "markers", "camera"} <= set(scene.truth)
    card: Any = scene.truth["cards"]
    assert set(card[0]) == {
        "colour", "face", "x_mm", "y_mm", "angle_deg", "mirrored", "layer", "covers",
        "visible_dots", "rule",
    }  # fmt: skip
    camera: Any = scene.truth["camera"]
    height, width = scene.image_bgr.shape[:2]
    assert camera["size_px"] == [width, height]
    assert {"matrix", "distortion", "rotation", "translation_mm"} <= set(camera)


def test_the_lens_is_withheld_where_it_is_not_known() -> None:
    assert simulate_scene(1, replace(SMALL, cards=2, lens_known=False)).lens is None
    known = simulate_scene(1, replace(SMALL, cards=2))
    assert known.lens is not None
    assert known.lens.size_wh == (known.image_bgr.shape[1], known.image_bgr.shape[0])


def test_the_jpeg_is_the_picture(scene: SimulatedScene) -> None:
    decoded = cv2.imdecode(np.frombuffer(scene.jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert decoded is not None
    assert np.array_equal(decoded, scene.image_bgr)


def test_markers_can_be_missing_or_absent() -> None:
    few: Any = simulate_scene(3, replace(SMALL, markers="some")).truth["markers"]
    assert 2 <= len(few) <= 3
    assert simulate_scene(3, replace(SMALL, markers="none")).truth["markers"] == []


def test_cut_off_cards_are_named_and_count_for_what_shows() -> None:
    truth: Any = simulate_scene(5, replace(SMALL, cut_off=0.3, markers="none")).truth
    assert truth["outside"]
    assert sum(truth["scores"].values()) == sum(card["visible_dots"] for card in truth["cards"])
    whole = visible_dots(layout_of(truth))
    assert sum(truth["scores"].values()) < sum(sum(dots) for dots in whole.values())
