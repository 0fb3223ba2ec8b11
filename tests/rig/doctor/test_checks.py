"""Each check of the doctor: what is good, what needs a look, what is bad, and the advice."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from rig.cameras.camera import Reason
from rig.cameras.pulse import Patience, Pulse, missed, state_of
from rig.doctor.camera import check_camera, judge_place
from rig.doctor.finding import Finding
from rig.doctor.machine import check_clock, check_disk, judge_clock, judge_room
from rig.doctor.picture import check_light, check_table, judge_light, judge_table
from tests.scenes import SCENES

NOW_S = 1000.0
FRESH = Pulse(NOW_S, True, "none")
REASONS: tuple[Reason, ...] = ("busy", "missing", "denied", "not-installed")


def photo(name: str) -> NDArray[np.uint8]:
    image = cv2.imread(str(SCENES / name / "image.jpg"))
    assert image is not None
    return np.asarray(image, np.uint8)


def true_scale(name: str) -> float:
    """From the camera's height over the middle of the table, which it looks at from above."""
    camera = json.loads((SCENES / name / "truth.json").read_text("utf-8"))["camera"]
    rotation, shift = np.array(camera["rotation"]), np.array(camera["translation_mm"])
    return float(camera["matrix"][0][0] / abs((rotation.T @ shift)[2]))


def judged(pulse: Pulse, kind: str = "pi") -> Finding:
    return check_camera(state_of(pulse, NOW_S, Patience(), "the camera"), kind, (4056, 3040))


def test_a_camera_that_delivers_is_good() -> None:
    finding = judged(FRESH)
    assert finding.status == "good"
    assert "4056 x 3040" in finding.as_json()["found"]
    assert finding.advice is None


def test_a_camera_that_does_not_is_bad_with_its_reason() -> None:
    finding = judged(missed(FRESH, "busy"))
    assert (finding.status, finding.facts["reason"]) == ("bad", "busy")
    assert "Close that program" in finding.as_json()["advice"]
    assert judged(Pulse(NOW_S - 5, True, "none")).status == "look"
    assert judged(Pulse(NOW_S - 1)).status == "bad"


def test_a_simulated_table_is_no_camera() -> None:
    finding = judged(FRESH, "table")
    assert finding.status == "look"
    assert "simulated" in finding.as_json()["found"]


@pytest.mark.parametrize(
    ("free_mb", "status"),
    [(0, "bad"), (499, "bad"), (500, "look"), (1999, "look"), (2000, "good")],
)
def test_room_on_the_disk(free_mb: int, status: str) -> None:
    finding = judge_room(free_mb)
    assert finding.status == status
    assert bool(finding.advice) == (status != "good")


def test_the_disk_of_a_folder_that_is_not_there_yet(tmp_path: Path) -> None:
    finding = check_disk(tmp_path / "a" / "b")
    free_mb = os.statvfs(tmp_path).f_bavail * os.statvfs(tmp_path).f_frsize // 1_000_000
    assert finding.facts["free_mb"] == pytest.approx(free_mb, rel=0.05)


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    assert check_disk(tmp_path / "file" / "data").status == "bad"


def test_a_folder_that_may_not_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rig.doctor.machine.os.access", lambda *_: False)
    finding = check_disk(tmp_path)
    assert finding.status == "bad"
    assert "may not be written" in finding.as_json()["found"]


@pytest.mark.parametrize(
    ("year", "synchronised", "status"),
    [
        (2027, True, "good"),
        (2027, False, "look"),
        (2027, None, "unknown"),
        (1970, True, "bad"),
        (2025, False, "bad"),
        (2101, True, "bad"),
    ],
)
def test_the_clock(year: int, synchronised: bool | None, status: str) -> None:
    finding = judge_clock(datetime(year, 3, 1, tzinfo=UTC), synchronised)
    assert finding.status == status
    assert str(year) in finding.as_json()["found"]


def test_this_machines_clock_can_be_asked() -> None:
    assert check_clock().check == "clock"


@pytest.mark.parametrize(
    ("ids", "scale", "status", "said"),
    [
        ([0, 1, 2, 3], 2.6, "good", "4 of 4"),
        ([0, 1, 2, 3], 1.7, "good", "1.7 pixels"),
        ([0, 1, 2, 3], 1.6, "look", "1.6 pixels"),
        ([0, 1, 2, 3], 1.3, "bad", "1.3 pixels"),
        ([0, 2], 2.6, "look", "2 of 4"),
        ([], None, "look", "No markers"),
    ],
)
def test_the_table(ids: list[int], scale: float | None, status: str, said: str) -> None:
    finding = judge_table(ids, scale)
    assert (finding.status, said in finding.as_json()["found"]) == (status, True)
    assert bool(finding.advice) == (status != "good")


def test_missing_markers_are_named() -> None:
    assert "marker 1, 3" in judge_table([0, 2], 2.6).as_json()["advice"]


def test_a_photographed_table() -> None:
    finding = check_table(photo("panel-oak"))
    assert finding.facts["markers"] == 4
    assert finding.facts["px_per_mm"] == pytest.approx(true_scale("panel-oak"), rel=0.08)
    half = cv2.resize(photo("panel-oak"), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    smaller = check_table(np.asarray(half, np.uint8))
    assert smaller.status == "bad"


@pytest.mark.parametrize(
    ("white", "burnt", "status"),
    [
        (0.8, 0.0, "good"),
        (0.3, 0.0, "look"),
        (0.1, 0.0, "bad"),
        (0.9, 0.007, "look"),
        (0.9, 0.02, "bad"),
    ],
)
def test_the_light(white: float, burnt: float, status: str) -> None:
    assert judge_light(white, burnt).status == status


def test_photographed_light() -> None:
    good = photo("panel-oak")
    assert check_light(good).status == "good"
    dark = (good * 0.12).astype(np.uint8)
    assert check_light(dark).status == "bad"
    lamp = good.copy()
    cv2.circle(lamp, (900, 700), 160, (255, 255, 255), -1)
    finding = check_light(lamp)
    assert finding.status == "bad"
    assert "move it to the side" in finding.as_json()["advice"]


@pytest.mark.parametrize(
    "finding",
    [
        judge_clock(datetime(2027, 3, 1, tzinfo=UTC), None),
        judge_clock(datetime(2027, 3, 1, tzinfo=UTC), False),
        judge_clock(datetime(1970, 3, 1, tzinfo=UTC), True),
        judge_room(0),
        judge_room(1000),
        judge_table([], None),
        judge_table([0, 1, 2], 2.0),
        judge_table([0, 1, 2, 3], 1.0),
        judge_table([0, 1, 2, 3], 1.5),
        judge_light(0.1, 0.0),
        judge_light(0.3, 0.0),
        judge_light(0.8, 0.007),
        judge_light(0.8, 0.5),
        judge_place(None, None, accepted=True),
        *(judged(missed(FRESH, reason)) for reason in REASONS),
    ],
    ids=lambda finding: f"{finding.check}-{finding.found.code}",
)
def test_what_is_not_good_says_what_to_do(finding: Finding) -> None:
    assert finding.status != "good"
    assert finding.advice
