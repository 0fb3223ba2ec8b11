"""How far rectangles on the table lie apart or reach into one another, many pairs at once.

Everything is in the table frame and in millimetres. A card's body is its core
rectangle grown by the corner radius, which makes distances between rounded
bodies exact: they are distances between rectangles, less the radii.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from geometry.deck import CardSize
from geometry.pose import Pose

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

_CORNERS = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
_STEEPEST = np.sqrt(2.0)
"""A frame's corner draws back by at most this much for each millimetre that the frame shrinks."""
_MOST_CHORDS = 60
_DEPTH_TOLERANCE_MM = 1e-7


@dataclass(frozen=True, slots=True, eq=False)
class Rectangles:
    """N rectangles: `middles_mm` (N, 2), `axes` (N, 2, 2) with unit rows, `half_mm` (N, 2).

    `axes[n, 0]` points along the half width `half_mm[n, 0]`, `axes[n, 1]` along the half height.
    """

    middles_mm: Floats
    axes: Floats
    half_mm: Floats

    def __len__(self) -> int:
        return len(self.middles_mm)

    def take(self, index: Indices) -> Rectangles:
        """The rectangles at these indices, in their order."""
        return Rectangles(self.middles_mm[index], self.axes[index], self.half_mm[index])

    def shrunk(self, by_mm: Floats | float) -> Rectangles:
        """The same rectangles with every side moved inwards, as far as there is room."""
        by = np.broadcast_to(by_mm, len(self))[:, None]
        return Rectangles(self.middles_mm, self.axes, np.maximum(self.half_mm - by, 0.0))

    def corners_mm(self) -> Floats:
        """The corners, (N, 4, 2): top left, top right, bottom right, bottom left."""
        reach = _CORNERS * self.half_mm[:, None]
        return np.asarray(self.middles_mm[:, None] + np.einsum("nck,nkd->ncd", reach, self.axes))


def cards_upright(size: CardSize, places: Floats) -> tuple[Rectangles, Rectangles]:
    """The cores and the frames of cards at `places` (N, 3): x, y in mm, angle in degrees.

    Both are the same for a mirrored card.
    """
    angle = np.deg2rad(places[:, 2])
    cos, sin = np.cos(angle), np.sin(angle)
    axes = np.stack([np.stack([cos, sin], axis=-1), np.stack([-sin, cos], axis=-1)], axis=1)
    middles = places[:, :2]
    body = np.array([size.width_mm, size.height_mm]) / 2 - size.corner_radius_mm
    frame = np.array([size.frame_width_mm, size.frame_height_mm]) / 2
    return (
        Rectangles(middles, axes, np.broadcast_to(body, middles.shape)),
        Rectangles(middles, axes, np.broadcast_to(frame, middles.shape)),
    )


def places_of(poses: Sequence[Pose]) -> Floats:
    """The poses as (N, 3): x and y in mm, angle in degrees."""
    rows = [(pose.x_mm, pose.y_mm, pose.angle_deg) for pose in poses]
    return np.array(rows, dtype=np.float64).reshape(-1, 3)


def near_pairs(middles_mm: Floats, within_mm: float) -> tuple[Indices, Indices]:
    """Indices of all pairs of cards, the earlier first, whose middles lie so near each other."""
    first, second = _pairs_of(len(middles_mm))
    between = middles_mm[second] - middles_mm[first]
    near = np.einsum("nd,nd->n", between, between) < within_mm**2
    return first[near], second[near]


@lru_cache(maxsize=4)
def _pairs_of(count: int) -> tuple[Indices, Indices]:
    """Indices of all pairs of so many things, the earlier first."""
    pairs = np.triu_indices(count, k=1)
    for indices in pairs:
        indices.setflags(write=False)
    return pairs


