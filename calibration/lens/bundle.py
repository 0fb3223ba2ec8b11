"""Lens, board shape and board poses fitted together, by least squares on the corners.

Zhang, "A flexible new technique for camera calibration" (PAMI 2000), solved by
Levenberg and Marquardt with the poses eliminated (Schur complement), Huber's
weights, and the board's own bend as unknowns, because paper is never flat
(Strobl and Hirzinger, "More accurate pinhole camera calibration with imperfect
planar target", ICCVW 2011).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.board_view import BoardView
from calibration.lens.lens_parameters import LensFamily, project, seen_rays

FloatArray = NDArray[np.float64]

BEND_TERMS = 4
"""The board's stretch along y and its bend by xx, xy and yy."""
HUBER = 2.5
LARGEST_STEPS = 60
BEND_PRIOR_MM = 3.0
STRETCH_PRIOR = 0.01


@dataclass(frozen=True, eq=False)
class Bundle:
    """A fit: the free lens numbers, the board's shape (4,), one pose (6,) a view.

    `residuals_px` has one (N, 2) array a view; `cost` is the robust sum.
    """

    family: LensFamily
    free: FloatArray
    shape: FloatArray
    poses: tuple[FloatArray, ...]
    residuals_px: tuple[FloatArray, ...]
    cost: float

    @property
    def rms_px(self) -> float:
        """Root mean square distance of a corner from its place in the fit."""
        return rms_px(self.residuals_px)


def rms_px(residuals_px: tuple[FloatArray, ...]) -> float:
    """Root mean square distance over views of (N, 2) residuals."""
    off = np.concatenate(residuals_px)
    return float(np.sqrt(np.mean(np.sum(off**2, axis=1))))


@dataclass(frozen=True, eq=False)
class _Problem:
    views: tuple[BoardView, ...]
    family: LensFamily
    bent: bool
    noise_px: float


