"""A card's outline and its frame line, side by side, to a few hundredths of a millimetre."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.enrolment.card_blobs import CardBlob
from vision.locating.edges import (
    Photo,
    edge_crossings,
    line_through,
    meeting,
    profiles,
    spread_along,
)

FloatArray = NDArray[np.float64]

STEP_MM = 0.1
OUTER_REACH_MM = 2.5
DEEPEST_FRAME_MM = 9.0
LINE_REACH_MM = 1.6
PLACES = 48
LEAST_EDGE = 0.05
"""Between card and ground, in linear light."""
LEAST_LINE = 0.25
"""A line rises by this share of the card's brightest over both its sides."""


@dataclass(frozen=True, eq=False)
class CardEdges:
    """Sides as lines (4, 3): a x + b y = c, normals outwards, table mm; nan rows where unseen.

    Order: short side, long side, short side, long side, as the blob's corners.
    `outer` is the card's edge, `frame` the middle of the frame line, `inner`
    the edge of the black where no line stands out (a white band), `line_mm`
    the width of the line where it was measured.
    """

    blob: CardBlob
    outer: FloatArray
    frame: FloatArray
    inner: FloatArray


def fit_edges(photo: Photo, blob: CardBlob) -> CardEdges:
    """Fit the outline and the frame of one card."""
    outer = np.full((4, 3), np.nan)
    for side in range(4):
        start, end = blob.corners_mm[side], blob.corners_mm[(side + 1) % 4]
        found = _outer_side(photo, start, end, blob.middle_mm)
        if found is not None:
            outer[side] = found
    frame, inner = np.full((4, 3), np.nan), np.full((4, 3), np.nan)
    for side in range(4):
        start, end = blob.corners_mm[side], blob.corners_mm[(side + 1) % 4]
        line = _frame_side(photo, start, end, blob.middle_mm)
        if line is not None:
            frame[side] = line
        else:
            black = _black_side(photo, start, end, blob.middle_mm)
            inner[side] = black if black is not None else np.nan
    return CardEdges(blob, outer, frame, inner)


def rectangle_of(lines: FloatArray) -> FloatArray | None:
    """Corners (4, 2) where the four lines (4, 3) meet, from side 3 with 0 on; None if unseen."""
    if not np.all(np.isfinite(lines)):
        return None
    return np.array([meeting(lines[i - 1], lines[i]) for i in range(4)])


def _outwards(line: FloatArray, middle: FloatArray) -> FloatArray:
    return line if line[:2] @ middle < line[2] else -line


def _outer_side(
    photo: Photo, start: FloatArray, end: FloatArray, middle: FloatArray
) -> FloatArray | None:
    """The edge between card and ground, in the channel where they differ most."""
    across = np.arange(-OUTER_REACH_MM, OUTER_REACH_MM + STEP_MM / 2, STEP_MM)
    places, normal, light = profiles(photo, start, end, across, spread_along(PLACES))
    rim = 10
    step = light[:, -rim:].mean(axis=1) - light[:, :rim].mean(axis=1)
    strength = np.median(step, axis=0)
    channel = int(np.abs(strength).argmax())
    if abs(strength[channel]) < LEAST_EDGE:
        return None
    signed = light[..., channel] * np.sign(strength[channel])
    fitted = line_through(places, normal, edge_crossings(signed, across, rim))
    if fitted is None or fitted[1] > 0.4:
        return None
    return _outwards(fitted[0], middle)


def _frame_side(
    photo: Photo, start: FloatArray, end: FloatArray, middle: FloatArray
) -> FloatArray | None:
    """The outermost thin bright line parallel to the blob's side, at most 9 mm inside."""
    inwards = _inwards(start, end, middle)
    depth = np.arange(-0.5, DEEPEST_FRAME_MM, STEP_MM)
    _, normal, light = profiles(photo, start, end, depth * inwards, spread_along(PLACES, 0.12))
    if normal @ (middle - start) * inwards < 0:
        raise ValueError("the middle lies outside the card")
    signal = line_signal(light)
    typical = np.median(signal, axis=0)
    at = _first_ridge(typical, float(np.percentile(signal, 97)))
    if at is None:
        return None
    moved = depth[at] * inwards * normal
    return fit_line(photo, start + moved, end + moved, middle, 0.14)


def _inwards(start: FloatArray, end: FloatArray, middle: FloatArray) -> float:
    way = end - start
    normal = np.array([-way[1], way[0]])
    return 1.0 if normal @ (middle - start) > 0 else -1.0


