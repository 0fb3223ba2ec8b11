"""From board views to a lens: outliers out, the simplest model that held-out views support."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.board_view import BoardView, Refused
from calibration.lens.bundle import BEND_TERMS, Bundle, fit_from_scratch, fit_pose, refine
from calibration.lens.lens_error import one_to_one
from calibration.lens.lens_parameters import FAMILIES, LensFamily, lens_from
from vision.lens import Lens
from vision.reason import Reason

FloatArray = NDArray[np.float64]

LEAST_VIEWS = 5
MOST_FOLDS = 12
FIRST_NOISE_PX = 0.3
LEAST_NOISE_PX = 0.03
OUTLIER_TIMES = 4.0
OUTLIER_PX = 0.6
"""A view is an outlier when held out it misses by so many times the usual, and by this much."""
WORTH = 0.005
"""More numbers must lower the held-out error by this share, or by so much of the views' own
scatter, or they are not supported. Found by trials: stricter choices leave distortion behind."""
SCATTERS = 0.25
FAR_WORSE = 1.2
RATIONAL_WORTH = 0.03
"""The rational model must be better by so much: where no corner was seen it runs wild."""


@dataclass(frozen=True, slots=True)
class NotFitted:
    """Too little to fit a lens, and why."""

    reason: Reason


@dataclass(frozen=True, eq=False)
class Candidate:
    """One model: the fit to all views, fits with views held out, and what those missed by.

    `held_out_px` has one (N, 2) array a view, in the views' order.
    """

    bundle: Bundle
    bent: bool
    without: tuple[Bundle, ...]
    held_out_px: tuple[FloatArray, ...]

    @property
    def held_out_rms_px(self) -> float:
        """Root mean square distance of corners of views that the fit had not seen."""
        off = np.concatenate(self.held_out_px)
        return float(np.sqrt(np.mean(np.sum(off**2, axis=1))))

    @property
    def numbers(self) -> int:
        """Free numbers of the lens and the board's bend."""
        return self.bundle.family.count + (BEND_TERMS if self.bent else 0)


@dataclass(frozen=True, eq=False)
class LensFit:
    """The chosen candidate, those it was chosen from, the views used and those thrown out."""

    lens: Lens
    chosen: Candidate
    candidates: tuple[Candidate, ...]
    views: tuple[BoardView, ...]
    refused: tuple[Refused, ...]


def rough_rms_px(views: Sequence[BoardView]) -> float:
    """How well a simple lens fits views of one picture size, in px: to compare boards by."""
    largest = max((view.size_wh for view in views), default=(0, 0))
    same = [view for view in views if view.size_wh == largest]
    flat = [np.pad(view.corners_mm, ((0, 0), (0, 1))).astype(np.float32) for view in same]
    seen = [view.corners_px.astype(np.float32) for view in same]
    flags = cv2.CALIB_ZERO_TANGENT_DIST | cv2.CALIB_FIX_K3
    start, none = np.eye(3), np.zeros(5)
    try:
        rms, *_ = cv2.calibrateCamera(flat, seen, largest, start, none, flags=flags)
    except cv2.error:
        return float("inf")
    return float(rms)


def fit_lens(views: tuple[BoardView, ...]) -> LensFit | NotFitted:
    """Fit a lens to board views of one picture size. Views that do not agree are thrown out."""
    refused: list[Refused] = []
    while True:
        if len(views) < LEAST_VIEWS:
            return NotFitted(
                Reason("lens-too-few-photos", {"found": len(views), "needed": LEAST_VIEWS})
            )
        candidates = _candidates(views)
        if not candidates:
            return NotFitted(Reason("lens-no-model"))
        chosen = choose(candidates)
        worst = _outlier(chosen)
        if worst is None:
            lens = lens_from(chosen.bundle.family, chosen.bundle.free, views[0].size_wh)
            return LensFit(lens, chosen, candidates, views, tuple(refused))
        number, missed, usual = worst
        why = Reason("board-outlier", {"off_px": missed, "usual_px": usual})
        refused.append(Refused(views[number].photo, "outlier", why))
        views = views[:number] + views[number + 1 :]


def choose(candidates: tuple[Candidate, ...]) -> Candidate:
    """The candidate with the fewest numbers that predicts held-out views about as well as any."""
    best = min(candidates, key=_weighed)
    for candidate in sorted(candidates, key=lambda c: (c.numbers, c.held_out_rms_px)):
        if _about_as_good(candidate, best):
            return candidate
    return best


