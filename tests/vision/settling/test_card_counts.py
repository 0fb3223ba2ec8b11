from __future__ import annotations

import numpy as np
import pytest

from vision.naming.colours import Naming
from vision.settling.card_counts import colours_left, counted_colours, missing_cards


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


def test_the_numbers_of_cards_tell_a_colour_that_an_ink_hardly_tells() -> None:
    colour = np.array([0, 0, 0, 1, 2, 2])
    naming = Naming(colour, np.array([0.9, 0.9, 0.6, 0.9, 0.9, 0.9]), np.array([2, 2, 2, 2, 0, 0]))
    played = np.ones(6, np.bool_)
    assert counted_colours(naming, ~played, played).colour.tolist() == [0, 0, 1, 1, 2, 2]


def test_where_several_colours_lack_a_card_the_runner_up_is_taken() -> None:
    colour = np.array([0, 0, 0, 1, 2])
    washed = np.arange(5) == 2
    played = np.ones(5, np.bool_)
    for runner_up, expected in ((2, 2), (0, 0)):
        naming = Naming(colour, np.full(5, 0.9), np.full(5, runner_up))
        assert counted_colours(naming, washed, played).colour[2] == expected


def test_a_washed_out_card_has_no_colour_in_which_another_has_its_face() -> None:
    """Of two colours that are left the runner-up, or else none is known; and never a clear one,
    or one whose ink is plain: then its face was misread.
    """
    colour, faces = np.array([0, 0, 1, 2]), np.array([4, 4, 4, 5])
    played = np.ones(4, np.bool_)
    washed = np.arange(4) == 1
    naming = Naming(colour, np.full(4, 0.6), np.array([1, 1, 2, 0]))
    left = colours_left(naming, faces, washed, played)
    assert left.colour.tolist() == [0, 2, 1, 2]
    assert left.runner_up[1] == 0
    assert left.confidence[1] <= 0.5
    for other, expected in ((3, 3), (1, 0)):
        naming = Naming(np.array([0, 0, 3, 2]), np.full(4, 0.6), np.full(4, other))
        left = colours_left(naming, np.array([4, 4, 5, 5]), washed, played)
        assert left.colour[1] == expected
    plain = Naming(colour, np.full(4, 0.9), np.array([1, 1, 2, 0]))
    assert colours_left(plain, faces, washed, played).colour.tolist() == [0, 0, 1, 2]
    assert colours_left(naming, faces, ~played, played).colour.tolist() == [0, 0, 3, 2]
    assert colours_left(naming, np.arange(4), washed, played).colour.tolist() == [0, 0, 3, 2]
