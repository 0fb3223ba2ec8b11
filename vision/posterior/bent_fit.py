"""Where bent cards lie: least squares on the white lines that show of them, with their curl and how
large they seem free as well, and the curl of the table's cards learned from all of them together.

Seen aslant, what stands up seems shifted away from the lens: by 2.5 mm for each millimetre where
the lens stands 2.5 times as far aside as it is high. A flat frame fitted on a bent card lies off by
some 0.6 of what its ends are shifted by, and two cards by whatever they curl differently. A print
that is not drawn as straight as the deck says must not pass for a bend, nor one for a place: so
prints are free to be bowed, and sides and shapes to lie beside where they should, each by what
prints usually do.

The fit is Gauss and Newton's of the likeliest place, weighed anew at each step as by Cauchy's
distribution (Holland and Welsch, "Robust regression using iteratively reweighted least squares",
Communications in Statistics A6, 1977; Triggs and others, "Bundle adjustment: a modern synthesis",
2000). The prior of curl is fitted on the table itself (empirical Bayes: Efron and Morris, "Stein's
estimation rule and its competitors", JASA 68, 1973).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from geometry.deck import CardSize, Deck, Face
from vision.arrays import Bools, FloatArray, Ints
from vision.model.table import PlacedCard
from vision.observe.observation import Observation
from vision.propose.line_fit import frame_lines, lines_outwards, turn_matrices
from vision.reading_config import ReadingConfig

CORNER_MM = 1.5
"""So near a shape's corner, or the frame, another line is as near as a shape's side."""
MOVED_SHARE = 0.6
"""Of that by which its ends are shifted a flat fit moves a card by so much."""
NEAR_MM = 130.0
"""Farther from a card's middle no point of another one that it covers lies."""
ROUNDS = 3
EM_ROUNDS = 40
UNKNOWNS = 15
"""Of each card: x, y, turn, two curls, two sizes, how its print is bowed in x
and in y, and by how much its frame's sides, and its shapes in x and y, lie beside."""


@dataclass(frozen=True, eq=False)
class BentCards:
    """Where N cards lie and how they are bent.

    `places` (N, 3: x, y in mm, degrees): where their middles are seen on the plane. `bends` (N, 2):
    how much higher than its middle a card's ends lie, and its sides, mm. `sizes` (N, 2): how wide
    and long they seem, over what they are.
    """

    places: FloatArray
    bends: FloatArray
    sizes: FloatArray

    def of(self, cards: Ints) -> BentCards:
        """Some of the cards, by their indices."""
        return BentCards(self.places[cards], self.bends[cards], self.sizes[cards])

    def put(self, cards: Ints, some: BentCards) -> BentCards:
        """The same with some of the cards as they are said to be."""
        values = [np.array(own) for own in (self.places, self.bends, self.sizes)]
        for own, new in zip(values, (some.places, some.bends, some.sizes), strict=True):
            own[cards] = new
        return BentCards(*values)


@dataclass(frozen=True, eq=False)
class BentFit:
    """`cards` (N) that were free as they are likeliest to lie, and how exactly (N, 3, 3) their
    places are known, mm and degrees, whatever their curl and size are.
    """

    cards: BentCards
    covariances: FloatArray


@dataclass(frozen=True, eq=False)
class _Curl:
    """How much higher than their middles ends, and sides, of cards lie: mean and sigma (2,)."""

    mean: FloatArray
    sigma: FloatArray


@dataclass(frozen=True, eq=False)
class _Lines:
    """Points (N, K, 2) on lines that cards are drawn with, card frame, mm, with the directions
    (N, K, 2) square to them, and which (N, K) there are. `misprinted` (N, K, 6): by how much each
    lies off for each millimetre that a side of the frame does, outwards, and that the shapes do,
    along x and y.
    """

    points: FloatArray
    normals: FloatArray
    there: Bools
    misprinted: FloatArray

    def of(self, cards: Ints) -> _Lines:
        return _Lines(
            self.points[cards], self.normals[cards], self.there[cards], self.misprinted[cards]
        )


@dataclass(frozen=True, eq=False)
class _Ground:
    """What all fits of a table share; cards seem so much (`grown`) larger than they are."""

    seen: Observation
    size: CardSize
    config: ReadingConfig
    grown: float

    @property
    def eye(self) -> FloatArray:
        return np.array(self.seen.lens_mm[:2])

    @property
    def high(self) -> float:
        return self.seen.lens_mm[2]

    def slants(self, places: FloatArray) -> FloatArray:
        """By how much (N, 2) what lies at places (N, 3) seems shifted for each mm of height."""
        return np.asarray((places[:, :2] - self.eye) / self.high)

    def shares(self, card_mm: FloatArray) -> FloatArray:
        """Which share (..., 2) of the curl of ends, and of sides, points (..., 2) of cards have."""
        half = np.array([self.size.width_mm, self.size.height_mm]) / 2
        return np.square(card_mm / half)[..., ::-1]


