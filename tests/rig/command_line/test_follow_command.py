"""`tacta follow`, with readings in place of pictures."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from referee.known_table import KnownTable
from rig import reading_from
from rig.command_line import run
from rig.scoring import Settings, TableNotSeen
from rig.trouble import Trouble
from tests.referee.tables import OVER, colours, game, read
from vision.reading import Reading
from vision.reason import Reason

SCHEMA = Path(__file__).parents[3] / "docs" / "tacta-event-1.schema.json"
Film = Callable[..., list[str]]


@pytest.fixture
def film(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Film:
    """Names of pictures that are read as these readings."""

    def shown(*readings: Reading | Trouble) -> list[str]:
        files = {tmp_path / f"{n:03}.jpg": one for n, one in enumerate(readings)}

        def read_as(picture: Path, known: KnownTable, settings: Settings) -> Reading:
            del known, settings
            found = files[picture]
            if isinstance(found, Trouble):
                raise found
            return found

        monkeypatch.setattr(reading_from, "read_from", read_as)
        monkeypatch.setattr(reading_from, "read_again", read_as)
        return [str(path) for path in files]

    return shown


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    out = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    schema = Draft202012Validator(json.loads(SCHEMA.read_text("utf-8")))
    for line in out:
        schema.validate(line)
    return out


def test_a_game_is_followed_to_its_end(film: Film, capsys: pytest.CaptureFixture[str]) -> None:
    layout = game(1)
    number = len(layout.cards)
    files = film(*(read(layout, n) for n in range(1, number + 1)), read(layout, number))
    players = ",".join(colours(layout))
    assert run(["follow", *files, "--players", players, "--json"]) == 0
    *said, end = lines(capsys)
    assert [one["event"] for one in said] == [*["laid"] * number, "nothing"]
    assert [one["frame"] for one in said][:3] == ["000.jpg", "001.jpg", "002.jpg"]
    assert said[4]["card"]["face"] == layout.cards[4].face
    assert end["event"] == "end"
    assert len(end["cards"]) == number
    assert (end["sure"], end["sure_without_illegal"]) == (True, True)


def test_the_last_picture_is_read_once_more(
    film: Film, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A card that it alone shows is sure where both readings agree."""
    layout = game(1)
    files = film(*(read(layout, n) for n in range(1, 6)))
    assert run(["follow", *files, "--json"]) == 0
    assert lines(capsys)[-1]["sure"]
    found: list[Reading | Trouble] = [
        read(layout, 6),
        read(layout, 5, doubts=(OVER,)),
        TableNotSeen(name="004.jpg", why=Reason("too-blurred", {"spread_px": 5, "most_px": 4})),
    ]

    def read_again(picture: Path, known: KnownTable, settings: Settings) -> Reading:
        assert picture.name == "004.jpg"
        one = found.pop(0)
        if isinstance(one, Trouble):
            raise one
        return one

    monkeypatch.setattr(reading_from, "read_again", read_again)
    for laid in (6, 5, 5):
        assert run(["follow", *files, "--json"]) == 3
        *said, end = lines(capsys)
        assert (said[-1]["frame"], said[-1]["event"]) == ("004.jpg", "laid")
        assert (len(end["cards"]), end["sure"]) == (laid, False)


def test_a_last_picture_with_a_hand_is_not_sure(
    film: Film, capsys: pytest.CaptureFixture[str]
) -> None:
    layout = game(1)
    files = film(read(layout, 4), read(layout, 4, doubts=(OVER,)))
    assert run(["follow", *files, "--json"]) == 3
    *said, end = lines(capsys)
    assert said[-1]["event"] == "waiting"
    assert not end["sure"]


def test_a_correction_says_what_was_said(film: Film, capsys: pytest.CaptureFixture[str]) -> None:
    layout = game(4)

    def wrong(card: Any) -> Any:
        from dataclasses import replace

        return replace(card, colour="purple") if card.id == 3 else card

    files = film(read(layout, 4, wrong), *(read(layout, n) for n in range(5, 9)))
    run(["follow", *files, "--json"])
    (corrected,) = (one for one in lines(capsys) if one["event"] == "corrected")
    assert corrected["was"] == {"colour": "purple", "face": layout.cards[3].face}
    assert corrected["card"]["colour"] == layout.cards[3].colour


def test_a_picture_without_a_table_is_waited_for_and_one_that_is_none_is_told(
    film: Film, capsys: pytest.CaptureFixture[str]
) -> None:
    layout = game(1)
    dark = TableNotSeen(
        name="001.jpg", why=Reason("too-blurred", {"spread_px": 5.0, "most_px": 4.3})
    )
    files = film(read(layout, 4), dark, read(layout, 4))
    assert run(["follow", *files, "--json"]) == 0
    assert [one["event"] for one in lines(capsys)][4:] == ["waiting", "nothing", "end"]
    from rig.photo.trouble import PhotoEmpty

    files = film(read(layout, 4), PhotoEmpty(name="001.jpg"), read(layout, 4))
    assert run(["follow", *files, "--json"]) == 1
    assert "001.jpg" in capsys.readouterr().err


def test_lines_for_people(film: Film, capsys: pytest.CaptureFixture[str]) -> None:
    layout = game(1)
    files = film(read(layout, 1), read(layout, 2))
    run(["follow", *files])
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert first == "000.jpg: the starting card lies there"
    assert second.startswith(f"001.jpg: the {layout.cards[1].colour} ")
    assert second.endswith("is laid, legally")


def test_lines_say_what_else_there_is_to_say(
    film: Film, capsys: pytest.CaptureFixture[str]
) -> None:
    layout, other = game(1), game(7)
    files = film(read(layout, 6), read(other, 9), read(layout, 7))
    first, *_ = colours(layout)
    players = ",".join([*colours(layout)[1:], first][::-1])
    run(["follow", *files, "--players", players])
    out = capsys.readouterr().out
    assert "001.jpg: this picture shows another table: nothing of it is taken" in out
    assert "it was another colour's turn" in out


def test_notes_are_in_the_lines_for_programs(
    film: Film, capsys: pytest.CaptureFixture[str]
) -> None:
    files = film(read(game(1), 6), read(game(7), 9), read(game(1), 8))
    run(["follow", *files, "--json"])
    waiting, *laid = [one for one in lines(capsys) if one.get("frame") in ("001.jpg", "002.jpg")]
    assert (waiting["event"], waiting["notes"]) == ("waiting", ["other_table"])
    assert [one["notes"] for one in laid] == [["several_laid"], ["several_laid"]]


@pytest.mark.parametrize("players", ["", "blue,blue", "blue,teal", "white,blue"])
def test_players_that_are_none(
    players: str, film: Film, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["follow", *film(read(game(1), 2)), "--players", players]) == 2
    assert "--players" in capsys.readouterr().err
