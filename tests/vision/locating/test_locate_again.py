from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from geometry.pose import PointsMm
from geometry.rules import Rules
from measuring.scenes.truth import Truth
from tests.vision.small_scenes import DECK, small_scene
from vision.lens import Lens
from vision.locating.locate import Located
from vision.locating.locate_again import locate_again
from vision.read import read_table
from vision.reading import NotSeen, Reading
from vision.reason import Reason

FloatArray = NDArray[np.float64]


def off_mm(found: Located, truth: Truth) -> float:
    """How far the cards' middles are off at most, once the table frames lie on each other."""
    true = np.array([[card.pose.x_mm, card.pose.y_mm] for card in truth.layout.cards])
    seen = found.view.to_mm(truth.camera.to_px(PointsMm(true)))
    one, other = ((points - points.mean(axis=0)) @ [1, 1j] for points in (true, seen))
    turn = (other * one.conj()).sum()
    return float(np.abs(other - one * turn / np.abs(turn)).max())


@pytest.mark.parametrize("lens_known", [True, False])
def test_the_table_by_what_its_cards_show(lens_known: bool) -> None:
    scene, truth = small_scene(5)
    lens: Lens | None = scene.lens if lens_known else None
    found = locate_again(scene.image_bgr, lens, DECK)
    assert found is not None
    # The plane runs through the cards that lie on top, a little above the table.
    assert off_mm(found, truth) < 3.0


def test_a_table_that_no_plain_outline_shows_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """What hid the outlines may hide cards, unless all are there and plainly show."""
    scene, truth = small_scene(5)
    refused = NotSeen(Reason("no-table", {"width": 9, "height": 9}))
    monkeypatch.setattr("vision.table_search.first_look", lambda *_: refused)
    hard = [Reason("table-hard-to-find")]
    none: list[Reason] = []
    for rules, doubts in ((Rules(), none), (Rules(free_for_all=True), hard)):
        reading = read_table(scene.image_bgr, DECK, scene.lens, rules)
        assert isinstance(reading, Reading)
        assert len(reading.cards) == len(truth.layout.cards)
        assert (reading.sure, reading.sure_without_illegal) == (not doubts, not doubts)
        assert [doubt.reason for doubt in reading.doubts if doubt.kind == "table"] == doubts
    monkeypatch.setattr("vision.table_search.locate_again", lambda *_: None)
    assert read_table(scene.image_bgr, DECK, scene.lens, Rules()) == refused


def test_no_table_in_noise() -> None:
    noise = np.random.default_rng(2).integers(0, 255, (600, 800, 3)).astype(np.uint8)
    assert locate_again(noise, None, DECK) is None
