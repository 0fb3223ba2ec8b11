"""`tacta replay`, and what `tacta follow --game` writes for it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from referee.known_table import KnownTable
from rig import reading_from
from rig.command_line import run
from rig.scoring import Settings
from tests.referee.tables import colours, game, read
from tests.rig.replay.games import document, eventful
from vision.reading import Reading


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(document(eventful())))
    return path


def test_a_game_that_was_followed_is_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    layout = game(1, 7)
    readings = {f"{n:03}.jpg": read(layout, n) for n in range(1, 8)}

    def read_as(picture: Path, known: KnownTable, settings: Settings) -> Reading:
        del known, settings
        return readings[picture.name]

    monkeypatch.setattr(reading_from, "read_from", read_as)
    monkeypatch.setattr(reading_from, "read_again", read_as)
    file, film = tmp_path / "kept" / "game.json", tmp_path / "game.webp"
    players = ",".join(colours(layout))
    run(["follow", *sorted(readings), "--players", players, "--game", str(file)])
    capsys.readouterr()
    kept = json.loads(file.read_text())
    assert [one["frame"] for one in kept["events"]] == sorted(readings)
    assert kept["players"] == list(colours(layout))
    assert len(kept["end"]["cards"]) == 7
    assert run(["replay", str(file), "--webp", str(film)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 8
    assert lines[0].startswith("1: the starting card lies there")
    with Image.open(film) as picture:
        assert picture.n_frames == 8  # type: ignore[attr-defined]


def test_in_french(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replay", str(saved), "--language", "fr"]) == 0
    assert "carte de départ" in capsys.readouterr().out


@pytest.mark.parametrize("more", [["--language", "de"], ["--photos", "nowhere"]])
def test_wrong_usage(saved: Path, more: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replay", str(saved), *more]) == 2
    assert more[0] in capsys.readouterr().err


def test_a_file_that_is_no_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.json"
    for text, words in (("{}", "expected the format"), ("no", "is not JSON")):
        path.write_text(text)
        assert run(["replay", str(path)]) == 2
        assert words in capsys.readouterr().err
    assert run(["replay", str(tmp_path / "none.json")]) == 2


def test_a_game_in_which_nothing_happened_makes_no_film(
    tmp_path: Path, saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = json.loads(saved.read_text())
    saved.write_text(json.dumps({**data, "events": [], "end": None}))
    assert run(["replay", str(saved), "--webp", str(tmp_path / "film.webp")]) == 2
    assert "nothing happens in it" in capsys.readouterr().err
    assert not (tmp_path / "film.webp").exists()
