"""A set of photographs of a board, from first look to lens: who is used, who is not, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from calibration.board_view import BoardView, Refused
from calibration.lens_coverage import Coverage, alike, choose_views, coverage
from calibration.lens_fit import LEAST_VIEWS, LensFit, NotFitted, fit_lens
from calibration.lens_quality import LensQuality, assess

MOST_VIEWS = 40


@dataclass(frozen=True, eq=False)
class LensSession:
    """What came of the photos: a fit with its quality, or why there is none; the photos refused;
    what the used ones cover and what is still wanted.
    """

    fit: LensFit | NotFitted
    quality: LensQuality | None
    refused: tuple[Refused, ...]
    coverage: Coverage


def calibrate_lens(found: Sequence[BoardView | Refused]) -> LensSession:
    """Fit a lens to what was found in each photo. A bad photo never stops the others."""
    refused = [one for one in found if isinstance(one, Refused)]
    views, other_sizes = _of_one_size([one for one in found if isinstance(one, BoardView)])
    refused += other_sizes
    covered = coverage(views)
    if len(views) >= LEAST_VIEWS and alike(views):
        nothing = NotFitted(
            "all photos show the board in the same place and attitude: move it to the picture's "
            "corners and tilt it each way"
        )
        return LensSession(nothing, None, tuple(refused), covered)
    fit = fit_lens(choose_views(views, MOST_VIEWS))
    if isinstance(fit, NotFitted):
        return LensSession(fit, None, tuple(refused), covered)
    return LensSession(fit, assess(fit), (*refused, *fit.refused), coverage(fit.views))


def _of_one_size(views: list[BoardView]) -> tuple[tuple[BoardView, ...], list[Refused]]:
    """The views of the commonest picture size, and the others refused."""
    if not views:
        return (), []
    size, _ = Counter(view.size_wh for view in views).most_common(1)[0]
    refused = [
        Refused(
            view.photo, "other-size",
            f"it has {view.size_wh[0]} x {view.size_wh[1]} pixels, most others {size[0]} x "
            f"{size[1]}: a lens file is for one picture size.",
        )
        for view in views
        if view.size_wh != size
    ]  # fmt: skip
    return tuple(view for view in views if view.size_wh == size), refused
