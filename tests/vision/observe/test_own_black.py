"""A coloured veil changes what ink looks like against white, and not against black as well."""

from __future__ import annotations

import numpy as np

from geometry.layout import Card
from geometry.pose import Pose
from tests.vision.model.drawn_table import (
    CONFIG,
    DECK,
    DrawnTable,
    drawn_table,
    patched,
    relit,
)
from vision.arrays import FloatArray
from vision.model.drawing import Print, draw_faces
from vision.model.footprint import Footprints
from vision.model.table import PlacedCard
from vision.observe.observation import Observation, cells_of
from vision.observe.own_black import against_black

VEIL = np.array([0.0, 45.0, 90.0])
"""Grey levels that are added, blue, green and red."""


def places_of(drawn: DrawnTable) -> FloatArray:
    return np.array([(c.place.x_mm, c.place.y_mm, c.place.angle_deg) for c in drawn.table.cards])


def veiled(drawn: DrawnTable) -> DrawnTable:
    """With a veil that lies over the table's right half."""
    image = drawn.raster.image_bgr
    veil = np.zeros(image.shape)
    veil[:, image.shape[1] // 2 :] = VEIL
    raster = type(drawn.raster)(
        np.clip(image * 0.7 + veil, 0, 255).astype(np.uint8),
        drawn.raster.origin_mm,
        drawn.raster.density,
        drawn.raster.lens_mm,
    )
    return DrawnTable(raster, drawn.table)


def ink_chroma(seen: Observation, drawn: DrawnTable, card: PlacedCard) -> FloatArray:
    """The mean chroma (2,) of a card's ink."""
    faces = draw_faces(DECK, CONFIG)
    prints = Footprints(seen, faces)
    taken, shows = prints.of(card.place), prints.shown(drawn.table)[card.id]
    inked = faces.drawn(card.hypothesis)[taken.on] == Print.INK
    at = taken.at[shows & inked]
    chroma = chroma_of(seen).reshape(-1, 2)[at]
    return np.asarray(chroma.mean(axis=0))


def chroma_of(seen: Observation) -> FloatArray:
    """The middles (H, W, 2) of the cells' chroma."""
    side = CONFIG.chroma_cells
    cells = np.unravel_index(seen.cell, cells_of(CONFIG))[:2]
    return (np.stack(cells, axis=-1) + 0.5) / side * 2 - 1


def test_ink_under_a_coloured_veil_looks_as_without() -> None:
    drawn = drawn_table()
    plain, other = relit(drawn, 0.7, 0.0), veiled(drawn)
    top = drawn.table.cards[-1]
    before = ink_chroma(against(plain), drawn, top)
    veil = ink_chroma(other.seen(), drawn, top) - ink_chroma(plain.seen(), drawn, top)
    left = ink_chroma(against(other), drawn, top) - before
    assert np.abs(veil).max() > 0.15
    assert np.abs(left).max() < 0.05


def against(drawn: DrawnTable) -> Observation:
    return against_black(drawn.seen(), places_of(drawn), DECK.card, CONFIG)


def test_where_no_card_plainly_lies_all_stays() -> None:
    seen = drawn_table().seen()
    assert against_black(seen, np.empty((0, 3)), DECK.card, CONFIG) is seen
    away = np.array([[9000.0, 0.0, 0.0]])
    assert against_black(seen, away, DECK.card, CONFIG) is seen


def test_a_card_at_the_edge_of_the_picture_is_half_black_too() -> None:
    seen = drawn_table().seen()
    edge = np.array([[0.0, 60.0, 20.0]])
    assert (against_black(seen, edge, DECK.card, CONFIG).cell != seen.cell).any()


def test_ink_that_leaves_less_than_half_of_a_card_black_is_no_veil() -> None:
    card = Card(0, "red", "square-5", Pose(130.0, 110.0, 0.0))
    inked = patched(drawn_table([card]), slice(150, 300), slice(206, 266), (190, 110, 40))
    seen, less = inked.seen(), against(inked)
    assert np.abs(seen.image.astype(int) - less.image).max() < 10
