"""The mixes stay inside the ranges that are written down."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simulator import PRESETS, Conditions, draw_conditions, simulate_scene
from simulator.lighting.light import to_linear
from simulator.lighting.usable_light import in_range
from simulator.play.faults import FAULTS
from simulator.tabletop.tables import TABLES, table_ground
from simulator.things.clutter import CLUTTER, FLATS, SOLIDS
from tests.conftest import quick_or_thorough

DOCS = Path(__file__).parents[2] / "docs" / "simulator.md"
QUICK = ("ordinary", "printed", "real")
"""Presets of which `make test` makes a scene; `make thorough` makes one of each other."""


def drawn(preset: str, count: int) -> list[Conditions]:
    return [draw_conditions(np.random.default_rng(seed), preset) for seed in range(count)]


def darkest(conditions: Conditions) -> float:
    gains = np.asarray(conditions.cast) / max(conditions.cast)
    light = float(to_linear(conditions.white_level)) * float(gains @ [0.2126, 0.7152, 0.0722])
    shadow = (1 - conditions.shadow_depth) ** conditions.shadows
    light /= 1 + conditions.haze
    return light * conditions.dimmest * (1 - conditions.vignette) * shadow


def test_ordinary_is_within_its_range() -> None:
    for c in drawn("ordinary", 300):
        assert 2 <= c.players <= 4
        assert c.tilt_deg <= 10
        assert min(c.px_per_mm, c.least_px_per_mm) >= 2
        assert c.noise <= 0.02
        assert c.burnt_share < 0.005
        assert c.markers == "all"
        assert c.lens_known


def test_hard_is_within_its_range_and_reaches_all_of_it() -> None:
    mix = drawn("hard", 600)
    for c in mix:
        assert min(c.px_per_mm, c.least_px_per_mm) >= 1.7
        assert c.tilt_deg <= 35
        assert np.hypot(c.blur_mm, c.motion_mm / np.sqrt(12)) <= 0.5
        assert c.noise <= 0.03
        assert c.burnt_share <= 0.01
        assert darkest(c) >= float(to_linear(0.15))
        assert c.markers == "all" or "off_table" not in c.faults
    assert {c.table for c in mix} == set(TABLES)
    assert {c.markers for c in mix} == {"all", "some", "covered", "none"}
    assert {c.lens_known for c in mix} == {True, False}
    assert {thing for c in mix for thing in c.clutter} == {*SOLIDS, *FLATS}
    assert {fault for c in mix for fault in c.faults} == set(FAULTS)
    assert {c.players for c in mix} == {2, 3, 4, 5, 6}
    assert max(c.tilt_deg for c in mix) > 33
    assert min(darkest(c) for c in mix) < 2 * float(to_linear(0.15))


def test_light_is_evened_out_only_as_far_as_needed() -> None:
    fine = Conditions(white_level=0.9, dimmest=0.8)
    assert in_range(fine) == fine
    dark = Conditions(white_level=0.3, dimmest=0.05, shadows=3, shadow_depth=0.7, vignette=0.4)
    assert darkest(in_range(dark)) >= float(to_linear(0.15))


@pytest.mark.slow
@pytest.mark.parametrize(
    "preset", quick_or_thorough([one for one in PRESETS if not one.startswith("bench")], QUICK)
)
def test_every_preset_makes_scenes(preset: str) -> None:
    truth: Any = simulate_scene(2, preset).truth
    assert truth["conditions"]["name"] == preset
    assert len(truth["cards"]) >= 1


def test_benches_have_the_cards_and_pixels_they_are_named_for() -> None:
    for cards, size in ((29, (2028, 1520)), (49, (2592, 1944)), (109, (4056, 3040))):
        (conditions,) = drawn(f"bench-{cards}", 1)
        assert conditions.cards == cards
        assert conditions.picture_wh == size
    scene = simulate_scene(0, "bench-29")
    assert scene.image_bgr.shape == (1520, 2028, 3)
    cards_there: Any = scene.truth["cards"]
    assert len(cards_there) == 29


@pytest.mark.parametrize("name", TABLES)
def test_every_table_is_a_texture(name: str) -> None:
    ground = table_ground(np.random.default_rng(0), name)
    assert ground.texture.dtype == np.float32
    assert ground.texture.shape[2] == 3
    assert 0 <= ground.texture.min() <= ground.texture.max() <= 1.5


def test_unknown_names_are_refused() -> None:
    with pytest.raises(ValueError, match="no such preset: easier"):
        draw_conditions(np.random.default_rng(0), "easier")
    with pytest.raises(ValueError, match="no such table"):
        table_ground(np.random.default_rng(0), "lava")
    with pytest.raises(ValueError, match="no such clutter"):
        simulate_scene(0, Conditions(cards=2, clutter=("elephant",)))


def test_the_page_names_every_preset_knob_table_and_fault() -> None:
    page = DOCS.read_text(encoding="utf-8")
    for name in (*PRESETS, *TABLES, *CLUTTER, *FAULTS, *Conditions.__dataclass_fields__):
        assert f"`{name}`" in page, name
