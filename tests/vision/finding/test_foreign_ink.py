from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.vision.drawing.drawn_cards import DrawnCard, drawn_evidence
from tests.vision.naming.named_tables import PRINTED, TEMPLATES, named_of
from vision.finding.foreign_ink import Inked, foreign_inks
from vision.finding.look_again import seen_again
from vision.naming.faces import cut_out

HIDDEN = DrawnCard("square-2", "red", (90.0, 90.0, 0.0))
UNDER = (
    DrawnCard("circle-1", "green", (115.702, 33.498, np.pi)),
    DrawnCard("circle-2", "green", (33.924, 100.889, -0.75 * np.pi)),
)
"""It lies exactly on these two: its frame is where their own lines are."""
OVER = DrawnCard("circle-5", "blue", (90.0, 90.0, 0.5))
OTHER = DrawnCard("square-6", "red", (210.0, 210.0, 0.0))
ROOM_MM = (290, 290)


def test_ink_on_the_same_cards_is_sought_once() -> None:
    evidence = drawn_evidence(*UNDER, OTHER, HIDDEN, OVER, size_mm=ROOM_MM)
    named = named_of(*UNDER, OTHER, OVER)
    patches = cut_out(evidence, named.poses, TEMPLATES)
    cards = seen_again(evidence, named, patches, PRINTED)
    colours = ("green", "green", "red", "blue")
    inked = Inked(cards.named, cards.stack, cards.visible, colours, evidence.noise, TEMPLATES)
    inks = foreign_inks(inked)
    assert {colour for _, colour, _ in inks} == {"red"}
    assert all(len(spots) >= 100 for _, _, spots in inks)
    assert foreign_inks(replace(inked)) is inks
    others = replace(inked, colours=("red", "red", "green", "blue"))
    assert foreign_inks(others) is not inks
