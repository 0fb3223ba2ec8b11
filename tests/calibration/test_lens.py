from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.lens.board import PRINTED_BOARD, Board, parse_board
from calibration.lens.board_search import found_charuco, found_chessboard
from calibration.lens.board_view import BoardView, Refused, chessboard_size, find_board
from calibration.lens.lens_coverage import choose_views, coverage
from calibration.lens.lens_error import distortion_difference_px, one_to_one, picture_grid
from calibration.lens.lens_fit import LensFit, NotFitted, fit_lens
from calibration.lens.lens_guide import LensGuide, shown
from calibration.lens.lens_plot import distortion_drawing, lens_plot, residuals_drawing
from calibration.lens.lens_quality import LensQuality, assess, verdict
from calibration.lens.lens_record import lens_document, may_replace, recorded_quality
from calibration.lens.lens_session import calibrate_lens
from rig.judged_lens import judged_lens
from rig.lens_file import parse_lens
from rig.wording.catalogue import sentence
from tests.calibration.board_simulator import (
    BoardConditions,
    BoardPose,
    camera_rays,
    draw_poses,
    lens_of,
    render,
    true_corners,
)
from tests.calibration.lens_trials import KINDS, Trial, run_trial, take_views
from tests.scenes import scene
from vision.lens import Lens
from vision.reason import Reason
from vision.view import rotation_from_vector

SIZE = (960, 720)


def plain_lens() -> Lens:
    return lens_of(SIZE, 0.85, (-0.1, 0.03, 0.0004, -0.0003, 0.0), False, (0.006, -0.004))


def corner_views(count: int = 14, seed: int = 4, noise_px: float = 0.08) -> tuple[BoardView, ...]:
    rng, lens = np.random.default_rng(seed), plain_lens()
    return tuple(
        true_corners(rng, lens, PRINTED_BOARD, pose, BoardConditions(), noise_px, str(number))
        for number, pose in enumerate(draw_poses(rng, lens, PRINTED_BOARD, count))
    )


@cache
def good_fit() -> LensFit:
    fit = fit_lens(corner_views())
    assert isinstance(fit, LensFit)
    return fit


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_simulated_cameras(kind: str) -> None:
    trial = run_trial(301, kind, pictures=False)
    assert isinstance(trial, Trial)
    assert trial.focal_error_percent < 0.3
    assert trial.distortion_error_px < 0.5
    assert trial.quality.held_out_rms_px < 0.3
    assert trial.honest


@pytest.mark.thorough  # the service's tests calibrate from pictures too
@pytest.mark.slow
def test_from_pictures() -> None:
    rng, lens = np.random.default_rng(8), plain_lens()
    rays = camera_rays(lens)
    found = [
        find_board(render(rng, lens, rays, PRINTED_BOARD, p, BoardConditions()), PRINTED_BOARD, "")
        for p in draw_poses(rng, lens, PRINTED_BOARD, 9)
    ]
    fit = fit_lens(tuple(view for view in found if isinstance(view, BoardView)))
    assert isinstance(fit, LensFit)
    off = distortion_difference_px(lens, fit.lens, picture_grid(SIZE))
    assert abs(fit.lens.matrix[0, 0] / lens.matrix[0, 0] - 1) < 0.003
    assert np.linalg.norm(off, axis=1).max() < 0.5
    assert fit.chosen.held_out_rms_px < 0.15


def test_chessboard_of_unknown_size_is_found_and_refined() -> None:
    board = Board(9, 7, 25.0)
    rng, lens = np.random.default_rng(2), plain_lens()
    pose = BoardPose(rotation_from_vector(np.array([0.3, -0.2, 0.1])), np.array([5, -8, 420.0]))
    grey = render(rng, lens, camera_rays(lens), board, pose, BoardConditions())
    size = chessboard_size(grey)
    assert size is not None
    assert sorted(size) == [7, 9]
    view = find_board(grey, board, "a")
    true = true_corners(rng, lens, board, pose, BoardConditions(), 0.0, "a")
    assert isinstance(view, BoardView)
    gaps = np.linalg.norm(view.corners_px[:, None] - true.corners_px[None], axis=2).min(axis=1)
    assert np.sqrt(np.mean(gaps**2)) < 0.15


def at_the_edge(board: Board, x_mm: float) -> tuple[BoardPose, NDArray[np.uint8]]:
    """A board whose right part is out of the picture the more, the larger x is."""
    rng, lens = np.random.default_rng(2), plain_lens()
    pose = BoardPose(rotation_from_vector(np.array([0.3, -0.2, 0.1])), np.array([x_mm, 0, 420.0]))
    return pose, render(rng, lens, camera_rays(lens), board, pose, BoardConditions())


