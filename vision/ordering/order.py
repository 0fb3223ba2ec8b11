"""Which of two overlapping cards lies on top: whose drawing explains the overlap."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.arrays import Bools, FloatArray, Ints, Map32
from vision.cores import shared_out
from vision.drawing.coverage import TopMap
from vision.drawing.overlap_places import Drawing, Overlaps, other_places
from vision.drawing.templates import Templates
from vision.naming.faces import Patches

FINE = {400: 4, 1600: 8}
"""From so many places of the map on, 400 for 100 mm², every fourth or eighth is enough."""
ROUGH, ROUGH_DENSITY = {0: 4, 400: 16}, 1.0
"""The same where the order is needed only to look at each card where it shows, on a map of so few
pixels per mm."""
LEAST_DIFFERENCE = 0.4
"""Places where the two drawings look more alike than this tell nothing."""
WORST_OFF = 1.5
"""A place's squared difference counts so much at most; that of two inks reaches 3.5."""
LEAST_PLACES = 10
"""Template places in which two cards must differ before they say who lies on top."""
LEAST_LEAD = 0.4
"""True leads reach 0.5 to 1; in a lamp's haze either card may seem to lead by less than this. Of
7539 plain pairs on 176 hard tables three true ones led by less; wrong ones led by 0.35 twice."""
LEAST_WEIGHT = 7.0
"""Of a lead times the root of its places, half a millimetre's worth each: a sliver's few may all
be wrong. Of 4,200 pairs on simulated tables none led by more in the wrong direction."""
FEWEST_WEIGHED = 16384
"""Places weighed by one thread."""
ONE_HUE, UNEVEN = 0.95, 1.6
"""Inks as like in hue as those of one colour, and of so different strength: cards of one colour in
one light differ by a fifth at most."""
LEAST_INK = 8.0
"""Grey levels away from grey: what is weaker is noise."""
LEAST_LIT = 0.1
"""Places that tell, over those burnt out, from which on the rest is believed."""
MANY_PLACES, PLAIN_LEAD = 400, 0.5
"""So many places, 100 mm², that tell so plainly are believed however large the burnt patch is."""


@dataclass(frozen=True, eq=False)
class PairEvidence:
    """For pairs of cards (K, 2), lower index first: `lead` (K,) is how much better the first
    explains the overlap than the second (positive: the first lies on top), as a share of how far
    apart their drawings are where they differ, from about -1 to 1; `places` (K,) how many those
    are, on the templates' grid, and `lost` (K,) how many more are burnt out. Where an edge tells
    instead (`edge_witness.py`), the lead is 1 or -1 and the places lie across that edge.
    """

    pairs: Ints
    lead: FloatArray
    places: Ints
    lost: Ints

    @property
    def clear(self) -> Bools:
        """Which pairs (K,) say plainly who lies on top."""
        return np.asarray(self._lit & self.enough)

    @property
    def enough(self) -> Bools:
        """Which pairs (K,) would say it plainly if nothing were burnt."""
        lead = np.abs(self.lead)
        enough = (self.places >= LEAST_PLACES) & (lead * np.sqrt(self.places) >= LEAST_WEIGHT)
        return np.asarray(enough & (lead >= LEAST_LEAD))

    @property
    def mostly_burnt(self) -> Bools:
        """Of which pairs (K,) more is burnt out than tells: haze lies on the rest too, and takes
        its colour.
        """
        return np.asarray(self.places < self.lost)

    @property
    def _lit(self) -> Bools:
        """Of which pairs (K,) enough is not burnt out."""
        lit = self.places >= LEAST_LIT * self.lost
        return np.asarray(lit | ((self.places >= MANY_PLACES) & (np.abs(self.lead) >= PLAIN_LEAD)))

    def take(self, keep: Bools) -> PairEvidence:
        """Some of the pairs."""
        return PairEvidence(self.pairs[keep], self.lead[keep], self.places[keep], self.lost[keep])

    def told_anew(self, which: Ints, lead: FloatArray, places: Ints) -> PairEvidence:
        """The same, with another witness's lead (L,) and places (L,) for some of the pairs (L,).

        Not where that gainsays a lead of their own that would be plain if nothing were burnt: then
        neither is believed.
        """
        other = (lead * self.lead[which] < 0) & self.enough[which]
        out = PairEvidence(self.pairs, self.lead.copy(), self.places.copy(), self.lost.copy())
        neither = which[other & self.clear[which]]
        out.lead[neither], out.places[neither] = 0.0, 0
        which, lead, places = which[~other], lead[~other], places[~other]
        out.lead[which], out.places[which], out.lost[which] = lead, places, 0
        return out

    def joined(self, other: PairEvidence) -> PairEvidence:
        """These pairs and then the others."""
        return PairEvidence(
            np.concatenate([self.pairs, other.pairs]),
            np.concatenate([self.lead, other.lead]),
            np.concatenate([self.places, other.places]),
            np.concatenate([self.lost, other.lost]),
        )


