"""Which cards have one ink, and which colour that ink is: groups by hue, named once for the table.

A card's ink is measured between its own black and its own white, so that a veil, which adds to
both, and the light, which scales both, drop out; what is left varies by a few degrees of hue over
one table (docs/decisions/0011-ink-before-symbol.md). Every decision is a difference of
log-probabilities.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.optimize import linear_sum_assignment

from geometry.deck import Deck
from vision.arrays import Bools, FloatArray, Ints
from vision.medians import SIGMA_OF_MEDIAN
from vision.naming.colours import Naming
from vision.naming.symbols import SymbolLooks
from vision.naming.tints import FEWEST_PLACES, Tints
from vision.printed_hues import hues_deg

TINT_SIGMA = 0.035
"""How exactly the ink of a card is measured, as a share of the step from its black to its white."""
LEAST_SPREAD_DEG, MOST_SPREAD_DEG = 3.0, 8.0
"""Sigma of the hues of one ink on one table: 3 to 6 degrees on photographs of printed cards."""
WELL_MEASURED_DEG = 12.0
FARTHEST = 12.0
"""Log-probability beyond which an ink lies no farther from another: it may be anything."""
STRAY = 8.0
"""Log-odds of an ink in the middle of its group against its being none of it."""
GROUP_COST = 6.0
TWIN_COST = 6.0
"""Each card exists once a colour: a face twice in a group was misread, or the group is two."""
SMALL_SHARE, SMALL_GROUP_COST = 0.34, 12.0
"""Players lay about equally many cards: a colour with few is more likely badly measured."""
BEYOND_PRINTED, NAME_SIGMA_DEG = 4.0, 3.0
"""How unlikely (minus log-odds) a hue is just beyond those that a colour's printings have, and how
fast (sigma) it gets more so: of 3,300 groups on 830 tables nine lay beyond, by 3.5 degrees at most.
"""
MOST_BY_SYMBOL = 6.0
"""Of a group's symbol: it decides between names whose inks lie close, and no more."""
OTHER_SYMBOL = 3.0
"""Log-odds of a printing with other symbols than the deck's, and of each that it draws."""
SYMBOL_SHARE, MOST_OF_ONE = 0.5, 4.0
"""Of one card's symbol, and at most before that: less than inks that lie plainly apart."""
OPEN_NAMES = 5.5
"""Log-odds below which it is a question which of two groups has which name."""


@dataclass(frozen=True, eq=False)
class _Inks:
    """Hues (N,) in degrees, and errors (N,) of measuring inks as shares of their strength, sigma,
    infinite where one is not measured.
    """

    hue: FloatArray
    error: FloatArray

    @cached_property
    def sigma(self) -> FloatArray:
        """How exactly each hue (N,) is known, sigma in degrees, infinite where it is not."""
        known = np.isfinite(self.error)
        return np.where(known, np.rad2deg(np.arctan(self.error)), np.inf)


@dataclass(frozen=True, eq=False)
class _Groups:
    """Groups by hue: middle (G,) and spread (G,), degrees; `scale` (G,): how far the hues of its
    cards lie off its middle, over how far errors of measuring may put them, at most 1; `names`
    (G,) colour indices; `leads` (G,) log-odds of each name against the next, which is `rivals`
    (G,); `members`: the cards that each was made of; `cost` of it all.
    """

    middle: FloatArray
    spread: FloatArray
    scale: FloatArray
    names: Ints
    leads: FloatArray
    rivals: Ints
    members: Sequence[Ints]
    cost: float


def name_colours(tints: Tints, looks: SymbolLooks, faces: Ints, deck: Deck, start: Bools) -> Naming:
    """Group the cards' inks by hue, and name the groups by hue and, where that is close, symbol.

    `looks` are the symbols that the cards (N,) show; `faces` (N,) are face indices, `start` (N,)
    marks starting cards (left out). A card whose ink shows too little has a low confidence.
    """
    count = len(faces)
    colour = np.full(count, len(deck.colours), np.int64)
    confidence, runner = np.ones(count), colour.copy()
    play = np.flatnonzero(~start)
    if len(play) == 0:
        return Naming(colour, confidence, runner)
    inks, looks = _inks(tints.ink[play], tints.places[play]), looks.take(play)
    groups = _best_groups(inks, looks, faces[play], deck)
    sigma = _sigmas(inks, groups)
    odds = _card_odds(inks, groups, sigma) + _heard(looks.of_each(groups.members))
    order = np.argsort(-odds, axis=1)
    first, rows = order[:, 0], np.arange(len(play))
    colour[play] = groups.names[first]
    if odds.shape[1] > 1:
        lead = odds[rows, first] - odds[rows, order[:, 1]]
        runner[play] = groups.names[order[:, 1]]
    else:
        lead, runner[play] = np.full(len(play), np.inf), groups.rivals[first]
    # An ink far from its group's is none of it: another colour's, of which there is one card alone.
    stray = odds[rows, first] + STRAY + np.log(sigma[rows, first])
    alone = stray < np.minimum(lead, np.where(np.isfinite(inks.sigma), np.inf, -np.inf))
    runner[play[alone]] = _likeliest_other(inks, _heard(looks.each), colour[play], deck)[alone]
    lead = np.where(alone, stray, lead)
    measured = np.isfinite(inks.sigma) & (inks.sigma < 90)
    lead = np.where(measured, lead, np.minimum(lead, 0.2))
    confidence[play] = 1 / (1 + np.exp(-np.clip(lead, 0, 50)))
    return Naming(colour, confidence, runner, _open_names(groups))


