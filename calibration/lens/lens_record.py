"""The lens file with its quality: what is written, and what may replace what."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal

from calibration.lens.lens_data import lens_data
from calibration.lens.lens_quality import LensQuality
from vision.lens import Lens
from vision.reason import Reason

Outcome = Literal[
    "first", "better", "unrated-before", "other-size-before", "forced-over-better",
    "too-poor", "better-there",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Keep:
    """Whether a new calibration is to be saved, and why or why not.

    `outcome` is the same in one word; `before`, the quality of the one already there, if known.
    """

    save: bool
    outcome: Outcome
    reason: Reason
    before: LensQuality | None = None


def lens_document(lens: Lens, quality: LensQuality) -> dict[str, object]:
    """The lens file's JSON values: the contract's keys, and how good it is, in figures."""
    return {**lens_data(lens), "quality": {**asdict(quality), "grade": quality.grade}}


def recorded_quality(document: object) -> LensQuality | None:
    """The quality a lens file states, or None where it states none that can be read."""
    if not isinstance(document, dict) or not isinstance(document.get("quality"), dict):
        return None
    stated = document["quality"]
    try:
        return LensQuality(
            photos=int(stated["photos"]),
            corners=int(stated["corners"]),
            model=str(stated["model"]),
            board_bent=bool(stated["board_bent"]),
            held_out_rms_px=float(stated["held_out_rms_px"]),
            held_out_p95_px=float(stated["held_out_p95_px"]),
            focal_bound_percent=float(stated["focal_bound_percent"]),
            distortion_bound_px=float(stated["distortion_bound_px"]),
        )
    except (KeyError, TypeError, ValueError, OverflowError):
        return None


def may_replace(new: LensQuality, size_wh: tuple[int, int], old: object, force: bool) -> Keep:
    """Whether a new calibration may be saved where `old`, that file's JSON (None: none), is.

    A lens of another picture size is no better and no worse: it is replaced, and that is said.
    """
    before = recorded_quality(old)
    if new.grade == "poor" and not force:
        return _keep("too-poor", before)
    if old is None:
        return _keep("first", before)
    size = _recorded_size(old)
    if size is not None and size != size_wh:
        return _keep("other-size-before", before, width=size[0], height=size[1])
    if before is None:
        return _keep("unrated-before", before)
    if new.better_than(before):
        return _keep("better", before)
    return _keep(
        "forced-over-better" if force else "better-there",
        before,
        px=new.distortion_bound_px,
        percent=new.focal_bound_percent,
        old_px=before.distortion_bound_px,
        old_percent=before.focal_bound_percent,
    )


def _keep(outcome: Outcome, before: LensQuality | None, **facts: float) -> Keep:
    saves = outcome not in ("too-poor", "better-there")
    return Keep(saves, outcome, Reason(f"keep-{outcome}", facts), before)


def _recorded_size(document: object) -> tuple[int, int] | None:
    """The picture size a lens file is for, or None where it says none that can be read."""
    stated = document.get("size_px") if isinstance(document, dict) else None
    try:
        width, height = (int(side) for side in stated or ())
    except (TypeError, ValueError, OverflowError):
        return None
    return width, height
