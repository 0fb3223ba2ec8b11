"""Fine alignment of whole faces: Gauss-Newton of the drawn white on the seen white."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from vision.arrays import Bools, FloatArray, Ints, Map32
from vision.cores import shared_out
from vision.drawing.bend import (
    FLAT,
    MIDDLE_STAYS,
    NEARER,
    STRONG_SHIFTS_MM,
    WIDE_SHIFTS_MM,
    WIDE_STAYS,
    curled_poses,
    flattened,
    is_bent,
    widened,
)
from vision.drawing.pose_fit import FEWEST_FITTED, place_each
from vision.drawing.templates import TEMPLATE_DENSITY, Templates
from vision.evidence import Evidence
from vision.raster import Raster, look_up

STEEP = 0.12
"""Only template places whose white changes by this much per mm say where a card lies."""
FEWEST_PLACES = 60
"""A card that shows fewer steep places keeps its pose: it has too little to hold on to."""
MOST_PLACES = 1500
"""More hardly say more: they lie closer together than the blur."""
MOST_COUNTED = 2400
"""Of all that show, so many speak for a bend, whichever of them are looked at."""
ROBUST = 0.3
"""A place that is off by this much white counts half."""
HOLD = np.diag([1e-3, 1e-3, 1.0])
HOLD_BENT = np.diag([1e-3, 1e-3, 1.0, 0.6, 0.2])
"""The same with a bend: cards bend along their length more than across."""
ACROSS, FAR_MM, ONE_SIDED, HOLD_ONE_SIDED = 3, 8.0, 0.05, 60.0
"""Of which number that is for a bend across. Where hardly any of a card's places lie so far on the
other side of its middle, such a bend and a shift look the same: nobody's card bends by 3 mm there,
but a misread face asks for it."""
LEAST_PARALLAX = 0.1
"""Shift per mm of height, below which no bend shows."""
LEAST_SHIFT_MM = 0.1
"""By which sides or ends must seem shifted before a bend is fitted."""
PLAINLY_LESS = 0.9
"""Of the misfit: what lies on something else is likelier curled than flat as often as not."""
POORLY = 0.25
"""Misfit a place: a card that fits worse, bent or not, may curl so far that no step leads there."""
STILL_POORLY, MOSTLY_LEFT = 0.45, 0.93
"""The same with such a curl, and what share is left: what fits no better has another cause."""
FAR_LESS = 0.8
"""Of the misfit: enough though it still fits poorly, as a card does that is seen very aslant."""
LED, LED_PASSES = 3, 4
"""So many of the curls that are tried widely are led on, by so many passes."""
ROUGHLY_EVERY = 3
"""Of the places, where it is asked whether anything seems shifted, and about how far."""
ROUGH_PASSES, BEND_PASSES, FLAT_PASSES = 7, 2, 2
ALIKE_PLACES = 4.0
"""Places that lie so close together that they say the same."""
CLEARLY_BENT = 9.0
"""How much likelier a bent card must be (twice the logarithm): three standard deviations."""
STILL_MM, LEVER_MM = 0.02, 40.0
"""A card moves on while a pass moves its middle, or by its turn its ends, by more than this."""
FINE_PASSES, MORE_PASSES = 2, 6
"""For the few that lay half a millimetre off, or of which little shows."""


@dataclass(frozen=True, eq=False)
class _Steep:
    """Steep places of one template row: `index` (S,) on the grid, `places_mm` (S, 2) on the card,
    the white `drawn` (S,) there, and its `slope` (3, S) by a shift of the card along x, along y
    (white per mm) and by a turn (white per radian).
    """

    index: Ints
    places_mm: Map32
    drawn: Map32
    slope: Map32


@dataclass(frozen=True, eq=False)
class _Held:
    """What N cards are held by, K places each: places (N, K, 2) on the card in mm, the white
    drawn there (N, K), its slopes (N, 3, K) and the places' weights (N, K), 0 where a card
    has fewer than K. `number` (N,) is how many such places show of each.
    """

    places_mm: Map32
    drawn: Map32
    slope: Map32
    weight: Map32
    number: Ints

    def take(self, cards: Ints) -> _Held:
        """Some of the cards."""
        return _Held(
            self.places_mm[cards], self.drawn[cards], self.slope[cards], self.weight[cards],
            self.number[cards],
        )  # fmt: skip

    @cached_property
    def few(self) -> _Held:
        """One in `ROUGHLY_EVERY` of their places, side by side: they are gone over many times."""
        every = slice(None, None, ROUGHLY_EVERY)
        return _Held(
            np.ascontiguousarray(self.places_mm[:, every]),
            np.ascontiguousarray(self.drawn[:, every]),
            np.ascontiguousarray(self.slope[..., every]),
            np.ascontiguousarray(self.weight[:, every]),
            self.number,
        )


@dataclass(frozen=True, eq=False)
class ShownDrawings:
    """What N cards draw where they show: rows (N,) of the templates, and `weights` (N, P) that
    leave out what is covered.
    """

    rows: Ints
    weights: Map32
    templates: Templates


def align(
    evidence: Evidence, poses: FloatArray, drawn: ShownDrawings, passes: int = 3
) -> tuple[FloatArray, FloatArray]:
    """Shift and turn each pose (N, 3 or 9) so that its template's white fits the white seen.

    Returns the poses, their bends as they were, and each fit's root mean square misfit (N,). A
    card with too little to hold on to keeps its pose.
    """
    out, misfit = poses.copy(), np.full(len(poses), np.inf)

    def fit(able: Ints, held: _Held) -> None:
        out[able], misfit[able] = _fit(evidence, poses[able], held, passes)

    _for_held(fit, drawn)
    return out, misfit


def align_bent(
    evidence: Evidence, poses: FloatArray, drawn: ShownDrawings, passes: int = 0
) -> FloatArray:
    """The poses (N, 3 or 9), aligned as by `align` with so many passes, or more until they lie
    still, and then with a bend (N, 9) where one explains the picture better.

    A bend's height over the card's middle grows with the square of the distance from it, along
    the card's width and along its length. Seen at a slant it shifts what is drawn; where the
    lens looks straight down, or nothing seems shifted, cards stay flat.
    """
    slant = np.linalg.norm(evidence.raster.parallax(poses[:, :2]), axis=1)
    out = widened(poses)
    half_mm = drawn.templates.half_mm

    def fit(able: Ints, held: _Held) -> None:
        if passes:
            out[able] = _settled(evidence, out[able], held, passes)
        slanting = np.flatnonzero(slant[able] > LEAST_PARALLAX)
        if len(slanting):
            cards = able[slanting]
            some = held if len(slanting) == len(able) else held.take(slanting)
            out[cards] = _bent(evidence, out[cards], some, half_mm)

    _for_held(fit, drawn)
    return out if is_bent(out) else out[:, :FLAT]


def _settled(evidence: Evidence, poses: FloatArray, held: _Held, passes: int) -> FloatArray:
    """Poses (N, 3 or 9) fitted in so many passes, the first of them on some of the places; those
    that then still move, in some more.
    """
    rough, _ = _fit(evidence, poses, held.few, passes - FINE_PASSES)
    near, _ = _fit(evidence, rough, held, FINE_PASSES - 1)
    out, _ = _fit(evidence, near, held, 1)
    moved = np.abs(out - near)[:, :FLAT] @ [1.0, 1.0, LEVER_MM]
    moving = np.flatnonzero(moved > STILL_MM)
    if len(moving):
        out[moving], _ = _fit(evidence, out[moving], held.take(moving), MORE_PASSES)
    return out


def _for_held(fit: Callable[[Ints, _Held], None], drawn: ShownDrawings) -> None:
    """Call `fit` for all cards that have enough to hold on to, some of them a thread: with their
    indices and what they are held by.
    """

    def some(part: slice) -> None:
        cards = range(*part.indices(len(drawn.rows)))
        drawings = {i: _steep(drawn.templates, int(drawn.rows[i])) for i in cards}
        own = {i: np.take(drawn.weights[i], drawings[i].index) for i in cards}
        # Of truths places are found in a fifth of the time that numbers take.
        shown = {i: np.flatnonzero(own[i] > 0) for i in cards}
        able = np.array([i for i in cards if len(shown[i]) >= FEWEST_PLACES], dtype=np.int64)
        if len(able):
            fit(able, _hold([(drawings[i], shown[i], own[i]) for i in able]))

    shared_out(some, len(drawn.rows), FEWEST_FITTED)


def _bent(evidence: Evidence, poses: FloatArray, held: _Held, half_mm: FloatArray) -> FloatArray:
    """Poses (N, 9) of what is held, bent where that is clearly better than flat."""
    out = flattened(poses)
    few = held.few
    trial = _bend(evidence, poses, few, half_mm, 1)
    curled, strong = _strongly_bent(evidence, out, few.few, half_mm)
    shift = np.abs(trial[:, FLAT:NEARER]) * np.repeat(half_mm**2, 2)
    bends = (shift.max(axis=1) > LEAST_SHIFT_MM) | poses[:, FLAT:].any(axis=1) | strong
    likely = np.flatnonzero(bends)
    if len(likely) == 0:
        return _widely_bent(evidence, out, held, half_mm)
    few = few.take(likely)
    bent = _bend(evidence, trial[likely], few, half_mm, ROUGH_PASSES)
    if strong.any():
        more = _bend(evidence, curled[likely], few, half_mm, ROUGH_PASSES)
        first, second = (_misfits(evidence, some, few) for some in (bent, more))
        bent = np.where((strong[likely] & (second < first))[:, None], more, bent)
    of_them = held.take(likely)
    bent = _bend(evidence, bent, of_them, half_mm, BEND_PASSES)
    flat, _ = _fit(evidence, out[likely], of_them, FLAT_PASSES)
    worse, better = (_misfits(evidence, either, of_them) for either in (flat, bent))
    out[likely] = np.where(_clearly(worse, better, of_them)[:, None], bent, flat)
    return _widely_bent(evidence, out, held, half_mm)


def _clearly(worse: FloatArray, better: FloatArray, held: _Held) -> Bools:
    """Which cards (N,) fit clearly better by one misfit (N,) than by another."""
    return np.asarray((worse / better - 1) * held.number / ALIKE_PLACES > CLEARLY_BENT)


def _widely_bent(
    evidence: Evidence, poses: FloatArray, held: _Held, half_mm: FloatArray
) -> FloatArray:
    """Poses (N, 9) with those that fit poorly curled more where that is clearly better."""
    few = held.few
    most = POORLY * np.count_nonzero(few.weight, axis=1)
    poor = np.flatnonzero(_misfits(evidence, poses, few) > most)
    if len(poor) == 0:
        return poses
    held, few = held.take(poor), few.take(poor)
    fewest = few.few
    curled, tried = curled_poses(
        evidence.raster, flattened(poses[poor]), half_mm, WIDE_SHIFTS_MM, WIDE_STAYS
    )
    order = np.lexsort((_misfits(evidence, curled, fewest.take(tried)), tried))
    first = np.searchsorted(tried[order], tried[order])
    led = order[np.arange(len(order)) - first < LED]
    if len(led) == 0:
        return poses
    curled, tried = curled[led], tried[led]
    curled = _bend(evidence, curled, fewest.take(tried), half_mm, LED_PASSES)
    order = np.lexsort((_misfits(evidence, curled, fewest.take(tried)), tried))
    card, best = np.unique(tried[order], return_index=True)
    bent, held = curled[order[best]], held.take(card)
    bent = _bend(evidence, bent, few.take(card), half_mm, ROUGH_PASSES)
    bent = _bend(evidence, bent, held, half_mm, BEND_PASSES)
    cards = poor[card]
    worse, better = (_misfits(evidence, some, held) for some in (poses[cards], bent))
    clear = _clearly(worse, better, held) & (better < MOSTLY_LEFT * worse)
    still_poorly = better >= STILL_POORLY * np.count_nonzero(held.weight, axis=1)
    clear &= ~still_poorly | (better < FAR_LESS * worse)
    out = poses.copy()
    out[cards[clear]] = bent[clear]
    return out


def _strongly_bent(
    evidence: Evidence, poses: FloatArray, held: _Held, half_mm: FloatArray
) -> tuple[FloatArray, Bools]:
    """The likeliest of some strong curls (N, 9), and where (N,) it is likelier than flat.

    What a curl shifts by more than a line's width no small step finds. A flat fit puts the card's
    middle, its ends, or neither, where they are seen.
    """
    flat = _misfits(evidence, poses, held)
    best, least = poses.copy(), flat.copy()
    curled, tried = curled_poses(evidence.raster, poses, half_mm, STRONG_SHIFTS_MM, MIDDLE_STAYS)
    if len(tried) == 0:
        return best, np.zeros(len(poses), np.bool_)
    misfit = _misfits(evidence, curled, held.take(tried))
    # The likeliest of each card comes last.
    order = np.lexsort((-misfit, tried))
    last = order[np.flatnonzero(np.diff(tried[order], append=-1))]
    better = last[misfit[last] < least[tried[last]]]
    best[tried[better]], least[tried[better]] = curled[better], misfit[better]
    return best, least < PLAINLY_LESS * flat


def _bend(
    evidence: Evidence, poses: FloatArray, held: _Held, half_mm: FloatArray, passes: int
) -> FloatArray:
    """Poses (N, 9) moved, turned and bent so often towards what is seen."""
    parallax = evidence.raster.parallax(poses[:, :2])
    # What a millimetre of height at the sides, and at the ends, shifts, as poses have it.
    unit = parallax[:, None] / half_mm[:, None] ** 2
    squares = np.square(held.places_mm / half_mm.astype(np.float32)).transpose(0, 2, 1)
    heights = (poses[:, FLAT:NEARER].reshape(-1, 2, 2) * unit).sum(axis=2) / np.square(unit).sum(
        axis=2
    )
    poses, hold = poses.copy(), _hold_bent(held)
    poses[:, NEARER:] = evidence.raster.nearer(poses[:, :2])
    for _ in range(passes):
        left = _left(evidence, poses, held)
        weight = held.weight / (1 + np.square(left * np.float32(1 / ROBUST)))
        cos, sin = np.cos(poses[:, 2]), np.sin(poses[:, 2])
        own_x = (cos * parallax[:, 0] + sin * parallax[:, 1]).astype(np.float32)
        own_y = (cos * parallax[:, 1] - sin * parallax[:, 0]).astype(np.float32)
        along = held.slope[:, 0] * own_x[:, None] + held.slope[:, 1] * own_y[:, None]
        slope = np.concatenate([held.slope, along[:, None] * squares], axis=1)
        weighed = slope * weight[:, None]
        normal = weighed @ slope.transpose(0, 2, 1) + hold
        right = (weighed @ left[..., None])[..., 0].astype(np.float64)
        right[:, FLAT:] += heights * hold.diagonal(axis1=1, axis2=2)[:, FLAT:]
        step = np.linalg.solve(normal, right[..., None])[..., 0]
        heights = heights - step[:, FLAT:]
        poses[:, :FLAT] += _turned(-step[:, :FLAT], poses[:, 2])
        poses[:, FLAT:NEARER] = (heights[..., None] * unit).reshape(-1, 4)
    return poses


def _hold_bent(held: _Held) -> FloatArray:
    """What holds cards' fits with a bend (N, 5, 5)."""
    x, shown = held.places_mm[..., 0], held.weight > 0
    sides = [(shown & (side > FAR_MM)).sum(axis=1) for side in (x, -x)]
    hold = np.repeat(HOLD_BENT[None], len(x), axis=0)
    one_sided = np.min(sides, axis=0) < ONE_SIDED * shown.sum(axis=1)
    hold[one_sided, ACROSS, ACROSS] = HOLD_ONE_SIDED
    return hold


