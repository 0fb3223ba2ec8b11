"""Where frames lie to a tenth of a millimetre: least squares on their white lines."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from geometry.deck import CardSize
from vision.arrays import Bools, FloatArray, Map32
from vision.observe.observation import FULL_WHITE, Observation
from vision.raster import look_up, on_map
from vision.reading_config import ReadingConfig

HOLD = np.diag([1.0, 1.0, 400.0])
"""Of places that lines leave open: as little moves as can be. mm, mm, radians at 20 mm."""
TOGETHER = 32
"""So many frames are looked at together: what is sampled round them stays in the cache."""


@dataclass(frozen=True, eq=False)
class FittedFrames:
    """Where (N, 3: x, y in mm, degrees) frames lie by their lines, and which share (N,) shows.

    `covariances` (N, 3, 3) of the places, mm and degrees: by the curvature of the fit, and no wider
    than fits may move.
    """

    places: FloatArray
    shares: FloatArray
    covariances: FloatArray


def fitted_frames(
    seen: Observation, places: FloatArray, size: CardSize, config: ReadingConfig,
    shown: Bools | None = None,
) -> FittedFrames:  # fmt: skip
    """Places (N, 3) fitted on the lines of frames there: on all that are near, or on those points
    (N, K) of `frame_points` that are `shown`, where they lie to a mm by then.
    """
    points, normals = frame_lines(size, config)
    now = np.array(places, np.float64)
    off, lines = np.zeros((len(now), len(points))), np.zeros((len(now), len(points)), np.bool_)
    reaches = config.fit_reaches_mm if shown is None else config.fit_reaches_mm[-2:]
    for reach in reaches:
        off, lines = _lines_near(seen, now, points, normals, reach, config)
        lines = lines if shown is None else lines & shown
        now = _moved(now, off, lines, points, normals, config)
    return FittedFrames(
        now,
        _shares(off, lines, config),
        _covariances(now, off, lines, (points, normals), config),
    )


@dataclass(frozen=True, eq=False)
class ShownFit:
    """`frames` of cards that lie on one another, by those points (N, K) of `frame_points` that are
    `shown`.
    """

    frames: FittedFrames
    shown: Bools


def fitted_where_shown(
    seen: Observation, places: FloatArray, size: CardSize, config: ReadingConfig
) -> ShownFit:
    """Places (N, 3) of cards, the lowest first, fitted on the lines that no card above covers.

    Of a card that shows little, lines of others may be all that is near: one that goes astray by
    more than the same place may be off stays where it was, shows nothing, and may lie that far off.
    """
    shown = uncovered_points(places, size, config)
    fit = fitted_frames(seen, places, size, config, shown)
    moved = np.abs(fit.places - places)
    astray = (moved[:, :2].max(axis=1) > config.same_mm) | (moved[:, 2] > config.same_deg)
    lost = np.diag([config.same_mm, config.same_mm, config.same_deg]) ** 2
    kept = FittedFrames(
        np.where(astray[:, None], places, fit.places),
        np.where(astray, 0.0, fit.shares),
        np.where(astray[:, None, None], lost, fit.covariances),
    )
    return ShownFit(kept, shown)


def shares_shown(
    seen: Observation, places: FloatArray, size: CardSize, config: ReadingConfig
) -> FloatArray:
    """Which share (N,) of frames at places (N, 3) shows."""
    points, normals = frame_lines(size, config)
    off, lines = _lines_near(seen, places, points, normals, config.fit_reaches_mm[-1], config)
    return _shares(off, lines, config)


def frame_points(size: CardSize, config: ReadingConfig) -> FloatArray:
    """The points (K, 2) of a frame that are fitted, card frame, mm."""
    return frame_lines(size, config)[0]


def uncovered_points(places: FloatArray, size: CardSize, config: ReadingConfig) -> Bools:
    """Which (N, K) of the `frame_points` of cards at places (N, 3), the lowest first, lie under no
    card above, nor near its edge.
    """
    points = frame_points(size, config)
    half = np.array([size.width_mm, size.height_mm]) / 2 + config.fit_clear_mm
    turns = turn_matrices(places[:, 2])
    at = np.einsum("nij,kj->nki", turns, points) + places[:, None, :2]
    out = np.ones((len(places), len(points)), np.bool_)
    for rank in range(len(places)):
        own = (at[:rank] - places[rank, :2]) @ turns[rank]
        out[:rank] &= (np.abs(own) > half).any(axis=2)
    return out


def frame_growth(
    seen: Observation, places: FloatArray, shown: Bools, size: CardSize, config: ReadingConfig
) -> FloatArray:
    """By which share (N,) frames at places (N, 3) are larger than they should be, by the points
    (N, K) that are shown; NaN where too few lines are seen.
    """
    points, normals = frame_lines(size, config)
    off, lines = _lines_near(seen, places, points, normals, config.fit_reaches_mm[-1], config)
    used = lines & shown & (np.abs(off) < 2 * config.fit_off_mm)
    out = (normals * points).sum(axis=1)
    grown = (used * off * out).sum(axis=1) / np.maximum((used * out**2).sum(axis=1), 1e-6)
    return np.where(used.mean(axis=1) >= config.growth_share, grown, np.nan)


def _shares(off: FloatArray, lines: Bools, config: ReadingConfig) -> FloatArray:
    """Which share (N,) of points lies near a line, by how far off (N, K) that is, if any."""
    return np.asarray((lines & (np.abs(off) < 2 * config.fit_off_mm)).mean(axis=1))


def shares_that_say(
    seen: Observation, places: FloatArray, size: CardSize, config: ReadingConfig
) -> FloatArray:
    """Of which share (N,) of frames at places (N, 3) the picture says anything: the rest is burnt,
    or lies outside.
    """
    points = frame_points(size, config)
    at = np.einsum("nij,kj->nki", turn_matrices(places[:, 2]), points) + places[:, None, :2]
    column, row = (
        np.rint((at[..., axis] - seen.origin_mm[axis]) * seen.density).astype(int).clip(0, side - 1)
        for axis, side in ((0, seen.says.shape[1]), (1, seen.says.shape[0]))
    )
    return np.asarray(seen.says[row, column].mean(axis=1))


def frame_lines(size: CardSize, config: ReadingConfig) -> tuple[FloatArray, FloatArray]:
    """Places (K, 2) along a frame, its corners left out, and the outward normals (K, 2) there."""
    half = np.array([size.frame_width_mm, size.frame_height_mm]) / 2
    points, normals = [], []
    for along in (0, 1):
        number = int(2 * half[along] / config.fit_spacing_mm)
        ticks = ((np.arange(number) + 0.5) / number * 2 - 1) * half[along]
        for sign in (-1.0, 1.0):
            point, normal = np.empty((number, 2)), np.zeros((number, 2))
            point[:, along], point[:, 1 - along] = ticks, sign * half[1 - along]
            normal[:, 1 - along] = sign
            points.append(point)
            normals.append(normal)
    return np.concatenate(points), np.concatenate(normals)


def _lines_near(
    seen: Observation, places: FloatArray, points: FloatArray, normals: FloatArray,
    reach_mm: float, config: ReadingConfig,
) -> tuple[FloatArray, Bools]:  # fmt: skip
    """How far outwards (N, K) of each point of each frame a line lies, mm, and whether any does."""
    turn = turn_matrices(places[:, 2])
    at = np.einsum("nij,kj->nki", turn, points) + places[:, None, :2]
    out = np.einsum("nij,kj->nki", turn, normals)
    return lines_outwards(seen, at, out, reach_mm, config)


def lines_outwards(
    seen: Observation, at: FloatArray, out: FloatArray, reach_mm: float, config: ReadingConfig
) -> tuple[FloatArray, Bools]:
    """How far a line lies from places (N, K, 2) along directions (N, K, 2), mm, and whether any
    does so near.
    """
    off, lines = np.zeros(at.shape[:2]), np.zeros(at.shape[:2], np.bool_)
    for begin in range(0, len(at), TOGETHER):
        some = slice(begin, begin + TOGETHER)
        off[some], lines[some] = _lines_of_some(seen, at[some], out[some], reach_mm, config)
    return off, lines


def _lines_of_some(
    seen: Observation, at: FloatArray, out: FloatArray, reach_mm: float, config: ReadingConfig
) -> tuple[Map32, Bools]:
    """As `lines_outwards`, of few enough frames that what is sampled stays in the cache."""
    steps = round(reach_mm / config.fit_step_mm)
    ticks = (np.arange(-steps, steps + 1) * config.fit_step_mm)[:, None, None]
    sampled = (at + ticks[..., None] * out).astype(np.float32)
    white: Map32 = look_up(seen.white, on_map(sampled, seen.origin_mm, seen.density))
    white = white.astype(np.float32) / np.float32(FULL_WHITE)
    base, peak = white.min(axis=0), white.max(axis=0)
    # Of two lines the nearer one is taken, unless it is much weaker.
    weight = np.exp(-0.5 * (ticks / reach_mm) ** 2).astype(np.float32)
    highest = ticks.ravel()[(white * weight).argmax(axis=0)]
    near = np.abs(ticks - highest) <= 3 * config.fit_step_mm
    rise = near * np.maximum(white - (base + peak) / 2, 0)
    total = rise.sum(axis=0)
    off = (rise * ticks.astype(np.float32)).sum(axis=0) / np.maximum(total, np.float32(1e-6))
    return off, (peak - base > config.fit_contrast) & (total > 0)


def _covariances(
    places: FloatArray, off: FloatArray, lines: Bools, frame: tuple[FloatArray, FloatArray],
    config: ReadingConfig,
) -> FloatArray:  # fmt: skip
    """How exactly (N, 3, 3) lines tell of places, mm and degrees, as `_moved` weighs them."""
    normal, _ = _equations(off, lines, *frame, config)
    units = np.array([1.0, 1.0, np.deg2rad(1.0)])
    told = normal * units[:, None] * units / config.fit_sigma_mm**2
    open_to = np.array([config.same_mm, config.same_mm, config.same_deg])
    own = np.linalg.inv(told + np.diag(open_to**-2.0))
    turn = np.zeros((len(places), 3, 3))
    turn[:, :2, :2], turn[:, 2, 2] = turn_matrices(places[:, 2]), 1.0
    return np.asarray(turn @ own @ turn.transpose(0, 2, 1))


def _equations(
    off: FloatArray, lines: Bools, points: FloatArray, normals: FloatArray, config: ReadingConfig
) -> tuple[FloatArray, FloatArray]:
    """The matrix (N, 3, 3) and the right side (N, 3) of the equations that moves solve, in each
    card's frame, mm and radians.
    """
    weight = lines / (1 + (off / config.fit_off_mm) ** 2)
    # In the card's frame a point moves with its middle, and aside as the card turns.
    aside = np.column_stack([-points[:, 1], points[:, 0]])
    rows = np.column_stack([normals, (normals * aside).sum(axis=1)])
    products = (rows[:, :, None] * rows[:, None]).reshape(len(rows), -1)
    return (weight @ products).reshape(-1, 3, 3), (weight * off) @ rows


def _moved(
    places: FloatArray, off: FloatArray, lines: Bools, points: FloatArray, normals: FloatArray,
    config: ReadingConfig,
) -> FloatArray:  # fmt: skip
    """The places (N, 3) moved to where lines lie."""
    normal, right = _equations(off, lines, points, normals, config)
    step = np.linalg.solve(normal + HOLD, right[..., None])[..., 0]
    moved = places.copy()
    moved[:, :2] += np.einsum("nij,nj->ni", turn_matrices(places[:, 2]), step[:, :2])
    moved[:, 2] += np.rad2deg(step[:, 2])
    return moved


def turn_matrices(degrees: FloatArray) -> FloatArray:
    """Rotation matrices (N, 2, 2), clockwise with y down."""
    cos, sin = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    return np.stack([np.stack([cos, -sin], axis=-1), np.stack([sin, cos], axis=-1)], axis=-2)