def gaps_mm(one: Rectangles, other: Rectangles) -> Floats:
    """Signed distance of each pair (N,): how far apart, or minus how deep one is in the other.

    The depth is the shortest way to push the two apart.
    """
    between = other.middles_mm - one.middles_mm
    turn = np.einsum("nid,njd->nij", one.axes, other.axes)
    in_one = np.einsum("nid,nd->ni", one.axes, between)
    in_other = np.einsum("nid,nd->ni", other.axes, between)
    steep = np.abs(turn)
    past_one = np.abs(in_one) - one.half_mm - np.einsum("nij,nj->ni", steep, other.half_mm)
    past_other = np.abs(in_other) - other.half_mm - np.einsum("nij,ni->nj", steep, one.half_mm)
    depth = np.maximum(past_one.max(axis=1), past_other.max(axis=1))
    reach_one, reach_other = (_CORNERS * r.half_mm[:, None] for r in (one, other))
    corners_other = in_one[:, None] + np.einsum("ncj,nij->nci", reach_other, turn)
    corners_one = np.einsum("nci,nij->ncj", reach_one, turn) - in_other[:, None]
    apart = np.minimum(
        _nearest_outside(corners_other, one.half_mm),
        _nearest_outside(corners_one, other.half_mm),
    )
    return np.where(depth <= 0, depth, apart)


def _nearest_outside(points: Floats, half_mm: Floats) -> Floats:
    outside = np.maximum(np.abs(points) - half_mm[:, None], 0.0)
    return np.asarray(np.sqrt(np.einsum("nci,nci->nc", outside, outside).min(axis=1)))


def reaches_inside(
    cores: Rectangles, radius_mm: float, frames: Rectangles, by_mm: float
) -> NDArray[np.bool_]:
    """Whether each body (a core grown by the radius) reaches past its frame's line by more."""
    return np.asarray(gaps_mm(cores, frames.shrunk(by_mm)) < radius_mm)


def depths_inside_mm(cores: Rectangles, radius_mm: float, frames: Rectangles) -> Floats:
    """How far each body reaches past its frame's line, (N,); 0 where it does not.

    The largest distance from the frame's line of a point of the body inside the
    frame, or in other words how far the frame must shrink to be left alone. At
    most half the frame's width, when the body covers the frame's middle.
    """
    most = frames.half_mm.min(axis=1)

    def beyond(shrunk_by: Floats) -> Floats:
        return gaps_mm(cores, frames.shrunk(shrunk_by)) - radius_mm

    # A convex function of the shrinking: a chord beyond its zero meets zero between the two.
    before, off_before = most, beyond(most)
    depth = np.maximum(before - np.maximum(off_before, 0.0) / _STEEPEST, 0.0)
    for _ in range(_MOST_CHORDS):
        off = beyond(depth)
        rise = off_before - off
        step = np.where((off > 0) & (rise > 0), off * (before - depth) / np.maximum(rise, 1e-30), 0)
        before, off_before = depth, off
        depth = np.maximum(depth - step, 0.0)
        if step.max(initial=0.0) < _DEPTH_TOLERANCE_MM:
            break
    return np.asarray(depth)


def past_edge_mm(cores: Rectangles, radius_mm: float, area_mm: tuple[float, float]) -> Floats:
    """How far each body reaches past the edge of the play area, (N,); negative: how far off."""
    corners = cores.corners_mm()
    low = -corners.min(axis=1)
    high = corners.max(axis=1) - np.array(area_mm)
    return np.asarray(np.maximum(low, high).max(axis=1) + radius_mm)


def past_bodies_mm(cores: Rectangles, radius_mm: float, points_mm: Floats) -> Floats:
    """Signed distance of each body's points (N, K, 2) from its edge, (N, K); negative: inside.

    `points_mm` in the table frame; (1, K, 2) where all bodies have the same ones.
    """
    offset = points_mm - cores.middles_mm[:, None]
    past = np.abs(np.einsum("nid,nkd->nki", cores.axes, offset)) - cores.half_mm[:, None]
    x, y = past[..., 0], past[..., 1]
    outside = np.sqrt(np.maximum(x, 0.0) ** 2 + np.maximum(y, 0.0) ** 2)
    inside = np.minimum(np.maximum(x, y), 0.0)
    return np.asarray(outside + inside - radius_mm)