def line_signal(light: FloatArray) -> FloatArray:
    """What makes a line stand out from black and from ink: (..., 3) light to (...).

    White lines have every channel, ink lacks one; a coloured line on black has
    one at least, so a little of the largest is kept.
    """
    return least_channel(light) + 0.3 * most_channel(light)


def least_channel(light: FloatArray) -> FloatArray:
    """The least of the three channels: (..., 3) to (...). numpy's own `min` over so short an axis
    takes ten times as long.
    """
    return np.minimum(np.minimum(light[..., 0], light[..., 1]), light[..., 2])


def most_channel(light: FloatArray) -> FloatArray:
    """The largest of the three channels: (..., 3) to (...)."""
    return np.maximum(np.maximum(light[..., 0], light[..., 1]), light[..., 2])


def _first_ridge(profile: FloatArray, bright: float) -> int | None:
    """Index of the first peak that is thin: both its sides fall within 1.2 mm."""
    wing = round(1.3 / STEP_MM)
    for i in range(wing, len(profile) - wing):
        if profile[i] < profile[i - wing : i + wing + 1].max():
            continue
        rise = profile[i] - max(profile[i - wing], profile[i + wing])
        if rise > LEAST_LINE * bright:
            return i
    return None


def fit_line(
    photo: Photo, start: FloatArray, end: FloatArray, middle: FloatArray, margin: float
) -> FloatArray | None:
    """The middle of a thin line near a segment, as (a, b, c) with its normal outwards."""
    across = np.arange(-LINE_REACH_MM, LINE_REACH_MM + STEP_MM / 2, STEP_MM)
    places, normal, light = profiles(photo, start, end, across, spread_along(PLACES, margin))
    fitted = line_through(places, normal, ridge_middles(line_signal(light), across))
    if fitted is None or fitted[1] > 0.35:
        return None
    return _outwards(fitted[0], middle)


def ridge_middles(signal: FloatArray, across_mm: FloatArray) -> FloatArray:
    """Where each profile (N, A) has the middle of its bright line, mm; nan where it has none.

    The middle between the two places where the line is half way up from the
    ground on that side: blur moves both alike.
    """
    peak = signal[:, 3:-3].argmax(axis=1) + 3
    rows = np.arange(len(signal))
    top = signal[rows, peak]
    wing = round(1.3 / (across_mm[1] - across_mm[0]))
    left = signal[rows, np.maximum(peak - wing, 0)]
    right = signal[rows, np.minimum(peak + wing, signal.shape[1] - 1)]
    rise = top - np.maximum(left, right)
    out = np.full(len(signal), np.nan)
    for row in np.nonzero(rise > 0.3 * np.percentile(top, 90))[0]:
        a = _half_way(signal[row], int(peak[row]), -1, float(left[row]))
        b = _half_way(signal[row], int(peak[row]), 1, float(right[row]))
        if a is not None and b is not None:
            out[row] = np.interp((a + b) / 2, np.arange(len(across_mm)), across_mm)
    return out


def _half_way(signal: FloatArray, peak: int, way: int, ground: float) -> float | None:
    level = (float(signal[peak]) + ground) / 2
    i = peak
    while 0 < i < len(signal) - 1:
        following = i + way
        if signal[following] < level:
            part = (signal[i] - level) / (signal[i] - signal[following])
            return i + way * float(part)
        i = following
    return None


def _black_side(
    photo: Photo, start: FloatArray, end: FloatArray, middle: FloatArray
) -> FloatArray | None:
    """The edge between the black inside and what is bright outside it."""
    inwards = _inwards(start, end, middle)
    across = np.arange(-DEEPEST_FRAME_MM, DEEPEST_FRAME_MM, STEP_MM) * -inwards
    places, normal, light = profiles(photo, start, end, across, spread_along(PLACES, 0.12))
    signal = light.mean(axis=2)
    typical = np.median(signal, axis=0)
    # The table beyond the band may be as dark as the black inside it.
    dark, bright = typical[:15].mean(), typical.max()
    if bright - dark < 0.1:
        return None
    first = int(np.argmax(typical > (dark + bright) / 2))
    moved = across[first] * normal
    near = np.arange(-OUTER_REACH_MM, OUTER_REACH_MM, STEP_MM) * -inwards
    places, normal, light = profiles(
        photo, start + moved, end + moved, near, spread_along(PLACES, 0.12)
    )
    crossing = edge_crossings(light.mean(axis=2), near, 8)
    fitted = line_through(places, normal, crossing)
    if fitted is None or fitted[1] > 0.4:
        return None
    return _outwards(fitted[0], middle)
