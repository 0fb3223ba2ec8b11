"""`tacta score` says what the contract says, whatever it is given."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.lens.lens_data import lens_data
from geometry.deck import Deck
from geometry.rules import Rules
from measuring.scenes.true_reading import true_reading
from rig.command_line import run
from rig.photo.decoding import decode_photo_told
from rig.wording.kept_reasons import reason_of
from tests.rig.reading_schema import check
from tests.scenes import SCENES, scene
from vision.lens import Lens
from vision.pace import Pace
from vision.reading import Doubt, NotSeen, Reading

PHOTO = SCENES / "panel-oak" / "image.jpg"
UNSURE = SCENES / "two-walnut" / "image.jpg"
DECK_FILE = Path(__file__).parents[3] / "geometry" / "data" / "tacta.json"


class Reader:
    """Stands in for the vision: knows a scene by its picture's size and brightness."""

    def __init__(self) -> None:
        self.asked: list[tuple[Deck, Lens | None, Rules]] = []
        self.answer: Callable[[NDArrayImage], Reading | NotSeen] = true_answer
        self.hurry: Callable[[], bool] | None = None

    def __call__(
        self,
        image_bgr: NDArrayImage,
        deck: Deck,
        lens: Lens | None,
        rules: Rules,
        pace: Pace,
    ) -> Reading | NotSeen:
        self.asked.append((deck, lens, rules))
        pace.say("finding cards")
        self.hurry = pace.hurry
        return self.answer(image_bgr)


NDArrayImage = np.ndarray[Any, np.dtype[np.uint8]]


def true_answer(image_bgr: NDArrayImage) -> Reading | NotSeen:
    for name in ("panel-oak", "two-walnut"):
        if scene(name).image_bgr.shape == image_bgr.shape:
            return true_reading(scene(name).truth)
    return NotSeen(reason_of("No cards were found: check that the table is in view."))


@pytest.fixture(autouse=True)
def reader(monkeypatch: pytest.MonkeyPatch) -> Reader:
    stand_in = Reader()
    monkeypatch.setattr("vision.read.read_table", stand_in)
    return stand_in


@pytest.fixture
def grey_photo(tmp_path: Path) -> Path:
    path = tmp_path / "grey.png"
    cv2.imwrite(str(path), np.full((40, 60, 3), 128, np.uint8))
    return path


@pytest.fixture
def lens_file(tmp_path: Path) -> Path:
    path = tmp_path / "lens.json"
    path.write_text(json.dumps(lens_data(scene("panel-oak").truth.lens)))
    return path


def documents(out: str) -> list[Any]:
    return [check(json.loads(line)) for line in out.splitlines()]


def one_line(err: str) -> str:
    """The sentence on standard error: one line, with the program's name, and no traceback."""
    assert err.count("\n") == 1
    assert err.startswith("tacta: ")
    assert "Traceback" not in err
    return err