def _likeliest_other(inks: _Inks, symbols: FloatArray, colour: Ints, deck: Deck) -> Ints:
    """The colours (N,), other than those (N,) they have, that cards' own hues and symbols tell."""
    cost = _hue_costs(inks.hue, deck) - symbols
    cost[np.arange(len(colour)), colour] = np.inf
    return np.asarray(cost.argmin(axis=1), np.int64)


def _heard(symbols: FloatArray) -> FloatArray:
    """How much of what single cards' symbols say counts."""
    return np.asarray(SYMBOL_SHARE * np.clip(symbols, -MOST_OF_ONE, MOST_OF_ONE))


def _open_names(groups: _Groups) -> tuple[tuple[int, int], ...]:
    """Pairs of colours (a on the table, b) that may have each other's name."""
    close = np.flatnonzero(groups.leads < OPEN_NAMES)
    pairs = {
        tuple(sorted((int(groups.names[g]), int(groups.rivals[g])))): (
            int(groups.names[g]), int(groups.rivals[g])
        )
        for g in close
        if groups.rivals[g] >= 0
    }  # fmt: skip
    return tuple(pairs.values())


def _inks(ink_bgr: FloatArray, places: Ints) -> _Inks:
    """Hues of inks (N, 3), BGR as shares of white; unknown without places."""
    b, g, r = ink_bgr.T
    along, across = r - (g + b) / 2, np.sqrt(3) / 2 * (g - b)
    chroma = np.maximum(np.hypot(along, across), 1e-6)
    noise = np.hypot(TINT_SIGMA, 0.5 / np.sqrt(np.maximum(places, 1)))
    error = np.where(places >= FEWEST_PLACES, noise / chroma, np.inf)
    return _Inks(np.rad2deg(np.arctan2(across, along)) % 360, error)


def _apart_deg(one: FloatArray, other: FloatArray) -> FloatArray:
    """Differences (N, M) of angles (N,) and (M,), -180 to 180."""
    return np.asarray((one[:, None] - other[None] + 180) % 360 - 180)


def _best_groups(inks: _Inks, looks: SymbolLooks, faces: Ints, deck: Deck) -> _Groups:
    """The likeliest groups, made of the cards that are well measured, or of all that are: in a dim
    picture, or of one pale colour, these may be none; what is left out of them belongs to the
    nearest. A few cards that lie far from all others may be left out, too.
    """
    measured = np.flatnonzero(np.isfinite(inks.sigma))
    well = np.flatnonzero(inks.sigma < WELL_MEASURED_DEG)
    measured = measured if len(measured) else np.arange(len(inks.sigma))
    best: _Groups | None = None
    some_well = 0 < len(well) < len(measured)
    for usable in (well, measured) if some_well else (measured,):
        for members in _ways_to_group(inks.hue[usable], len(deck.colours)):
            some = [usable[cards] for cards in members]
            found = _named(some, inks, looks, faces, deck)
            rest = np.setdiff1d(measured, np.concatenate(some))
            nearest = _card_odds(inks, found, _sigmas(inks, found))[rest].max(axis=1)
            found = replace(found, cost=found.cost - float(nearest.sum()))
            if best is None or found.cost < best.cost:
                best = found
    if best is None:
        raise ValueError("expected at least one card")
    return best


def _ways_to_group(hue: FloatArray, most: int) -> Iterator[list[Ints]]:
    """Which hues (N,) make up one group, two, and so on, and the same without small groups."""
    for label in _labels(hue, most):
        members = [np.flatnonzero(label == group) for group in range(label.max() + 1)]
        yield members
        least = SMALL_SHARE * max(map(len, members))
        large = [cards for cards in members if len(cards) >= least]
        if len(large) < len(members):
            yield large


def _labels(hue: FloatArray, most: int) -> list[Ints]:
    """Labels (N,) of hues in one group, in two, and so on: the nearest two groups are joined, over
    and over, by the mean distance of their members.
    """
    count = len(hue)
    if count == 1:
        return [np.zeros(1, np.int64)]
    apart = np.abs(_apart_deg(hue, hue))
    tree = linkage(apart[np.triu_indices(count, 1)], method="average")[:, :2].astype(np.int64)
    label = np.arange(count)
    out = [label.copy()] if count <= most else []
    for step, (one, other) in enumerate(tree.tolist()):
        label = np.where((label == one) | (label == other), count + step, label)
        if count - step - 1 <= most:
            out.append(np.unique(label, return_inverse=True)[1].astype(np.int64))
    return out[::-1]


