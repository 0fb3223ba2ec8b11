"""Which colour each card has: groups found in the picture, named by symbols and the deck."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import linkage
from scipy.ndimage import gaussian_filter
from scipy.optimize import linear_sum_assignment

from geometry.deck import Deck
from vision.drawing.templates import TEMPLATE_DENSITY, Templates
from vision.medians import medians
from vision.naming.faces import Patches
from vision.naming.tints import FEWEST_PLACES, Tints

FloatArray = NDArray[np.float64]
Ints = NDArray[np.int64]
HUE_WEIGHT = 12.0
"""A typical colour's distance counts this much beside the symbols: a hint, no proof."""
SYMBOL_WEIGHT = 2.0
WHITEST = 1.2
"""A symbol may be seen so much whiter than it is drawn: what is white is a share of the clearest
white near by."""
MORE_BLUR_MM = (0.0, 0.2, 0.35, 0.5)
"""Sigmas by which symbols may be blurred beyond what they are drawn with (0.35 mm): in all up to
0.6 mm."""
GAMMAS = (1.0, 0.7)
"""A lens blurs light, and half as much light is more than half as bright in a picture: what is
blurred looks wider, and the gap between two bars paler."""
GROUP_SCALE = 2.0
"""A group whose name would cost this much more under another is right 73 times in 100."""
STRAY_GROUPS = 4
"""Groups beyond the deck's colours: cards whose ink could not be measured well."""
STRAY_COST = 4.0
SMALL_SHARE = 0.34
SMALL_GROUP_COST = 12.0
"""Players lay about equally many cards: a colour with few is more likely badly measured."""
TWIN_COST = 6.0
"""Cost of the same face twice in one colour: each card exists once."""
MOST_MIXED = 8.0
"""By so much another colour's symbol may fit cards of a colour better than their own, in all: by at
most 4.8 in 858 groups of 220 hard tables; by 11 to 160 where inks had run together in light of one
colour or on black that was pale (`beyond`)."""
GAINSAID = 0.4
"""How sure a colour is that the symbols gainsay: less than any is by its ink alone."""


@dataclass(frozen=True, eq=False)
class Naming:
    """Colour index of every card (N,), into the templates' colours, and how sure (N,), 0 to 1."""

    colour: Ints
    confidence: FloatArray
    runner_up: Ints


def symbol_scores(
    patches: Patches,
    mirrored: NDArray[np.bool_],
    visible: NDArray[np.float32],
    templates: Templates,
) -> FloatArray:
    """How well each colour's symbol (N, C, without the starting one) fits what each card shows.

    Log-likelihood-like: 0 where the symbol cannot be seen.
    """
    where = templates.symbol
    seen = np.asarray(patches.white[:, where] / np.float32(255), np.float32)
    weight = np.asarray(patches.weight[:, where] * visible[:, where], np.float32)
    total = np.maximum(weight.sum(axis=1), 1.0)[:, None]
    covered = weight.mean(axis=1) < 0.8
    drawn = blurred_symbols(templates)
    fits = -_misfits(seen, weight, drawn.reshape(-1, drawn.shape[-1])) / total
    fits = fits.reshape(len(seen), *drawn.shape[:-1])
    front, back = fits[:, :, 0], fits[:, :, 1]
    # Printings differ in whether a symbol is mirrored on the back.
    either = np.where(mirrored[:, None, None], np.maximum(front, back), front)
    # One lens drew them all: what explains most of them is how blurred they are.
    likeliest = either[~covered].max(axis=2).sum(axis=0).argmax()
    out = either[:, likeliest].astype(np.float64)
    out -= out.mean(axis=1, keepdims=True)
    out[covered] = 0
    return np.asarray(out * 160, np.float64)


@lru_cache(maxsize=4)
def blurred_symbols(templates: Templates) -> NDArray[np.float32]:
    """The colours' symbols (B, 2, C, S), front and back, at the symbol's places, as they may look:
    blurred so much or so much more, and light at their rims as in the picture or in the lens.
    """
    rows, columns = templates.shape_hw
    drawn = templates.symbols[:-1].reshape(-1, rows, columns)
    blurred = [
        gaussian_filter(drawn, (0, mm, mm)) for mm in np.multiply(MORE_BLUR_MM, TEMPLATE_DENSITY)
    ]
    looks = np.stack([np.clip(one, 0, 1) ** gamma for gamma in GAMMAS for one in blurred])
    sides = np.stack([looks, looks[..., ::-1]], axis=1)
    flat = sides.reshape(*sides.shape[:3], rows * columns)
    return np.ascontiguousarray(flat[..., templates.symbol], np.float32)


