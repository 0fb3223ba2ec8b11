from __future__ import annotations

import numpy as np

from vision.naming.tints import MOST_PLACES, _Pixels


def pixels(owners: list[int]) -> _Pixels:
    return _Pixels(np.arange(len(owners), dtype=np.uint32), np.array(owners, np.int64))


def test_of_no_pixels_none_are_kept() -> None:
    """As of a table of cards on which nothing is inked."""
    kept = pixels([]).thinned()
    assert len(kept.words) == len(kept.owner) == 0


def test_every_card_keeps_as_many_pixels_as_are_asked_for() -> None:
    kept = pixels([0] * (3 * MOST_PLACES) + [2] * 5).thinned()
    assert kept.counts(3).tolist() == [MOST_PLACES, 0, 5]
