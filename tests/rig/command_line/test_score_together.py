"""`tacta score --together`: several photographs of one table, one document."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from rig.command_line import run
from rig.wording.kept_reasons import reason_of
from tests.rig.reading_schema import check
from tests.vision.together.photographed import SIZE, camera, photographed, table, washed
from vision.reading import NotSeen, Reading

NAMES = ("left", "right", "copy", "other", "dark")
UNREAD = NotSeen(reason_of("No cards were found: check that the table is in view."))


@cache
def read_each() -> tuple[Reading | NotSeen, ...]:
    """What is read in each."""
    one = table()
    left, right = camera(one, (-300, 100, 900)), camera(one, (300, -50, 950))
    return (
        photographed(one, left, doubts=washed(one, 3)).reading,
        photographed(one, right, doubts=washed(one, 9), turn_deg=75, seed=1).reading,
        photographed(one, left, seed=2).reading,
        photographed(table(8), right).reading,
        UNREAD,
    )


@pytest.fixture
def photos(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A file for each of these readings, told apart by its first pixel."""
    paths = {}
    noise = np.random.default_rng(1).integers(60, 90, (SIZE[1], SIZE[0], 3), np.uint8)
    for level, name in enumerate(NAMES):
        path = tmp_path / f"{name}.png"
        picture = noise.copy()
        picture[0, 0] = 100 + level
        cv2.imwrite(str(path), picture)
        paths[name] = str(path)
    readings = read_each()

    def read_table(image_bgr: NDArray[np.uint8], *_: object) -> Reading | NotSeen:
        return readings[int(image_bgr[0, 0, 0]) - 100]

    monkeypatch.setattr("vision.read.read_table", read_table)
    return paths


def test_two_photographs_are_sure_where_neither_alone_is(
    photos: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["score", photos["left"], photos["right"], "--json"]) == 3
    assert len(capsys.readouterr().out.splitlines()) == 2
    assert run(["score", "--together", photos["left"], photos["right"], "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    document = check(json.loads(out))
    assert document["photo"] == "left.png"
    assert document["photos"] == ["left.png", "right.png"]
    assert len(document["cards"]) == len(table().cards)
    assert document["sure"]
    assert document["sure_without_illegal"]


def test_without_json_it_is_the_usual_table_with_all_names(
    photos: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["score", "--together", photos["left"], photos["right"]]) == 0
    out = capsys.readouterr().out
    assert "left.png, right.png" in out
    assert "Sure of both scores." in out


@pytest.mark.parametrize("again", ["left", "copy"])
def test_a_photograph_twice_or_its_copy_is_no_surer(
    photos: dict[str, str], capsys: pytest.CaptureFixture[str], again: str
) -> None:
    assert run(["score", "--together", photos["left"], photos[again], "--json"]) == 3
    assert not check(json.loads(capsys.readouterr().out))["sure"]


def test_one_photograph_together_is_as_without(
    photos: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["score", "--together", photos["copy"], "--json"]) == 0
    alone = capsys.readouterr().out
    assert run(["score", photos["copy"], "--json"]) == 0
    assert capsys.readouterr().out == alone


@pytest.mark.parametrize(("wrong", "key"), [("other", "another-table"), ("dark", "table-not-seen")])
def test_the_photograph_that_does_not_go_with_the_others_is_named(
    photos: dict[str, str], capsys: pytest.CaptureFixture[str], wrong: str, key: str
) -> None:
    names = [photos["left"], photos["right"], photos[wrong]]
    assert run(["score", "--together", *names, "--json"]) == 1
    out, err = capsys.readouterr()
    document = check(json.loads(out))
    assert (document["photo"], document["error_key"]) == (f"{wrong}.png", key)
    assert err.count("\n") == 1
    assert photos[wrong] in err


def test_the_overlay_is_drawn_on_the_first_photograph(
    photos: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "drawn.png"
    names = [photos["left"], photos["right"]]
    assert run(["score", "--together", *names, "--overlay", str(target)]) == 0
    assert "drawn.png" in capsys.readouterr().out.replace("\n", "")
    drawn = cv2.imread(str(target))
    assert drawn is not None
    assert drawn.shape[1] == SIZE[0]
    left = read_each()[NAMES.index("left")]
    assert isinstance(left, Reading)
    x, y = np.mean(left.cards[5].outline_px, axis=0).astype(int)
    assert drawn[y - 90 : y + 90, x - 90 : x + 90].max() > 200
    assert run(["score", "--together", *names, "--overlay", photos["right"]]) == 2
