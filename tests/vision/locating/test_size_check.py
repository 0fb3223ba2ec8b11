from __future__ import annotations

import numpy as np
import pytest

from tests.vision.locating.fine_photos import fine_photo
from tests.vision.locating.plane_views import CARD, POSES, camera
from vision.locating.size_check import card_sizes, plainly_agree, sizes_agree, whole_frames
from vision.view import TableView

VIEW = camera(18.0, 60.0)


def off_by(factor: float) -> TableView:
    """The same view for one who takes everything for so much larger."""
    return TableView(VIEW.lens, VIEW.rotation, VIEW.translation_mm * factor)


def test_cards_have_their_size() -> None:
    frames = whole_frames(fine_photo(VIEW, POSES, 30), VIEW, CARD)
    sizes = card_sizes(frames, VIEW, CARD)
    assert len(sizes) >= 3
    np.testing.assert_allclose(sizes, 1, atol=3e-3)


@pytest.mark.parametrize(
    ("factor", "agree"),
    [(0.95, False), (0.985, False), (0.995, True), (1.005, True), (1.05, False)],
)
def test_a_scale_that_is_not_the_cards(factor: float, agree: bool) -> None:
    frames = whole_frames(fine_photo(VIEW, POSES, 30), off_by(factor), CARD)
    assert sizes_agree(frames, off_by(factor), CARD) is agree


def test_a_wrong_tilt_is_seen() -> None:
    turned = camera(30.0, 60.0)
    frames = whole_frames(fine_photo(VIEW, POSES, 30), turned, CARD)
    assert sizes_agree(frames, turned, CARD) is not True


def test_two_cards_tell_too_little() -> None:
    bare = np.full((900, 1200, 3), 90, np.uint8)
    for image, view in ((fine_photo(VIEW, POSES[:2], 30), off_by(1.05)), (bare, VIEW)):
        assert sizes_agree(whole_frames(image, view, CARD), view, CARD) is None


@pytest.mark.parametrize(
    ("sizes", "agree"),
    [
        ([0.998, 1.0, 1.002, 1.003, 0.997], True),
        ([1.0, 1.008, 1.01, 1.0, 1.0], True),
        ([1.0, 1.0, 1.0, 1.0], False),
        ([1.0, 1.0, 1.0, 0.99, 0.99], False),
        ([1.02, 1.02, 1.02, 1.02, 1.02], False),
    ],
    ids=["as large", "on stacks", "too few", "mixed", "too large"],
)
def test_sizes_on_the_table_as_it_was_read(sizes: list[float], agree: bool) -> None:
    assert plainly_agree(np.array(sizes), 700.0) is agree
