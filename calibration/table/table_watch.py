"""Whether camera or table have moved since they were calibrated: by how far, and since when.

A pure step function: the watch after a frame is made from the watch before it
and the markers seen. Middles of markers are compared, which blur and light do
not shift, and only what several frames in a row agree on is called a move.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from vision.locating.markers import MARKER_MM, Marker
from vision.view import TableView

FloatArray = NDArray[np.float64]
What = Literal["camera-or-table", "marker"]

LEARNING_FRAMES = 5
AGREEING_FRAMES = 3
LEAST_MOVE_MM = 0.5
"""Less than this no placement notices; a move of 2 mm or 0.2 degrees shows much more."""
SIGMAS = 7.0
LARGEST_NOISE_MM = 0.4


@dataclass(frozen=True, slots=True)
class Moved:
    """A move as data: what moved, by how far, since when (the caller's clock), which markers."""

    what: What
    by_mm: float
    by_deg: float
    since_s: float
    markers: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class TableWatch:
    """What is known so far. `seen_mm` holds each marker's middles while learning.

    `home_mm` and `noise_mm` are each marker's middle and its scatter in the
    calibrated view once learnt.
    """

    view: TableView
    seen_mm: dict[int, tuple[FloatArray, ...]] = field(default_factory=dict)
    home_mm: dict[int, FloatArray] = field(default_factory=dict)
    noise_mm: float = 0.0
    suspects: int = 0
    first_s: float | None = None
    moved: Moved | None = None


def begin(view: TableView) -> TableWatch:
    """Start to watch, with the view as it was calibrated."""
    return TableWatch(view)


def after_frame(watch: TableWatch, markers: tuple[Marker, ...], at_s: float) -> TableWatch:
    """The watch after one more frame, whose markers are `markers`, taken at `at_s` seconds.

    Markers that are covered are simply not compared. A move that goes back is
    forgotten.
    """
    middles = {m.id: watch.view.to_mm(m.corners_px).mean(axis=0) for m in markers}
    watch = _learnt(watch, middles)
    shifts = {
        number: middle - watch.home_mm[number]
        for number, middle in middles.items()
        if number in watch.home_mm
    }
    if not shifts:
        return watch
    far = tuple(sorted(n for n, s in shifts.items() if np.linalg.norm(s) > _limit(watch)))
    if not far:
        return replace(watch, suspects=0, first_s=None, moved=None)
    first = at_s if watch.first_s is None else watch.first_s
    count = watch.suspects + 1
    moved = watch.moved
    if count >= AGREEING_FRAMES:
        moved = _judged(watch, shifts, far, first)
    return replace(watch, suspects=count, first_s=first, moved=moved)


def _limit(watch: TableWatch) -> float:
    return max(LEAST_MOVE_MM, SIGMAS * watch.noise_mm)


def _learnt(watch: TableWatch, middles: dict[int, FloatArray]) -> TableWatch:
    """Take a marker's home from its first frames: medians, so that a hand does no harm."""
    new = [n for n in middles if n not in watch.home_mm]
    if not new:
        return watch
    seen, home = dict(watch.seen_mm), dict(watch.home_mm)
    noise = watch.noise_mm
    for number in new:
        seen[number] = (*seen.get(number, ()), middles[number])
        if len(seen[number]) >= LEARNING_FRAMES:
            places = np.array(seen.pop(number))
            home[number] = np.median(places, axis=0)
            scatter = 1.4826 * float(np.median(np.abs(places - home[number])))
            noise = min(max(noise, scatter), LARGEST_NOISE_MM / SIGMAS * 2)
    return replace(watch, seen_mm=seen, home_mm=home, noise_mm=noise)


def _judged(
    watch: TableWatch, shifts: dict[int, FloatArray], far: tuple[int, ...], since_s: float
) -> Moved:
    if len(far) == 1 and len(shifts) >= 3:
        by = float(np.linalg.norm(shifts[far[0]]))
        return Moved("marker", by, 0.0, since_s, far)
    ids = sorted(shifts)
    home = np.array([watch.home_mm[n] for n in ids])
    now = home + np.array([shifts[n] for n in ids])
    turn_deg = _turn_deg(home, now)
    by = float(np.median([np.linalg.norm(shifts[n]) for n in ids]))
    return Moved("camera-or-table", by, turn_deg, since_s, tuple(ids))


def _turn_deg(home: FloatArray, now: FloatArray) -> float:
    """The turn in the plane that takes the middles nearest to where they are now (Kabsch)."""
    a, b = home - home.mean(axis=0), now - now.mean(axis=0)
    if len(home) < 2 or np.linalg.norm(a) < MARKER_MM:
        return 0.0
    cross = float(np.sum(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]))
    return float(np.rad2deg(np.arctan2(cross, float(np.sum(a * b)))))