def _named(
    members: Sequence[Ints], inks: _Inks, looks: SymbolLooks, faces: Ints, deck: Deck
) -> _Groups:
    sizes = np.array([len(cards) for cards in members])
    number = len(sizes)
    middle, spread, scale = np.empty(number), np.empty(number), np.ones(number)
    cost = GROUP_COST * number
    cost += SMALL_GROUP_COST * int((sizes < SMALL_SHARE * sizes.max()).sum())
    for g, cards in enumerate(members):
        hue, sigma = inks.hue[cards], inks.sigma[cards]
        turn = np.exp(1j * np.deg2rad(hue))
        rough = np.rad2deg(np.angle((turn / sigma**2).sum()))
        off = _apart_deg(hue, np.array([rough]))[:, 0]
        middle[g] = (rough + np.median(off)) % 360
        off -= np.median(off)
        wide = SIGMA_OF_MEDIAN * float(np.median(np.abs(off)))
        spread[g] = np.clip(wide, LEAST_SPREAD_DEG, MOST_SPREAD_DEG)
        whole = np.hypot(spread[g], sigma)
        cost += float((np.minimum((off / whole) ** 2 / 2, FARTHEST) + np.log(whole)).sum())
        seen = SIGMA_OF_MEDIAN * float(np.median(np.abs(off) / whole))
        # As if one more card lay off by all that errors may put it: few cards agree by chance.
        scale[g] = min(np.sqrt((len(cards) * seen**2 + 1) / (len(cards) + 1)), 1.0)
        cost += TWIN_COST * (len(cards) - len(np.unique(faces[cards])))
    by_symbol = [looks.of_group(cards) for cards in members]
    names, leads, rivals, least = _names(middle, by_symbol, deck)
    return _Groups(middle, spread, scale, names, leads, rivals, members, cost + least)


def _names(
    middle: FloatArray, by_symbol: Sequence[FloatArray | None], deck: Deck
) -> tuple[Ints, FloatArray, Ints, float]:
    """Names of the groups (G,), how clear each is, the next likely, and what it costs in all.
    `by_symbol`: what each group's says for every colour (C,).

    A table's cards are of one printing: either its symbols are the deck's, or, less likely,
    another's, and then any symbol is as likely for any colour.
    """
    by_hue = _hue_costs(middle, deck)
    as_drawn, any_symbol = by_hue.copy(), OTHER_SYMBOL
    for g, told in enumerate(by_symbol):
        if told is not None:
            as_drawn[g] += np.minimum(-told, MOST_BY_SYMBOL)
            any_symbol += OTHER_SYMBOL
    printings = ((as_drawn, 0.0), (by_hue, any_symbol))
    least, out = min((_assignment(*one) for one in printings), key=lambda one: one[0])
    leads, rivals = np.full(len(middle), np.inf), out.copy()
    if by_hue.shape[1] > 1:
        for g in np.flatnonzero(out >= 0).tolist():
            taken = np.zeros_like(by_hue)
            taken[g, out[g]] = 1e6
            tried = (_assignment(cost + taken, more) for cost, more in printings)
            cost, other = min(tried, key=lambda one: one[0])
            leads[g], rivals[g] = cost - least, other[g]
    return out, leads, rivals, least


def _assignment(cost: FloatArray, more: float) -> tuple[float, Ints]:
    """The least cost of a name for every group, by costs (G, C) and `more`, and the names (G,)."""
    groups, names = linear_sum_assignment(cost)
    out = np.full(len(cost), -1, np.int64)
    out[groups] = names
    return float(cost[groups, names].sum()) + more, out


def _hue_costs(hue: FloatArray, deck: Deck) -> FloatArray:
    """How unlikely (N, C) hues (N,) are for each colour, by how far they lie beyond its own."""
    low, high = hues_deg(deck)
    off = np.abs(_apart_deg(hue, (low + high) / 2)) - (high - low) / 2
    farther = np.minimum((off / NAME_SIGMA_DEG) ** 2 / 2, FARTHEST)
    return np.where(off > 0, BEYOND_PRINTED + farther, 0.0)


def _sigmas(inks: _Inks, groups: _Groups) -> FloatArray:
    """How far (N, G) each card's hue may lie from each group's: its ink is measured as exactly as
    those of the group's cards are, as what lies over all of a table moves all their hues together.
    """
    own = np.rad2deg(np.arctan(inks.error[:, None] * groups.scale))
    return np.asarray(np.hypot(groups.spread, own))


def _card_odds(inks: _Inks, groups: _Groups, sigma: FloatArray) -> FloatArray:
    """Log-likelihood (N, G) of each card's hue in each group, which it lies off by `sigma` (N, G);
    alike where it was not measured.
    """
    off = _apart_deg(inks.hue, groups.middle)
    odds = -np.minimum((off / sigma) ** 2 / 2, FARTHEST) - np.log(sigma)
    return np.asarray(np.where(np.isfinite(inks.sigma)[:, None], odds, 0.0))
