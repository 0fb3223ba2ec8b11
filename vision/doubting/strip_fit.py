"""How much of another card peeks out beside one that lies almost exactly on it.

Within 3 mm of its edge a card has nothing but its band. What is looked at is how the picture
changes from a card's own band to the table: at once, or with a strip of another card's ink between,
that begins at the card's edge and is as wide everywhere as a card of this size, moved and turned a
little, would have it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from vision.arrays import Bools, FloatArray, Ints
from vision.drawing.card_edges import EDGE_STEP_MM, Edges
from vision.drawing.coverage import TopMap
from vision.evidence import Evidence
from vision.medians import SIGMA_OF_MEDIAN

ACROSS_MM = np.arange(0.3, 4.0, 0.3)
"""Beyond a card's edge."""
TABLE_MM = np.array([4.6, 5.3, 6.0])
"""Beyond a card's edge and another's under it there is the table, if no third card lies there."""
PILE_ACROSS_MM, PILE_TABLE_MM = np.arange(0.3, 7.0, 0.3), np.array([7.4, 8.0, 8.6])
"""The same beside a pile, in which each card may lie a little farther off than the one over it."""
CLEAR_MM, PILE_CLEAR_MM = (0.8, 2.4, 4.0, 6.3), (0.8, 2.4, 4.0, 6.3, 8.9)
"""Beyond a card's edge no known card may lie there."""
BAND_MM = np.array([-2.4, -1.8, -1.2])
WITHIN_MM, BURNT_MM = -1.8, 2.0
NEIGHBOURS = 3
"""The table is what it is beside so many places on either side."""
BLURS_MM = (0.2, 0.3, 0.4, 0.5, 0.6, 0.8)
SHIFT_STEP_MM, SHIFT_SIGMAS = 0.15, 1.5
"""A card's print lies off the middle of its card by some such steps, up to so many sigmas of what
is usual on this table, at least one."""
FEWEST_EDGES, LEAST_CONTRAST = 4, 25.0
LIGHTS = (0.8, 1.0, 1.25)
"""Another card may lie in so much light, in shares of that on the card over it."""
SHADES = (0.55, 0.65, 0.75, 0.85, 0.93)
"""How bright the table is in the shadow at a card's edge, in shares of its grey levels: what is so
low keeps most of the light."""
DEEP_SHADES = (0.35, 0.45, *SHADES)
SHADE_TINTS = ((1.0, 1.0, 1.0), (1.2, 1.0, 0.8), (0.9, 1.0, 1.1))
"""Under a single hard lamp, or a low sun, a card on a stack throws a shadow darker than that, and
what light is left in it is bluer, or warmer, than on the table (blue, green, red). Of 38 strips of
true cards these explain all but 14 squared sigmas less than the card does; two such shadows, of
path-traced pictures, they explain better by 11 and 23."""
UNEVEN = 0.08
"""Of the contrast: inks and tables are no more even than this."""
ROUGH_WIDTHS_MM = (0.6, 1.2, 2.0)
"""Widths of strips by which it is chosen beside which cards to look closer."""
MOST_OFF_MM, STEP_MM = 3.0, 0.2
RUNS_ON_MM = 3.2
"""Beyond a card's edge no strip reaches farther."""
TURNS = np.deg2rad(np.arange(-1.6, 1.61, 0.4))
SHIFTS_MM = np.arange(-MOST_OFF_MM, MOST_OFF_MM + 1e-6, STEP_MM)
LAID_MM, LAID_RAD = 1.5, float(np.deg2rad(1.2))
"""How exactly cards are laid on one another."""
MOST_OFF = 9.0
"""A sample counts no more than three sigmas."""
LEAST_SIGMA = 3.0
STRIP_MM = 0.3
"""Where another card should peek out by more than this, its ink is asked for."""
FEWEST_PLACES = 8


