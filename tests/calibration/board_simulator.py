"""A simulated camera before a calibration board: pictures and corners with known truth."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.board import Board, charuco_board
from calibration.lens.board_view import BoardView
from vision.lens import Lens
from vision.view import rotation_from_vector

FloatArray = NDArray[np.float64]

TEXTURE_PX_PER_MM = 8
PAPER_MARGIN_MM = 12.0


@dataclass(frozen=True, slots=True)
class BoardConditions:
    """What spoils the pictures: noise (of 255), blur in px, the board's bend in mm at its rim."""

    noise: float = 2.0
    blur_px: float = 0.6
    bend_mm: tuple[float, float, float] = (0.0, 0.0, 0.0)
    gradient: float = 0.3


@dataclass(frozen=True, eq=False)
class BoardPose:
    """Board to camera: rotation (3, 3) and translation (3,) in mm, of the board's middle."""

    rotation: FloatArray
    translation_mm: FloatArray


def lens_of(
    size_wh: tuple[int, int], focal_widths: float, distortion: tuple[float, ...], fisheye: bool,
    centre_off: tuple[float, float] = (0.0, 0.0),
) -> Lens:  # fmt: skip
    """A lens by its focal length in picture widths; the centre is moved by a share of the width."""
    width, height = size_wh
    focal = focal_widths * width
    centre = ((width - 1) / 2 + centre_off[0] * width, (height - 1) / 2 + centre_off[1] * width)
    matrix = np.array([[focal, 0, centre[0]], [0, focal, centre[1]], [0, 0, 1.0]])
    return Lens(size_wh, matrix, np.array(distortion), "fisheye" if fisheye else "plain")


def draw_pose(
    rng: np.random.Generator, lens: Lens, board: Board, part: tuple[float, float]
) -> BoardPose:
    """A pose as a person holds a board: about `part` of the picture, tilted up to 45 degrees."""
    width, height = lens.size_wh
    pose = BoardPose(np.eye(3), np.array([0, 0, 1000.0]))
    for attempt in range(200):
        off = rng.normal(0, 0.06, 2)
        at_px = np.array([[(part[0] + off[0]) * width, (part[1] + off[1]) * height]])
        ray = np.append(lens.to_rays(at_px)[0], 1.0)
        ray /= np.linalg.norm(ray)
        near = rng.uniform(0.75, 1.5) * (1 + attempt / 200)
        away = max(board.size_mm) * near * lens.matrix[0, 0] / height
        tilt, direction = np.deg2rad(rng.uniform(5, 45)), rng.uniform(0, 2 * np.pi)
        turn = rotation_from_vector(np.array([0, 0, rng.normal(0, 0.4)]))
        lean = rotation_from_vector(tilt * np.array([np.cos(direction), np.sin(direction), 0]))
        pose = BoardPose(_facing(ray) @ lean @ turn, ray * max(away, 120.0))
        if _share_seen(pose, lens, board) > 0.55:
            return pose
    return pose


def draw_poses(rng: np.random.Generator, lens: Lens, board: Board, count: int) -> list[BoardPose]:
    """Poses that lead round the picture as the guide asks: its corners, sides and middle."""
    parts = [(x, y) for y in (0.2, 0.5, 0.8) for x in (0.2, 0.5, 0.8)]
    order = rng.permutation(len(parts))
    return [draw_pose(rng, lens, board, parts[order[i % len(parts)]]) for i in range(count)]


def _facing(ray: FloatArray) -> FloatArray:
    """A rotation that turns the board halfway towards the camera at the end of a ray."""
    axis = np.cross([0, 0, 1.0], ray)
    angle = float(np.arctan2(np.linalg.norm(axis), ray[2]))
    if np.linalg.norm(axis) < 1e-9:
        return np.eye(3)
    return rotation_from_vector(axis / np.linalg.norm(axis) * angle * 0.7)


def board_surface(
    board: Board, at_mm: FloatArray, bend_mm: tuple[float, float, float]
) -> FloatArray:
    """Points (N, 3) of a bent sheet for places (N, 2), both from the board's middle."""
    u, v = (at_mm / max(board.size_mm) * 2).T
    a, b, c = bend_mm
    return np.column_stack([at_mm, a * u * u + b * u * v + c * v * v])


def true_corners(
    rng: np.random.Generator, lens: Lens, board: Board, pose: BoardPose,
    conditions: BoardConditions, noise_px: float, photo: str,
) -> BoardView:  # fmt: skip
    """Corners as a detector with so much noise would find them, without making a picture."""
    places = board.corners_mm()
    px = _project(lens, pose, board_surface(board, places, conditions.bend_mm))
    width, height = lens.size_wh
    seen = np.all((px > 8) & (px < np.array([width, height]) - 9), axis=1)
    noisy = px[seen] + rng.normal(0, noise_px, (int(seen.sum()), 2))
    return BoardView(photo, lens.size_wh, noisy, places[seen], conditions.blur_px)