def test_sure_is_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["score", str(PHOTO), "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    (document,) = documents(out)
    assert document["photo"] == "image.jpg"
    assert document["sure"] is True


def test_unsure_is_3(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["score", str(UNSURE), "--json"]) == 3
    (document,) = documents(capsys.readouterr().out)
    assert document["sure_without_illegal"] is False


@pytest.mark.parametrize(("more", "is_over"), [([], True), (["--seconds", "60"], False)])
def test_a_photo_has_its_own_time_of_the_processor(
    reader: Reader, monkeypatch: pytest.MonkeyPatch, more: list[str], is_over: bool
) -> None:
    monkeypatch.setattr("rig.scoring.SECONDS", 0.05)
    hurried: list[bool] = []

    def busy(image: NDArrayImage) -> Reading | NotSeen:
        assert reader.hurry is not None
        hurried.append(reader.hurry())
        until = time.process_time() + 0.06
        while time.process_time() < until:
            pass
        hurried.append(reader.hurry())
        return true_answer(image)

    reader.answer = busy
    loaded = decode_photo_told(PHOTO.read_bytes(), "a")
    monkeypatch.setattr("rig.scoring.decode_photo_told", lambda _data, _name: loaded)
    assert run(["score", str(PHOTO), str(PHOTO), "--json", *more]) == 0
    assert hurried == [False, is_over, False, is_over]


def test_unsure_of_what_lies_there_is_3(reader: Reader) -> None:
    reading = true_reading(scene("panel-oak").truth)
    reader.answer = lambda image: replace(reading, sure=False)
    assert run(["score", str(PHOTO), "--json"]) == 3


def test_a_table_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["score", str(PHOTO)]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    for name, dots in scene("panel-oak").truth.scores.items():
        row = next(line for line in out.splitlines() if f" {name} " in line)
        assert str(dots) in row
        assert str(scene("panel-oak").truth.scores_without_illegal[name]) in row
    assert "Sure of both scores" in out
    assert "Possible scores" not in out
    assert "two cards" in out
    assert "8.6 mm" in out
    assert "Where the table ends" not in out


def test_the_table_says_where_its_edge_was_not_judged(
    reader: Reader, capsys: pytest.CaptureFixture[str]
) -> None:
    reading = true_reading(scene("panel-oak").truth)
    reader.answer = lambda image: replace(reading, play_area_mm=None)
    assert run(["score", str(PHOTO)]) == 0
    assert "the edge of the table is unknown" in capsys.readouterr().out


def test_the_table_marks_what_is_unsure(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["score", str(UNSURE)]) == 3
    out = capsys.readouterr().out
    assert "the score without illegal cards needs checking" in " ".join(out.split())
    assert "To check" in out
    assert "red -3" in " ".join(out.split())
    red = next(line for line in out.splitlines() if " red " in line)
    assert "?" in red
    assert "?" not in next(line for line in out.splitlines() if " purple " in line)
    assert "Possible scores without illegal cards" in out
    assert out.count("as read") == 1
    assert "In the lead in all of these: purple." in " ".join(out.split())


def test_several_photos_are_a_document_a_line_in_order(
    capsys: pytest.CaptureFixture[str], grey_photo: Path
) -> None:
    assert run(["score", str(PHOTO), str(grey_photo), str(UNSURE), "--json"]) == 1
    first, second, third = documents(capsys.readouterr().out)
    assert first["sure"] is True
    assert second == {
        "format": "tacta-reading/1",
        "photo": "grey.png",
        "error": f"{grey_photo} could not be read: "
        "No cards were found: check that the table is in view.",
        "error_key": "table-not-seen",
    }
    assert third["sure_without_illegal"] is False


def test_several_readable_photos_are_3_if_one_is_unsure() -> None:
    assert run(["score", str(PHOTO), str(UNSURE), "--json"]) == 3
    assert run(["score", str(PHOTO), str(PHOTO), "--json"]) == 0


@pytest.mark.parametrize("as_json", [False, True])
def test_unreadable_photos_are_1(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, as_json: bool
) -> None:
    (tmp_path / "empty.jpg").touch()
    (tmp_path / "text.jpg").write_text("no picture")
    (tmp_path / "cut.jpg").write_bytes(PHOTO.read_bytes()[:100_000])
    for name in ("empty.jpg", "text.jpg", "cut.jpg", "none.jpg", "."):
        status = run(["score", str(tmp_path / name), *(["--json"] if as_json else [])])
        out, err = capsys.readouterr()
        assert status == 1
        assert str(tmp_path) in one_line(err)
        assert bool(out) == as_json
        if as_json:
            (document,) = documents(out)
            assert document["error"] in err


def test_a_lens_for_another_picture_size_is_1(
    capsys: pytest.CaptureFixture[str], lens_file: Path, reader: Reader
) -> None:
    assert run(["score", str(UNSURE), str(PHOTO), "--lens", str(lens_file), "--json"]) == 1
    out, err = capsys.readouterr()
    first, second = documents(out)
    assert "2592 x 1944 pixels, but the lens file is for 2028 x 1520" in first["error"]
    assert "error" not in second
    assert one_line(err)
    ((_, lens, _),) = reader.asked
    assert lens is not None
    assert lens.size_wh == (2028, 1520)


def test_a_fault_in_the_reading_stops_no_other_photo(
    capsys: pytest.CaptureFixture[str], reader: Reader
) -> None:
    def answer(image: NDArrayImage) -> Reading | NotSeen:
        if image.shape == scene("panel-oak").image_bgr.shape:
            raise IndexError("index 5 is out of bounds")
        return true_answer(image)

    reader.answer = answer
    assert run(["score", str(PHOTO), str(UNSURE), "--json"]) == 1
    out, err = capsys.readouterr()
    first, second = documents(out)
    assert "fault in the program (IndexError: index 5 is out of bounds)" in first["error"]
    assert second["deck"] == scene("panel-oak").truth.layout.deck.name
    one_line(err)


@pytest.mark.parametrize(
    "arguments",
    [
        ["score"],
        ["score", str(PHOTO), "--frobnicate"],
        ["score", str(PHOTO), "--lens"],
        ["score", str(PHOTO), "--lens", "none.json"],
        ["score", str(PHOTO), "--deck", "none.json"],
        ["score", str(PHOTO), "--rules", "none.json"],
        ["score", str(PHOTO), "--overlay", "overlay.gif"],
        ["score", str(PHOTO), "--overlay", str(PHOTO)],
        ["score", str(PHOTO), str(UNSURE), "--overlay", str(DECK_FILE)],
        ["scor", str(PHOTO)],
        ["--frobnicate"],
    ],
)
def test_wrong_usage_is_2(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert run([*arguments, *(["--json"] if arguments[:1] == ["score"] else [])]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    one_line(err)


@pytest.mark.parametrize(
    ("option", "content", "words"),
    [
        ("--lens", "{", "lens file"),
        ("--lens", '{"size_px": [1, 2]}', "matrix: is missing"),
        ("--rules", "[", "rules file"),
        ("--rules", '{"tolerence": {}}', "unknown key 'tolerence'"),
        ("--rules", '{"off": ["gravity"]}', "gravity"),
        ("--deck", "{}", "format"),
        ("--deck", "nonsense", "not JSON"),
    ],
)
def test_a_faulty_file_is_2_and_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, option: str, content: str, words: str
) -> None:
    file = tmp_path / "given.json"
    file.write_text(content)
    assert run(["score", str(PHOTO), option, str(file), "--json"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words in one_line(err)
    assert str(file) in err


def test_the_files_reach_the_reader(tmp_path: Path, lens_file: Path, reader: Reader) -> None:
    rules = tmp_path / "rules.json"
    rules.write_text('{"free_for_all": true, "tolerance": {"legal_mm": 1}}')
    deck = tmp_path / "deck.json"
    data = json.loads(DECK_FILE.read_text())
    deck.write_text(json.dumps({**data, "name": "my printing"}))
    run(
        ["score", str(PHOTO), "--lens", str(lens_file), "--rules", str(rules)]
        + ["--deck", str(deck), "--json"]
    )
    ((read_deck, lens, read_rules),) = reader.asked
    assert read_deck.name == "my printing"
    assert lens is not None
    assert read_rules.free_for_all
    assert read_rules.tolerance.legal_mm == 1


def test_without_files_the_published_game_is_read(reader: Reader) -> None:
    run(["score", str(PHOTO), "--json"])
    ((deck, lens, rules),) = reader.asked
    assert deck.name == "tacta"
    assert lens is None
    assert rules == Rules()


def test_one_overlay(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    target = tmp_path / "new" / "overlay.png"
    assert run(["score", str(PHOTO), "--overlay", str(target)]) == 0
    assert str(target) in capsys.readouterr().out
    drawn = cv2.imread(str(target))
    assert drawn is not None
    height, width = scene("panel-oak").image_bgr.shape[:2]
    assert drawn.shape[1] == width
    assert drawn.shape[0] > height
    assert [path.name for path in target.parent.iterdir()] == ["overlay.png"]


def test_overlays_of_several_photos(tmp_path: Path, grey_photo: Path) -> None:
    folder = tmp_path / "overlays"
    photos = [str(PHOTO), str(grey_photo), str(UNSURE)]
    assert run(["score", *photos, "--overlay", str(folder), "--json"]) == 1
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["image-overlay-2.jpg", "image-overlay.jpg"]


def test_an_overlay_into_a_folder(tmp_path: Path) -> None:
    assert run(["score", str(PHOTO), "--overlay", str(tmp_path), "--json"]) == 0
    assert (tmp_path / "image-overlay.jpg").exists()


def test_an_overlay_that_cannot_be_written_is_1(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full_disk(path: Path, data: bytes) -> int:
        with path.open("wb") as file:
            file.write(data[:100])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full_disk)
    assert run(["score", str(PHOTO), "--overlay", str(tmp_path / "overlay.jpg")]) == 1
    assert "No space left on device" in one_line(capsys.readouterr().err)
    assert not list(tmp_path.iterdir())


def test_doubts_that_change_nothing_are_listed_and_sure(
    capsys: pytest.CaptureFixture[str], reader: Reader
) -> None:
    reading = true_reading(scene("panel-oak").truth)
    doubt = Doubt("face", 3, (10.0, 20.0), reason_of("The [value] is hidden."))
    reader.answer = lambda image: replace(reading, doubts=(doubt,))
    assert run(["score", str(PHOTO)]) == 0
    assert "The [value] is hidden." in capsys.readouterr().out


def test_a_doubt_is_a_sentence_and_too_many_are_cut_short(
    capsys: pytest.CaptureFixture[str], reader: Reader
) -> None:
    reading = true_reading(scene("panel-oak").truth)
    doubt = Doubt("face", 3, (10.0, 20.0), reason_of("its value is hidden"), {"blue": 1})
    reader.answer = lambda image: replace(reading, doubts=(doubt,) * 23)
    assert run(["score", str(PHOTO)]) in (0, 3)
    out = " ".join(capsys.readouterr().out.split())
    assert "its value is hidden. Could change the visible dots by blue +1." in out
    assert out.count("its value is hidden") == 20
    assert "and 3 more (--json lists all)" in out
    assert run(["score", str(PHOTO), "--json"]) in (0, 3)
    assert len(json.loads(capsys.readouterr().out)["doubts"]) == 23


def test_every_doubt_carries_its_answers(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["score", str(UNSURE), "--json"]) == 3
    document = json.loads(capsys.readouterr().out)
    assert document["doubts"]
    for doubt in document["doubts"]:
        read = (document["scores"], document["scores_without_illegal"])
        assert read in [(one["scores"], one["scores_without_illegal"]) for one in doubt["answers"]]
        shares = [answer["probability"] for answer in doubt["answers"]]
        assert shares == sorted(shares, reverse=True)
        assert sum(shares) == pytest.approx(1, abs=0.001 * len(shares))
        changed = {
            name
            for answer in doubt["answers"]
            for name, points in answer["scores_without_illegal"].items()
            if points != document["scores_without_illegal"].get(name, 0)
        }
        assert changed == set(doubt["changes_scores_without_illegal_by"])


def test_the_document_says_what_the_scores_may_turn_out_to_be(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["score", str(UNSURE), str(PHOTO), "--json"]) == 3
    unsure, sure = documents(capsys.readouterr().out)
    (doubt,) = unsure["doubts"]
    both = ("scores", "scores_without_illegal", "probability")
    assert unsure["outcomes"] == [{key: one[key] for key in both} for one in doubt["answers"]]
    assert len(unsure["outcomes"]) == 2
    (leader,) = unsure["common_leaders"]
    for one in unsure["outcomes"]:
        assert one["scores_without_illegal"][leader] == max(one["scores_without_illegal"].values())
    assert (sure["outcomes"], sure["common_leaders"]) == ([], [])
