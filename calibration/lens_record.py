"""The lens file with its quality: what is written, and what may replace what."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from calibration.lens_quality import LensQuality, verdict
from vision.lens import Lens


@dataclass(frozen=True, slots=True)
class Keep:
    """Whether a new calibration is to be saved, and the sentence that says why or why not."""

    save: bool
    message: str


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
    except (KeyError, TypeError, ValueError):
        return None


def may_replace(new: LensQuality, old: object | None, force: bool) -> Keep:
    """Whether a new calibration may be saved where `old`, that file's JSON if any, is."""
    if new.grade == "poor" and not force:
        return Keep(False, "Not saved: it is too poor to rely on. --force saves it all the same.")
    before = recorded_quality(old)
    if old is None:
        return Keep(True, "Saved.")
    if before is None:
        return Keep(True, "Saved; the file it replaces did not say how good it was.")
    if new.better_than(before):
        return Keep(True, "Saved; it is better than the one it replaces.")
    worse = (
        f"the one already there is better ({before.distortion_bound_px:.2f} px and "
        f"{before.focal_bound_percent:.2f} % against {new.distortion_bound_px:.2f} px and "
        f"{new.focal_bound_percent:.2f} %)"
    )
    if force:
        return Keep(True, f"Saved as forced, though {worse}.")
    return Keep(False, f"Not saved: {worse}. --force replaces it.")