def render(
    rng: np.random.Generator, lens: Lens, rays: FloatArray, board: Board, pose: BoardPose,
    conditions: BoardConditions,
) -> NDArray[np.uint8]:  # fmt: skip
    """A grey picture (H, W) of the board on a dull ground. `rays` are `camera_rays(lens)`."""
    places = _meet(rays, board, pose, conditions.bend_mm)
    corner = np.array(board.size_mm) / 2 + PAPER_MARGIN_MM
    paper = board_texture(board)
    at = ((places + corner) * TEXTURE_PX_PER_MM - 0.5).astype(np.float32)
    # Texture pixels much smaller than picture pixels would alias: blur to about half of one.
    scale = TEXTURE_PX_PER_MM * _mm_per_px(lens, pose)
    soft = cv2.GaussianBlur(paper, (0, 0), max(0.3, 0.32 * scale))
    seen = cv2.remap(soft, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderValue=0.18)
    return _developed(rng, np.asarray(seen, np.float32), conditions)


def camera_rays(lens: Lens) -> FloatArray:
    """Rays (H, W, 2) of every pixel."""
    width, height = lens.size_wh
    grid = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1)
    rays = lens.to_rays(grid.reshape(-1, 2).astype(np.float64))
    return rays.reshape(height, width, 2)


@lru_cache(maxsize=4)
def board_texture(board: Board) -> NDArray[np.float32]:
    """The board on white paper, in linear light from 0.03 to 0.85."""
    side = round(board.square_mm * TEXTURE_PX_PER_MM)
    size = (board.columns * side, board.rows * side)
    if board.kind == "charuco":
        squares = charuco_board(board).generateImage(size, marginSize=0, borderBits=1)
    else:
        tiles = np.add.outer(np.arange(board.rows), np.arange(board.columns)) % 2
        squares = np.kron(tiles, np.ones((side, side))).astype(np.uint8) * 255
    margin = round(PAPER_MARGIN_MM * TEXTURE_PX_PER_MM)
    paper = cv2.copyMakeBorder(
        np.asarray(squares, np.uint8), margin, margin, margin, margin, cv2.BORDER_CONSTANT,
        value=255,
    )  # fmt: skip
    return np.asarray(0.03 + paper.astype(np.float32) / 255 * 0.82, np.float32)


def _project(lens: Lens, pose: BoardPose, points: FloatArray) -> FloatArray:
    camera = points @ pose.rotation.T + pose.translation_mm
    return lens.to_px(camera[:, :2] / np.maximum(camera[:, 2:], 1.0))


def _meet(
    rays: FloatArray, board: Board, pose: BoardPose, bend_mm: tuple[float, float, float]
) -> FloatArray:
    """Where rays (H, W, 2) meet the bent sheet, as places from its middle (H, W, 2), mm."""
    directions = np.concatenate([rays, np.ones((*rays.shape[:2], 1))], axis=-1) @ pose.rotation
    eye = -pose.rotation.T @ pose.translation_mm
    reach_mm = max(board.size_mm) / 2
    a, b, c = bend_mm
    height = np.zeros(rays.shape[:2])
    places = np.zeros_like(rays)
    reach_z = np.where(np.abs(directions[..., 2]) < 1e-6, 1e-6, directions[..., 2])
    for _ in range(4 if any(bend_mm) else 1):
        reach = (height - eye[2]) / reach_z
        places = eye[:2] + directions[..., :2] * reach[..., None]
        u = np.clip(places / reach_mm, -2, 2)
        height = a * u[..., 0] ** 2 + b * u[..., 0] * u[..., 1] + c * u[..., 1] ** 2
    return np.asarray(np.where(reach[..., None] > 0, places, -1e4))


def _mm_per_px(lens: Lens, pose: BoardPose) -> float:
    return float(np.linalg.norm(pose.translation_mm) / lens.matrix[0, 0])


def _share_seen(pose: BoardPose, lens: Lens, board: Board) -> float:
    points = board_surface(board, board.corners_mm(), (0, 0, 0))
    camera = points @ pose.rotation.T + pose.translation_mm
    if camera[:, 2].min() < 30:
        return 0.0
    px = _project(lens, pose, points)
    width, height = lens.size_wh
    back = lens.to_rays(px) - camera[:, :2] / camera[:, 2:]
    ok = np.all((px > 5) & (px < np.array([width, height]) - 6), axis=1)
    return float(np.mean(ok & (np.abs(back).max(axis=1) < 1e-3)))


def _developed(
    rng: np.random.Generator, light: NDArray[np.float32], conditions: BoardConditions
) -> NDArray[np.uint8]:
    """From linear light to an 8-bit grey picture: blur, uneven light, sRGB, noise."""
    height, width = light.shape
    direction = rng.normal(size=2)
    direction /= np.linalg.norm(direction)
    ys, xs = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    lit = 1 - conditions.gradient / 2 * (1 + (xs * direction[0] + ys * direction[1]) / 1.5)
    soft = cv2.GaussianBlur(light, (0, 0), max(conditions.blur_px, 0.3))
    linear = np.clip(soft * lit, 0, 1)
    encoded = np.where(linear < 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    noisy = encoded * 255 + rng.normal(0, conditions.noise, light.shape)
    return np.asarray(np.clip(np.round(noisy), 0, 255), np.uint8)
