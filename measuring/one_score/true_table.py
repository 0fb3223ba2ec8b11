"""A scene's observation and its true table, and a reading as a table at the true places."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from geometry.layout import Card, Layout
from geometry.pose import Pose
from measuring.scenes.matching import laid_over_truth
from measuring.scenes.truth import Truth
from vision.model.footprint import stacked_heights
from vision.model.hypothesis import Hypothesis
from vision.model.table import CardId, Place, PlacedCard, Table, as_array, table_of
from vision.observe.observation import Observation, observe_table
from vision.observe.own_black import against_black
from vision.reading import Reading
from vision.reading_config import ReadingConfig

AROUND_MM = 100.0
"""So much of the table is observed round the cards' middles: more than a card's half diagonal."""
AT_PLACE_MM, AT_PLACE_DEG = 4.0, 10.0
"""A card that was read so near a true one's place lies there, either way up."""
HALF_TURN_DEG = 180.0


@dataclass(frozen=True, eq=False)
class TrueScene:
    """What is seen of a scene, and the table that is true."""

    seen: Observation
    table: Table


def true_scene(image_bgr: NDArray[np.uint8], truth: Truth, config: ReadingConfig) -> TrueScene:
    """Observe a photograph (h, w, 3) through the true camera."""
    table = table_of(truth.layout, _heights(truth.layout, config))
    middles = np.array([[card.place.x_mm, card.place.y_mm] for card in table.cards])
    box = np.concatenate([middles.min(axis=0) - AROUND_MM, middles.max(axis=0) + AROUND_MM])
    seen = observe_table(image_bgr, truth.camera.view, box, config)
    places = as_array(card.place for card in table.cards)
    return TrueScene(against_black(seen, places, truth.layout.deck.card, config), table)


def read_as_table(reading: Reading, truth: Truth, true: Table) -> Table:
    """A reading's cards as a table: what was read at a true card's place lies exactly there, so
    that only what it is and the order differ; the rest where it was read.
    """
    free = {card.id: card for card in true.cards}
    colours = {colour.name for colour in truth.layout.deck.colours}
    cards = []
    for read, pose in laid_over_truth(reading, truth):
        ink = read.colour if read.colour in colours else None
        near = [card for card in free.values() if _at(card, pose)]
        if near:
            place = min(near, key=lambda card: _off(card, pose)).place
            free = {number: card for number, card in free.items() if card.place != place}
        else:
            place = Place(pose.x_mm, pose.y_mm, pose.angle_deg)
        turned = abs(turn_deg(pose.angle_deg - place.angle_deg)) > HALF_TURN_DEG / 2
        what = Hypothesis(read.face, pose.mirrored, turned)
        if ink is None:
            what = Hypothesis(truth.layout.deck.starting_face.id)
        cards.append(PlacedCard(CardId(read.id), place, what, ink))
    return _named_like(Table(tuple(cards)), true)


def _named_like(table: Table, true: Table) -> Table:
    """The table with the true ids of the cards at true places, others counted on after them."""
    ids = {card.place: card.id for card in true.cards}
    fresh = max(ids.values(), default=0) + 1
    return Table(
        tuple(
            replace(card, id=ids.get(card.place, CardId(fresh + number)))
            for number, card in enumerate(table.cards)
        )
    )


def _off(card: PlacedCard, pose: Pose) -> float:
    return float(np.hypot(card.place.x_mm - pose.x_mm, card.place.y_mm - pose.y_mm))


def _at(card: PlacedCard, pose: Pose) -> bool:
    off = abs(turn_deg(2 * (pose.angle_deg - card.place.angle_deg))) / 2
    return _off(card, pose) < AT_PLACE_MM and off < AT_PLACE_DEG


def turn_deg(angle: float) -> float:
    """An angle in degrees, from -180 to 180."""
    return (angle + HALF_TURN_DEG) % (2 * HALF_TURN_DEG) - HALF_TURN_DEG


def _heights(layout: Layout, config: ReadingConfig) -> list[float]:
    return stacked_heights(_places(layout.cards), layout.deck.card, config.stack_step_mm)


def _places(cards: tuple[Card, ...]) -> NDArray[np.float64]:
    return np.array([[c.pose.x_mm, c.pose.y_mm, c.pose.angle_deg] for c in cards])
