from __future__ import annotations

import numpy as np
import pytest

from measuring.scenes.comparison import Comparison, compare
from measuring.scenes.retaken import Retaken, retaken
from tests.conftest import quick_or_thorough
from tests.scenes import NAMES, scene
from vision.read import read_table
from vision.reading import NotSeen

GLARE = "glare-oak"
"""A lamp has burnt out a card's middle: other light leaves other doubts there, and may leave two
readings of it that nothing tells apart."""
SEED = 0
QUICK = ("phone-oak",)
"""The scene that `make test` photographs anew; `make thorough` does so with all."""


def read(taken: Retaken) -> Comparison:
    reading = read_table(taken.image_bgr, taken.truth.layout.deck, taken.lens, taken.truth.rules)
    assert not isinstance(reading, NotSeen), reading.reason
    return compare(reading, taken.truth)


def turned(name: str) -> Retaken:
    """The first one whose camera was turned."""
    taken = (retaken(scene(name), seed) for seed in range(20))
    return next(one for one in taken if one.truth.camera is not scene(name).truth.camera)


def test_the_same_seed_gives_the_same_picture_and_another_another() -> None:
    one, same, other = (retaken(scene("panel-oak"), seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.image_bgr, same.image_bgr)
    assert one.image_bgr.shape != other.image_bgr.shape or (one.image_bgr != other.image_bgr).any()


@pytest.mark.parametrize(
    "name", ["spread-white", pytest.param("wide-slate", marks=pytest.mark.thorough)]
)
def test_a_turned_camera_sees_every_card_where_its_truth_has_it(name: str) -> None:
    taken = turned(name)
    assert taken.truth.layout == scene(name).truth.layout
    seen = read(taken)
    assert seen.named == seen.cards
    assert np.median([match.off_mm for match in seen.matches]) < 0.3


def test_a_turned_camera_has_no_distortion_and_its_middle_is_the_pictures() -> None:
    taken = turned("panel-oak")
    height, width = taken.image_bgr.shape[:2]
    lens = taken.truth.lens
    assert lens.size_wh == (width, height)
    assert not lens.distortion.any()
    np.testing.assert_allclose(lens.matrix[:2, 2], [width / 2, height / 2], atol=1)


@pytest.mark.slow
@pytest.mark.parametrize("name", quick_or_thorough(NAMES, QUICK))
def test_other_cameras_see_the_same_scores(name: str) -> None:
    seen = read(retaken(scene(name), SEED))
    assert not seen.as_it_lies.silent
    assert not seen.without_illegal.silent
    if name != GLARE:
        assert seen.as_it_lies.exact
        assert seen.without_illegal.exact
