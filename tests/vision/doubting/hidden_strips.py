"""Scenes that hide a strip of a card."""

from __future__ import annotations

from functools import cache

from geometry.rules import Rules
from tests.vision.doubting.doubt_scenes import scene_of
from tests.vision.drawing.drawn_cards import DECK, DrawnCard, drawn_evidence
from vision.doubting.doubt_context import DoubtContext
from vision.reconstruct import reconstruct

UPPER = DrawnCard("triangle-5", "blue", (150.0, 130.0, 0.0))
FREE_FOR_ALL = Rules(free_for_all=True)


@cache
def scene_hiding(peeking: tuple[DrawnCard, ...], *others: DrawnCard) -> DoubtContext:
    """A free-for-all of these cards and the upper one, under which some lie that are not read."""
    evidence = drawn_evidence(*others, *peeking, UPPER, size_mm=(330, 280))
    table = reconstruct(evidence, DECK, FREE_FOR_ALL)
    assert table is not None
    assert len(table.named) == 1 + len(others)
    return scene_of(table, evidence, FREE_FOR_ALL)


def peeking(colour: str, move_mm: tuple[float, float]) -> DrawnCard:
    x, y, angle = UPPER.pose
    return DrawnCard("square-6", colour, (x + move_mm[0], y + move_mm[1], angle))
