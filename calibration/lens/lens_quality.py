"""How good a lens fit is: held-out residuals, bounds that hold, and a verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from calibration.lens.lens_error import distortion_difference_px, picture_grid
from calibration.lens.lens_fit import Candidate, LensFit
from calibration.lens.lens_parameters import lens_from
from vision.lens import Lens
from vision.reason import Reason

Grade = Literal["good", "usable", "poor"]

GOOD_FOCAL_PERCENT, GOOD_DISTORTION_PX, GOOD_RMS_PX = 0.3, 0.5, 0.3
USABLE_FOCAL_PERCENT, USABLE_DISTORTION_PX, USABLE_RMS_PX = 1.0, 1.5, 0.8
"""At 2.4 px per mm, 1.5 px are 0.6 mm: still below what makes a placement borderline."""
SPREADS = 2.5
"""Bounds are so many jackknife deviations; `tests/calibration/lens_trials.py` shows that the
true error stays inside."""
FLOOR_FOCAL_PERCENT, FLOOR_DISTORTION_PX = 0.02, 0.03
SCATTER_NEEDED = 1.05
"""Other models that predict held-out views to within this factor could be true as well."""


@dataclass(frozen=True, slots=True)
class LensQuality:
    """What can be said of a lens, in px of its pictures and in percent of the focal length.

    `focal_bound_percent` and `distortion_bound_px` (anywhere in the picture)
    are meant to hold in 95 of 100 calibrations.
    """

    photos: int
    corners: int
    model: str
    board_bent: bool
    held_out_rms_px: float
    held_out_p95_px: float
    focal_bound_percent: float
    distortion_bound_px: float

    @property
    def grade(self) -> Grade:
        """Good, usable or poor; a poor one is not worth keeping."""
        if self._within(GOOD_FOCAL_PERCENT, GOOD_DISTORTION_PX, GOOD_RMS_PX):
            return "good"
        if self._within(USABLE_FOCAL_PERCENT, USABLE_DISTORTION_PX, USABLE_RMS_PX):
            return "usable"
        return "poor"

    def _within(self, focal_percent: float, distortion_px: float, rms: float) -> bool:
        return (
            self.focal_bound_percent <= focal_percent
            and self.distortion_bound_px <= distortion_px
            and self.held_out_rms_px <= rms
        )

    def better_than(self, other: LensQuality) -> bool:
        """Whether this one promises less error in the picture than the other."""
        return self.distortion_bound_px + 10 * self.focal_bound_percent < (
            other.distortion_bound_px + 10 * other.focal_bound_percent
        )


def assess(fit: LensFit) -> LensQuality:
    """Judge a fit by what its held-out views and its sisters say."""
    lengths = np.linalg.norm(np.concatenate(fit.chosen.held_out_px), axis=1)
    return LensQuality(
        photos=len(fit.views),
        corners=len(lengths),
        model=fit.chosen.bundle.family.name,
        board_bent=fit.chosen.bent,
        held_out_rms_px=fit.chosen.held_out_rms_px,
        held_out_p95_px=float(np.percentile(lengths, 95)),
        focal_bound_percent=_focal_bound(fit),
        distortion_bound_px=_distortion_bound(fit),
    )


def verdict(quality: LensQuality) -> Reason:
    """How good the lens is, and what would make a better one."""
    return Reason(
        f"lens-{quality.grade}",
        {
            "focal_percent": quality.focal_bound_percent,
            "distortion_px": quality.distortion_bound_px,
            "held_out_px": quality.held_out_rms_px,
            "advice": _advice(quality),
        },
    )


def _advice(quality: LensQuality) -> Reason:
    if quality.held_out_rms_px > GOOD_RMS_PX:
        return Reason("lens-sharper")
    if quality.focal_bound_percent > GOOD_FOCAL_PERCENT:
        return Reason("lens-tilt-more")
    return Reason("lens-more-corners")


def _sisters(fit: LensFit) -> tuple[Lens, ...]:
    size = fit.views[0].size_wh
    return tuple(lens_from(b.family, b.free, size) for b in fit.chosen.without)


def _focal_bound(fit: LensFit) -> float:
    focal = fit.lens.matrix[0, 0]
    others = np.array([lens.matrix[0, 0] for lens in _sisters(fit)]) / focal
    spread = float(np.sqrt((len(others) - 1) / len(others) * np.sum((others - others.mean()) ** 2)))
    apart = max((abs(float(c.bundle.free[0]) / focal - 1) for c in _as_likely(fit)), default=0.0)
    return FLOOR_FOCAL_PERCENT + 100 * float(np.hypot(SPREADS * spread, apart))


def _distortion_bound(fit: LensFit) -> float:
    """Delete-group jackknife of the map (Shao and Tu, "The Jackknife and Bootstrap", 1995)."""
    grid = picture_grid(fit.lens.size_wh)
    maps = np.stack([distortion_difference_px(fit.lens, other, grid) for other in _sisters(fit)])
    count = len(maps)
    spread = np.sqrt((count - 1) / count * np.sum((maps - maps.mean(axis=0)) ** 2, axis=(0, 2)))
    likely = [lens_from(c.bundle.family, c.bundle.free, fit.lens.size_wh) for c in _as_likely(fit)]
    apart = max(
        (
            float(np.linalg.norm(distortion_difference_px(fit.lens, other, grid), axis=1).max())
            for other in likely
        ),
        default=0.0,
    )
    return FLOOR_DISTORTION_PX + float(np.hypot(SPREADS * spread.max(), apart))


def _as_likely(fit: LensFit) -> list[Candidate]:
    """Neighbours of the chosen model, one step simpler or richer, that predict about as well."""
    chosen = fit.chosen
    return [
        c for c in fit.candidates
        if c is not chosen
        and c.held_out_rms_px < SCATTER_NEEDED * chosen.held_out_rms_px
        and c.bundle.family.name != "rational"
    ]  # fmt: skip