def test_corners_are_found_up_to_the_pictures_edge() -> None:
    pose, grey = at_the_edge(PRINTED_BOARD, 215.0)
    view = find_board(grey, PRINTED_BOARD, "a")
    assert isinstance(view, BoardView)
    rng, lens = np.random.default_rng(2), plain_lens()
    true = true_corners(rng, lens, PRINTED_BOARD, pose, BoardConditions(), 0.0, "a")
    assert len(true.corners_px) < 0.9 * len(PRINTED_BOARD.corners_mm())
    assert len(view.corners_px) >= len(true.corners_px)
    gaps = np.linalg.norm(true.corners_px[:, None] - view.corners_px[None], axis=2).min(axis=1)
    assert np.sqrt(np.mean(gaps**2)) < 0.15


def test_a_chessboard_partly_out_of_the_picture_is_told_as_such() -> None:
    board = Board(9, 7, 25.0)
    part = find_board(at_the_edge(board, 190.0)[1], board, "a")
    assert isinstance(part, Refused)
    assert (part.kind, part.reason.code) == ("few-corners", "board-partly-seen")
    larger = find_board(at_the_edge(board, 0.0)[1], Board(7, 6, 25.0), "a")
    assert isinstance(larger, Refused)
    assert larger.kind == "wrong-board"
    pictures = [at_the_edge(board, x)[1] for x in (190.0, 180.0, 0.0)]
    found = found_chessboard(pictures)
    assert found is not None
    assert (found.columns, found.rows) == (9, 7)


@pytest.mark.thorough
@pytest.mark.slow
def test_simplest_model_that_is_supported() -> None:
    fit = good_fit()
    assert fit.chosen.bundle.family.name in ("k1-k2", "k1-k2-p")
    assert not fit.chosen.bent
    _, views = take_views(305, "bent", pictures=False)
    bent = fit_lens(views)
    assert isinstance(bent, LensFit)
    assert bent.chosen.bent


@pytest.mark.thorough
@pytest.mark.slow
def test_a_shaken_view_is_thrown_out() -> None:
    views = list(corner_views(9))
    rng = np.random.default_rng(1)
    shaken = views[5].corners_px + rng.normal(0, 4, views[5].corners_px.shape)
    views[5] = replace(views[5], corners_px=shaken)
    fit = fit_lens(tuple(views))
    assert isinstance(fit, LensFit)
    assert [one.photo for one in fit.refused] == ["5"]


def test_each_bad_photo_is_refused_with_its_reason() -> None:
    rng, lens = np.random.default_rng(8), plain_lens()
    rays = camera_rays(lens)
    pose = draw_poses(rng, lens, PRINTED_BOARD, 3)[1]
    good = render(rng, lens, rays, PRINTED_BOARD, pose, BoardConditions())
    other = render(rng, lens, rays, Board(9, 7, 25.0), pose, BoardConditions())
    strangers = Board(8, 11, 22.0, 16.0, "6X6_250")
    whole = find_board(good, PRINTED_BOARD, "good")
    assert isinstance(whole, BoardView)
    covered = good.copy()
    covered[:, : int(np.percentile(whole.corners_px[:, 0], 85))] = 40
    pictures = {
        "empty": np.full(SIZE[::-1], 90, np.uint8),
        "blurred": cv2.GaussianBlur(good, (0, 0), 9),
        "wrong-board": other,
        "few-corners": covered,
    }
    for reason, picture in pictures.items():
        found = find_board(np.asarray(picture, np.uint8), PRINTED_BOARD, reason)
        assert isinstance(found, Refused), reason
        assert found.kind == reason
    foreign = find_board(
        render(rng, lens, rays, strangers, pose, BoardConditions()), PRINTED_BOARD, "x"
    )
    assert isinstance(foreign, Refused)
    assert foreign.kind == "wrong-board"


@pytest.mark.slow
def test_session_uses_the_good_and_names_the_bad() -> None:
    views = corner_views()
    small = replace(views[0], photo="small", size_wh=(640, 480))
    blurred = Refused("soft", "blurred", Reason("board-blurred", {"blur_px": 9.0}))
    session = calibrate_lens([*views, small, blurred])
    assert isinstance(session.fit, LensFit)
    assert {one.photo: one.kind for one in session.refused} == {
        "small": "other-size", "soft": "blurred",
    }  # fmt: skip


