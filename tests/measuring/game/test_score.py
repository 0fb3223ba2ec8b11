"""What is counted of a followed game: its figures from what was said and what is true."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

from measuring.game.score import GameScore, score_game

Data = dict[str, Any]
RED, BLUE, PINK = ("red", "circle-1"), ("blue", "square-2"), ("pink", "square-3")
SPARE = ("pink", "circle-5")


def placed(frame: int, card: int, name: tuple[str, str], illegal: bool = False) -> Data:
    told = {"card": card, "colour": name[0], "face": name[1], "illegal": illegal}
    return {"frame": f"{frame:03}.jpg", "kind": "placed", **told}


TRUTH: Data = {
    "events": [
        placed(0, 0, RED),
        {"frame": "001.jpg", "kind": "hand"},
        placed(2, 1, BLUE, illegal=True),
        {"frame": "003.jpg", "kind": "nudged", "card": 0},
        placed(4, 2, PINK),
    ],
    "cards": [
        {"colour": "red", "face": "circle-1"},
        {"colour": "blue", "face": "square-2"},
        {"colour": "pink", "face": "square-3"},
    ],
    "illegal": [1],
    "borderline": [],
    "scores": {"red": 1, "blue": 2, "pink": 3, "green": 0},
    "scores_without_illegal": {"red": 1, "blue": 0, "pink": 3, "green": 0},
}  # fmt: skip


def event(frame: int, kind: str, card: int, name: tuple[str, str], status: str = "legal") -> Data:
    told = {"id": card, "colour": name[0], "face": name[1]}
    return {"frame": f"{frame:03}.jpg", "event": kind, "card": told, "status": status}


def end(names: list[tuple[str, str]], illegal: tuple[int, ...] = (1,), **other: object) -> Data:
    cards = [{"id": n, "colour": name[0], "face": name[1]} for n, name in enumerate(names)]
    return {
        "event": "end",
        "scores": {"red": 1, "blue": 2, "pink": 3},
        "scores_without_illegal": {"red": 1, "blue": 0, "pink": 3},
        "sure": True,
        "sure_without_illegal": True,
        "cards": cards,
        "illegal": [{"card": card} for card in illegal],
        **other,
    }


RIGHT = [
    event(0, "laid", 0, RED),
    {"frame": "001.jpg", "event": "waiting", "card": None, "status": None},
    event(2, "laid", 1, BLUE, "illegal"),
    event(4, "laid", 2, PINK),
]
ALL_RIGHT = GameScore(3, 3, 3, 0, 1, 1, 1, 0, True, True)


def changed(**figures: object) -> Data:
    return {**asdict(ALL_RIGHT), **figures}


def found(said: list[Data], last: Data) -> Data:
    return asdict(score_game(TRUTH, [*said, last]))


def test_a_game_that_was_followed_rightly() -> None:
    assert found(RIGHT, end([RED, BLUE, PINK])) == changed()


def test_a_name_corrected_later_is_not_named_at_once() -> None:
    said = [*RIGHT[:3], event(4, "laid", 2, SPARE)]
    last = end([RED, BLUE, PINK])
    assert found(said, last) == changed(at_once=2)
    assert found(said, end([RED, BLUE, SPARE], sure=False)) == changed(
        at_once=2, named=2, sure=False
    )


def test_what_is_said_a_picture_late_is_at_once_still_but_not_after_the_next_change() -> None:
    late = [RIGHT[0], event(3, "laid", 1, BLUE, "illegal"), RIGHT[3]]
    assert found(late, end([RED, BLUE, PINK])) == changed()
    too_late = [RIGHT[0], event(4, "laid", 1, BLUE, "illegal"), RIGHT[3]]
    assert found(too_late, end([RED, BLUE, PINK])) == changed(at_once=2, illegal_at_once=0)


def test_an_end_that_is_sure_and_wrong_is_silent() -> None:
    wrong_name = end([RED, BLUE, SPARE])
    assert found(RIGHT, wrong_name) == changed(silent=1)
    wrong_score = end([RED, BLUE, PINK], scores={"red": 1, "blue": 1, "pink": 3})
    assert found(RIGHT, wrong_score) == changed(silent=1, exact=False)
    unsure = end([RED, BLUE, PINK], scores={"red": 9}, sure=False)
    assert found(RIGHT, unsure) == changed(exact=False, sure=False)
    without = end([RED, BLUE, PINK], scores_without_illegal={"red": 1})
    assert found(RIGHT, without) == changed(silent=1, exact=False)


def test_a_legal_card_that_was_called_illegal_was_accused_once() -> None:
    said = [event(0, "laid", 0, RED, "illegal"), *RIGHT[1:]]
    assert found(said, end([RED, BLUE, PINK], (0, 1))) == changed(accused=1)
    assert found(RIGHT, end([RED, BLUE, PINK], (1, 2))) == changed(accused=1)


def test_an_illegal_card_that_was_not_told() -> None:
    said = [*RIGHT[:2], event(2, "laid", 1, BLUE, "borderline"), RIGHT[3]]
    last = end([RED, BLUE, PINK], ())
    assert found(said, last) == changed(illegal_at_once=0, illegal_by_end=0)


def test_an_illegal_card_taken_back_was_told_while_it_lay_there() -> None:
    events = [
        *TRUTH["events"][:3],
        {"frame": "003.jpg", "kind": "taken_back", "card": 1},
        {**TRUTH["events"][2], "frame": "004.jpg", "illegal": False},
    ]
    truth = {**TRUTH, "events": events, "cards": TRUTH["cards"][:2], "illegal": []}
    said = [
        *RIGHT[:3],
        event(4, "taken_back", 1, BLUE, "illegal"),
        event(4, "laid", 2, BLUE),
    ]
    last = end([RED, BLUE], ())
    score = score_game(truth, [*said, last])
    assert (score.laid, score.named, score.illegal) == (3, 3, 1)
    assert (score.illegal_at_once, score.illegal_by_end, score.accused) == (1, 1, 0)


def test_without_an_end_there_is_no_score() -> None:
    with pytest.raises(ValueError, match="end"):
        score_game(TRUTH, RIGHT)
