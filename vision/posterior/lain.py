"""Where the cards of a table lie in true millimetres: their places fitted on what shows of them,
their heights, and the scale that their known size gives.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from geometry.deck import Deck
from geometry.layout import Card, Layout
from geometry.pose import Pose
from geometry.spread import PoseSpread, spread_of
from vision.arrays import FloatArray
from vision.model.footprint import stacked_heights
from vision.model.table import CardId, PlacedCard, Table, as_array
from vision.observe.observation import Observation
from vision.posterior.bent_fit import BentCards, fit_bent
from vision.posterior.stack import Ground, Stack, layer_of_one_more, stack_of
from vision.propose.line_fit import fitted_where_shown, frame_growth
from vision.reading_config import ReadingConfig
from vision.view import TableView

TIPS_MM = np.array([[0.0, 0.0], [0.0, -40.0], [0.0, 40.0]])


@dataclass(frozen=True, eq=False)
class Lain:
    """Where (N, 3: x, y in mm, degrees) the cards of a table seem to lie on the plane, the lowest
    first, how high they lie in its `stack`, and by which share their sizes seem to be too large.

    `covariances` (N, 3, 3): how exactly lines tell of the places. `bends` (N, 2): how much higher
    than their middles the cards' ends, and their sides, lie, mm.
    """

    places: FloatArray
    stack: Stack
    growth: float
    covariances: FloatArray
    bends: FloatArray

    @property
    def heights(self) -> FloatArray:
        """How high (N,) the cards lie, mm."""
        return self.stack.heights

    def without(self, rank: int) -> Lain:
        """The others, as they lie, where one of them does not."""
        places, covariances, bends = (
            np.delete(each, rank, axis=0) for each in (self.places, self.covariances, self.bends)
        )
        layers, sigmas = (np.delete(each, rank) for each in (self.stack.layers, self.stack.sigmas))
        stack = Stack(layers, self.stack.step_mm, sigmas)
        return Lain(places, stack, self.growth, covariances, bends)


def lain(seen: Observation, table: Table, deck: Deck, config: ReadingConfig) -> Lain:
    """Fit each card's place on its lines that no card above covers: as if all were flat first."""
    size = deck.card
    fit = fitted_where_shown(seen, as_array(card.place for card in table.cards), size, config)
    flat = fit.frames.places
    heights = np.array(stacked_heights(flat, size, config.stack_step_mm))
    grown = frame_growth(seen, flat, fit.shown, size, config)
    nearer = 1 - heights / seen.lens_mm[2]
    told = np.isfinite(grown)
    growth = float(np.median((1 + grown[told]) * nearer[told])) - 1 if told.any() else 0.0
    start = BentCards(flat, np.zeros((len(flat), 2)), np.full((len(flat), 2), 1 + growth))
    bent = fit_bent(seen, table.cards, start, heights, deck, config)
    places = bent.cards.places
    stack = stack_of(_ground(seen, table, places, growth, deck, config))
    return Lain(places, stack, growth, bent.covariances, bent.cards.bends)


def _ground(
    seen: Observation, table: Table, places: FloatArray, growth: float, deck: Deck,
    config: ReadingConfig,
) -> Ground:  # fmt: skip
    """Cards that seem to lie at places (N, 3), in true millimetres."""
    x, y, high = (float(mm) / (1 + growth) for mm in seen.lens_mm)
    true = places / [1 + growth, 1 + growth, 1.0]
    return Ground(table.cards, true, (x, y, high), deck, config)


