"""Simulated games read without a picture, and followed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from measuring.game.__main__ import game_score
from measuring.game.misread import Mistakes, misread_game

NONE = Mistakes(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def test_without_mistakes_every_picture_without_a_hand_is_read_as_it_lies() -> None:
    game = misread_game(3, NONE)
    for event, reading in zip(game.truth["events"], game.readings, strict=True):
        if event["kind"] != "hand":
            assert reading is not None
            assert len(reading.cards) == event["cards"]


def test_mistakes_are_put_in_and_the_same_seed_makes_the_same() -> None:
    wrong, again = (misread_game(3, Mistakes(0.3)) for _ in range(2))
    right = misread_game(3, NONE)
    names = [
        [
            [(card.colour, card.face) for card in reading.cards]
            for reading in game.readings
            if reading
        ]
        for game in (wrong, again, right)
    ]
    assert names[0] == names[1] != names[2]


@pytest.mark.parametrize("share", [0.0, 0.02])
def test_a_game_is_followed_and_its_figures_are_kept(share: float, tmp_path: Path) -> None:
    score = game_score(tmp_path, 0.0, share, 3)
    assert score is not None
    assert score.silent == 0
    if share == 0.0:
        assert (score.named, score.accused, score.exact) == (score.laid, 0, True)
    (kept,) = (tmp_path / "followed").iterdir()
    assert json.loads(kept.read_text("utf-8"))["score"]["laid"] == score.laid


def test_pictures_that_are_still_to_be_read_are_left_for_the_next_run(tmp_path: Path) -> None:
    assert game_score(tmp_path, 0.0, None, 3) is None
