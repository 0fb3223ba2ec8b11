"""Where the cards of a table that was read before lie in another picture of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from geometry.deck import CardSize
from geometry.layout import Layout
from vision.arrays import Bools, FloatArray
from vision.model.footprint import stacked_heights
from vision.model.hypothesis import Hypothesis
from vision.model.table import CardId, Place, PlacedCard, Table, as_array
from vision.observe.observation import Observation
from vision.propose.frames import HALF_TURN_DEG
from vision.propose.line_fit import fitted_where_shown
from vision.reading import SeenTable
from vision.reading_config import ReadingConfig
from vision.view import TableView


@dataclass(frozen=True, eq=False)
class KnownPlaces:
    """A table read before where a picture shows it: its cards as they were, the lowest first, and
    which share (N,) of each one's frame shows, and which `of_shown`, what lies uncovered of it.
    """

    table: Table
    shares: FloatArray
    of_shown: FloatArray

    def plain(self, config: ReadingConfig) -> FloatArray:
        """The places (N, 3: x, y in mm, degrees) of the cards that plainly lie there."""
        lay = zip((card.place for card in self.table.cards), self.shares.tolist(), strict=True)
        return as_array(place for place, share in lay if share >= config.plain_share)


def known_places(
    seen: Observation, view: TableView, known: SeenTable, config: ReadingConfig, *, marked: bool
) -> KnownPlaces | None:
    """Where the cards of a table read before show: where they were in the picture, as a still
    camera takes it again, or where they lay between the markers, if it is `marked`. None where too
    few of them do.
    """
    size = known.layout.deck.card
    best: KnownPlaces | None = None
    for corners_px in _corners_px(view, known, config, marked):
        places = _places(view.to_mm(corners_px).reshape(-1, 4, 2), size)
        found = _fitted(seen, places, known.layout, config)
        if best is None or _agreeing(found, config) > _agreeing(best, config):
            best = found
    return best if best is not None and _agreeing(best, config) >= config.known_agree else None


def known_corners_mm(view: TableView, known: SeenTable) -> FloatArray:
    """Where (4 N, 2) corners of cards seem to lie, if they are where they were in the picture."""
    outlines = [card.outline_px for card in known.cards]
    return view.to_mm(np.array(outlines).reshape(-1, 2))


def _agreeing(found: KnownPlaces, config: ReadingConfig) -> float:
    """Which share of the cards shows its frame."""
    return float((found.of_shown >= config.known_share).mean())


def _corners_px(
    view: TableView, known: SeenTable, config: ReadingConfig, marked: bool
) -> Iterator[FloatArray]:
    """Where (4 N, 2) in the picture the corners of cards may be, those of the lowest first."""
    by_id = {card.id: card.outline_px for card in known.cards}
    yield np.array([by_id[card.id] for card in known.layout.cards]).reshape(-1, 2)
    if marked and known.layout.play_area_mm is not None:
        layout = known.layout
        size = layout.deck.card
        corners = [card.pose.to_table(np.array(size.corners_mm)) for card in layout.cards]
        at = np.array([(c.pose.x_mm, c.pose.y_mm, c.pose.angle_deg) for c in layout.cards])
        heights = np.array(stacked_heights(at, size, config.stack_step_mm))
        yield view.to_px(np.concatenate(corners), np.repeat(heights, 4))


def _places(corners_mm: FloatArray, size: CardSize) -> FloatArray:
    """Where (N, 3: x, y in mm, degrees) cards with such corners (N, 4, 2) lie."""
    upper = np.array(size.corners_mm)[:, 1] < 0
    up = corners_mm[:, upper].mean(axis=1) - corners_mm[:, ~upper].mean(axis=1)
    degrees = np.rad2deg(np.arctan2(up[:, 0], -up[:, 1])) % 360
    return np.column_stack([corners_mm.mean(axis=1), degrees])


def _fitted(
    seen: Observation, places: FloatArray, layout: Layout, config: ReadingConfig
) -> KnownPlaces:
    """The cards of a layout at places (N, 3), fitted on the lines of their frames there."""
    fit = fitted_where_shown(seen, places, layout.deck.card, config)
    of_shown = _of_shown(fit.frames.shares, fit.shown)
    return KnownPlaces(_table(fit.frames.places, layout), fit.frames.shares, of_shown)


def _of_shown(shares: FloatArray, shown: Bools) -> FloatArray:
    """Shares (N,) of whole frames as those of the points (N, K) of them that are shown."""
    return np.asarray(np.minimum(shares / np.maximum(shown.mean(axis=1), 1e-6), 1.0))


def _table(places: FloatArray, layout: Layout) -> Table:
    """A layout as a table, its cards at places (N, 3)."""
    cards = []
    for card, (x, y, degrees) in zip(layout.cards, places.tolist(), strict=True):
        start = card.face == layout.deck.starting_face.id
        what = Hypothesis(card.face, card.pose.mirrored, degrees % 360 >= HALF_TURN_DEG)
        place = Place(x, y, degrees % HALF_TURN_DEG)
        cards.append(PlacedCard(CardId(card.id), place, what, None if start else card.colour))
    return Table(tuple(cards))
