"""What is read and judged before the first photo comes must go through every stage."""

from __future__ import annotations

from pathlib import Path

import pytest

from geometry.deck_file import published_deck
from geometry.fitting import pairings
from geometry.rules import Rules
from rig.reading_json import reading_data
from rig.service.running.practice import judge_a_table, pair_the_faces, practice_picture
from tests.rig.service.table_top import jpeg, table_top
from vision.pace import Pace
from vision.read import read_table
from vision.reading import Reading


@pytest.mark.slow
def test_the_practice_picture_is_read_to_the_end() -> None:
    deck = published_deck()
    stages: list[str] = []
    reading = read_table(practice_picture(deck), deck, None, Rules(), Pace(stages.append))
    assert isinstance(reading, Reading)
    assert len(reading.cards) == 8
    assert stages[-1] == "judge"


def test_the_practice_table_has_something_to_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[Reading] = []

    def look(reading: Reading, photo: str) -> dict[str, object]:
        judged.append(reading)
        return reading_data(reading, photo)

    monkeypatch.setattr("rig.service.running.practice.reading_data", look)
    judge_a_table(published_deck(), Rules())
    (reading,) = judged
    assert len(reading.illegal) >= 3
    assert sum(card.hidden_dots for card in reading.cards) > 0


def test_a_photo_finds_every_pair_of_faces_known() -> None:
    deck = published_deck()
    pairings.cache_clear()
    pair_the_faces(deck)
    made = pairings.cache_info().misses
    assert made == 2 * (1 + len(deck.faces)) ** 2
    judge_a_table(deck, Rules())
    info = pairings.cache_info()
    assert (info.misses, info.currsize) == (made, made)


def test_a_changed_picture_is_named_while_the_service_runs(tmp_path: Path) -> None:
    with table_top(tmp_path / "rig") as rig:
        frame = rig.store.frames.get(rig.frame())
    rig.store.frames.path(frame).write_bytes(jpeg(2))
    with table_top(tmp_path / "rig") as rig:
        for _ in range(500):
            problems = [one["key"] for one in rig.get("/ready").json()["problems"]]
            if "picture-changed" in problems:
                return
    raise AssertionError(problems)