@dataclass(frozen=True, eq=False)
class Surroundings:
    """The picture across N cards' edges, at E places each: colours `seen` (N, E, D, 3) beyond the
    edge, of the `table` (N, E, 3) farther out, of each card's `band` (N, E, 3) at this side; where
    (N, E) nothing but table lies beyond and the card itself shows, `bare`; and how much the table
    varies (N, E, 3), `sigma`. How far beyond the `edges` is looked: `across_mm` (D,).
    """

    seen: FloatArray
    table: FloatArray
    band: FloatArray
    bare: Bools
    sigma: FloatArray
    across_mm: FloatArray
    edges: Edges


@dataclass(frozen=True, eq=False)
class Peeking:
    """A card of some ink that would peek out from under another: by how much it is moved (2,) in
    mm along the upper card's own axes, and turned, radians. `explained` is which share of what is
    otherwise unexplained in its strip it accounts for, `area_mm2` how much of it is seen, `steady`
    at which share of the places where it should peek out it does. `gain` is by how much the squared
    misfit, in sigmas, of all edges is less with it, and `misfit` what it is then.
    """

    move_mm: FloatArray
    turn: float
    explained: float
    area_mm2: float
    steady: float
    gain: float
    misfit: float


def surroundings(
    evidence: Evidence, edges: Edges, top: TopMap, piles: bool = False
) -> Surroundings:
    """What is seen beyond all cards' edges; with `piles` farther out."""
    across_mm, table_mm = (PILE_ACROSS_MM, PILE_TABLE_MM) if piles else (ACROSS_MM, TABLE_MM)

    def colours(offs: FloatArray) -> FloatArray:
        at = edges.at_mm[:, :, None] + edges.outwards[:, :, None] * offs[:, None]
        seen = evidence.colour_at(evidence.raster.to_raster(at))
        return np.asarray(seen, np.float64)

    count = len(edges.at_mm)
    own = np.arange(1, count + 1)[:, None]
    clear_mm = PILE_CLEAR_MM if piles else CLEAR_MM
    bare = top.at(edges.beyond(-1.5)) == own
    for off in clear_mm:
        bare &= top.at(edges.beyond(off)) == 0
    # A pale table is as bright as white; that a lamp washes a place out the card's own band tells.
    bare &= ~evidence.is_washed(edges.beyond(WITHIN_MM)) & ~evidence.is_burnt(
        edges.beyond(BURNT_MM)
    )
    seen = colours(across_mm)
    # Outside the picture all is 0.
    bare &= seen.max(axis=3).min(axis=2) > 0
    table = _along_side(np.median(colours(table_mm), axis=2), bare, edges.side)
    band = _along_side(np.median(colours(BAND_MM), axis=2), bare, edges.side)
    away = colours(table_mm) - table[:, :, None]
    varies = np.sqrt(_along_side(np.square(away).mean(axis=2), bare, edges.side))
    sigma = np.maximum(varies, LEAST_SIGMA)
    return Surroundings(seen, table, band, bare, sigma, across_mm, edges)


def _along_side(values: FloatArray, bare: Bools, side: Ints) -> FloatArray:
    """Means of values (N, E, 3) over neighbouring bare places of the same side."""
    total, number = np.zeros_like(values), np.zeros(values.shape[:2])
    for step in range(-NEIGHBOURS, NEIGHBOURS + 1):
        same = np.roll(side, step) == side
        if step > 0:
            same[:step] = False
        elif step < 0:
            same[step:] = False
        here = np.roll(bare, step, axis=1) & same
        total += np.roll(values, step, axis=1) * here[..., None]
        number += here
    return np.asarray(total / np.maximum(number, 1)[..., None])


