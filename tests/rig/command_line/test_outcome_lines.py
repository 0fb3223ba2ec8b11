"""What the scores may turn out to be, as `tacta score` prints it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from measuring.scenes.true_reading import true_reading
from referee.corrections.outcomes import Outcome
from rig.command_line.photos.outcome_lines import MOST_SHOWN, is_worth_telling, outcome_lines
from tests.scenes import scene
from vision.reading import Reading


@pytest.fixture
def reading() -> Reading:
    return replace(
        true_reading(scene("panel-oak").truth),
        scores={"blue": 9, "pink": 7},
        scores_without_illegal={"blue": 8, "pink": 7},
        sure=False,
        sure_without_illegal=False,
    )


def outcome(blue: int, pink: int, probability: float, lies: int | None = None) -> Outcome:
    lying = {"blue": blue + 1 if lies is None else lies, "pink": pink}
    return Outcome(lying, {"blue": blue, "pink": pink}, probability)


def test_only_what_is_not_sure_is_told(reading: Reading) -> None:
    two = [outcome(8, 7, 0.5), outcome(8, 6, 0.25)]
    assert is_worth_telling(reading, two)
    assert is_worth_telling(reading, two[:1])
    assert not is_worth_telling(reading, [])
    assert not is_worth_telling(replace(reading, sure=True, sure_without_illegal=True), two)
    assert is_worth_telling(replace(reading, sure=True), two)


def test_each_with_its_share_and_what_is_left(reading: Reading) -> None:
    told = [outcome(8, 7, 0.41), outcome(8, 6, 0.34)]
    assert outcome_lines(reading, told) == (
        ["blue 8, pink 7, as read: 41%", "blue 8, pink 6 (-1): 34%"],
        [
            "Anything else: 25%.",
            "In the lead in all of these: blue. Something that is not named may still be wrong.",
        ],
    )
    assert outcome_lines(reading, told, "fr") == (
        ["bleue 8, rose 7, comme lu : 41 %", "bleue 8, rose 6 (-1) : 34 %"],
        [
            "Toute autre chose : 25 %.",
            "En tête dans tous ces cas : bleue. Ce qui n'est pas nommé peut encore être faux.",
        ],
    )


def test_one_alone_is_told_with_what_is_left(reading: Reading) -> None:
    """Who leads in all of one goes without saying."""
    told = [outcome(8, 7, 0.58)]
    assert outcome_lines(reading, told) == (
        ["blue 8, pink 7, as read: 58%"],
        ["Anything else: 42%."],
    )


@pytest.mark.parametrize(
    ("left", "said"),
    [(0.0, []), (0.004, []), (0.006, ["Anything else: 1%."]), (0.1, ["Anything else: 10%."])],
)
def test_what_is_left_is_told_where_there_is_something(
    reading: Reading, left: float, said: list[str]
) -> None:
    """A placement is legal or illegal, and nothing else."""
    lines, found = outcome_lines(reading, [outcome(8, 7, 0.625), outcome(6, 7, 0.375 - left)])
    assert lines[0] == "blue 8, pink 7, as read: 62%"
    assert lines[1] == f"blue 6 (-2), pink 7: {0.375 - left:.0%}"
    assert found == said, "pink leads in one, blue in the other"


@pytest.mark.parametrize(("left", "is_told"), [(0.0, False), (0.004, False), (0.006, True)])
def test_what_is_not_named_may_be_wrong_where_something_is_left(
    reading: Reading, left: float, is_told: bool
) -> None:
    """As told where what is left has a line."""
    told = [outcome(8, 7, 0.625), outcome(8, 6, 0.375 - left)]
    for language, lead, more in (
        ("en", "In the lead in all of these: blue.", "not named may still be wrong."),
        ("fr", "En tête dans tous ces cas : bleue.", "pas nommé peut encore être faux."),
    ):
        _, said = outcome_lines(reading, told, language)
        assert len(said) == 1 + is_told
        assert said[-1].startswith(lead)
        assert (said[-1] != lead) == said[-1].endswith(more) == is_told


def test_visible_dots_are_told_where_they_change_otherwise(reading: Reading) -> None:
    (line,), _ = outcome_lines(reading, [outcome(5, 7, 0.5, lies=9)])
    assert line == "blue 5 (-3), pink 7; visible dots: blue 9: 50%"
    (line,), _ = outcome_lines(reading, [outcome(8, 7, 0.5, lies=10)])
    assert line == "blue 8, pink 7; visible dots: blue 10 (+1): 50%"


def test_the_likeliest_are_told_and_how_much_is_left(reading: Reading) -> None:
    many = [outcome(8 + more, 7, 0.02) for more in range(MOST_SHOWN + 3)]
    lines, (rest, lead) = outcome_lines(reading, many)
    assert len(lines) == MOST_SHOWN
    assert rest == "Anything else: 88%."
    assert lead.startswith("In the lead in all of these: blue.")
