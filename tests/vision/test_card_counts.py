from __future__ import annotations

import numpy as np
import pytest

from vision.card_counts import counted_colours, missing_cards
from vision.colours import Naming


@pytest.mark.parametrize(
    ("colour", "missing"), [([], 0), ([2, 2, 0, 0], 0), ([2, 2, 2, 0], 2), ([1, 1, 0, 2, 2], 1)]
)
def test_colours_lack_what_the_one_with_most_has_more(colour: list[int], missing: int) -> None:
    assert missing_cards(np.array(colour, np.int64)) == missing


def test_the_numbers_of_cards_tell_a_washed_out_card_s_colour() -> None:
    colour = np.array([0, 0, 0, 1, 2, 2])
    naming = Naming(colour, np.full(6, 0.9), np.array([2, 2, 2, 2, 0, 0]))
    played = np.ones(6, np.bool_)
    washed = np.array([False, False, True, False, False, False])
    counted = counted_colours(naming, washed, played)
    assert counted.colour.tolist() == [0, 0, 1, 1, 2, 2]
    assert counted.runner_up[2] == 0
    assert counted.confidence[2] <= 0.5
    assert counted_colours(naming, ~played, played).colour.tolist() == colour.tolist()


def test_where_several_colours_lack_a_card_the_runner_up_is_taken() -> None:
    colour = np.array([0, 0, 0, 1, 2])
    washed = np.arange(5) == 2
    played = np.ones(5, np.bool_)
    for runner_up, expected in ((2, 2), (0, 0)):
        naming = Naming(colour, np.full(5, 0.9), np.full(5, runner_up))
        assert counted_colours(naming, washed, played).colour[2] == expected
