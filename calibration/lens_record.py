"""The lens file with its quality: what is written, and what may replace what."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal

from calibration.lens_quality import LensQuality, verdict
from vision.lens import Lens

Outcome = Literal[
    "first", "better", "unrated-before", "other-size-before", "forced-over-better",
    "too-poor", "better-there",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Keep:
    """Whether a new calibration is to be saved, and the sentence that says why or why not.

    `outcome` is the same for programs; `before`, the quality of the one already there, if known.
    """

    save: bool
    outcome: Outcome
    message: str
    before: LensQuality | None = None


def lens_document(lens: Lens, quality: LensQuality) -> dict[str, object]:
    """The lens file's JSON values: the contract's keys, and how good it is."""
    document: dict[str, object] = {
        "size_px": list(lens.size_wh),
        "matrix": lens.matrix.tolist(),
        "distortion": lens.distortion.tolist(),
    }
    if lens.model == "fisheye":
        document["model"] = "fisheye"
    document["quality"] = {**asdict(quality), "grade": quality.grade, "verdict": verdict(quality)}
    return document


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
        message = "Not saved: it is too poor to rely on. --force saves it all the same."
        return Keep(False, "too-poor", message, before)
    if old is None:
        return Keep(True, "first", "Saved.")
    size = _recorded_size(old)
    if size is not None and size != size_wh:
        message = f"Saved; the one it replaces was for pictures of {size[0]} x {size[1]} pixels."
        return Keep(True, "other-size-before", message, before)
    if before is None:
        message = "Saved; the file it replaces did not say how good it was."
        return Keep(True, "unrated-before", message)
    if new.better_than(before):
        return Keep(True, "better", "Saved; it is better than the one it replaces.", before)
    worse = (
        f"the one already there is better ({before.distortion_bound_px:.2f} px and "
        f"{before.focal_bound_percent:.2f} % against {new.distortion_bound_px:.2f} px and "
        f"{new.focal_bound_percent:.2f} %)"
    )
    if force:
        return Keep(True, "forced-over-better", f"Saved as forced, though {worse}.", before)
    return Keep(False, "better-there", f"Not saved: {worse}. --force replaces it.", before)


def _recorded_size(document: object) -> tuple[int, int] | None:
    """The picture size a lens file is for, or None where it says none that can be read."""
    stated = document.get("size_px") if isinstance(document, dict) else None
    try:
        width, height = (int(side) for side in stated or ())
    except (TypeError, ValueError, OverflowError):
        return None
    return width, height
