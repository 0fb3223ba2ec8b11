"""Real evenings: what the mix asks for, and what the pictures show of it."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PIL import Image

from geometry.deck_file import published_deck
from geometry.rules import Rules
from geometry.showing import over, visible_dots
from geometry.verdict import judge
from simulator import Conditions, SimulatedScene, draw_conditions, simulate_scene
from simulator.camera.exif import focal_length_35mm
from simulator.camera.photograph import TOUCH_MM
from simulator.play.loops import NEAR_MM, bodies_apart_mm
from simulator.play.rounds import play_round
from simulator.tabletop.sheets import heights_mm
from simulator.tabletop.table_edge import TABLE_SHAPES, choose_table_top
from simulator.things.clutter import EVENING
from tests.simulator.small_scenes import camera_of, layout_of, level_at

FOCAL_35MM = 0xA405
EXIF_PART = 0x8769


@pytest.fixture(scope="module")
def scene() -> SimulatedScene:
    conditions = replace(
        Conditions(cards=13, px_per_mm=1.6, lens="phone", printing="random"),
        held=True, exif=True, tilt_deg=38.0, markers="none", lens_known=False, veil=0.4,
        table_shape="oval", seam=True, clutter=EVENING, noise=0.002,
    )  # fmt: skip
    return simulate_scene(4, conditions)


def test_the_mix_is_within_its_range_and_reaches_all_of_it() -> None:
    mix = [draw_conditions(np.random.default_rng(seed), "real") for seed in range(400)]
    for c in mix:
        assert c.px_per_mm >= c.least_px_per_mm >= 1.3
        assert c.tilt_deg <= 45
        assert c.veil <= 0.45
        assert (c.markers, c.lens, c.lens_known) == ("none", "phone", False)
        assert c.held
        assert c.exif
        assert c.printing == "random"
        assert "off_table" not in c.faults
    assert max(c.tilt_deg for c in mix) > 43
    assert max(c.veil for c in mix) > 0.44
    assert max(c.cards or 0 for c in mix) == 91
    assert {c.table_shape for c in mix} == set(TABLE_SHAPES)
    assert {c.seam for c in mix} == {c.loops for c in mix} == {True, False}
    assert set(EVENING) <= {thing for c in mix for thing in c.clutter}


def test_the_file_says_the_focal_length(scene: SimulatedScene) -> None:
    lens = camera_of(scene.truth).lens
    with Image.open(io.BytesIO(scene.jpeg)) as picture:
        part = picture.getexif().get_ifd(EXIF_PART)
    assert part[FOCAL_35MM] == focal_length_35mm(lens)
    diagonal = np.hypot(*lens.size_wh)
    assert abs(lens.matrix[0, 0] / diagonal - part[FOCAL_35MM] / 43.27) < 0.6 / 43.27


def test_what_is_far_is_at_the_top(scene: SimulatedScene) -> None:
    camera, layout = camera_of(scene.truth), layout_of(scene.truth)
    places = np.array([[card.pose.x_mm, card.pose.y_mm] for card in layout.cards])
    scale, y = camera.scale_px_per_mm(places), camera.to_px(places)[:, 1]
    assert np.corrcoef(scale, y)[0, 1] > 0.9
    photo: Any = scene.truth["photo"]
    assert photo["px_per_mm"] >= 1.3


def test_a_veil_lifts_black_across_the_picture() -> None:
    base = Conditions(cards=19, px_per_mm=2.0, table="black", noise=0.002, dimmest=0.95)
    plain, veiled = (simulate_scene(9, replace(base, veil=veil)).image_bgr for veil in (0.0, 0.4))
    black = np.median(plain)
    assert black < 40
    corners = [veiled[:50, :50], veiled[:50, -50:], veiled[-50:, :50], veiled[-50:, -50:]]
    levels = sorted(float(np.median(corner)) for corner in corners)
    assert levels[0] < 45
    assert levels[-1] > 60


@pytest.mark.parametrize("shape", ["round", "oval"])
def test_all_cards_lie_on_the_table(shape: str) -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        corners = rng.uniform((0, 0), (1000, 600), (60, 2))
        top = choose_table_top(rng, corners, shape, seam=True)
        assert top.inwards_mm(corners).min() > 5
        assert top.inwards_mm(np.array([[4000.0, 0.0]]))[0] < 0


def test_chains_close_to_loops() -> None:
    counts = []
    for loops in (False, True):
        conditions = Conditions(players=5, cards=45, loops=loops, printing="random")
        layout = play_round(np.random.default_rng(6), published_deck(), conditions).layout
        apart = [bodies_apart_mm(layout, card.pose) for card in layout.cards]
        low, high = NEAR_MM[0] - 0.4, NEAR_MM[1] + 0.4
        counts.append(sum(int(((a > low) & (a < high)).sum()) for a in apart))
        assert not any(v.status == "illegal" for v in judge(layout, Rules()).values())
    assert counts[1] > 2 * counts[0] + 8


def test_visible_dots_are_white_in_any_printing() -> None:
    for seed in (2, 3):
        conditions = Conditions(
            cards=25, px_per_mm=1.8, tilt_deg=30.0, markers="none", gap_mm=0.0, dimmest=0.9,
            loops=True, printing="random", noise=0.002,
        )  # fmt: skip
        made = simulate_scene(seed, conditions)
        layout, camera = layout_of(made.truth), camera_of(made.truth)
        below = {card: frozenset(ids) for card, ids in over(layout, TOUCH_MM).items()}
        heights, shows = heights_mm(layout, below), visible_dots(layout)
        px = []
        for card in layout.cards:
            dots = np.array(layout.deck.face(card.face).dots_mm).reshape(-1, 2)
            seen = dots[np.array(shows[card.id], dtype=bool)]
            px += [
                camera.to_px(card.pose.to_table(seen + beside), heights[card.id])
                for beside in ([0.0, 0.0], [3.6, 0.0])
            ]
        white, ink = (level_at(made.image_bgr, np.concatenate(px[k::2])) for k in (0, 1))
        assert len(white) > 30
        assert (white > ink + 15).mean() > 0.98


def test_the_truth_is_consistent(scene: SimulatedScene) -> None:
    truth: Any = scene.truth
    layout = layout_of(truth)
    verdicts = judge(layout, Rules(**truth["rules"]))
    assert truth["illegal"] == [k for k, v in verdicts.items() if v.status == "illegal"]
    assert sum(truth["scores"].values()) == sum(c["visible_dots"] for c in truth["cards"])
    assert truth["printing"]["name"] == "random"
    assert scene.lens is None
