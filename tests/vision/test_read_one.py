"""The reader on one score reads a photograph, or says why not."""

from __future__ import annotations

import numpy as np
import pytest

from measuring.scenes.comparison import compare
from tests.scenes import scene
from vision.read_one import read_one
from vision.reading import NotSeen, Reading

pytestmark = pytest.mark.slow
NAME = "two-walnut"


@pytest.fixture(scope="module")
def read() -> Reading:
    one = scene(NAME)
    reading = read_one(one.image_bgr, one.truth.layout.deck, one.truth.lens, one.truth.rules)
    assert isinstance(reading, Reading)
    return reading


def test_each_card_is_found_where_it_lies(read: Reading) -> None:
    found = compare(read, scene(NAME).truth)
    assert len(found.matches) == found.cards
    assert found.invented == 0
    assert all(match.off_mm < 1.0 for match in found.matches)


def test_the_score_is_right_and_no_wrong_one_sure(read: Reading) -> None:
    found = compare(read, scene(NAME).truth)
    assert found.as_it_lies.exact
    assert not found.as_it_lies.silent
    assert not found.without_illegal.silent
    assert found.pairs_right == found.pairs


def test_where_nothing_lies_nothing_is_seen() -> None:
    truth = scene(NAME).truth
    grey = np.full((400, 500, 3), 90, np.uint8)
    assert isinstance(read_one(grey, truth.layout.deck, None, truth.rules), NotSeen)
