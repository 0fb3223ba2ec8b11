"""Features of places do not change under a veil, and places that say nothing say so."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from measuring.scenes.truth import parse_truth
from simulator import simulate_scene
from tests.vision.model.drawn_table import CONFIG, DECK, DrawnTable, drawn_table, relit
from vision.arrays import FloatArray
from vision.model.drawing import Print, draw_faces
from vision.model.footprint import Footprints
from vision.observe.observation import cells_of, observe_table, quantile


def axes(drawn: DrawnTable) -> FloatArray:
    """The cells' four axes (N, 4), and the level, at all that the cards take."""
    seen = drawn.seen()
    prints = Footprints(seen, draw_faces(DECK, CONFIG))
    at = np.concatenate([prints.of(card.place).at for card in drawn.table.cards])
    cells = np.unravel_index(seen.cell.reshape(-1)[at], cells_of(CONFIG))
    return np.stack([*cells, seen.level.reshape(-1)[at]], axis=-1).astype(np.float64)


@pytest.fixture(scope="module")
def plain() -> DrawnTable:
    return drawn_table(noise=0.0)


@pytest.mark.parametrize(
    ("gain", "veil"), [(1.0, 20.0), (0.6, 60.0), (0.5, 0.0), (0.9, 25.0)],
    ids=["veil", "pale", "dusk", "haze"],
)  # fmt: skip
def test_light_on_top_changes_no_feature(plain: DrawnTable, gain: float, veil: float) -> None:
    off = np.abs(axes(relit(plain, gain, veil)) - axes(plain))
    assert (off <= 1).all(axis=1).mean() > 0.97


def test_coloured_light_is_balanced_by_the_lines(plain: DrawnTable) -> None:
    off = np.abs(axes(relit(plain, np.array([0.6, 0.8, 1.0]), 0.0)) - axes(plain))
    assert (off[:, :2] <= 1).all(axis=1).mean() > 0.9


def test_what_is_printed_looks_as_it_is(plain: DrawnTable) -> None:
    """Black has no chroma, ink has one, and lines and dots alone are white."""
    seen, faces = plain.seen(), draw_faces(DECK, CONFIG)
    card = plain.table.cards[-1]
    taken = Footprints(seen, faces).of(card.place)
    cells = np.unravel_index(seen.cell.reshape(-1)[taken.at], cells_of(CONFIG))
    values = np.stack(cells, axis=-1).astype(np.float64)
    kinds = faces.drawn(card.hypothesis)[taken.on]
    middle = CONFIG.chroma_cells // 2
    black, ink, dot, line = (
        np.median(values[kinds == kind], axis=0)
        for kind in (Print.BLACK, Print.INK, Print.DOT, Print.LINE)
    )
    assert black[:3].tolist() == [middle, middle, 0]
    assert np.abs(ink[:2] - middle).max() >= 3
    assert ink[2] == 0
    assert dot[2] >= CONFIG.white_cells - 2
    assert line[2] >= CONFIG.white_cells // 2
    assert line[3] >= black[3] + 3


def test_burnt_places_say_nothing(plain: DrawnTable) -> None:
    glare = np.zeros((460, 520, 1))
    glare[200:300, 200:300] = 255
    lit = DrawnTable(
        replace(
            plain.raster,
            image_bgr=np.clip(plain.raster.image_bgr + glare, 0, 255).astype(np.uint8),
        ),
        plain.table,
    )
    says = lit.seen().says
    assert not says[210:290, 210:290].any()
    assert says[:180].all()
    assert plain.seen().says.all()


def test_places_outside_the_photograph_say_nothing() -> None:
    scene = simulate_scene(7, "easy")
    view = parse_truth(scene.truth).camera.view
    left, top = view.to_mm(np.array([[0.0, 0.0]]))[0]
    box = np.array([left - 50, top - 50, left + 100, top + 100])
    seen = observe_table(scene.image_bgr, view, box, CONFIG)
    px = view.to_px(np.array([[left - 40, top - 40], [left + 90, top + 90]]))
    assert (px[0] < 0).all()
    assert (px[1] > 0).all()
    assert not seen.says[20, 20]
    assert seen.says[280, 280]


@pytest.mark.parametrize("share", [0.0, 0.5, 0.98, 1.0])
def test_a_grey_levels_share_is_numpys(share: float) -> None:
    grey = np.random.default_rng(3).integers(20, 60, (31, 17), dtype=np.uint8)
    grey[0, :8] = 200
    assert quantile(grey, share) == pytest.approx(float(np.quantile(grey, share)), abs=1e-9)
