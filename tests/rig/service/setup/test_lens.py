"""Calibrating a lens over HTTP: photo by photo, computed beside, saved by the rules."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from calibration.lens.board import Board
from calibration.lens.lens_quality import LensQuality
from rig.cameras.camera import Still
from rig.judged_lens import judged_lens
from rig.lens_file import parse_lens
from rig.service.setup import lens_fitting
from rig.service.setup.kept_lens import FILE_NAME, KeptLens
from rig.service.setup.lens_desk import MOST_CALIBRATIONS
from rig.service.setup.lens_fitting import BROKEN_OFF, Fitted
from tests.calibration.board_simulator import lens_of
from tests.rig.service.access.phones import pair
from tests.rig.service.board_photos import LENS, board_jpegs, chessboard_jpegs, spoilt
from tests.rig.service.table_top import API, WRITE, TableTop, jpeg

ROOT = Path(__file__).parents[4]
FR = {"Accept-Language": "fr"}
GOOD = LensQuality(15, 900, "k1-k2", False, 0.1, 0.2, 0.1, 0.3)
POOR = replace(GOOD, held_out_rms_px=2.0)
BETTER = replace(GOOD, distortion_bound_px=0.1)


def begun(rig: TableTop, camera: str = "phone", **wish: str) -> Any:
    answer = rig.post("/lens", {"camera": camera, **wish})
    assert answer.status_code == 201, answer.text
    return answer.json()


def sent(rig: TableTop, data: bytes, **headers: str) -> Any:
    files = {"photo": ("a.jpg", data, "image/jpeg")}
    return rig.client.post(f"{API}/lens/photos", files=files, headers={**WRITE, **headers})


def computed(rig: TableTop, camera: str, quality: LensQuality = GOOD) -> None:
    """A calibration whose lens is computed, and is of this quality."""
    begun(rig, camera)
    drawings = {"distortion": "<svg/>", "residuals": "<svg/>"}
    rig.lenses.under_way("").fitted = Fitted(None, (), LENS, quality, drawings)


def test_nothing_without_a_calibration(rig: TableTop) -> None:
    assert rig.get("/lens").json() == {"rig": None, "named_at_start": False, "guide": None}
    refused = [
        sent(rig, jpeg()),
        rig.post("/lens/capture"),
        rig.post("/lens/fit"),
        rig.post("/lens/phone", {}),
        rig.put("/lens", {}),
        rig.get("/lens/drawings/residuals"),
    ]
    assert {(one.status_code, one.json()["code"]) for one in refused} == {(409, "lens-not-begun")}


def test_each_photo_is_used_or_refused_at_once(rig: TableTop) -> None:
    first, second = board_jpegs(2)
    begun(rig)
    guide = sent(rig, first).json()
    assert (guide["stage"], guide["taken"], guide["used"], guide["refused"]) == (
        "taking", 1, 1, None,
    )  # fmt: skip
    assert len(guide["corners"]) == sum(map(sum, guide["cells"])) > 12
    assert {wish["key"] for wish in guide["wishes"]} == {"tilt", "place", "more"}
    bad = {"alike": first} | {
        how: spoilt(second, how) for how in ("blurred", "empty", "other-size")
    }
    for number, (reason, data) in enumerate(bad.items(), start=2):
        guide = sent(rig, data).json()
        assert (guide["refused"]["reason"], guide["refused"]["photo"]) == (reason, str(number))
        assert (guide["taken"], guide["used"]) == (number, 1)
    assert [one["reason"] for one in guide["refusals"]] == list(bad)
    french = rig.get("/lens", **FR).json()["guide"]
    assert french["refused"]["message"].startswith("elle fait 640 x 480 pixels")
    assert any("la mire" in wish["sentence"] for wish in french["wishes"])
    guide = sent(rig, second).json()
    assert (guide["refused"], guide["used"]) == (None, 2)
    assert rig.post("/lens/fit").json()["code"] == "lens-too-few"
    assert rig.delete("/lens").status_code == 204
    assert rig.get("/lens").json()["guide"] is None


def test_what_is_no_photo_changes_nothing(rig: TableTop) -> None:
    begun(rig)
    for data, code in ((b"text", "photo-unknown"), (board_jpegs(2)[0][:4000], "photo-damaged")):
        assert sent(rig, data).json()["code"] == code
    assert rig.get("/lens").json()["guide"]["taken"] == 0


def test_a_photo_larger_than_other_bodies_is_taken(rig: TableTop) -> None:
    begun(rig)
    guide = sent(rig, jpeg(1, (1000, 800))).json()
    assert guide["refused"]["reason"] in ("no-board", "blurred", "empty")


def test_a_board_of_unknown_size_is_found(rig: TableTop) -> None:
    guide = begun(rig, board="charuco")
    assert guide["board"] is None
    guide = sent(rig, jpeg(1, (320, 240))).json()
    assert (guide["board"], guide["refused"]["reason"]) == (None, "no-board")
    (photo,) = board_jpegs(1, Board(6, 8, 30.0, 22.0, "4X4_50"))
    guide = sent(rig, photo).json()
    assert (guide["refused"], guide["used"], guide["taken"]) == (None, 1, 2)
    assert guide["board"].startswith("6x8:")
    (other,) = board_jpegs(1)
    assert sent(rig, other).json()["refused"]["reason"] == "wrong-board"


def test_a_chessboard_is_taken_for_a_smaller_one_until_all_of_it_is_seen(rig: TableTop) -> None:
    begun(rig, board="chessboard")
    part, whole = chessboard_jpegs()
    guide = sent(rig, part).json()
    assert (guide["board"], guide["used"]) == ("7x7:25", 1)
    guide = sent(rig, whole).json()
    assert (guide["board"], guide["used"], guide["taken"]) == ("9x7:25", 1, 2)
    assert [(one["photo"], one["reason"]) for one in guide["refusals"]] == [("1", "few-corners")]
    guide = sent(rig, part).json()
    assert (guide["refused"]["reason"], guide["board"]) == ("few-corners", "9x7:25")


@pytest.mark.parametrize("board", ["big", "2x2:10", "8x11:22/30:5X5_100", "8x11:22/16:9X9_1"])
def test_boards_that_are_none(rig: TableTop, board: str) -> None:
    answer = rig.post("/lens", {"camera": "phone", "board": board}, **FR)
    assert (answer.status_code, answer.json()["code"]) == (422, "lens-board-unknown")
    assert answer.json()["message"].startswith("Cette mire est inconnue : ")
    english = rig.post("/lens", {"camera": "phone", "board": board}).json()["message"]
    assert answer.json()["message"].removeprefix("Cette mire n'est pas connue") not in english


def test_one_camera_at_a_time(rig: TableTop) -> None:
    begun(rig, "phone")
    assert rig.post("/lens/capture").json()["code"] == "lens-of-another-camera"
    begun(rig, "rig")
    assert sent(rig, jpeg()).json()["code"] == "lens-of-another-camera"
    computed(rig, "phone")
    assert rig.put("/lens", {}).json()["code"] == "lens-of-another-camera"


def test_what_was_computed_stays_until_a_photo_is_used(rig: TableTop) -> None:
    computed(rig, "phone")
    assert sent(rig, jpeg(1, (800, 600))).json()["stage"] == "computed"
    assert sent(rig, board_jpegs(2)[0]).json()["stage"] == "taking"


def test_while_it_is_computed_no_photo_is_taken(rig: TableTop) -> None:
    begun(rig)
    rig.lenses.under_way("").computing = True
    assert rig.get("/lens").json()["guide"]["stage"] == "computing"
    assert sent(rig, board_jpegs(2)[0]).json()["code"] == "lens-busy"
    assert rig.post("/lens/fit").json()["code"] == "lens-busy"


def test_a_lens_is_saved_only_if_it_is_good_enough(rig: TableTop) -> None:
    computed(rig, "rig", POOR)
    assert rig.put("/lens", {}).json()["code"] == "lens-too-poor"
    assert rig.get("/lens").json()["rig"] is None
    assert rig.put("/lens", {"force": True}).json()["outcome"] == "first"
    computed(rig, "rig", BETTER)
    assert rig.put("/lens", {}).json()["outcome"] == "better"
    computed(rig, "rig", GOOD)
    refused = rig.client.put(f"{API}/lens", json={}, headers={**WRITE, **FR}).json()
    assert refused["code"] == "lens-better-there"
    assert "0.10 px" in refused["message"]
    assert rig.lenses.kept.document == judged_lens(LENS, BETTER)
    assert rig.put("/lens", {"force": True}).json()["outcome"] == "forced-over-better"
    stated = rig.get("/lens", **FR).json()["rig"]
    assert (stated["size_px"], stated["grade"]) == ([800, 600], "good")
    assert stated["verdict"].startswith("Bon : la focale est juste à 0,10 % près")
    assert KeptLens(rig.store.folder).document == judged_lens(LENS, GOOD)


def test_a_phone_keeps_its_lens_by_the_same_rules(rig: TableTop) -> None:
    computed(rig, "phone", GOOD)
    taken = rig.post("/lens/phone", {"present": None}).json()
    assert taken["outcome"] == "first"
    assert parse_lens(taken["lens"]).size_wh == (800, 600)
    present = judged_lens(LENS, BETTER)
    refused = rig.post("/lens/phone", {"present": present})
    assert refused.json()["code"] == "lens-better-there"
    forced = rig.post("/lens/phone", {"present": present, "force": True})
    assert forced.json()["outcome"] == "forced-over-better"
    other = judged_lens(lens_of((640, 480), 0.8, (0.0,) * 5, False), BETTER)
    assert rig.post("/lens/phone", {"present": other}).json()["outcome"] == "other-size-before"
    odd = {"quality": {"photos": 1e400}, "size_px": ["a", 2]}
    body = json.dumps({"present": odd})
    answer = rig.client.post(f"{API}/lens/phone", content=body, headers=WRITE)
    assert answer.status_code in (200, 422), answer.text
    assert rig.get("/lens").json()["rig"] is None


def test_the_cameras_pictures_are_read_with_the_kept_lens(rig: TableTop) -> None:
    assert rig.lenses.lens_for((64, 48)) is None
    lens = lens_of((64, 48), 0.8, (0.0,) * 5, False)
    rig.lenses.kept.keep(judged_lens(lens, GOOD))
    frame = rig.post("/capture").json()["id"]
    kept = rig.store.frames.get(frame).lens
    assert kept is not None
    assert parse_lens(dict(kept)).matrix == pytest.approx(lens.matrix)
    assert rig.lenses.lens_for((640, 480)) is None, "it is for another size"
    uploaded = rig.frame(3)
    assert rig.store.frames.get(uploaded).lens is None


def test_a_kept_lens_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    for text in ("", "{}", "[]", '{"size_px": [0, 0]}'):
        (tmp_path / FILE_NAME).write_text(text, "utf-8")
        assert KeptLens(tmp_path).document is None


def test_each_phone_has_a_calibration_of_its_own(network_rig: TableTop) -> None:
    rig = network_rig
    admin, player = (pair(rig.pairing, role) for role in ("admin", "player"))
    as_admin = {"Authorization": f"Bearer {admin}", **WRITE}
    as_player = {"Authorization": f"Bearer {player}", **WRITE}
    rig.client.post(f"{API}/lens", json={"camera": "rig"}, headers=as_player)
    assert rig.get("/lens", **as_player).json()["guide"]["camera"] == "rig"
    assert rig.get("/lens", **as_admin).json()["guide"] is None
    refused = rig.client.put(f"{API}/lens", json={}, headers=as_player)
    assert refused.json()["code"] == "not-allowed"


def test_old_calibrations_go_first(rig: TableTop) -> None:
    for number in range(MOST_CALIBRATIONS + 1):
        rig.lenses.begin(str(number), "phone", "printed")
    assert rig.lenses.of("0") is None
    assert rig.lenses.of("1") is not None


def test_a_computation_that_breaks_off_is_said(rig: TableTop, monkeypatch: Any) -> None:
    monkeypatch.setattr(lens_fitting, "_fit", _dies)
    found = lens_fitting.fit_lens_beside(rig.lenses.begin("", "phone", "printed").guide)
    assert (found.lens, found.reason) == (None, BROKEN_OFF)


def _dies(line: object) -> None:
    raise SystemExit(1)


@pytest.mark.slow
def test_from_the_rigs_camera_to_a_saved_lens(rig: TableTop, monkeypatch: Any) -> None:
    stills = iter([jpeg(1, (800, 600)), *board_jpegs(8)])

    def still(deadline_s: float) -> Still:
        return Still(next(stills), (800, 600), 0.0, 0.0, True, {})

    monkeypatch.setattr(rig.camera, "still", still)
    begun(rig, "rig")
    for _ in range(9):
        guide = rig.post("/lens/capture").json()
    assert (guide["taken"], guide["used"]) == (9, 8)
    assert rig.post("/lens/fit").status_code == 202
    result = _result(rig)
    assert result["left_out"] == []
    assert result["figures"]["photos"] == 8
    assert result["figures"]["held_out_rms_px"] < 0.3
    for name in ("distortion", "residuals"):
        drawn = rig.get(f"/lens/drawings/{name}")
        assert drawn.headers["content-type"].startswith("image/svg+xml")
        assert drawn.text.count("<polyline") > 20
    assert rig.put("/lens", {"force": True}).status_code == 200
    kept = KeptLens(rig.store.folder).for_picture((800, 600))
    assert kept is not None
    focal = parse_lens(dict(kept)).matrix[0, 0]
    assert focal == pytest.approx(LENS.matrix[0, 0], rel=0.003)


def _result(rig: TableTop) -> Any:
    until = time.monotonic() + 300
    while time.monotonic() < until:
        guide = rig.get("/lens").json()["guide"]
        if guide["stage"] != "computing":
            assert guide["stage"] == "computed", guide
            return guide["result"]
        time.sleep(0.2)
    raise AssertionError("still computing")