def test_too_few_and_all_alike() -> None:
    views = corner_views()
    few = calibrate_lens(views[:3])
    assert isinstance(few.fit, NotFitted)
    assert few.fit.reason == Reason("lens-too-few-photos", {"found": 3, "needed": 5})
    alike = calibrate_lens([replace(views[0], photo=str(i)) for i in range(8)])
    assert isinstance(alike.fit, NotFitted)
    assert alike.fit.reason.code == "lens-photos-alike"


def test_coverage_says_what_is_missing() -> None:
    views = corner_views(16)
    assert coverage(views).share > 0.8
    left = tuple(
        replace(v, corners_px=v.corners_px[k], corners_mm=v.corners_mm[k])
        for v in views
        for k in [v.corners_px[:, 0] < SIZE[0] * 0.6]
        if k.sum() > 8
    )
    assert any("right" in wish.what for wish in coverage(left).wishes())
    assert len(choose_views(views, 6)) == 6


def quality(**changes: float) -> LensQuality:
    good = LensQuality(15, 900, "k1-k2", False, 0.1, 0.2, 0.1, 0.3)
    return replace(good, **changes)  # type: ignore[arg-type]


def test_what_may_replace_what() -> None:
    good, better = quality(), quality(distortion_bound_px=0.1)
    poor = quality(held_out_rms_px=2.0)
    document = lens_document(plain_lens(), good)
    assert recorded_quality(json.loads(json.dumps(document))) == good
    assert may_replace(good, SIZE, None, force=False).save
    assert not may_replace(poor, SIZE, None, force=False).save
    assert may_replace(poor, SIZE, None, force=True).save
    assert may_replace(better, SIZE, document, force=False).save
    there = lens_document(plain_lens(), better)
    worse = may_replace(good, SIZE, there, force=False)
    assert (worse.save, worse.outcome) == (False, "better-there")
    assert worse.reason.code == "keep-better-there"
    forced = may_replace(good, SIZE, there, force=True)
    assert (forced.save, forced.outcome) == (True, "forced-over-better")
    assert forced.reason.facts["old_px"] == 0.1
    other = may_replace(good, (640, 480), there, force=False)
    assert (other.save, other.outcome) == (True, "other-size-before")
    assert other.reason.facts == {"width": SIZE[0], "height": SIZE[1]}
    for unrated in ({"size_px": list(SIZE)}, {"size_px": "wide"}, [1], {}):
        assert may_replace(good, SIZE, unrated, force=False).outcome == "unrated-before"


@pytest.mark.thorough
def test_verdict_and_plot() -> None:
    fit = good_fit()
    judged = assess(fit)
    assert verdict(judged).code in ("lens-good", "lens-usable")
    whole = lens_plot(fit, "How good it is")
    assert "<svg" in whole
    assert "How good it is" in whole
    parts = distortion_drawing(fit), residuals_drawing(fit)
    assert all("<text" not in part for part in parts)
    assert sum(part.count("<polyline") for part in parts) == whole.count("<polyline")
    assert verdict(quality(distortion_bound_px=9)).code == "lens-poor"


def test_error_measure_sees_distortion_and_not_pose_or_focal_length() -> None:
    lens = plain_lens()
    longer = Lens(lens.size_wh, lens.matrix * [[1.01, 1, 1], [1, 1.01, 1], [1, 1, 1]],
                  lens.distortion.copy())  # fmt: skip
    assert np.abs(distortion_difference_px(lens, longer, picture_grid(SIZE))).max() < 1e-3
    bent = Lens(lens.size_wh, lens.matrix.copy(), lens.distortion + [0.02, 0, 0, 0, 0])
    assert np.abs(distortion_difference_px(lens, bent, picture_grid(SIZE))).max() > 0.5


def test_a_folded_picture_is_no_lens() -> None:
    assert one_to_one(plain_lens())
    assert not one_to_one(lens_of(SIZE, 0.5, (-0.6, 0.0, 0.0, 0.0, 0.0), False))


@pytest.mark.parametrize("text", ["", "8x11", "2x2:10", "8x11:22/30:5X5_100", "8x11:22/16:9X9_1"])
def test_boards_that_are_none(text: str) -> None:
    with pytest.raises(ValueError, match=r"board|squares|marker|fit"):
        parse_board(text)


def test_boards_are_read_as_written() -> None:
    for board in (PRINTED_BOARD, Board(10, 7, 25.0), Board(6, 8, 30.0, 22.0, "7X7_50", True)):
        assert parse_board(str(board)) == board


def photos_of(board: Board, count: int = 2) -> list[NDArray[np.uint8]]:
    rng, lens = np.random.default_rng(3), lens_of((1200, 900), 0.8, (-0.1, 0.03, 0, 0, 0), False)
    rays, poses = camera_rays(lens), draw_poses(rng, lens, board, count)
    return [render(rng, lens, rays, board, pose, BoardConditions()) for pose in poses]