@dataclass(frozen=True, eq=False)
class _Step:
    """Cards as they are fitted by now, the inverse covariances (N, 15, 13) of what is free of
    them, and minus the logarithm (N,) of how likely it is.
    """

    cards: BentCards
    told: FloatArray
    cost: FloatArray

    def best_of(self, whose: Ints, number: int) -> _Step:
        """Of trials, of card `whose` (M,) each, the likeliest of each of so many cards."""
        best = np.zeros(number, np.intp)
        # Where no line tells, the first of equally likely ones stays: the card as it was.
        order = np.lexsort((-np.arange(len(whose)), -self.cost))
        best[whose[order]] = order
        return _Step(self.cards.of(best), self.told[best], self.cost[best])


def fit_bent(
    seen: Observation, cards: Sequence[PlacedCard], start: BentCards, heights: FloatArray,
    deck: Deck, config: ReadingConfig, free: Ints | None = None,
) -> BentFit:  # fmt: skip
    """Fit cards, the lowest first, from where they seem to lie as if flat, at heights (N,): all, or
    those whose indices are `free` alone, while the others stay.

    As of flat ones, one that goes astray by more than the same place may be off stays where it was.
    """
    ground = _Ground(seen, deck.card, config, float(np.median(start.sizes)))
    lines = _lines_of(cards, deck, config)
    free = np.arange(len(cards)) if free is None else free
    curl = _Curl(np.array(config.curl_mm), np.array(config.curl_sigma_mm))
    now, told = start, np.zeros((len(cards), UNKNOWNS, UNKNOWNS))
    for number in range(ROUNDS):
        there = lines.there & _uncovered(now, lines.points, heights, ground)
        drawn = replace(lines, there=there).of(free)
        whose, tried = _trials(now.of(free), ground) if number == 0 else _as_they_are(now, free)
        reaches = config.bent_reaches_mm[0 if number == 0 else 1 :]
        step = _fitted(tried, heights[free][whose], drawn.of(whose), curl, reaches, ground)
        step = step.best_of(whose, len(free))
        now, told[free] = now.put(free, step.cards), step.told
        curl = _usual_curl(step, curl, config)
    return _not_astray(start.of(free), BentFit(now.of(free), _covariances(told[free])), ground)


def _not_astray(flat: BentCards, fit: BentFit, ground: _Ground) -> BentFit:
    """The fit without what went farther than bends explain: there lines of others were all that was
    near, and a card may lie as far off as that.
    """
    config, cards = ground.config, fit.cards
    # A flat fit on a bent card may follow either end of it.
    by_bend = np.abs(cards.bends[:, 0]) * np.linalg.norm(ground.slants(cards.places), axis=1)
    moved = np.abs(cards.places - flat.places)
    far = moved[:, :2].max(axis=1) > config.same_mm + by_bend
    astray = far | (moved[:, 2] > config.same_deg)
    lost = np.diag([config.same_mm, config.same_mm, config.same_deg]) ** 2
    kept = np.flatnonzero(astray)
    covariances = np.where(astray[:, None, None], lost, fit.covariances)
    return BentFit(cards.put(kept, flat.of(kept)), covariances)


def _as_they_are(now: BentCards, free: Ints) -> tuple[Ints, BentCards]:
    return np.arange(len(free)), now.of(free)


def _trials(flat: BentCards, ground: _Ground) -> tuple[Ints, BentCards]:
    """Whose (M,) cards are tried how: as they are, and with ends that are shifted by a millimetre
    more each time, as far as cards curl: a line that is farther off than that is not found.
    """
    slants = ground.slants(flat.places)
    long = np.maximum(np.linalg.norm(slants, axis=1), 1e-6)
    low, high = ground.config.most_curl_mm
    whose, shifts = [np.arange(len(long))], [np.zeros(len(long))]
    for shift in range(int(np.floor(low * long.max())), int(np.ceil(high * long.max())) + 1):
        some = np.flatnonzero((low * long <= shift) & (shift <= high * long) & (shift != 0))
        whose.append(some)
        shifts.append(np.full(len(some), float(shift)))
    card, shift_mm = np.concatenate(whose), np.concatenate(shifts)
    tried = flat.of(card)
    places = tried.places.copy()
    places[:, :2] -= MOVED_SHARE * (shift_mm / long[card])[:, None] * slants[card]
    bends = tried.bends + np.column_stack([shift_mm / long[card], np.zeros(len(card))])
    return card, BentCards(places, bends, tried.sizes)