def _weighed(candidate: Candidate) -> float:
    rational = candidate.bundle.family.name == "rational"
    return candidate.held_out_rms_px * (1 + RATIONAL_WORTH if rational else 1)


def _about_as_good(candidate: Candidate, best: Candidate) -> bool:
    """Worse by half a hundredth, or by no more than the views' own scatter says of it."""
    if candidate.held_out_rms_px > best.held_out_rms_px * FAR_WORSE:
        return False
    if candidate.held_out_rms_px <= best.held_out_rms_px * (1 + WORTH):
        return True
    more = _per_view(candidate) - _per_view(best)
    scatter = float(np.std(more, ddof=1)) / np.sqrt(len(more))
    return bool(np.mean(more) <= SCATTERS * scatter)


def _per_view(candidate: Candidate) -> FloatArray:
    return np.array([np.mean(np.sum(off**2, axis=1)) for off in candidate.held_out_px])


def _candidates(views: tuple[BoardView, ...]) -> tuple[Candidate, ...]:
    found: list[Candidate] = []
    starts: dict[bool, Bundle] = {}
    for family in FAMILIES:
        start = _start(views, family, starts)
        if start is None:
            continue
        starts[family.fisheye] = start
        for bent in (False, True):
            candidate = _candidate(views, start, bent)
            if candidate is not None:
                found.append(candidate)
    return tuple(found)


def _start(
    views: tuple[BoardView, ...], family: LensFamily, earlier: dict[bool, Bundle]
) -> Bundle | None:
    """A fit of a flat board, from the next simpler model of the same kind where there is one."""
    before = earlier.get(family.fisheye)
    try:
        if before is None:
            return fit_from_scratch(views, family, FIRST_NOISE_PX)
        carried = _carried(before.family, before.free, family)
        noise = noise_of(before)
        bundle = refine(views, family, carried, before.shape, before.poses, False, noise)
        if not family.fisheye and family.name == "k1-k2":
            again = fit_from_scratch(views, family, FIRST_NOISE_PX)
            bundle = min(bundle, again, key=lambda b: b.rms_px)
    except (ValueError, cv2.error, np.linalg.LinAlgError):
        return None
    return bundle


def _carried(from_: LensFamily, free: FloatArray, to: LensFamily) -> FloatArray:
    whole = from_.spread() @ free
    return np.asarray(np.linalg.pinv(to.spread()) @ whole)


def noise_of(bundle: Bundle) -> float:
    """Sigma of a corner's distance, px, from the median: outliers do not count."""
    length = np.linalg.norm(np.concatenate(bundle.residuals_px), axis=1)
    return max(LEAST_NOISE_PX, float(np.median(length)) / 1.177)


def _candidate(views: tuple[BoardView, ...], start: Bundle, bent: bool) -> Candidate | None:
    family, noise = start.family, noise_of(start)
    try:
        full = refine(views, family, start.free, start.shape, start.poses, bent, noise)
        full = refine(views, family, full.free, full.shape, full.poses, bent, noise_of(full))
        if not one_to_one(lens_from(family, full.free, views[0].size_wh)):
            return None
        return _cross_validated(views, full, bent)
    except (cv2.error, np.linalg.LinAlgError, ValueError):
        return None


def _cross_validated(views: tuple[BoardView, ...], full: Bundle, bent: bool) -> Candidate:
    noise = noise_of(full)
    folds = min(len(views), MOST_FOLDS)
    held: list[FloatArray] = [np.empty((0, 2))] * len(views)
    without = []
    for fold in range(folds):
        kept = [i for i in range(len(views)) if i % folds != fold]
        part = refine(
            tuple(views[i] for i in kept), full.family, full.free, full.shape,
            tuple(full.poses[i] for i in kept), bent, noise, steps=8,
        )  # fmt: skip
        without.append(part)
        for i in range(fold, len(views), folds):
            held[i] = fit_pose(views[i], part, full.poses[i], noise)
    return Candidate(full, bent, tuple(without), tuple(held))


def _outlier(chosen: Candidate) -> tuple[int, float, float] | None:
    missed = np.sqrt(_per_view(chosen))
    usual = float(np.median(missed))
    worst = int(missed.argmax())
    if missed[worst] < max(OUTLIER_PX, OUTLIER_TIMES * usual):
        return None
    return worst, float(missed[worst]), usual
