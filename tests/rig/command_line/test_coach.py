"""`tacta coach`: every legal place for a card, from a photograph or a reading."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from geometry.layout import Card
from geometry.verdict import judge
from rig.command_line import run
from rig.reading_json import reading_data
from tests.referee.tables import RULES, game, read
from vision.reading import Doubt, Reading
from vision.reason import Reason

CARDS = 6
SPARE = ("red", "triangle-3")
DOUBT = Doubt("dot", None, (0.0, 0.0), Reason("dot-unexplained"), {"red": 1}, {"red": 1})


def table(doubts: tuple[Doubt, ...] = ()) -> Reading:
    return read(game(1), CARDS, doubts=doubts)


def saved(folder: Path, reading: Reading, **changes: Any) -> str:
    path = folder / "reading.json"
    path.write_text(json.dumps({**reading_data(reading, "x.jpg"), **changes}), "utf-8")
    return str(path)


def places(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_every_place_is_legal_and_the_best_is_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reading = table()
    assert run(["coach", *SPARE, saved(tmp_path, reading), "--json"]) == 0
    said = places(capsys)
    assert (said["format"], said["sure"], said["lifted"]) == ("tacta-coach/1", True, [])
    assert len(said["places"]) > 3
    gains = [one["gain"].get("red", 0) for one in said["places"]]
    assert gains == sorted(gains, reverse=True)
    layout = reading.seen.layout
    for one in (said["places"][0], said["places"][-1]):
        from dataclasses import replace

        from geometry.pose import Pose

        pose = Pose(one["x_mm"], one["y_mm"], one["angle_deg"], one["mirrored"])
        laid = replace(layout, cards=(*layout.cards, Card(900, *SPARE, pose)))
        verdict = judge(laid, RULES, (900,))[900]
        assert (verdict.status, verdict.covers) == ("legal", one["on"])
        below = layout.card(one["on"])
        assert (below.colour, below.face) == (one["on_colour"], one["on_face"])


def test_a_card_that_lies_there_is_taken_off_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reading = table()
    lies = reading.cards[-1]
    run(["coach", lies.colour, lies.face, saved(tmp_path, reading), "--json"])
    said = places(capsys)
    assert said["lifted"] == [lies.id]
    assert lies.id not in [one["on"] for one in said["places"]]


def test_a_photograph_is_read_and_one_that_is_not_sure_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rig.scoring.read_photo", lambda *_: table((DOUBT,)))
    assert run(["coach", *SPARE, str(tmp_path / "photo.jpg"), "--json"]) == 3
    assert not places(capsys)["sure"]


@pytest.mark.parametrize(
    ("language", "first", "side"), [("en", "1. on the ", " up"), ("fr", "1. sur ", "o")]
)
def test_lines_for_people(
    language: str, first: str, side: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = saved(tmp_path, table())
    assert run(["coach", *SPARE, path, "--language", language]) == 0
    line, *_ = capsys.readouterr().out.splitlines()
    assert line.startswith(first)
    assert line.endswith(side)


def test_where_nothing_fits_a_line_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["coach", *SPARE, saved(tmp_path, table(), cards=[])]) == 0
    assert "fits nowhere" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"format": "tacta-reading/9"}, "format"),
        ({"error": "no table"}, "error"),
        ({"cards": [{}]}, "cards[0]"),
        ({"cards": 3}, "cards"),
        ({"play_area_mm": [0, 3]}, "play_area_mm"),
        ({"sure": "yes"}, "sure"),
    ],
)
def test_a_reading_that_is_none_is_refused_with_the_place(
    changes: dict[str, Any], place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["coach", *SPARE, saved(tmp_path, table(), **changes)]) == 2
    assert f"the reading.{place}" in capsys.readouterr().err


def test_cards_that_the_deck_does_not_have(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = saved(tmp_path, table())
    for name, more in ((("teal", "circle-1"), ()), (("red", "start"), ()), (SPARE, ("x",))):
        arguments = ["coach", *name, path, *(("--language", *more) if more else ())]
        assert run(arguments) == 2
    data = json.loads(Path(path).read_text("utf-8"))
    twice = [data["cards"][0], data["cards"][0]]
    assert run(["coach", *SPARE, saved(tmp_path, table(), cards=twice)]) == 2
    strange = [{**data["cards"][0], "colour": "teal"}]
    assert run(["coach", *SPARE, saved(tmp_path, table(), cards=strange)]) == 2
    assert "no card teal" in capsys.readouterr().err
