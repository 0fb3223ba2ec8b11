from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from calibration.board import PRINTED_BOARD, Board, parse_board
from calibration.board_simulator import (
    BoardConditions,
    BoardPose,
    camera_rays,
    draw_poses,
    lens_of,
    render,
    true_corners,
)
from calibration.board_view import BoardView, Refused, chessboard_size, find_board
from calibration.lens_coverage import choose_views, coverage
from calibration.lens_error import distortion_difference_px, one_to_one, picture_grid
from calibration.lens_fit import LensFit, NotFitted, fit_lens
from calibration.lens_plot import lens_plot
from calibration.lens_quality import LensQuality, assess, verdict
from calibration.lens_record import lens_document, may_replace, recorded_quality
from calibration.lens_session import calibrate_lens
from tests.calibration.lens_trials import KINDS, Trial, run_trial, take_views
from vision.lens import Lens
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


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_simulated_cameras(kind: str) -> None:
    trial = run_trial(301, kind, pictures=False)
    assert isinstance(trial, Trial)
    assert trial.focal_error_percent < 0.3
    assert trial.distortion_error_px < 0.5
    assert trial.quality.held_out_rms_px < 0.3
    assert trial.honest


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


@pytest.mark.slow
def test_simplest_model_that_is_supported() -> None:
    fit = good_fit()
    assert fit.chosen.bundle.family.name in ("k1-k2", "k1-k2-p")
    assert not fit.chosen.bent
    _, views = take_views(305, "bent", pictures=False)
    bent = fit_lens(views)
    assert isinstance(bent, LensFit)
    assert bent.chosen.bent


@pytest.mark.slow
def test_a_shaken_view_is_thrown_out() -> None:
    views = list(corner_views())
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
        assert found.reason == reason
    foreign = find_board(
        render(rng, lens, rays, strangers, pose, BoardConditions()), PRINTED_BOARD, "x"
    )
    assert isinstance(foreign, Refused)
    assert foreign.reason == "wrong-board"


@pytest.mark.slow
def test_session_uses_the_good_and_names_the_bad() -> None:
    views = corner_views()
    small = replace(views[0], photo="small", size_wh=(640, 480))
    blurred = Refused("soft", "blurred", "it is blurred")
    session = calibrate_lens([*views, small, blurred])
    assert isinstance(session.fit, LensFit)
    assert {one.photo: one.reason for one in session.refused} == {
        "small": "other-size", "soft": "blurred",
    }  # fmt: skip


def test_too_few_and_all_alike() -> None:
    views = corner_views()
    few = calibrate_lens(views[:3])
    assert isinstance(few.fit, NotFitted)
    assert "at least" in few.fit.reason
    alike = calibrate_lens([replace(views[0], photo=str(i)) for i in range(8)])
    assert isinstance(alike.fit, NotFitted)
    assert "same place" in alike.fit.reason


def test_coverage_says_what_is_missing() -> None:
    views = corner_views(16)
    assert coverage(views).share > 0.8
    left = tuple(
        replace(v, corners_px=v.corners_px[k], corners_mm=v.corners_mm[k])
        for v in views
        for k in [v.corners_px[:, 0] < SIZE[0] * 0.6]
        if k.sum() > 8
    )
    wishes = " ".join(coverage(left).wanted())
    assert "right" in wishes
    assert len(choose_views(views, 6)) == 6


def quality(**changes: float) -> LensQuality:
    good = LensQuality(15, 900, "k1-k2", False, 0.1, 0.2, 0.1, 0.3)
    return replace(good, **changes)  # type: ignore[arg-type]


def test_what_may_replace_what() -> None:
    good, better = quality(), quality(distortion_bound_px=0.1)
    poor = quality(held_out_rms_px=2.0)
    document = lens_document(plain_lens(), good)
    assert recorded_quality(json.loads(json.dumps(document))) == good
    assert may_replace(good, None, force=False).save
    assert not may_replace(poor, None, force=False).save
    assert may_replace(poor, None, force=True).save
    assert may_replace(better, document, force=False).save
    worse = may_replace(good, lens_document(plain_lens(), better), force=False)
    assert not worse.save
    assert "better" in worse.message
    forced = may_replace(good, lens_document(plain_lens(), better), force=True)
    assert forced.save
    assert "better" in forced.message


def test_verdict_and_plot() -> None:
    fit = good_fit()
    judged = assess(fit)
    assert verdict(judged).startswith(("Good", "Usable"))
    assert "<svg" in lens_plot(fit, judged)
    assert verdict(quality(distortion_bound_px=9)).startswith("Poor")


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
    for board in (PRINTED_BOARD, Board(10, 7, 25.0)):
        assert parse_board(str(board)) == board
