"""Many simulated cameras: how near the fitted lens comes, and whether the stated bounds hold.

`python -m tests.calibration.lens_trials [--seeds N] [--pictures N] [--out FILE]`.
Most trials take corners with a detector's noise; `--pictures` renders the
photographs of so many cameras and detects the board in them.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from calibration.lens.board import PRINTED_BOARD
from calibration.lens.board_view import BoardView, find_board
from calibration.lens.lens_error import distortion_difference_px, one_to_one, picture_grid
from calibration.lens.lens_fit import NotFitted, fit_lens
from calibration.lens.lens_quality import LensQuality, assess
from tests.calibration.board_simulator import (
    BoardConditions,
    camera_rays,
    draw_poses,
    lens_of,
    render,
    true_corners,
)
from vision.lens import Lens

SIZES = ((1640, 1232), (1536, 864), (1296, 972))
KINDS = ("plain", "wide", "fisheye", "noisy", "bent")


@dataclass(frozen=True, slots=True)
class Trial:
    """One simulated calibration and what came of it."""

    kind: str
    seed: int
    pictures: bool
    focal_error_percent: float
    distortion_error_px: float
    quality: LensQuality

    @property
    def honest(self) -> bool:
        """Whether both true errors lie within what was stated."""
        return (
            self.focal_error_percent <= self.quality.focal_bound_percent
            and self.distortion_error_px <= self.quality.distortion_bound_px
        )


def draw_lens(rng: np.random.Generator, kind: str) -> Lens:
    """A camera of a kind; folded pictures are drawn again."""
    while True:
        size = SIZES[rng.integers(len(SIZES))]
        off = (float(rng.normal(0, 0.006)), float(rng.normal(0, 0.006)))
        tangential = (float(rng.normal(0, 4e-4)), float(rng.normal(0, 4e-4)))
        if kind == "fisheye":
            k = (rng.normal(0, 0.02), rng.normal(0, 0.004), rng.normal(0, 0.001), 0.0)
            lens = lens_of(size, rng.uniform(0.46, 0.6), tuple(map(float, k)), True, off)
        elif kind == "wide":
            k1, k2, k3 = rng.uniform(-0.26, -0.16), rng.uniform(0.03, 0.07), rng.uniform(-0.008, 0)
            lens = lens_of(size, rng.uniform(0.5, 0.62), (k1, k2, *tangential, k3), False, off)
        else:
            k1, k2 = rng.uniform(-0.15, 0.08), rng.uniform(-0.03, 0.05)
            lens = lens_of(size, rng.uniform(0.75, 1.3), (k1, k2, *tangential, 0.0), False, off)
        if one_to_one(lens):
            return lens


def conditions_of(rng: np.random.Generator, kind: str) -> tuple[BoardConditions, float]:
    """What spoils a trial, and the noise of corners that goes with it, px."""
    bend = tuple(float(b) for b in rng.normal(0, 1.2, 3)) if kind == "bent" else (0.0, 0.0, 0.0)
    noise = 7.0 if kind == "noisy" else 2.0
    blur = float(rng.uniform(0.9, 1.4)) if kind == "noisy" else float(rng.uniform(0.4, 0.8))
    sigma = 0.2 if kind == "noisy" else float(rng.uniform(0.04, 0.1))
    return BoardConditions(noise, blur, (bend[0], bend[1], bend[2])), sigma


def take_views(seed: int, kind: str, pictures: bool) -> tuple[Lens, tuple[BoardView, ...]]:
    """The board views of one trial."""
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    lens = draw_lens(rng, kind)
    conditions, sigma = conditions_of(rng, kind)
    poses = draw_poses(rng, lens, PRINTED_BOARD, int(rng.integers(12, 21)))
    if not pictures:
        views = [
            true_corners(rng, lens, PRINTED_BOARD, pose, conditions, sigma, str(number))
            for number, pose in enumerate(poses)
        ]
        return lens, tuple(view for view in views if len(view.corners_px) >= 12)
    rays = camera_rays(lens)
    found = [
        find_board(render(rng, lens, rays, PRINTED_BOARD, pose, conditions), PRINTED_BOARD, str(n))
        for n, pose in enumerate(poses)
    ]
    return lens, tuple(view for view in found if isinstance(view, BoardView))


def run_trial(seed: int, kind: str, pictures: bool) -> Trial | NotFitted:
    """Calibrate one simulated camera and compare with its truth."""
    lens, views = take_views(seed, kind, pictures)
    fit = fit_lens(views)
    if isinstance(fit, NotFitted):
        return fit
    grid = picture_grid(lens.size_wh)
    off = distortion_difference_px(lens, fit.lens, grid)
    return Trial(
        kind, seed, pictures,
        100 * abs(float(fit.lens.matrix[0, 0] / lens.matrix[0, 0]) - 1),
        float(np.linalg.norm(off, axis=1).max()),
        assess(fit),
    )  # fmt: skip


def line_of(trial: Trial) -> str:
    """A trial as one row of a Markdown table."""
    q = trial.quality
    return (
        f"| {trial.kind} | {trial.seed} | {'pictures' if trial.pictures else 'corners'} "
        f"| {q.model}{' + bend' if q.board_bent else ''} | {q.photos} "
        f"| {q.held_out_rms_px:.3f} | {trial.focal_error_percent:.3f} "
        f"| {q.focal_bound_percent:.3f} | {trial.distortion_error_px:.2f} "
        f"| {q.distortion_bound_px:.2f} | {q.grade} | {'yes' if trial.honest else 'NO'} |"
    )


HEADING = (
    "| kind | seed | from | model | photos | held out px | focal error % | stated % "
    "| distortion error px | stated px | grade | honest |\n"
    "|---|---|---|---|---|---|---|---|---|---|---|---|"
)


def summary_of(trials: list[Trial]) -> str:
    """The figures that count, over all trials."""
    focal = np.array([t.focal_error_percent for t in trials])
    off = np.array([t.distortion_error_px for t in trials])
    held = np.array([t.quality.held_out_rms_px for t in trials])
    honest = np.array([t.honest for t in trials])
    return (
        f"{len(trials)} cameras. Focal length within 0.3 %: {np.mean(focal <= 0.3):.1%} "
        f"(median {np.median(focal):.3f} %, largest {focal.max():.3f} %). "
        f"Distortion within 0.5 px over the whole picture: {np.mean(off <= 0.5):.1%} "
        f"(median {np.median(off):.2f} px, largest {off.max():.2f} px). "
        f"Held-out RMS at most 0.3 px: {np.mean(held <= 0.3):.1%} (largest {held.max():.2f} px). "
        f"True errors within the stated bounds: {np.mean(honest):.1%}."
    )


def main() -> None:
    """Run the trials and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=40)
    parser.add_argument("--pictures", type=int, default=0)
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    jobs = [(s, k, False) for s in range(asked.seeds) for k in KINDS]
    jobs += [(s, k, True) for s in range(asked.pictures) for k in KINDS]
    trials: list[Trial] = []
    rows = []
    for seed, kind, pictures in jobs:
        start = time.perf_counter()
        trial = run_trial(seed, kind, pictures)
        if isinstance(trial, NotFitted):
            rows.append(f"| {kind} | {seed} | not fitted: {trial.reason.code} |")
        else:
            trials.append(trial)
            rows.append(line_of(trial))
        took = time.perf_counter() - start
        sys.stderr.write(f"{rows[-1]} {took:.1f} s\n")
    text = f"{summary_of(trials)}\n\n{HEADING}\n" + "\n".join(rows) + "\n"
    if asked.out is not None:
        asked.out.write_text(text, encoding="utf-8")
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