def _left(evidence: Evidence, poses: FloatArray, held: _Held) -> Map32:
    """White seen less white drawn (N, K) at the places that cards are held by."""
    places_px = held.places_mm * np.float32(evidence.raster.density)
    seen = look_up(evidence.white, place_each(_in_raster(poses, evidence.raster), places_px))
    return np.asarray(seen * np.float32(1 / 255) - held.drawn, np.float32)


def _misfits(evidence: Evidence, poses: FloatArray, held: _Held) -> FloatArray:
    """How badly (N,) poses fit, places that are far off counting little more."""
    off = np.square(_left(evidence, poses, held) * np.float32(1 / ROBUST))
    return np.asarray((held.weight * np.log1p(off)).sum(axis=1), np.float64)


def _thinned(shown: Ints) -> Ints:
    """The steep places that show, or so many of them, evenly."""
    if len(shown) <= MOST_PLACES:
        return shown
    return shown[np.arange(MOST_PLACES) * len(shown) // MOST_PLACES]


def _hold(cards: list[tuple[_Steep, Ints, Map32]]) -> _Held:
    """Cards' steep places, which of them show, and their weights."""
    number = np.array([len(shown) for _, shown, _ in cards])
    size = (len(cards), min(int(number.max()), MOST_PLACES))
    places_mm, slope = np.zeros((*size, 2), np.float32), np.zeros((size[0], 3, size[1]), np.float32)
    drawn, weight = np.zeros(size, np.float32), np.zeros(size, np.float32)
    for i, (steep, shown, weights) in enumerate(cards):
        places = _thinned(shown)
        count = len(places)
        # No place lies outside: told so, numpy writes at once to where the values belong.
        np.take(steep.places_mm, places, axis=0, out=places_mm[i, :count], mode="clip")
        np.take(steep.slope, places, axis=1, out=slope[i, :, :count], mode="clip")
        np.take(steep.drawn, places, out=drawn[i, :count], mode="clip")
        np.take(weights, places, out=weight[i, :count], mode="clip")
    return _Held(places_mm, drawn, slope, weight, np.minimum(number, MOST_COUNTED))


def _fit(
    evidence: Evidence, poses: FloatArray, held: _Held, passes: int
) -> tuple[FloatArray, FloatArray]:
    raster = evidence.raster
    places_px = held.places_mm * np.float32(raster.density)
    left = np.zeros_like(held.drawn)
    poses = poses.copy()
    for _ in range(passes):
        seen = look_up(evidence.white, place_each(_in_raster(poses, raster), places_px))
        np.multiply(seen, np.float32(1 / 255), out=left)
        left -= held.drawn
        robust = np.square(left * np.float32(1 / ROBUST))
        robust += 1
        np.divide(held.weight, robust, out=robust)
        weighed = held.slope * robust[:, None]
        normal = weighed @ held.slope.transpose(0, 2, 1) + HOLD
        step = np.linalg.solve(normal, weighed @ left[..., None])[..., 0]
        # The template must move against the slope: the picture is later where it is brighter.
        poses[:, :3] += _turned(-step, poses[:, 2])
    used = held.weight > 0
    squares = np.where(used, left**2, 0).sum(axis=1) / np.maximum(used.sum(axis=1), 1)
    return poses, np.asarray(np.sqrt(squares), np.float64)


def _in_raster(poses: FloatArray, raster: Raster) -> FloatArray:
    """Poses (N, 3 or 9) in table mm as poses in raster pixels."""
    middle = raster.to_raster(poses[:, :2])
    return np.column_stack([middle, poses[:, 2], poses[:, FLAT:] / raster.density])


def _turned(move: FloatArray, angles: FloatArray) -> FloatArray:
    """Moves (N, 3) in the cards' own frames as moves on the table."""
    cos, sin = np.cos(angles), np.sin(angles)
    x, y, turn = move.T
    return np.stack([cos * x - sin * y, sin * x + cos * y, turn], axis=1)


@lru_cache(maxsize=256)
def _steep(templates: Templates, row: int) -> _Steep:
    drawn = templates.white[row]
    image = drawn.reshape(templates.shape_hw).astype(np.float64)
    slope_y, slope_x = (slope.ravel() for slope in np.gradient(image, 1 / TEMPLATE_DENSITY))
    index = np.flatnonzero((np.hypot(slope_x, slope_y) > STEEP) & ~templates.badge)
    x, y = templates.grid_mm[index].T
    gx, gy = slope_x[index], slope_y[index]
    # A turn by a small angle moves the place (x, y) by (-y, x).
    slope = np.stack([gx, gy, -gx * y + gy * x]).astype(np.float32)
    return _Steep(index, templates.grid_mm[index].astype(np.float32), drawn[index], slope)