def _misfits(
    seen: NDArray[np.float32], weight: NDArray[np.float32], drawn: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Squared misfits (N, C) of what is seen (N, S) with drawings (C, S), as pale as fits best.

    Blur takes more of thin bars' whiteness than of a disc's.
    """
    likeness, own = (seen * weight) @ drawn.T, weight @ (drawn**2).T
    paleness = np.clip(likeness / np.maximum(own, np.float32(1e-6)), 0, WHITEST)
    energy = np.einsum("ns,ns->n", seen**2, weight)[:, None]
    return np.asarray(energy - 2 * paleness * likeness + paleness**2 * own)


def name_colours(
    tints: Tints, symbols: FloatArray, faces: Ints, deck: Deck, start: NDArray[np.bool_]
) -> Naming:
    """Group the cards' inks and name the groups: symbols, one card of a face per colour, hue.

    `faces` (N,) are face indices, `start` (N,) marks starting cards (left out).
    """
    count = len(faces)
    colour = np.full(count, len(deck.colours), np.int64)
    confidence = np.ones(count)
    runner = colour.copy()
    play = np.flatnonzero(~start)
    if len(play) == 0:
        return Naming(colour, confidence, runner)
    features = _features(tints.ink[play])
    typical = _features(_typical(deck))
    best = _best_grouping(features, tints.places[play], symbols[play], faces[play], typical)
    stray, measured = np.zeros(len(play), np.bool_), tints.places[play] >= FEWEST_PLACES
    stray[np.flatnonzero(measured)[best.stray]] = True
    per_card = _card_costs(features, symbols[play], best.centres, stray, measured)
    order = np.argsort(per_card, axis=1)
    colour[play] = order[:, 0]
    gap = (
        np.zeros(len(play))
        if per_card.shape[1] < 2
        else np.diff(np.take_along_axis(per_card, order[:, :2], axis=1), axis=1)[:, 0]
    )
    lead = best.leads[order[:, 0]] / GROUP_SCALE
    confidence[play] = 1 / (1 + np.exp(-np.clip(np.minimum(gap, lead), 0, 50)))
    runner[play] = order[:, 1] if per_card.shape[1] > 1 else order[:, 0]
    _heed_symbols(colour, confidence, runner, symbols, play)
    return Naming(colour, confidence, runner)


def _heed_symbols(
    colour: Ints, confidence: FloatArray, runner: Ints, symbols: FloatArray, play: Ints
) -> None:
    """Where cards (K,) of one colour bear another one's symbol, their inks may look alike only in
    this light: they are unsure; writes `confidence` and `runner`.
    """
    for name in np.unique(colour[play]):
        own = play[colour[play] == name]
        better = np.maximum(symbols[own] - symbols[own][:, [name]], 0.0)
        mixed = np.where(better.sum(axis=0) > MOST_MIXED, better, 0.0)
        says = np.flatnonzero(mixed.any(axis=1))
        confidence[own[says]], runner[own[says]] = GAINSAID, mixed[says].argmax(axis=1)


def by_symbol(naming: Naming, cards: Ints, symbols: FloatArray) -> Naming:
    """The naming with some of the cards (K,) of the colours whose symbols (N, C) they plainly bear:
    what lies unseen over a card has ink of its own. The same object where none bears another's.
    """
    best = symbols[cards].argmax(axis=1)
    own = naming.colour[cards]
    plain = symbols[cards, best] - symbols[cards, own] > MOST_MIXED
    if not plain.any():
        return naming
    colour, confidence = naming.colour.copy(), naming.confidence.copy()
    runner, told = naming.runner_up.copy(), cards[plain]
    colour[told], runner[told], confidence[told] = best[plain], own[plain], GAINSAID
    return Naming(colour, confidence, runner)


def _typical(deck: Deck) -> FloatArray:
    return (
        np.array([[int(c.hex[i : i + 2], 16) / 235.0 for i in (5, 3, 1)] for c in deck.colours])
        - 0.15
    )


def _features(ink: FloatArray) -> FloatArray:
    """Chromaticity away from grey, scaled by its length to the power one half, and lightness."""
    grey = ink.mean(axis=1, keepdims=True)
    away = ink - grey
    length = np.linalg.norm(away, axis=1, keepdims=True)
    return np.hstack([away / np.maximum(length, 0.05) ** 0.6, 0.35 * grey])


@dataclass(frozen=True, eq=False)
class _Grouping:
    centres: FloatArray
    """(C, 4): feature centre of each colour; NaN rows for colours not on the table."""
    names: Ints
    costs: FloatArray
    """(G, C or more): what it would cost to name each group after each colour, or not at all."""
    stray: NDArray[np.bool_]
    """(M,): cards, of those grouped, whose group has no name."""
    cost: float

    @property
    def leads(self) -> FloatArray:
        """By how much (C,) a colour's group would cost more under another name."""
        leads = np.zeros(self.costs.shape[1])
        rows = np.flatnonzero(self.names >= 0)
        least = float(self.costs[linear_sum_assignment(self.costs)].sum())
        for row in rows:
            other = self.costs.copy()
            other[row, self.names[row]] += 1e3
            leads[self.names[row]] = other[linear_sum_assignment(other)].sum() - least
        return leads


def _best_grouping(
    features: FloatArray, places: Ints, symbols: FloatArray, faces: Ints, typical: FloatArray
) -> _Grouping:
    usable = places >= FEWEST_PLACES
    if not usable.any():
        count = len(typical)
        none = np.empty(0, np.bool_)
        return _Grouping(typical, np.arange(count), np.zeros((count, count)), none, 0.0)
    base = features[usable]
    found = (
        _name_groups(base, label, symbols[usable], faces[usable], typical)
        for label in _groupings(base, len(typical) + STRAY_GROUPS)
    )
    return min(found, key=lambda grouping: grouping.cost)


def _groupings(features: FloatArray, most: int) -> list[Ints]:
    """Labels (N,) from 0 on of features (N, F) in one group, in two, and so on up to `most`.

    The nearest two groups are joined, over and over, by the mean distance of their members.
    """
    count = len(features)
    label = np.arange(count)
    out = [label.copy()] if count <= most else []
    joined = linkage(features, method="average")[:, :2] if count > 1 else np.empty((0, 2))
    for step, (one, other) in enumerate(joined.astype(np.int64).tolist()):
        label[(label == one) | (label == other)] = count + step
        if count - step - 1 <= most:
            out.append(np.unique(label, return_inverse=True)[1].astype(np.int64))
    return out[::-1]


def _name_groups(
    features: FloatArray,
    label: Ints,
    symbols: FloatArray,
    faces: Ints,
    typical: FloatArray,
) -> _Grouping:
    sizes = np.bincount(label)
    groups = len(sizes)
    member = label == np.arange(groups)[:, None]
    centres = np.stack([medians(features[own], 0) for own in member])
    scatter = np.minimum(np.linalg.norm(features - centres[label], axis=1), 0.5)
    twins = len(faces) - len(np.unique(label * (int(faces.max()) + 1) + faces))
    evidence = member.astype(np.float64) @ symbols
    hue = np.linalg.norm(centres[:, None, :] - typical[None], axis=2)
    # What makes one symbol look like another does so on all cards: their number counts by its root.
    evidence /= np.sqrt(sizes)[:, None]
    # Against the likeliest symbol: more groups must not add up to more evidence.
    evidence -= evidence.max(axis=1, keepdims=True)
    # Of more groups than colours some have no name, which costs by the cards that they have.
    nameless = np.repeat(STRAY_COST * sizes[:, None], max(0, groups - len(typical)), axis=1)
    cost = np.hstack([HUE_WEIGHT * hue - SYMBOL_WEIGHT * evidence, nameless])
    rows, columns = linear_sum_assignment(cost)
    total = float(cost[rows, columns].sum() + 40 * scatter.sum() + TWIN_COST * twins)
    named = columns < len(typical)
    large = sizes[rows[named]]
    total += SMALL_GROUP_COST * int((large < SMALL_SHARE * large.max()).sum())
    placed = np.full((len(typical), features.shape[1]), np.nan)
    placed[columns[named]] = centres[rows[named]]
    names = np.full(groups, -1, np.int64)
    names[rows[named]] = columns[named]
    return _Grouping(placed, names, cost, names[label] < 0, total + 6.0 * groups)


def _card_costs(
    features: FloatArray, symbols: FloatArray, centres: FloatArray, stray: NDArray[np.bool_],
    measured: NDArray[np.bool_],
) -> FloatArray:  # fmt: skip
    """Cost (N, C) of each colour for each card; large where the colour is not on the table. Of
    cards whose ink was not measured (N,) only the symbols tell: no ink is like none.
    """
    gap = np.linalg.norm(features[:, None, :] - centres[None], axis=2)
    # An ink like no colour's was measured badly: by as much as it lies off the likest, at least.
    off = np.where(stray, np.nanmin(gap, axis=1), 0.0)
    spread = np.maximum(off, _spread(features, centres))[:, None]
    cost = np.where(measured[:, None], (gap / spread) ** 2 / 2, 0.0)
    cost[np.isnan(gap)] = 60.0
    return np.asarray(np.minimum(cost, 60.0) - 0.5 * symbols)


def _spread(features: FloatArray, centres: FloatArray) -> float:
    gap = np.nanmin(np.linalg.norm(features[:, None, :] - centres[None], axis=2), axis=1)
    between = [
        float(np.linalg.norm(a - b))
        for a, b in pairwise(sorted(centres[~np.isnan(centres[:, 0])].tolist()))
        for a, b in [(np.asarray(a), np.asarray(b))]
    ]
    own = max(0.04, 1.5 * float(np.median(gap)))
    return min(own, max(0.04, min(between, default=1.0) / 3))
