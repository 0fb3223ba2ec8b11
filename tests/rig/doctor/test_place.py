"""Whether the table still lies where it did, as `tacta doctor` sees it."""

from __future__ import annotations

from pathlib import Path

from rig.doctor.camera import check_place, forget_unseen
from rig.watcher.table_guard import TRIAL_S, TableGuard
from rig.watcher.table_place import load_place, place_file
from tests.rig.watcher.moved_tables import Sensor, seen_after
from tests.rig.watcher.shown_camera import ShownCamera


def camera_on(move: str) -> ShownCamera:
    camera = ShownCamera()
    camera.image = seen_after(move).mean(axis=2)
    return camera


def keep_the_place(folder: Path) -> None:
    clock = [1_700_000_000.0]
    guard, sensor = TableGuard(folder, clock=lambda: clock[0]), Sensor()
    for _ in range(8):
        clock[0] += TRIAL_S / 4
        guard.look(sensor.grey(seen_after("still")))


def test_a_table_that_is_not_known_is_no_fault(tmp_path: Path) -> None:
    finding = check_place(camera_on("still"), tmp_path)
    assert finding.status == "good"
    assert not place_file(tmp_path).exists()


def test_pictures_of_a_folder_are_not_compared(tmp_path: Path) -> None:
    keep_the_place(tmp_path)
    camera = camera_on("pan")
    camera.lively = False
    assert check_place(camera, tmp_path).status == "good"


def test_a_table_that_has_not_moved(tmp_path: Path) -> None:
    keep_the_place(tmp_path)
    finding = check_place(camera_on("still"), tmp_path)
    assert finding.status == "good"
    assert finding.as_json()["found"].startswith("Nothing has moved since 2023-11-1")


def test_a_table_that_has_moved_and_is_to_stay_so(tmp_path: Path) -> None:
    keep_the_place(tmp_path)
    finding = check_place(camera_on("pan"), tmp_path)
    assert finding.status == "look"
    assert "has moved by" in finding.as_json()["found"]
    assert finding.as_json()["advice"].startswith("Put it back")
    assert float(finding.facts["moved_mm"]) > 1
    accepted = check_place(camera_on("pan"), tmp_path, accept=True)
    assert (accepted.status, accepted.found.code) == ("good", "place-accepted")
    assert check_place(camera_on("pan"), tmp_path).status == "good"
    assert check_place(camera_on("still"), tmp_path).status == "look"


def test_without_markers_nothing_can_be_learnt(tmp_path: Path) -> None:
    camera = camera_on("still")
    camera.image = camera.image * 0 + 90
    finding = check_place(camera, tmp_path, accept=True)
    assert finding.status == "look"
    assert "two markers" in finding.as_json()["advice"]


def test_a_folder_that_takes_no_file_is_bad(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    finding = check_place(camera_on("still"), tmp_path / "file", accept=True)
    assert finding.status == "bad"
    assert "--data" in finding.as_json()["advice"]


def test_without_the_camera_the_service_is_made_to_learn_anew(tmp_path: Path) -> None:
    keep_the_place(tmp_path)
    assert forget_unseen(tmp_path).status == "look"
    assert load_place(tmp_path) is None
    (tmp_path / "file").touch()
    assert forget_unseen(tmp_path / "file").status == "bad"
