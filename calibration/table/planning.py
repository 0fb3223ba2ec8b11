"""Where to hang a camera over a table: height, what it covers, pixels per mm, what to expect."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Literal

import numpy as np

from vision.locating.markers import MARKER_MM, MARKER_OUTSIDE_MM
from vision.reason import Reason

Reliability = Literal["sure", "fair", "no"]

SPARE = 1.04
"""A little more than the markers is covered, for a camera that hangs not quite straight."""
MARKER_PAPER_MM = 12.0
DOTS_SURE, DOTS_LEAST = 2.0, 1.7
VERDICTS_SURE, VERDICTS_LEAST = 2.4, 1.7
"""Pixels per mm: readings are tested down to 1.7; with 2.4 a placement's 2 mm are 5 pixels."""
HEADROOM_MM = 2200.0
CARD_THICKNESS_MM = 0.33
STACK = 6


@dataclass(frozen=True, slots=True)
class CameraKind:
    """A camera on the market. `focal_px` is its focal length in pixels of its full picture."""

    id: str
    name: str
    size_px: tuple[int, int]
    focal_px: tuple[float, float]
    nearest_mm: float
    wide: bool
    source: str


@dataclass(frozen=True, slots=True)
class RigPlan:
    """A camera over a table, straight above its middle, the picture's long side along the table's.

    Lengths in mm. `covered_mm` is what the picture shows of the table's plane,
    `px_per_mm` in its middle and, less, in the play area's corners for a lens
    that is not a plain one; `lean_mm` is how far a stack of six cards leans
    outwards in the play area's corner.
    """

    camera: CameraKind
    table_mm: tuple[float, float]
    height_mm: float
    covered_mm: tuple[float, float]
    px_per_mm: float
    px_per_mm_corner: float
    lean_mm: float

    @property
    def dots(self) -> Reliability:
        """Whether dots will be counted."""
        return _grade(self.px_per_mm_corner, DOTS_SURE, DOTS_LEAST)

    @property
    def verdicts(self) -> Reliability:
        """Whether placements will be judged without many doubts."""
        return _grade(self.px_per_mm_corner, VERDICTS_SURE, VERDICTS_LEAST)

    def warnings(self) -> tuple[Reason, ...]:
        """What stands against it."""
        found = []
        if self.height_mm > HEADROOM_MM:
            found.append(Reason("plan-above-ceiling", {"height_m": self.height_mm / 1000}))
        if self.height_mm < self.camera.nearest_mm:
            found.append(Reason("plan-out-of-focus", {"nearest_mm": self.camera.nearest_mm}))
        if self.height_mm < 450:
            found.append(Reason("plan-in-the-way"))
        if self.camera.wide:
            found.append(Reason("plan-wide-lens"))
        if self.dots == "no":
            scales = {"px_per_mm": self.px_per_mm_corner, "needed": DOTS_LEAST}
            found.append(Reason("plan-few-pixels", scales))
        return tuple(found)


def _grade(value: float, sure: float, least: float) -> Reliability:
    return "sure" if value >= sure else "fair" if value >= least else "no"


@cache
def known_cameras() -> tuple[CameraKind, ...]:
    """The cameras that ship as data, each with its source."""
    text = resources.files("calibration").joinpath("data", "cameras.json").read_text("utf-8")
    return tuple(_camera(entry) for entry in json.loads(text)["cameras"])


def camera_by_id(camera_id: str) -> CameraKind:
    """A known camera. KeyError if there is none of this id."""
    for camera in known_cameras():
        if camera.id == camera_id:
            return camera
    raise KeyError(camera_id)


def _camera(entry: dict[str, object]) -> CameraKind:
    width, height = (int(v) for v in _pair(entry["size_px"]))
    if "fov_deg" in entry:
        across, down = np.deg2rad(_pair(entry["fov_deg"])) / 2
        focal = (width / 2 / float(np.tan(across)), height / 2 / float(np.tan(down)))
    else:
        pixels = float(str(entry["focal_mm"])) * 1000 / float(str(entry["pixel_um"]))
        focal = (pixels, pixels)
    return CameraKind(
        str(entry["id"]), str(entry["name"]), (width, height), focal,
        float(str(entry["nearest_mm"])), bool(entry["wide"]), str(entry["source"]),
    )  # fmt: skip


def _pair(value: object) -> tuple[float, float]:
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError(f"expected two numbers, found {value!r}")
    return float(value[0]), float(value[1])


def needed_mm(table_mm: tuple[float, float]) -> tuple[float, float]:
    """What the picture must show: the play area's markers with their paper, and some more."""
    margin = 2 * (MARKER_OUTSIDE_MM + MARKER_MM / 2 + MARKER_PAPER_MM)
    return (table_mm[0] + margin) * SPARE, (table_mm[1] + margin) * SPARE


def plan_rig(
    camera: CameraKind, table_mm: tuple[float, float], height_mm: float | None = None
) -> RigPlan:
    """Plan a camera over a play area (width, height), at the least height that shows all of it.

    A stated height is taken instead. ValueError for lengths that are not positive.
    """
    if min(table_mm) <= 0 or (height_mm is not None and height_mm <= 0):
        raise ValueError("table and height must be above zero")
    long, short = max(needed_mm(table_mm)), min(needed_mm(table_mm))
    least = max(
        long * camera.focal_px[0] / camera.size_px[0],
        short * camera.focal_px[1] / camera.size_px[1],
    )
    height = least if height_mm is None else height_mm
    covered = (
        height * camera.size_px[0] / camera.focal_px[0],
        height * camera.size_px[1] / camera.focal_px[1],
    )
    middle = float(np.sqrt(camera.focal_px[0] * camera.focal_px[1])) / height
    out = float(np.hypot(*table_mm)) / 2
    # A wide lens that shows straight lines bent spends fewer pixels on the corners.
    fall = 1 / (1 + 0.35 * (out / height) ** 2) if camera.wide else 1.0
    lean = STACK * CARD_THICKNESS_MM * out / height
    return RigPlan(camera, table_mm, height, covered, middle, middle * fall, lean)


def shows_all(plan: RigPlan) -> bool:
    """Whether all four markers are in the picture."""
    long, short = max(needed_mm(plan.table_mm)), min(needed_mm(plan.table_mm))
    return plan.covered_mm[0] >= long * 0.999 and plan.covered_mm[1] >= short * 0.999