def board_points(corners_mm: FloatArray, shape: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Board corners (N, 2) in space (N, 3) for a shape (4,), and by the shape (N, 3, 4)."""
    u, v = (corners_mm / 100.0).T
    terms = np.stack([u * u, u * v, v * v], axis=1)
    points = np.column_stack(
        [corners_mm[:, 0], corners_mm[:, 1] * (1 + shape[0]), terms @ shape[1:]]
    )
    slopes = np.zeros((len(corners_mm), 3, BEND_TERMS))
    slopes[:, 1, 0] = corners_mm[:, 1]
    slopes[:, 2, 1:] = terms
    return points, slopes


def fit_from_scratch(views: tuple[BoardView, ...], family: LensFamily, noise_px: float) -> Bundle:
    """Fit a flat board from several first guesses of the focal length; the best one."""
    width, height = views[0].size_wh
    best: Bundle | None = None
    for share in (0.35, 0.6, 1.0, 1.8) if not family.fisheye else (0.25, 0.4, 0.7, 1.2):
        free = np.zeros(family.count)
        free[: 2 if family.two_focals else 1] = share * width
        first = 2 if family.two_focals else 1
        free[first : first + 2] = (width - 1) / 2, (height - 1) / 2
        try:
            poses = tuple(first_pose(view, family, free) for view in views)
            bundle = refine(views, family, free, np.zeros(BEND_TERMS), poses, False, noise_px)
        except (cv2.error, np.linalg.LinAlgError):
            continue
        if best is None or bundle.cost < best.cost:
            best = bundle
    if best is None:
        raise ValueError("no first guess of the lens leads anywhere")
    return best


def first_pose(view: BoardView, family: LensFamily, free: FloatArray) -> FloatArray:
    """A flat board's pose (6,) for a given lens."""
    rays = seen_rays(family, free, view.corners_px)
    good = np.all(np.abs(rays) < 20, axis=1) & np.all(np.isfinite(rays), axis=1)
    flat = np.column_stack([view.corners_mm, np.zeros(len(view.corners_mm))])
    if good.sum() < 6:
        raise np.linalg.LinAlgError("too few corners before the lens")
    _, turn, shift = cv2.solvePnP(
        flat[good], np.ascontiguousarray(rays[good]), np.eye(3), None, flags=cv2.SOLVEPNP_IPPE
    )
    return np.concatenate([np.asarray(turn).ravel(), np.asarray(shift).ravel()])


def refine(
    views: tuple[BoardView, ...],
    family: LensFamily,
    free: FloatArray,
    shape: FloatArray,
    poses: tuple[FloatArray, ...],
    bent: bool,
    noise_px: float,
    steps: int = LARGEST_STEPS,
) -> Bundle:
    """Improve a fit until it stands still. `noise_px` scales Huber's weights."""
    problem = _Problem(views, family, bent, noise_px)
    now = _evaluated(problem, Bundle(family, free, shape, poses, (), np.inf))
    damping = 1e-3
    for _ in range(steps):
        normal = _normal_equations(problem, now)
        better = None
        while better is None and damping < 1e8:
            tried = _evaluated(problem, _stepped(problem, now, normal, damping))
            if np.isfinite(tried.cost) and tried.cost < now.cost:
                better = tried
                damping = max(damping / 5, 1e-9)
            else:
                damping *= 5
        if better is None:
            break
        gain = now.cost - better.cost
        now = better
        if gain < 1e-7 * now.cost:
            break
    return now


def fit_pose(view: BoardView, bundle: Bundle, start: FloatArray, noise_px: float) -> FloatArray:
    """Residuals (N, 2) of a view whose pose alone is fitted to a given lens and board."""
    pose = start.copy()
    points, _ = board_points(view.corners_mm, bundle.shape)
    off = np.empty((0, 2))
    for _ in range(12):
        px, _, by_pose = project(bundle.family, bundle.free, pose, points)
        off = view.corners_px - px
        weight = _huber(off, noise_px)[:, None, None]
        rows = by_pose.reshape(-1, 6)
        weighted = (by_pose * weight).reshape(-1, 6)
        step = np.linalg.solve(rows.T @ weighted + 1e-12 * np.eye(6), weighted.T @ off.ravel())
        pose = pose + step
        if np.abs(step).max() < 1e-9:
            break
    return off


def _huber(off: FloatArray, noise_px: float) -> FloatArray:
    length = np.linalg.norm(off, axis=1)
    return np.asarray(np.minimum(1.0, HUBER * noise_px / np.maximum(length, 1e-9)))


def _evaluated(problem: _Problem, bundle: Bundle) -> Bundle:
    residuals = []
    cost = 0.0
    limit = HUBER * problem.noise_px
    for view, pose in zip(problem.views, bundle.poses, strict=True):
        points, _ = board_points(view.corners_mm, bundle.shape)
        px, _, _ = project(problem.family, bundle.free, pose, points)
        off = view.corners_px - px
        length = np.linalg.norm(off, axis=1)
        cost += float(np.sum(np.where(length < limit, length**2, limit * (2 * length - limit))))
        residuals.append(off)
    scaled = bundle.shape / _priors()
    cost += problem.noise_px**2 * float(scaled @ scaled)
    if not _before_camera(bundle):
        cost = np.inf
    return replace(bundle, residuals_px=tuple(residuals), cost=cost)


def _before_camera(bundle: Bundle) -> bool:
    focal = bundle.free[0]
    return bool(focal > 1 and all(pose[5] > 0 for pose in bundle.poses))


def _priors() -> FloatArray:
    return np.array([STRETCH_PRIOR, BEND_PRIOR_MM, BEND_PRIOR_MM, BEND_PRIOR_MM])


@dataclass(frozen=True, eq=False)
class _Normal:
    shared: FloatArray
    shared_right: FloatArray
    mixed: list[FloatArray]
    own: list[FloatArray]
    own_right: list[FloatArray]


def _normal_equations(problem: _Problem, now: Bundle) -> _Normal:
    count = problem.family.count
    size = count + (BEND_TERMS if problem.bent else 0)
    normal = _Normal(np.zeros((size, size)), np.zeros(size), [], [], [])
    for view, pose, off in zip(problem.views, now.poses, now.residuals_px, strict=True):
        by_shared, by_pose = slopes(problem.family, now, pose, view, problem.bent)
        weight = _huber(off, problem.noise_px)[:, None, None]
        rows, own = by_shared.reshape(-1, size), by_pose.reshape(-1, 6)
        weighted = (by_shared * weight).reshape(-1, size)
        own_weighted = (by_pose * weight).reshape(-1, 6)
        normal.shared[:] += rows.T @ weighted
        normal.shared_right[:] += weighted.T @ off.ravel()
        normal.mixed.append(weighted.T @ own)
        normal.own.append(own.T @ own_weighted)
        normal.own_right.append(own_weighted.T @ off.ravel())
    if problem.bent:
        pull = (problem.noise_px / _priors()) ** 2
        normal.shared[count:, count:] += np.diag(pull)
        normal.shared_right[count:] -= pull * now.shape
    return normal


def slopes(
    family: LensFamily, now: Bundle, pose: FloatArray, view: BoardView, bent: bool
) -> tuple[FloatArray, FloatArray]:
    """A view's pixels by lens and board shape (N, 2, S) and by its pose (N, 2, 6), derivatives."""
    points, by_shape = board_points(view.corners_mm, now.shape)
    _, by_lens, by_pose = project(family, now.free, pose, points)
    if not bent:
        return by_lens, by_pose
    turn = np.asarray(cv2.Rodrigues(pose[:3])[0])
    by_board = by_pose[:, :, 3:] @ turn @ by_shape
    return np.concatenate([by_lens, by_board], axis=2), by_pose


def _stepped(problem: _Problem, now: Bundle, normal: _Normal, damping: float) -> Bundle:
    size = len(normal.shared_right)
    reduced = normal.shared + damping * np.diag(np.diag(normal.shared) + 1e-12)
    right = normal.shared_right.copy()
    solved = []
    for mixed, own, own_right in zip(normal.mixed, normal.own, normal.own_right, strict=True):
        damped = own + damping * np.diag(np.diag(own))
        both = np.linalg.solve(damped, np.column_stack([mixed.T, own_right]))
        reduced = reduced - mixed @ both[:, :size]
        right = right - mixed @ both[:, size]
        solved.append(both)
    scale = 1 / np.sqrt(np.maximum(np.diag(reduced), 1e-20))
    step = scale * np.linalg.lstsq(reduced * scale[:, None] * scale, right * scale, rcond=1e-13)[0]
    poses = tuple(
        pose + both[:, size] - both[:, :size] @ step
        for pose, both in zip(now.poses, solved, strict=True)
    )
    count = problem.family.count
    shape = now.shape + step[count:] if problem.bent else now.shape
    return replace(now, free=now.free + step[:count], shape=shape, poses=poses)
