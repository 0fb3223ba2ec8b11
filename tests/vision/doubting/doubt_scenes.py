"""Small drawn tables, read, that the tests of doubts alter."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from geometry.layout import Card, Layout
from geometry.pose import Pose
from geometry.rules import Rules
from tests.vision.drawing.drawn_cards import DECK, DrawnCard, drawn_evidence
from tests.vision.observing.painted_dots import true_dots
from vision.doubting.doubt_context import DoubtContext
from vision.doubting.doubts import find_doubts
from vision.evidence import Evidence
from vision.finding.white_lines import Segments
from vision.lens import Lens
from vision.naming.colours import Naming
from vision.observing.dots import SeenDots
from vision.ordering.order import NO_PAIRS
from vision.reading import Doubt
from vision.reconstruct import Reconstruction, reconstruct
from vision.view import TableView

FloatArray = NDArray[np.float64]
GREEN = DrawnCard("circle-4", "green", (15.0, 71.0, 0.0))
RED = DrawnCard("square-2", "red", (110.0, 71.0, 0.0))
START = DrawnCard(DECK.starting_face.id, DECK.starting_colour.name, (62.0, 225.0, np.pi / 2))
LOW = DrawnCard("triangle-5", "green", (150.0, 215.0, np.pi / 2))
THIRD = DrawnCard("triangle-5", "green", (60.0, 150.0, np.pi / 2))
SIZE_MM = (210, 270)
RULES = Rules()
NO_DOTS = SeenDots(np.empty((0, 2)), np.empty((0, 3)))
SCALE = 2.0
VIEW = TableView(
    Lens((800, 600), np.array([[1000.0, 0, 0], [0, 1000, 0], [0, 0, 1]]), np.zeros(5)),
    np.eye(3), np.array([0.0, 0.0, 1000 / SCALE]),
)  # fmt: skip
"""Straight down: two pixels a millimetre, millimetre (0, 0) at pixel (0, 0)."""


def scene_of(table: Reconstruction, evidence: Evidence, rules: Rules = RULES) -> DoubtContext:
    faces, colours = table.templates.faces, table.templates.colours
    named = table.named
    cards = []
    for i in table.stack.order:
        x, y, angle = (float(v) for v in named.poses[i])
        pose = Pose(x, y, float(np.rad2deg(angle)), bool(named.rows[i] % 2))
        colour, face = colours[int(table.naming.colour[i])], faces[int(named.rows[i]) // 2]
        cards.append(Card(i, colour, face, pose))
    layout = Layout(DECK, tuple(cards), None)
    return DoubtContext(table, layout, evidence, VIEW, DECK, rules)


@cache
def scene(*bottom_up: DrawnCard) -> DoubtContext:
    evidence = drawn_evidence(START, *bottom_up, size_mm=SIZE_MM)
    table = reconstruct(evidence, DECK)
    assert table is not None
    return scene_of(table, evidence)


def card_of(seen: DoubtContext, colour: str) -> int:
    return next(card.id for card in seen.layout.cards if card.colour == colour)


def again(seen: DoubtContext, **changes: object) -> tuple[Doubt, ...]:
    """The doubts about a table that was read a little differently."""
    return find_doubts(scene_of(replace(seen.table, **changes), seen.evidence, seen.rules))  # type: ignore[arg-type]


def with_dots(dots: SeenDots, at_mm: FloatArray, ground: FloatArray) -> SeenDots:
    return SeenDots(np.vstack([dots.middle_mm, at_mm]), np.vstack([dots.ground, ground]))


OVER = DrawnCard("square-2", "red", (15.0 + 58.2 - 14.0, 71.0, 0.0))
"""Covers green's dots on the right."""


def front_of(seen: DoubtContext, face: str) -> int:
    return 2 * seen.table.templates.faces.index(face)


def unread(seen: DoubtContext, face: str) -> DoubtContext:
    """The same picture with one card not read."""
    gone = next(c.id for c in seen.layout.cards if c.face == face)
    keep = np.arange(len(seen.table.named)) != gone
    was = seen.table.naming
    naming = Naming(was.colour[keep], was.confidence[keep], was.runner_up[keep], was.open_names)
    left = np.flatnonzero(keep).tolist()
    order = [left.index(i) for i in seen.table.stack.order if i != gone]
    table = replace(
        seen.table, named=seen.table.named.take(keep), naming=naming,
        stack=replace(
            seen.table.stack, order=order, pairs=NO_PAIRS, against=[],
            patches=seen.table.stack.patches.take(keep),
        ),
        visible=seen.table.visible[keep], hazed=seen.table.hazed[keep],
        lines=seen.table.lines[keep], haze=seen.table.haze[keep], choices=((),) * len(left),
    )  # fmt: skip
    return scene_of(table, seen.evidence, seen.rules)


FREE_FOR_ALL = Rules(free_for_all=True)


def laid(card: int, drawn: DrawnCard) -> Card:
    x, y, angle = drawn.pose
    return Card(
        card, drawn.colour, drawn.face, Pose(x, y, float(np.rad2deg(angle)), drawn.mirrored)
    )


def much_print(seen: DoubtContext) -> Segments:
    """Lines by the hundred, none on a card."""
    x, y = np.meshgrid(np.arange(0.0, 200.0, 2.0), np.arange(0.0, 200.0, 4.0))
    start = np.stack([x, y], axis=-1).reshape(-1, 2)
    start = start[seen.top.at(start + [4.0, 0.0]) == 0]
    return Segments(start, start + [8.0, 0.0])


def place_beside(seen: DoubtContext, at_mm: FloatArray) -> tuple[int, int]:
    x, y = np.rint(seen.evidence.raster.to_raster(at_mm + [3.4, 0.0])).astype(int)
    return int(y), int(x)


def beside_a_dot(by_mm: float) -> DrawnCard:
    """A card whose left edge lies so far right of the middle of green's rightmost dots."""
    x = float(true_dots(GREEN)[:, 0].max())
    return DrawnCard("square-2", "red", (x + by_mm + 58.2 / 2, 71.0, 0.0))