@dataclass(frozen=True, slots=True)
class EdgeLooks:
    """How cards' own edges look in this picture: so far outside the place that their lines have
    them at, and blurred by so much (sigma); and by how much (sigma) the print of a card lies off
    the card's middle, along its width and its height; all mm.
    """

    off_mm: float
    blur_mm: float
    shift_mm: float = SHIFT_STEP_MM

    @property
    def shifts_mm(self) -> FloatArray:
        """Shifts (O,) that are tried, as far to one side as to the other."""
        most = int(SHIFT_SIGMAS * self.shift_mm / SHIFT_STEP_MM)
        return np.asarray(SHIFT_STEP_MM * np.arange(-most, most + 1))

    @property
    def unlikely(self) -> FloatArray:
        """How unlikely these are (O,), squared sigmas."""
        return np.square(self.shifts_mm / self.shift_mm)


def edge_looks(around: Surroundings) -> EdgeLooks:
    """The usual place and blur of cards' edges on bare table."""
    side = around.edges.side
    offs = np.arange(-0.6, 1.41, 0.1)
    across = around.across_mm
    shares = np.array([[ndtr((off - across) / blur) for off in offs] for blur in BLURS_MM])
    contrast = np.square(around.band - around.table).sum(axis=2)
    along = np.einsum(
        "nedc,nec->ned", around.seen - around.table[:, :, None], around.band - around.table
    )
    share = along / np.maximum(contrast, 1e-6)[..., None]
    found = np.full((len(share), 4, 2), np.nan)
    for card in range(len(share)):
        for one in range(4):
            here = around.bare[card] & (side == one) & (contrast[card] > LEAST_CONTRAST**2)
            if here.sum() >= FEWEST_PLACES:
                seen = np.median(share[card, here], axis=0)
                away = np.abs(shares - seen).sum(axis=2)
                found[card, one] = np.unravel_index(away.argmin(), away.shape)
    told = found[np.isfinite(found[..., 0])]
    if len(told) < FEWEST_EDGES:
        return EdgeLooks(0.1, 0.4)
    at_blur, at_off = np.median(told, axis=0).astype(int).tolist()
    return EdgeLooks(float(offs[at_off]), BLURS_MM[at_blur], _usual_shift(offs, found[..., 1]))


def _usual_shift(offs_mm: FloatArray, found: FloatArray) -> float:
    """By how much (sigma), mm, prints lie off the middles of their cards, whose four edges were
    found at these offsets, as indices (N, 4), NaN where they were not: the one edge is then as much
    farther out as the other one is farther in.
    """
    apart = (found[:, :2] - found[:, 2:]).ravel()
    apart = apart[np.isfinite(apart)]
    if len(apart) < FEWEST_EDGES:
        return SHIFT_STEP_MM
    step = offs_mm[1] - offs_mm[0]
    return max(SHIFT_STEP_MM, float(SIGMA_OF_MEDIAN * np.median(np.abs(apart)) * step / 2))


@lru_cache(maxsize=1)
def _widths() -> FloatArray:
    """All widths (W,) of strips that are tried, mm; 0 is none."""
    return np.asarray(np.arange(0.0, 2 * MOST_OFF_MM, STEP_MM))