def _fitted(
    cards: BentCards, heights: FloatArray, lines: _Lines, curl: _Curl,
    reaches_mm: Sequence[float], ground: _Ground,
) -> _Step:  # fmt: skip
    """Cards fitted on their lines, sought within one reach after another, and a last look."""
    for reach in reaches_mm:
        _, moved, _ = _looked(cards, heights, lines, curl, reach, ground)
        places = cards.places + np.column_stack([moved[:, :2], np.rad2deg(moved[:, 2])])
        cards = BentCards(places, cards.bends + moved[:, 3:5], cards.sizes + moved[:, 5:7])
    told, _, cost = _looked(cards, heights, lines, curl, reaches_mm[-1], ground)
    return _Step(cards, told, cost)


def _looked(
    cards: BentCards, heights: FloatArray, lines: _Lines, curl: _Curl, reach_mm: float,
    ground: _Ground,
) -> tuple[FloatArray, FloatArray, FloatArray]:  # fmt: skip
    """The matrix (N, 15, 13) of the equations of the next step, what solves them (N, 15), and what
    it costs (N,) now.
    """
    config = ground.config
    at, turned = _seen_at(cards, lines.points, heights, ground)
    out = np.einsum("nij,nkj->nki", turn_matrices(cards.places[:, 2]), lines.normals)
    off, found = lines_outwards(ground.seen, at, out, reach_mm, config)
    found &= lines.there
    slants = (at - ground.eye) / ground.high
    aside = np.stack([-turned[..., 1], turned[..., 0]], axis=-1)
    rows = np.concatenate(
        [
            out,
            (out * aside).sum(axis=-1, keepdims=True),
            (out * slants).sum(axis=-1, keepdims=True) * ground.shares(lines.points),
            lines.normals * lines.points,
            lines.normals * ground.shares(lines.points),
            lines.misprinted,
        ],
        axis=-1,
    )
    weight = found / (1 + np.square(off / config.fit_off_mm)) / config.fit_sigma_mm**2
    weighed = (rows * weight[..., None]).transpose(0, 2, 1)
    open_to = [config.same_mm, config.same_mm, np.deg2rad(config.same_deg)]
    sizes, misprints = (
        [config.size_sigma] * 2,
        [config.bow_mm] * 2 + [config.side_mm] * 4 + [config.shapes_mm] * 2,
    )
    sigmas = np.array([*open_to, *curl.sigma, *sizes, *misprints])
    beside = np.column_stack([curl.mean - cards.bends, ground.grown - cards.sizes])
    pulled = (weighed @ off[..., None])[..., 0]
    pulled[:, 3:7] += beside / sigmas[3:7] ** 2
    told = weighed @ rows + np.diag(sigmas**-2.0)
    moved = np.linalg.solve(told, pulled[..., None])[..., 0]
    misprinted = (rows[..., 7:] @ moved[:, 7:, None])[..., 0]
    # Where no line is found, one is as far off as one may lie.
    far = np.where(found, np.abs(off - misprinted), 2 * config.fit_off_mm) / config.fit_off_mm
    lost = (lines.there * np.log1p(np.square(far))).sum(axis=1)
    cost = lost * (config.fit_off_mm / config.fit_sigma_mm) ** 2 / 2
    cost = cost + np.square(beside / sigmas[3:7]).sum(axis=1) / 2
    cost = cost + np.square(moved[:, 7:] / sigmas[7:]).sum(axis=1) / 2
    return told, moved, cost


def _seen_at(
    cards: BentCards, points: FloatArray, heights: FloatArray, ground: _Ground
) -> tuple[FloatArray, FloatArray]:
    """Where (N, K, 2) points (N, K, 2) of cards are seen on the plane, and how far (N, K, 2) they
    lie from the middles of their cards.
    """
    over = heights[:, None] + np.einsum("nkj,nj->nk", ground.shares(points), cards.bends)
    nearer = ground.high / (ground.high - over)
    turn = turn_matrices(cards.places[:, 2])
    turned = np.einsum("nij,nkj->nki", turn, points * cards.sizes[:, None])
    middle = (cards.places[:, :2] - ground.eye)[:, None] * (1 - heights / ground.high)[
        :, None, None
    ]
    return ground.eye + (middle + turned) * nearer[..., None], turned


