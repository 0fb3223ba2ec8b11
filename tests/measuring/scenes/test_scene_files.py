from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from typer import Typer
from typer.testing import CliRunner

from geometry.deck import Deck
from geometry.deck_file import DeckError, load_deck, published_deck
from measuring.scenes.__main__ import main
from measuring.scenes.scene_files import deck_of_scene, load_scene, scene_folders
from measuring.scenes.trial import Job, Trial, run_job
from rig.lens_file import load_lens
from rig.scene_folder import write_scene
from rig.wording.catalogue import sentence
from rig.wording.kept_reasons import reason_of
from tests.scenes import NAMES, SCENES, scene
from vision.reading import NotSeen

SHIPPED_DECK = Path(__file__).parents[3] / "geometry" / "data" / "tacta.json"


def test_all_ten_shared_frames_are_fixtures() -> None:
    assert len(NAMES) == 10


@pytest.mark.parametrize("name", NAMES)
def test_pictures_have_their_camera_s_size(name: str) -> None:
    height, width = scene(name).image_bgr.shape[:2]
    assert (width, height) == scene(name).truth.lens.size_wh


def test_markers_are_where_the_truth_s_camera_sees_them() -> None:
    """The camera's model is used the right way round: the marker's black is black there."""
    data = json.loads((SCENES / "panel-oak" / "truth.json").read_text())
    taken = scene("panel-oak")
    for marker in data["markers"]:
        corners = np.array(marker["corners_mm"])
        inside = corners + 0.06 * (corners.mean(axis=0) - corners)
        outside = corners - 0.06 * (corners.mean(axis=0) - corners)
        for points, dark in ((inside, True), (outside, False)):
            places = np.round(taken.truth.camera.to_px(points)).astype(int)
            values = taken.image_bgr[places[:, 1], places[:, 0]].mean(axis=1)
            assert np.all((values < 110) == dark)


def test_what_is_written_reads_back(tmp_path: Path) -> None:
    taken = scene("panel-oak")
    data = json.loads((SCENES / "panel-oak" / "truth.json").read_text())
    jpeg = (SCENES / "panel-oak" / "image.jpg").read_bytes()
    write_scene(tmp_path / "again", jpeg, data, taken.truth.lens)
    again = load_scene(tmp_path / "again", otherwise=taken.truth.layout.deck)
    assert scene_folders(tmp_path) == [tmp_path / "again"]
    assert again.truth.layout == taken.truth.layout
    assert again.truth.scores == taken.truth.scores
    assert load_lens(tmp_path / "again" / "lens.json").size_wh == taken.truth.lens.size_wh
    assert np.array_equal(again.image_bgr, taken.image_bgr)


def test_a_scene_without_a_known_lens_has_no_lens_file(tmp_path: Path) -> None:
    data = json.loads((SCENES / "phone-oak" / "truth.json").read_text())
    write_scene(tmp_path / "again", b"no matter", data, None)
    assert not (tmp_path / "again" / "lens.json").exists()


def test_a_scene_names_its_deck(tmp_path: Path) -> None:
    """The shipped one, or one that lies in `decks` beside the folder of scenes."""
    published = published_deck()
    assert deck_of_scene(tmp_path / "scenes" / "one", "") == published
    assert deck_of_scene(tmp_path / "scenes" / "one", published.name) == published
    older = SCENES.parent / "decks" / "first-drawing.json"
    (tmp_path / "decks").mkdir()
    (tmp_path / "decks" / "mine.json").write_bytes(older.read_bytes())
    assert deck_of_scene(tmp_path / "scenes" / "one", "mine") == load_deck(older)
    with pytest.raises(DeckError, match=r"yours\.json"):
        deck_of_scene(tmp_path / "scenes" / "one", "yours")


@pytest.mark.parametrize("name", NAMES)
def test_the_fixtures_are_of_the_older_deck(name: str) -> None:
    deck = scene(name).truth.layout.deck
    assert deck == load_deck(SCENES.parent / "decks" / "first-drawing.json")
    assert deck != published_deck()


@pytest.mark.parametrize("given", [False, True])
def test_a_scene_is_read_with_its_own_deck_or_the_one_given(
    given: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    used: list[Deck] = []

    def read(_: object, deck: Deck, *__: object) -> NotSeen:
        used.append(deck)
        return NotSeen(reason_of("Nothing was read."))

    monkeypatch.setattr("measuring.scenes.trial.READERS", {"today": read})
    job = Job("fixtures", SCENES / "panel-oak", deck=SHIPPED_DECK if given else None)
    assert run_job(job).reason == reason_of("Nothing was read.")
    assert used == [published_deck() if given else scene("panel-oak").truth.layout.deck]


@pytest.mark.parametrize("given", [False, True])
def test_a_scene_whose_deck_is_missing_stops_no_sheet(
    given: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is read with the deck given, or refused with the reason."""
    data = json.loads((SCENES / "panel-oak" / "truth.json").read_text())
    jpeg = (SCENES / "panel-oak" / "image.jpg").read_bytes()
    folder = tmp_path / "scenes" / "one"
    write_scene(folder, jpeg, {**data, "deck": "nowhere"}, None)
    refused = NotSeen(reason_of("Nothing was read."))
    monkeypatch.setattr("measuring.scenes.trial.READERS", {"today": lambda *_: refused})
    trial = run_job(Job("mine", folder, deck=SHIPPED_DECK if given else None))
    assert trial.comparison is None
    assert trial.reason is not None
    assert ("nowhere.json" in sentence(trial.reason)) == (not given)
    assert (trial.reason == reason_of("Nothing was read.")) == given


def test_the_score_sheet_hands_its_deck_to_every_scene(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs: list[Job] = []

    def run(asked: Sequence[Job], _: int) -> list[Trial]:
        jobs.extend(asked)
        return []

    monkeypatch.setattr("measuring.scenes.__main__._run", run)
    app = Typer()
    app.command()(main)
    asked = ["--deck", str(SHIPPED_DECK), "--simulated", "1", "--retakes", "1"]
    assert CliRunner().invoke(app, asked).exit_code == 0
    mixes = {"ordinary", "printed", "real", "over"}
    assert {job.group for job in jobs} == {"fixtures", "retaken", *mixes}
    assert {job.deck for job in jobs} == {SHIPPED_DECK}


def test_jobs_have_names() -> None:
    assert Job("fixtures", Path("x") / "dim-navy").name == "dim-navy"
    assert Job("ordinary", None, "ordinary", 1003).name == "ordinary-1003"
