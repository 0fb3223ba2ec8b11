from __future__ import annotations

import json

import numpy as np
import pytest

from geometry.rules import Rules
from measuring.scenes.true_reading import true_table
from measuring.scenes.truth import parse_truth
from referee.corrections.kinds import OverruleVerdict
from referee.corrections.replay import corrected
from rig.scene_export import truth_data
from tests.scenes import scene


@pytest.mark.parametrize("name", ["two-walnut", "wide-slate", "full-felt"])
def test_an_exported_scene_is_the_truth(name: str) -> None:
    known = scene(name)
    height, width = known.image_bgr.shape[:2]
    reading = corrected(true_table(known.truth), [], Rules())
    data = truth_data(reading, Rules(), (width, height), known.truth.lens)
    truth = parse_truth(json.loads(json.dumps(data)))
    assert truth.scores == known.truth.scores
    assert truth.scores_without_illegal == known.truth.scores_without_illegal
    assert truth.illegal == known.truth.illegal
    assert truth.borderline == known.truth.borderline
    assert truth.visible_dots == known.truth.visible_dots
    again = np.array([card.outline_px for card in true_table(truth).cards])
    assert again == pytest.approx(np.array([c.outline_px for c in reading.cards]), abs=0.5)


def test_without_a_lens_the_picture_is_explained_all_the_same() -> None:
    known = scene("phone-oak")
    height, width = known.image_bgr.shape[:2]
    reading = corrected(true_table(known.truth), [], Rules())
    truth = parse_truth(truth_data(reading, Rules(), (width, height), None))
    again = np.array([card.outline_px for card in true_table(truth).cards])
    off = np.linalg.norm(again - np.array([c.outline_px for c in reading.cards]), axis=2)
    assert np.median(off) < 5
    assert off.max() < 30


def test_the_table_s_rulings_are_exported() -> None:
    known = scene("two-walnut")
    reading = corrected(true_table(known.truth), [OverruleVerdict(33, False, "overhang")], Rules())
    data = truth_data(reading, Rules(), (2592, 1944), known.truth.lens)
    assert data["illegal"] == [19, 32, 33]
    assert data["borderline"] == []
