"""Cards that lie legally on the starting card."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from geometry.layout import Card, Layout
from geometry.moves import legal_placements
from geometry.pose import Pose
from geometry.rules import Rules
from tests.vision.drawing.drawn_cards import DECK, DrawnCard


def legally_on(below: DrawnCard, count: int) -> tuple[DrawnCard, ...]:
    """So many green cards that lie exactly on a starting card, each on a shape of its own."""
    x, y, angle = below.pose
    start = Card(0, below.colour, below.face, Pose(x, y, float(np.rad2deg(angle)), below.mirrored))
    layout = Layout(DECK, (start,))
    out: list[DrawnCard] = []
    for number, face in enumerate((face.id for face in DECK.faces), start=1):
        ways = [w for w in legal_placements(layout, "green", face, Rules()) if w.on == 0]
        if ways and len(out) < count:
            pose = ways[0].pose
            layout = replace(layout, cards=(*layout.cards, Card(number, "green", face, pose)))
            at = (pose.x_mm, pose.y_mm, float(np.deg2rad(pose.angle_deg)))
            out.append(DrawnCard(face, "green", at, pose.mirrored))
    assert len(out) == count
    return tuple(out)