@pytest.mark.parametrize(
    "board",
    [
        Board(8, 6, 30.0, 20.0, "4X4_50"),
        pytest.param(Board(7, 9, 30.0, 22.0, "6X6_250"), marks=pytest.mark.thorough),
        pytest.param(Board(6, 8, 30.0, 22.0, "5X5_100", True), marks=pytest.mark.thorough),
        pytest.param(Board(9, 12, 20.0, 15.0, "7X7_100"), marks=pytest.mark.thorough),
    ],
    ids=str,
)
def test_charuco_boards_of_unknown_size_are_found(board: Board) -> None:
    found = found_charuco([*photos_of(board), np.full((900, 1200), 120, np.uint8)])
    assert found is not None
    assert (found.columns, found.rows, found.legacy) == (board.columns, board.rows, board.legacy)
    assert board.marker_mm is not None
    assert found.marker_mm is not None
    assert found.marker_mm / found.square_mm == pytest.approx(
        board.marker_mm / board.square_mm, abs=0.03
    )
    view = find_board(photos_of(board)[0], found, "a")
    true = find_board(photos_of(board)[0], board, "a")
    assert isinstance(view, BoardView)
    assert isinstance(true, BoardView)
    gaps = np.linalg.norm(view.corners_px[:, None] - true.corners_px[None], axis=2)
    assert len(view.corners_px) >= len(true.corners_px) - 1
    assert gaps.min(axis=1).max() < 0.05


def test_what_is_no_board_is_not_found() -> None:
    table = cv2.resize(scene("panel-oak").image_bgr, (800, 600), interpolation=cv2.INTER_AREA)
    grey = np.asarray(cv2.cvtColor(table, cv2.COLOR_BGR2GRAY), np.uint8)
    assert found_charuco([]) is None
    assert found_charuco([grey]) is None  # it has four markers
    assert found_chessboard([grey]) is None
    assert found_charuco(photos_of(Board(9, 7, 25.0), 1)) is None


@pytest.mark.thorough
@pytest.mark.slow
def test_a_board_printed_at_the_wrong_scale_does_no_harm() -> None:
    views = corner_views()
    shrunk = [replace(view, corners_mm=view.corners_mm * 0.95) for view in views]
    right, wrong = fit_lens(views), fit_lens(tuple(shrunk))
    assert isinstance(right, LensFit)
    assert isinstance(wrong, LensFit)
    assert wrong.lens.matrix == pytest.approx(right.lens.matrix, rel=1e-3)


def test_the_guide_says_live_what_is_covered_and_what_is_refused() -> None:
    first, second = photos_of(PRINTED_BOARD, 2)
    guide = shown(LensGuide(), first, "1")
    assert guide.refused is None
    begun = guide.as_json()
    assert (begun["taken"], begun["used"], begun["complete"]) == (1, 1, False)
    assert sum(map(sum, begun["cells"])) == len(begun["corners"]) > 12
    assert {wish.key for wish in guide.wishes} == {"tilt", "place", "more"}
    refusals = {
        "alike": first,
        "other-size": cv2.resize(second, None, fx=0.8, fy=0.8, interpolation=cv2.INTER_AREA),
        "blurred": cv2.GaussianBlur(second, (0, 0), 9),
        "empty": np.full_like(first, 90),
    }
    for reason, grey in refusals.items():
        refused = shown(guide, np.asarray(grey, np.uint8), reason)
        assert refused.refused is not None, reason
        assert refused.refused.kind == reason
        assert (refused.taken, len(refused.views)) == (2, 1)
    guide = shown(guide, second, "2")
    assert (guide.refused, len(guide.views)) == (None, 2)
    json.dumps(guide.as_json())
    fit = calibrate_lens(guide.views).fit
    assert isinstance(fit, NotFitted)
    assert fit.reason.code == "lens-too-few-photos"


@pytest.mark.slow
def test_a_guided_calibration_ends_in_a_lens_file() -> None:
    views = corner_views()
    done = LensGuide(views=views, taken=len(views), covered=coverage(views))
    session = calibrate_lens(done.views)
    assert isinstance(session.fit, LensFit)
    assert session.quality is not None
    assert session.quality.grade in ("good", "usable")
    document = json.loads(json.dumps(judged_lens(session.fit.lens, session.quality)))
    assert parse_lens(document).size_wh == SIZE
    assert document["quality"]["verdict"] == sentence(verdict(session.quality))