def _uncovered(cards: BentCards, points: FloatArray, heights: FloatArray, ground: _Ground) -> Bools:
    """Which (N, K) points (N, K, 2) of cards lie under no card above, nor near its edge."""
    size = ground.size
    half = np.array([size.width_mm, size.height_mm]) / 2 + ground.config.fit_clear_mm
    at, _ = _seen_at(cards, points, heights, ground)
    turn = turn_matrices(cards.places[:, 2])
    out = np.ones(at.shape[:2], np.bool_)
    for rank in range(1, len(at)):
        off = at[:rank] - cards.places[rank, :2]
        near = np.flatnonzero((np.abs(off).max(axis=2) < NEAR_MM).any(axis=1))
        slants = (at[near] - ground.eye) / ground.high
        own = off[near] @ turn[rank]
        for _ in range(2):
            up = ground.shares(np.clip(own, -half, half)) @ cards.bends[rank]
            own = (off[near] - slants * up[..., None]) @ turn[rank]
        out[near] &= (np.abs(own) > half).any(axis=2)
    return out


def _usual_curl(step: _Step, curl: _Curl, config: ReadingConfig) -> _Curl:
    """What is usual of a table's curl, by what lines tell of each card's beside what was taken for
    usual, and by a prior that is worth `curl_cards`.
    """
    known = np.linalg.inv(step.told)
    posterior = np.diagonal(known, axis1=1, axis2=2)[:, 3:5]
    told = np.maximum(1 / posterior - curl.sigma**-2.0, 1e-9)
    bends = (step.cards.bends / posterior - curl.mean / np.square(curl.sigma)) / told
    usual, spread = np.array(config.curl_mm), np.array(config.curl_sigma_mm)
    mean, variance = usual, np.square(spread)
    number = config.curl_cards + len(bends)
    for _ in range(EM_ROUNDS):
        own = 1 / (told + 1 / variance)
        likely = own * (told * bends + mean / variance)
        mean = (config.curl_cards * usual + likely.sum(axis=0)) / number
        # Cards bend about their width either way: how they lie says nothing of a mean.
        mean = np.array([mean[0], usual[1]])
        off = (np.square(likely - mean) + own).sum(axis=0)
        variance = (config.curl_cards * np.square(spread) + off) / number
    return _Curl(mean, np.sqrt(variance))


def _covariances(told: FloatArray) -> FloatArray:
    """How exactly (N, 3, 3) places are known, mm and degrees, whatever all else is."""
    units = np.array([1.0, 1.0, np.rad2deg(1.0)])
    return np.asarray(np.linalg.inv(told)[:, :3, :3] * units[:, None] * units)


def _lines_of(cards: Sequence[PlacedCard], deck: Deck, config: ReadingConfig) -> _Lines:
    """The frames of cards, and of those with a face the sides of its shapes. Of a starting card
    printings draw the shapes each in its own way.
    """
    frame, square = frame_lines(deck.card, config)
    sides = np.column_stack([square > 0.5, square < -0.5, np.zeros_like(square)])
    drawn = []
    for card in cards:
        points, normals, misprinted = frame, square, sides
        if card.ink is not None:
            what = card.hypothesis
            shapes, across = _sides_of(deck.face(what.face), deck.card, config)
            way = np.array([-1.0 if what.mirrored else 1.0, 1.0]) * (-1.0 if what.turned else 1.0)
            points, normals = (
                np.concatenate([points, shapes * way]),
                np.concatenate([normals, across * way]),
            )
            own = np.column_stack([np.zeros((len(shapes), 4)), across * way])
            misprinted = np.concatenate([sides, own])
        drawn.append((points, normals, misprinted))
    most = max(len(points) for points, *_ in drawn)
    sizes = (2, 2, 6)
    points, normals, misprinted = (np.zeros((len(drawn), most, size)) for size in sizes)
    there = np.zeros((len(drawn), most), np.bool_)
    for rank, own_lines in enumerate(drawn):
        number = len(own_lines[0])
        for values, own in zip((points, normals, misprinted), own_lines, strict=True):
            values[rank, :number] = own
        there[rank, :number] = True
    return _Lines(points, normals, there, misprinted)


def _sides_of(face: Face, size: CardSize, config: ReadingConfig) -> tuple[FloatArray, FloatArray]:
    """Points (K, 2) on the sides of a face's shapes, front up, and the directions (K, 2) square to
    these.
    """
    points, normals = [np.zeros((0, 2))], [np.zeros((0, 2))]
    for shape in face.shapes:
        corners = np.array(shape.outline_mm)
        for begin, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            long = float(np.linalg.norm(end - begin))
            number = int((long - 2 * CORNER_MM) // config.fit_spacing_mm)
            if number < 1:
                continue
            way = (end - begin) / long
            ticks = (np.arange(number) + 0.5) / number * (long - 2 * CORNER_MM) + CORNER_MM
            points.append(begin + ticks[:, None] * way)
            normals.append(np.tile([-way[1], way[0]], (number, 1)))
    at, square = np.concatenate(points), np.concatenate(normals)
    half = np.array([size.frame_width_mm, size.frame_height_mm]) / 2 - CORNER_MM
    inside = (np.abs(at) < half).all(axis=1)
    return at[inside], square[inside]
