"""Photographs of the printed board by a simulated camera, as JPEG."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from calibration.lens.board import PRINTED_BOARD, Board
from tests.calibration.board_simulator import (
    BoardConditions,
    BoardPose,
    camera_rays,
    draw_poses,
    lens_of,
    render,
)
from vision.view import rotation_from_vector

LENS = lens_of((800, 600), 0.85, (-0.08, 0.02, 0.0, 0.0, 0.0), False)


@cache
def board_jpegs(count: int, board: Board = PRINTED_BOARD, seed: int = 12) -> tuple[bytes, ...]:
    """Photos as a person takes them who is led round the picture."""
    rng, rays = np.random.default_rng(seed), camera_rays(LENS)
    pictures = (
        render(rng, LENS, rays, board, pose, BoardConditions())
        for pose in draw_poses(rng, LENS, board, count)
    )
    return tuple(as_jpeg(picture) for picture in pictures)


@cache
def chessboard_jpegs() -> tuple[bytes, bytes]:
    """A chessboard of 9 x 7 squares: first partly out of the picture, then all of it."""
    rng, rays, board = np.random.default_rng(2), camera_rays(LENS), Board(9, 7, 25.0)
    turn = rotation_from_vector(np.array([0.3, -0.2, 0.1]))
    poses = [BoardPose(turn, np.array([x, 0, 420.0])) for x in (200.0, 0.0)]
    part, whole = (render(rng, LENS, rays, board, pose, BoardConditions()) for pose in poses)
    return as_jpeg(part), as_jpeg(whole)


def as_jpeg(picture: object) -> bytes:
    """A picture, grey or colour, as a JPEG of good quality."""
    _, data = cv2.imencode(".jpg", np.asarray(picture, np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 95])
    return data.tobytes()


def spoilt(jpeg: bytes, how: str) -> bytes:
    """The photo blurred, emptied or made smaller."""
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    changed = {
        "blurred": lambda: cv2.GaussianBlur(picture, (0, 0), 9),
        "empty": lambda: np.full_like(picture, 90),
        "other-size": lambda: cv2.resize(picture, None, fx=0.8, fy=0.8),
    }
    return as_jpeg(changed[how]())