def _strips(
    edge_off: float, looks: EdgeLooks, across_mm: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Shares of the upper card's band (D,), and of it and strips of all widths (W, D)."""
    own = ndtr((edge_off - across_mm) / looks.blur_mm)
    ends = np.maximum(_widths() + looks.off_mm, edge_off)
    both = ndtr((ends[:, None] - across_mm) / looks.blur_mm)
    return own, both


def shaded(around: Surroundings, card: int, looks: EdgeLooks) -> float:
    """The least squared misfit, in sigmas, with which a shadow that one card casts on the table
    explains what is seen round it, as `Peeking.misfit` is with another card; infinite where none
    can.
    """
    return _shaded(around, card, looks, np.array(SHADES)[:, None])


def deeply_shaded(around: Surroundings, card: int, looks: EdgeLooks) -> float:
    """As `shaded`, with shadows as a hard lamp throws them besides: dark, and tinted."""
    shades = np.array(DEEP_SHADES)[:, None, None] * np.array(SHADE_TINTS)
    return _shaded(around, card, looks, shades.reshape(-1, 3))


def _shaded(around: Surroundings, card: int, looks: EdgeLooks, shades: FloatArray) -> float:
    """The least misfit of a shadow in which the table has one of these shares (S, 1 or 3)."""
    table = around.table[card, around.bare[card]]
    seen = (peeking_out(around, card, table * shade, looks, (1.0,)) for shade in shades)
    return min((one.misfit for one in seen if one is not None), default=np.inf)


def printed(around: Surroundings, card: int, looks: EdgeLooks) -> float:
    """The least squared misfit, in sigmas, with which a table that has another colour close to one
    card than farther out explains what is seen round it: a box of print, say, runs on where a strip
    would end.
    """
    near_mm = around.across_mm >= RUNS_ON_MM
    close = np.median(around.seen[:, :, near_mm], axis=2)
    bare, none = np.flatnonzero(around.bare[card]), np.zeros((1, 1), np.int64)
    by_ground = []
    for ground in (around.table, _along_side(close, around.bare, around.edges.side)):
        here = _Beside(replace(around, table=ground), card, bare, looks)
        costs = _misfits(here, ground[card, bare], none)
        by_ground.append(np.array([each[:, 0].mean(axis=1) for each in costs]))
    cost, beside = np.array(by_ground), _Beside(around, card, bare, looks)
    by_side = [cost[..., side.places].sum(axis=2).min(axis=0) for side in beside.sides]
    return float(sum(one.min() for one in beside.shifted(by_side).values()))


class _Side(NamedTuple):
    """Places (K,) along one side, as indices; along which axis of the card that faces, and whether
    forwards (1) or backwards (-1).
    """

    places: Ints
    axis: int
    outward: int


@dataclass(frozen=True, eq=False)
class _Beside:
    """Bare places (K,) beside one card, and how edges look."""

    around: Surroundings
    card: int
    bare: Ints
    looks: EdgeLooks

    @cached_property
    def sides(self) -> list[_Side]:
        """Those of the card's sides that have such places."""
        edges, out = self.around.edges, []
        for one in np.unique(edges.side[self.bare]):
            places = np.flatnonzero(edges.side[self.bare] == one)
            normal = edges.normal[self.bare[places[0]]]
            axis = int(np.abs(normal).argmax())
            out.append(_Side(places, axis, int(np.sign(normal[axis]))))
        return out

    def shifted(self, by_side: Sequence[FloatArray]) -> dict[int, FloatArray]:
        """For each axis the cost (O, ...) of the print's being shifted so far along it, from what
        each of the sides costs (O, ...) if its edge lies so far out: sides that face each other are
        shifted together, one of them inwards.
        """
        out: dict[int, FloatArray] = {}
        for side, cost in zip(self.sides, by_side, strict=True):
            unlikely = self.looks.unlikely.reshape(-1, *(1,) * (cost.ndim - 1))
            out[side.axis] = out.get(side.axis, unlikely) + cost[:: side.outward]
        return out

    def best_shift(self, cost: FloatArray) -> tuple[float, Ints]:
        """The least of all costs (O, K) at the places, whichever way the print is shifted, and how
        far out (K,) their edges are then, as indices.
        """
        along = self.shifted([cost[:, side.places].sum(axis=1) for side in self.sides])
        out = np.zeros(len(self.bare), np.int64)
        for side in self.sides:
            out[side.places] = np.arange(len(cost))[:: side.outward][along[side.axis].argmin()]
        return float(sum(one.min() for one in along.values())), out


def peeking_out(
    around: Surroundings, card: int, ink: FloatArray, looks: EdgeLooks,
    lights: tuple[float, ...] = LIGHTS,
) -> Peeking | None:  # fmt: skip
    """The likeliest card of an ink (3,), or one at each bare place (K, 3), as it looks here, under
    one card; None where too little is seen.
    """
    bare = np.flatnonzero(around.bare[card])
    if len(bare) < FEWEST_PLACES:
        return None
    beside, edges = _Beside(around, card, bare, looks), around.edges
    places = np.arange(len(bare))
    own, normal = edges.own_mm[bare], edges.normal[bare]
    lever = normal[:, 1] * own[:, 0] - normal[:, 0] * own[:, 1]
    best: tuple[float, Peeking] | None = None
    for light in lights:
        cost = _costs(beside, ink * light)
        total = np.zeros((len(SHIFTS_MM), len(SHIFTS_MM), len(TURNS)))
        by_side = []
        for here, _, outward in beside.sides:
            width = SHIFTS_MM[:, None, None] * outward + TURNS[:, None] * lever[here]
            by_side.append(cost[:, here, _index(width)].sum(axis=3))
        for axis, along in beside.shifted(by_side).items():
            total += along.min(axis=0)[:, None] if axis == 0 else along.min(axis=0)[None]
        total += _prior()
        u, v, turn = np.unravel_index(total.argmin(), total.shape)
        if best is not None and total.min() >= best[0]:
            continue
        move = SHIFTS_MM[[u, v]]
        width = np.maximum(normal @ move + lever * TURNS[turn], 0)
        drawn = _index(width)
        alone, edges_alone = beside.best_shift(cost[:, places, 0])
        both, edges_with_it = beside.best_shift(cost[:, places, drawn])
        strip = width > STRIP_MM
        if strip.sum() < FEWEST_PLACES:
            continue
        with_it = _in_strip(beside, ink * light, width, drawn, edges_with_it)
        without = _in_strip(beside, ink * light, width, 0 * drawn, edges_alone)
        inside = (without - with_it)[strip]
        found = Peeking(
            move, float(TURNS[turn]), float(inside.sum() / max(without[strip].sum(), 1e-9)),
            float(width[strip].sum() * EDGE_STEP_MM),
            float(np.maximum(inside, 0).sum() / max(np.abs(inside).sum(), 1e-9)),
            alone - both, float(total.min()),
        )  # fmt: skip
        best = float(total.min()), found
    return None if best is None else best[1]


@lru_cache(maxsize=1)
def _prior() -> FloatArray:
    """Squared sigmas (U, V, T) of moves and turns: where no side tells, the least is likeliest."""
    along = np.square(SHIFTS_MM / LAID_MM)
    return np.asarray(along[:, None, None] + along[:, None] + np.square(TURNS / LAID_RAD))


@dataclass(frozen=True, slots=True)
class StripWidths:
    """Widths of strips that are asked for, mm, against the `narrow_mm` ones, by default none; of
    sides on which fewer than `fewest` places are seen, nothing is said.
    """

    tried_mm: tuple[float, ...] = ROUGH_WIDTHS_MM
    narrow_mm: tuple[float, ...] = (0.0,)
    fewest: int = FEWEST_PLACES


def strips_likely(
    around: Surroundings, looks: EdgeLooks, inks: FloatArray, widths: StripWidths
) -> FloatArray:
    """How much better (N,) strips explain what lies beyond one of each card's sides, as
    `sides_likely` has it.
    """
    gain, _ = sides_likely(around, looks, inks, widths)
    return np.asarray(gain.max(axis=1))


def sides_likely(
    around: Surroundings, looks: EdgeLooks, inks: FloatArray, widths: StripWidths
) -> tuple[FloatArray, FloatArray]:
    """How much better (N, 4) strips of one of these widths and of inks (N, 3), as they look on each
    card, explain what lies beyond each of its sides than narrow ones do, in squared sigmas, and
    which width (N, 4), mm, does best.
    """
    # Most places have a card beside them: only the others are asked.
    card, at = np.nonzero(around.bare)
    groups, count = 4 * card + around.edges.side[at], len(inks)
    table, ink = around.table[card, at], inks[card]
    steps = np.stack([around.band[card, at] - table, ink - table])
    reach = np.abs(steps).max(axis=(0, 2))
    sigma = np.hypot(around.sigma[card, at], UNEVEN * reach[:, None])
    ground = (around.seen[card, at] - table[:, None]) / sigma[:, None]
    own_step, ink_step = steps / sigma
    whole = np.square(ink_step).sum(axis=1)[:, None]
    costs = []
    for off, unlikely in zip(looks.shifts_mm, looks.unlikely, strict=True):
        own, both = _strips(looks.off_mm + float(off), looks, around.across_mm)
        # A strip's share is the same in all channels: their sums will do for all widths.
        left = ground - own[:, None] * own_step[:, None]
        without, along = np.square(left).sum(axis=2), (left * ink_step[:, None]).sum(axis=2)
        for width in (*widths.narrow_mm, *widths.tried_mm):
            share = both[round(width / STEP_MM)] - own
            away = (without + share * (share * whole - 2 * along)) / left.shape[2]
            cost = np.minimum(away, MOST_OFF).mean(axis=1)
            costs.append(np.bincount(groups, cost, 4 * count).reshape(count, 4) + unlikely)
    by_side = np.array(costs).reshape(len(looks.shifts_mm), -1, count, 4).min(axis=0)
    enough = np.bincount(groups, minlength=4 * count).reshape(count, 4) >= widths.fewest
    narrow, wide = np.split(by_side, [len(widths.narrow_mm)])
    gain = np.where(enough, narrow.min(axis=0) - wide.min(axis=0), 0.0)
    return gain, np.array(widths.tried_mm)[wide.argmin(axis=0)]


def _index(width: FloatArray) -> Ints:
    """The nearest of the widths that are tried."""
    last = len(_widths()) - 1
    return np.clip(np.rint(width / STEP_MM), 0, last).astype(np.int64)


def _in_strip(
    beside: _Beside, ink: FloatArray, width: FloatArray, drawn: Ints, edges: Ints
) -> FloatArray:
    """Squared misfits (K,) of what is seen where strips of some widths (K,) should be, if those of
    widths `drawn` (K,) are, and the card's own edges lie so far out (K,); both as indices.
    """
    inside = width[:, None] + beside.looks.off_mm > beside.around.across_mm
    away = _misfits(beside, ink, drawn[:, None])
    costs = np.array([(each[:, 0] * inside).sum(axis=1) for each in away])
    return np.asarray(costs[edges, np.arange(len(edges))])


def _costs(beside: _Beside, ink: FloatArray) -> FloatArray:
    """Robust squared misfits (O, K, W) of strips of all widths at bare places (K,), for every
    place of the card's own edge that is tried (O,), the innermost first.
    """
    return np.array([each.mean(axis=2) for each in _misfits(beside, ink)])


def _misfits(
    beside: _Beside, ink: FloatArray, widths: Ints | slice = slice(None)
) -> Iterator[FloatArray]:
    """For every place of the card's own edge the same (K, W, D), at each place across it; of all
    widths, or of some (K, W) at each bare place, as indices.
    """
    around, looks, at = beside.around, beside.looks, (beside.card, beside.bare)
    seen, table, band = around.seen[at], around.table[at], around.band[at]
    reach = np.abs(np.stack([band - table, np.broadcast_to(ink, band.shape) - table])).max(axis=0)
    sigma = np.hypot(around.sigma[at], UNEVEN * reach.max(axis=1, keepdims=True))
    ground = (seen - table[:, None]) / sigma[:, None]
    own_step, ink_step = (band - table) / sigma, (ink - table) / sigma
    for off in looks.shifts_mm:
        own, both = _strips(looks.off_mm + float(off), looks, around.across_mm)
        # A strip's share is the same in all channels: their sums will do for all widths.
        left = ground - own[:, None] * own_step[:, None]
        without, along = np.square(left).sum(axis=2), (left * ink_step[:, None]).sum(axis=2)
        share, whole = (both - own)[widths], np.square(ink_step).sum(axis=1)
        away = without[:, None] + share * (share * whole[:, None, None] - 2 * along[:, None])
        yield np.minimum(away / left.shape[2], MOST_OFF)