_NONE: Ints = np.empty(0, np.int64)
NO_PAIRS = PairEvidence(np.empty((0, 2), np.int64), np.empty(0), _NONE, _NONE)


def compare_at(
    shared: Overlaps, drawing: Drawing, patches: Patches, templates: Templates
) -> PairEvidence:
    """Weigh both orders of every pair on the places (`shared_places`) where just these two lie.

    `patches` are cut out at the drawing's poses; where they tell nothing, nothing is asked.
    """
    told = np.take(patches.weight, shared.own * len(templates.grid_mm) + shared.index) > 0
    return _weighed(drawing, patches, shared if told.all() else shared.take(told), templates)


def compare_under_others(
    drawing: Drawing, patches: Patches, top: TopMap, pairs: Ints, templates: Templates
) -> PairEvidence:
    """Weigh pairs (K, 2) that lie on nobody else alone, on the places where either shows.

    `top` is how the table would look by the order known so far. A pair of
    which nothing shows is left out.
    """
    telling = ~templates.marks
    shows = top.on(drawing.poses[pairs[:, 0]], templates)
    one, two = (cards[:, None].astype(shows.dtype) + 1 for cards in pairs.T)
    usable = np.flatnonzero(((shows == one) | (shows == two)) & telling)
    which = usable // len(telling)
    own, other, index = (*np.take(pairs.T, which, axis=1), usable - which * len(telling))
    pair = own * len(drawing.rows) + other
    shared = Overlaps(own, other, index, pair, np.ones_like(own))
    inside = other_places(drawing, shared, templates)[1]
    return _weighed(drawing, patches, shared.take(inside), templates)


def _weighed(
    drawing: Drawing, patches: Patches, shared: Overlaps, templates: Templates
) -> PairEvidence:
    """All pairs: which share of what the lower index could gain on top it does."""
    if len(shared.own) == 0:
        return NO_PAIRS
    strength = np.linalg.norm(drawing.ink, axis=1)

    def weigh(part: slice) -> tuple[Map32, Map32, Bools]:
        return _gains(drawing, patches, shared.take(part), strength, templates)

    parts = zip(*shared_out(weigh, len(shared.own), FEWEST_WEIGHED), strict=True)
    gain, apart, lit = (np.concatenate(part) for part in parts)
    telling = shared.stands_for * (apart > LEAST_DIFFERENCE)
    # No place can tell more than the worst that counts, however far apart two inks are there.
    most = np.minimum(apart**2, WORST_OFF)
    total, could, gained, burnt = (
        np.bincount(shared.pair, weights=some)
        for some in (telling * lit, telling * lit * most, telling * lit * gain, telling * ~lit)
    )
    met = np.flatnonzero(np.bincount(shared.pair))
    pairs = np.stack(np.divmod(met, len(drawing.rows)), axis=1)
    places, lost = (np.rint(number[met]).astype(np.int64) for number in (total, burnt))
    return PairEvidence(pairs, gained[met] / np.maximum(could[met], 1e-9), places, lost)


def _gains(
    drawing: Drawing, patches: Patches, shared: Overlaps, strength: FloatArray,
    templates: Templates,
) -> tuple[Map32, Map32, Bools]:  # fmt: skip
    """By how much (M,) the lower index on top explains a place better, how far apart the
    drawings are there (M,), and whether it is lit (M,).
    """
    own, other = shared.own, shared.other
    other_index, inside = other_places(drawing, shared, templates)
    at = own * len(templates.grid_mm) + shared.index
    ink, least = (
        drawing.ink.T.astype(np.float32, order="C"),
        np.maximum(strength, LEAST_INK).astype(np.float32),
    )
    scale = np.maximum(np.take(least, own), np.take(least, other))
    white, tint = _seen(drawing, patches, at, own, other)
    own_ink, other_ink = np.take(ink, own, axis=1), np.take(ink, other, axis=1)
    uneven = _unevenly_lit(drawing.ink, strength)
    if uneven.any():
        there = np.flatnonzero(np.take(uneven.ravel(), shared.pair))
        weaker = np.minimum(np.take(least, own[there]), np.take(least, other[there]))
        hue = own_ink[:, there] / np.take(strength, own[there]).astype(np.float32)
        as_seen = np.clip((tint[:, there] * hue).sum(axis=0), weaker, scale[there])
        scale[there] = as_seen
        own_ink[:, there] = other_ink[:, there] = hue * as_seen
    own_white, own_share = _drawn(drawing, own, shared.index, templates)
    other_white, other_share = _drawn(drawing, other, other_index, templates)
    other_white *= inside
    other_share *= inside
    own_tint, other_tint = own_ink * own_share, other_ink * other_share
    own_off, other_off, apart = (
        np.square(one - two) + _squared(before - after) / np.square(scale)
        for one, two, before, after in (
            (white, own_white, tint, own_tint),
            (white, other_white, tint, other_tint),
            (own_white, other_white, own_tint, other_tint),
        )
    )
    gain = np.minimum(other_off, WORST_OFF) - np.minimum(own_off, WORST_OFF)
    gain = np.where(own < other, gain, -gain)
    return gain, np.sqrt(apart), np.take(patches.weight, at) > 0.5


