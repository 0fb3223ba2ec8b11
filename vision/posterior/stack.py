"""How high the cards of a table lie: on the highest of those that they rest on, a step over it
that is fitted on the table itself.

Seen aslant, heights decide where cards lie, and where they lie decides what they rest on: a card
that seems to touch a high stack may lie beside it, nearer to the lens than it seems, or on it, and
nearer still. Where both go together, it lies as players lay cards: exactly on a shape, or now and
then anywhere (`geometry/laid.py`). So the step is fitted: what was laid exactly tells by how much
the shapes of the two cards seem shifted against one another, by least squares with a share of
cards that lie anywhere, as expectation and maximisation weigh them (Dempster, Laird and Rubin,
"Maximum likelihood from incomplete data via the EM algorithm", JRSS B 39, 1977).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from geometry.deck import CardSize, Deck
from geometry.fitting import pairings
from geometry.laid import ANYWHERE, laid_density
from geometry.layout import Card
from geometry.pose import PointsMm
from geometry.rectangles import cards_upright, gaps_mm, near_pairs
from geometry.touch import FARTHEST_FIT_MM, Touch, touches_of
from vision.arrays import FloatArray
from vision.model.table import Place, PlacedCard
from vision.reading_config import ReadingConfig

ROUNDS = 3
"""So often the step is fitted, and what rests on what asked again."""
USUAL = 6.0
"""How exactly cards are laid as a rule is worth so many cards of the table."""
UNLIKELY = -10.0
"""What is so much less likely to rest so, as a logarithm, is not asked how well it lies."""


@dataclass(frozen=True, eq=False)
class Stack:
    """How high (N,) cards lie, mm: so many `layers` (N,) of `step_mm` over the table. `sigmas` (N,)
    are how exactly that is known against those near by, mm.
    """

    layers: FloatArray
    step_mm: float
    sigmas: FloatArray

    @property
    def heights(self) -> FloatArray:
        """Height of each card (N,), mm."""
        return self.layers * self.step_mm


@dataclass(frozen=True, eq=False)
class Ground:
    """Cards, the lowest first, and where (N, 3: x, y in mm, degrees) their middles are seen on the
    plane, in the true millimetres of cards; where the lens stands (x, y and its height).
    """

    cards: Sequence[PlacedCard]
    places: FloatArray
    lens_mm: tuple[float, float, float]
    deck: Deck
    config: ReadingConfig

    def slants(self) -> FloatArray:
        """By how much (N, 2) each card seems shifted for each mm that it is high."""
        return np.asarray((self.places[:, :2] - self.lens_mm[:2]) / self.lens_mm[2])

    def lying(self, heights: FloatArray) -> FloatArray:
        """Where (N, 3) the cards lie if they are so high."""
        out = self.places.copy()
        out[:, :2] -= heights[:, None] * self.slants()
        return out

    def card(self, rank: int, place: FloatArray) -> Card:
        """A card as it is judged, at a place (3,)."""
        own = self.cards[rank]
        x, y, angle = place.tolist()
        pose = replace(own, place=Place(x, y, angle)).pose
        colour = own.ink or self.deck.starting_colour.name
        return Card(int(own.id), colour, own.hypothesis.face, pose)


def stack_of(ground: Ground) -> Stack:
    """How high cards lie."""
    step = ground.config.stack_step_mm
    for _ in range(ROUNDS):
        layers, sigmas = _layers(ground, step)
        step = _step(ground, layers, step)
    return Stack(layers, step, sigmas * step)


def layer_of_one_more(ground: Ground, rank: int, layers: FloatArray, step: float) -> float:
    """The layer of one of N cards, where the `layers` (N - 1,) of the others are known."""
    layers = np.insert(layers, rank, 0.0)
    return _layer(ground, rank, ground.lying(layers * step), layers, step)[0]


def _layers(ground: Ground, step: float) -> tuple[FloatArray, FloatArray]:
    """The layer of each card (N,), the lowest first, and how exactly that is known."""
    number = len(ground.cards)
    layers, sigmas = np.zeros(number), np.zeros(number)
    lying = ground.places.copy()
    slants = ground.slants()
    for rank in range(number):
        layers[rank], sigmas[rank] = _layer(ground, rank, lying, layers, step)
        lying[rank, :2] -= layers[rank] * step * slants[rank]
    return layers, sigmas


def _layer(
    ground: Ground, rank: int, lying: FloatArray, layers: FloatArray, step: float
) -> tuple[float, float]:
    """The likeliest layer of a card over those below it, which lie there, and its sigma."""
    config, size = ground.config, ground.deck.card
    below, slant = lying[:rank], ground.slants()[rank]
    reach = np.hypot(size.width_mm, size.height_mm) + step * layers.max() * np.hypot(*slant) + step
    near = np.flatnonzero(np.hypot(*(below[:, :2] - ground.places[rank, :2]).T) < reach)
    asked = np.unique([0.0, *(layers[near] + 1)])
    places = np.tile(ground.places[rank], (len(asked), 1))
    places[:, :2] -= (asked * step)[:, None] * slant
    depths = _depths(np.tile(below[near], (len(asked), 1)), places.repeat(len(near), axis=0), size)
    ways = [
        (float(layer), place, near[deep > 0.0], _rests(layer, layers[near], deep, config))
        for layer, place, deep in zip(asked, places, depths.reshape(len(asked), -1), strict=True)
    ]
    likeliest = max(rests for *_, rests in ways)
    ways = [way for way in ways if way[3] > likeliest + UNLIKELY]
    if len(ways) == 1:
        return ways[0][0], 0.0
    likely = np.array(
        [np.exp(rests) * _likely(ground, rank, place, lying, on) for _, place, on, rests in ways]
    )
    values = np.array([layer for layer, *_ in ways])
    best = float(values[int(np.argmax(likely))])
    share = likely / likely.sum()
    return best, float(np.sqrt(share @ np.square(values - best)))


def _rests(layer: float, below: FloatArray, depths: FloatArray, config: ReadingConfig) -> float:
    """How likely it is, as a logarithm, that a card in a layer rests on what makes it so: on one
    just below it, which it reaches into, and on nothing higher, whatever it seems to reach into.
    """
    through = np.maximum(depths[below + 1 > layer], 0.0).sum() / config.through_mm
    on = np.minimum(depths[below + 1 == layer], 0.0).max(initial=-np.inf) / config.beside_mm
    return float((on if layer else 0.0) - through)


def _depths(lower: FloatArray, upper: FloatArray, size: CardSize) -> FloatArray:
    """How deep (M,) the bodies of cards at places (M, 3) reach into others, mm; below 0 a gap."""
    cores, _ = cards_upright(size, lower)
    others, _ = cards_upright(size, upper)
    return np.asarray(2 * size.corner_radius_mm - gaps_mm(cores, others))


def _likely(
    ground: Ground, rank: int, place: FloatArray, lying: FloatArray, on: Iterable[int]
) -> float:
    """How likely a card is to be laid at a place on some below it."""
    own = ground.card(rank, place)
    return laid_density(
        touches_of(ground.deck, [(ground.card(k, lying[k]), own) for k in map(int, on)])
    )


def _step(ground: Ground, layers: FloatArray, step: float) -> float:
    """How high a layer is, by those cards that were laid exactly on others, fitted from a step."""
    config = ground.config
    off, per_mm = _shifted(ground, layers, step)
    if not len(off):
        return config.stack_step_mm
    fitted, usual = step, config.laid_mm**2 + 2 * config.print_mm**2
    variance = usual
    evenly = ANYWHERE / (np.pi * FARTHEST_FIT_MM**2)
    for _ in range(ROUNDS):
        left = off + (fitted - step) * per_mm
        apart = np.square(left).sum(axis=1)
        exactly = np.exp(-apart / 2 / variance) / (2 * np.pi * variance)
        share = (1 - ANYWHERE) * exactly / ((1 - ANYWHERE) * exactly + evenly)
        variance = (USUAL * usual + share @ apart / 2) / (USUAL + share.sum())
        told = share @ np.square(per_mm).sum(axis=1) / variance
        pulled = -share @ (per_mm * off).sum(axis=1) / variance
        prior = config.stack_step_sigma_mm**-2.0
        moved = (pulled + prior * (config.stack_step_mm - step)) / (told + prior)
        fitted = step + float(moved)
    return max(fitted, config.least_step_mm)


def _shifted(ground: Ground, layers: FloatArray, step: float) -> tuple[FloatArray, FloatArray]:
    """By how much (M, 2) shapes of cards lie beside those that they were meant for, mm, if a layer
    is so high, and by how much more (M, 2) for each mm that it is higher.
    """
    lying, slants = ground.lying(layers * step), ground.slants()
    cards = [ground.card(rank, place) for rank, place in enumerate(lying)]
    size = ground.deck.card
    lowers, uppers = near_pairs(lying[:, :2], float(np.hypot(size.width_mm, size.height_mm)))
    met = _depths(lying[lowers], lying[uppers], size) > 0.0
    pairs = list(zip(lowers[met].tolist(), uppers[met].tolist(), strict=True))
    touched = touches_of(ground.deck, [(cards[lower], cards[upper]) for lower, upper in pairs])
    best: dict[int, tuple[int, Touch]] = {}
    for (lower, upper), touch in zip(pairs, touched, strict=True):
        if touch.meant and (upper not in best or touch.fit_mm < best[upper][1].fit_mm):
            best[upper] = lower, touch
    off = [_beside(ground.deck, touch, cards[upper]) for upper, (_, touch) in best.items()]
    per_mm = [
        layers[lower] * slants[lower] - layers[upper] * slants[upper]
        for upper, (lower, _) in best.items()
    ]
    return np.array(off).reshape(-1, 2), np.array(per_mm).reshape(-1, 2)


def _beside(deck: Deck, touch: Touch, upper: Card) -> FloatArray:
    """By how much (2,) the middle of the upper card's shape lies beside that of the lower one's."""
    lower, fit = touch.card, touch.fit
    if fit is None:
        return np.zeros(2)
    ways = pairings(
        deck.face(lower.face), deck.face(upper.face), lower.pose.mirrored == upper.pose.mirrored
    )
    found = [
        lower.pose.to_table(PointsMm(on)) - upper.pose.to_table(PointsMm(of))
        for shapes, on, of in zip(ways.shapes, ways.on_mm, ways.of_mm, strict=True)
        if shapes == (fit.shape_on, fit.shape_of)
    ]
    nearest = min(found, key=lambda apart: float(np.linalg.norm(apart)))
    return np.asarray(-nearest.mean(axis=0))