def with_one_more(
    seen: Observation, lying: Lain, table: Table, card: CardId, deck: Deck, config: ReadingConfig
) -> Lain:
    """A table with one card more than those that lie so: it alone is fitted."""
    size, rank, stack = deck.card, table.rank(card), lying.stack
    places = np.insert(lying.places, rank, as_array([table.card(card).place])[0], axis=0)
    places[rank] = fitted_where_shown(seen, places, size, config).frames.places[rank]
    layers = np.insert(stack.layers, rank, 0.0)
    bends = np.insert(lying.bends, rank, 0.0, axis=0)
    start = BentCards(places, bends, np.full((len(places), 2), 1 + lying.growth))
    heights, own = layers * stack.step_mm, np.array([rank])
    bent = fit_bent(seen, table.cards, start, heights, deck, config, own)
    places[rank], bends[rank] = bent.cards.places[0], bent.cards.bends[0]
    ground = _ground(seen, table, places, lying.growth, deck, config)
    layers[rank] = layer_of_one_more(ground, rank, stack.layers, stack.step_mm)
    sigmas = np.insert(stack.sigmas, rank, 0.0)
    covariances = np.insert(lying.covariances, rank, bent.covariances[0], axis=0)
    return Lain(places, Stack(layers, stack.step_mm, sigmas), lying.growth, covariances, bends)


@dataclass(frozen=True, eq=False)
class Named:
    """Tables as layouts: where each card lies, by its id, and the colour of each ink."""

    poses: Mapping[CardId, Pose]
    names: Mapping[str, str]
    deck: Deck
    play_area_mm: tuple[float, float] | None

    def layout(self, table: Table) -> Layout:
        """A table of these cards, whatever they are and in whatever order."""
        return Layout(self.deck, tuple(self._card(c) for c in table.cards), self.play_area_mm)

    def colour(self, card: PlacedCard) -> str:
        """The name of a card's colour."""
        return self.deck.starting_colour.name if card.ink is None else self.names[card.ink]

    def _card(self, card: PlacedCard) -> Card:
        pose, what = self.poses[card.id], card.hypothesis
        angle = (pose.angle_deg + (180.0 if what.turned else 0.0)) % 360
        flat = Pose(pose.x_mm, pose.y_mm, angle, what.mirrored)
        return Card(int(card.id), self.colour(card), what.face, flat)


def true_poses(
    table: Table, lying: Lain, rough: TableView, view: TableView
) -> Mapping[CardId, Pose]:
    """Where each card lies, as its place has it up, in the millimetres of a view, by what the
    places are in those of the rough one.
    """
    out = {}
    for card, place, height in zip(table.cards, lying.places, lying.heights, strict=True):
        at = Pose(*place.tolist()).to_table(TIPS_MM)
        middle, top, bottom = view.to_mm(rough.to_px(at), float(height))
        x, y = (top - bottom).tolist()
        angle = float(np.rad2deg(np.arctan2(x, -y)) % 360)
        out[card.id] = Pose(float(middle[0]), float(middle[1]), angle)
    return out


def true_spreads(
    table: Table, lying: Lain, rough: TableView, view: TableView, config: ReadingConfig
) -> Mapping[CardId, PoseSpread]:
    """How exactly the place of each card is known, in the millimetres of a view: by its lines, by
    prints, and by how high it lies, which shifts it where it is seen aslant.
    """
    poses = true_poses(table, lying, rough, view)
    px = rough.to_px(lying.places[:, :2])
    slants = view.to_mm(px, lying.heights + 1.0) - view.to_mm(px, lying.heights)
    out = {}
    highs = config.height_mm**2 + np.square(lying.stack.sigmas)
    for card, place, own, slant, high in zip(
        table.cards, lying.places, lying.covariances, slants, highs.tolist(), strict=True
    ):
        turn = np.eye(3)
        turn[:2, :2] = Pose(0.0, 0.0, poses[card.id].angle_deg - place[2]).matrix()[:, :2]
        known = (
            turn @ own @ turn.T + np.diag([config.print_mm, config.print_mm, config.print_deg]) ** 2
        )
        known[:2, :2] += high * np.outer(slant, slant)
        known[2, 2] += config.curl_deg**2 * float(slant @ slant)
        out[card.id] = spread_of(known)
    return out
