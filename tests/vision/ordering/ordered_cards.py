"""Two cards, one on the other."""

from __future__ import annotations

import numpy as np

from tests.vision.drawing.drawn_cards import DECK, DrawnCard
from vision.drawing.overlap_places import Drawing
from vision.drawing.templates import draw_templates
from vision.evidence import Evidence
from vision.naming.faces import Patches, cut_out, score_faces

TEMPLATES = draw_templates(DECK)
LOWER = DrawnCard("circle-4", "green", (40.0, 81.0, 0.3))
UPPER = DrawnCard("square-2", "red", (75.0, 75.0, 1.2), mirrored=True)


def drawing_of(evidence: Evidence, *cards: DrawnCard) -> tuple[Drawing, Patches]:
    """The cards as they were drawn, and cut out of the picture."""
    poses = np.array([card.pose for card in cards])
    rows = np.array([2 * TEMPLATES.faces.index(card.face) + card.mirrored for card in cards])
    patches = cut_out(evidence, poses, TEMPLATES)
    return Drawing(poses, rows, score_faces(patches, TEMPLATES).ink), patches
