"""What lies round the table cannot be made out; the table can, and is read as before."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from geometry.pose import PointsMm
from measuring.scenes.true_reading import true_table
from rig.photo.surroundings import margin_px, table_px, with_blurred_surroundings
from rig.service.pictures.picture_process import FULL_QUALITY, jpeg
from tests.conftest import quick_or_thorough
from tests.scenes import SCENES, scene
from vision.read import read_table
from vision.reading import Reading, SeenTable

QUICK = ("phone-oak", "dim-navy")


def blurred(image_bgr: NDArray[np.uint8], seen: SeenTable) -> NDArray[np.uint8]:
    table = table_px(seen)
    assert table is not None
    return with_blurred_surroundings(image_bgr, table, margin_px(seen))


def written_at(image_bgr: NDArray[np.uint8], x: int, y: int) -> NDArray[np.uint8]:
    image = image_bgr.copy()
    cv2.putText(image, "ADA LOVELACE", (x, y), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (255, 255, 255), 3)
    return image


def test_what_lies_outside_is_gone_for_good_and_nothing_else_is_touched() -> None:
    """Where markers tell nothing, the cards alone say where the table is."""
    fixture = scene("phone-oak")
    seen = true_table(fixture.truth)
    seen = replace(seen, layout=replace(seen.layout, play_area_mm=None))
    image = written_at(fixture.image_bgr, 10, 40)
    done = blurred(image, seen)
    same = (done == image).all(axis=2)
    assert 0.4 < same.mean() < 0.7
    for card in seen.cards:
        x, y = np.mean(card.outline_px, axis=0).round().astype(int)
        assert same[y - 20 : y + 20, x - 20 : x + 20].all()
    corner = done[:80, :300].astype(np.float64)
    written = image[:80, :300].astype(np.float64)
    assert np.abs(np.diff(written, axis=1)).max() > 100
    assert np.abs(np.diff(corner, axis=1)).max() < 6


def test_markers_lie_on_the_table() -> None:
    fixture = scene("wide-slate")
    seen = true_table(fixture.truth)
    same = (blurred(fixture.image_bgr, seen) == fixture.image_bgr).all(axis=2)
    width, height = seen.layout.play_area_mm or (0.0, 0.0)
    out = 70.0
    corners = [[-out, -out], [width + out, -out], [width + out, height + out], [-out, height + out]]
    for x, y in fixture.truth.camera.to_px(PointsMm(np.array(corners))).round().astype(int):
        assert same[y, x]
    assert not same.all()


@pytest.mark.parametrize(
    "name", quick_or_thorough([path.name for path in sorted(SCENES.iterdir())], QUICK)
)
def test_a_blurred_photo_is_read_the_same_or_not_surely(name: str) -> None:
    fixture = scene(name)
    truth = fixture.truth
    whole = read_table(fixture.image_bgr, truth.layout.deck, truth.lens, truth.rules)
    assert isinstance(whole, Reading)
    data = jpeg(blurred(fixture.image_bgr, whole.seen), FULL_QUALITY)
    image = np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8)
    again = read_table(image, truth.layout.deck, truth.lens, truth.rules)
    assert isinstance(again, Reading)
    assert not again.sure or again.scores == whole.scores
    illegal = again.scores_without_illegal, whole.scores_without_illegal
    assert not again.sure_without_illegal or illegal[0] == illegal[1]
    assert (again.play_area_mm is None) == (whole.play_area_mm is None)


def test_without_cards_nobody_knows_where_the_table_is() -> None:
    seen = true_table(scene("phone-oak").truth)
    assert table_px(SeenTable(seen.layout, (), (), 1.0)) is None