def _unevenly_lit(inks: FloatArray, strength: FloatArray) -> Bools:
    """Which two cards (N, N) have one hue and inks (N, 3) of very different strength (N,): one lies
    in a shadow, which may also run across the other. What is drawn by both in the same ink tells
    nothing of them, and each may be as strong as it is seen.
    """
    most = np.maximum(strength, LEAST_INK)
    alike = inks @ inks.T > ONE_HUE * np.outer(most, most)
    brighter = most[:, None] / most
    return np.asarray(alike & (np.maximum(brighter, brighter.T) > UNEVEN))


def _squared(away: Map32) -> Map32:
    """The squared lengths (M,) of vectors (3, M)."""
    return np.asarray(np.einsum("km,km->m", away, away))


def _seen(
    drawing: Drawing, patches: Patches, at: Ints, own: Ints, other: Ints
) -> tuple[Map32, Map32]:
    """How white (M,) the picture is at places `at` (M,) of all cards' grids, and its tint (3, M).

    What tints black and ink alike must not count as ink: each of the two cards has its own, much
    the same.
    """
    words = np.take(patches.pixels.view(np.uint32), at)
    levels = words.view(np.uint8).reshape(-1, 4).T.astype(np.float32, order="C")
    tint = levels[:3] - levels[:3].mean(axis=0)
    haze = np.broadcast_to(drawing.haze / 2, drawing.ink.shape).T.astype(np.float32, order="C")
    if haze.any():
        tint -= np.take(haze, own, axis=1) + np.take(haze, other, axis=1)
    return levels[3] / np.float32(255), tint


def _drawn(drawing: Drawing, card: Ints, index: Ints, templates: Templates) -> tuple[Map32, Map32]:
    """How white (M,) a card's drawing is at one place each, and the ink's share (M,)."""
    at = np.take(drawing.rows, card) * len(templates.grid_mm) + index
    return np.take(templates.white, at), np.take(templates.ink, at)


def bottom_up(
    count: int, above: dict[tuple[int, int], float]
) -> tuple[list[int], list[tuple[int, int]]]:
    """Order cards from below to the top by pairs (upper, lower) with strengths.

    Where the pairs run in a circle the weakest is dropped until none does;
    returns the order and the pairs dropped.
    """
    edges = dict(above)
    dropped: list[tuple[int, int]] = []
    while True:
        order, stuck = _sorted_by(count, edges)
        if not stuck:
            return order, dropped
        ring = [(pair, s) for pair, s in edges.items() if pair[0] in stuck and pair[1] in stuck]
        weakest = min(ring, key=lambda item: item[1])[0]
        dropped.append(weakest)
        del edges[weakest]


def swapped(pairs: PairEvidence, order: list[int], upper: int, lower: int) -> list[int] | None:
    """The order with these two the other way round and all other clear pairs as they are.

    Pairs that are not clear give way where that is needed. None where the clear ones do not allow
    it.
    """
    rank = {card: k for k, card in enumerate(order)}
    above = {}
    for (a, b), clear in zip(pairs.pairs.tolist(), pairs.clear.tolist(), strict=True):
        first, second = (a, b) if rank[a] > rank[b] else (b, a)
        above[(first, second)] = 1.0 if clear else 0.5
    above.pop((upper, lower), None)
    above[(lower, upper)] = 1.0
    other, dropped = bottom_up(len(rank), above)
    return None if any(above[pair] == 1.0 for pair in dropped) else other


def _sorted_by(count: int, edges: dict[tuple[int, int], float]) -> tuple[list[int], set[int]]:
    under = [0] * count
    above: list[list[int]] = [[] for _ in range(count)]
    for upper, lower in edges:
        under[upper] += 1
        above[lower].append(upper)
    order: list[int] = []
    free = [i for i in range(count) if under[i] == 0]
    while free:
        order.extend(free)
        next_: list[int] = []
        for lower in free:
            for upper in above[lower]:
                under[upper] -= 1
                if under[upper] == 0:
                    next_.append(upper)
        free = sorted(next_)
    return order, set(range(count)) - set(order)
