"""Known cards with a neighbour to be found."""

from __future__ import annotations

import cv2
import numpy as np

from geometry.neighbours import neighbour_places
from tests.vision.drawing.drawn_cards import DECK, DrawnCard
from vision.drawing.pose_fit import place
from vision.evidence import Evidence, observe
from vision.raster import Raster

KNOWN = DrawnCard("circle-4", "green", (110.0, 120.0, 0.3))
ROOM_MM = (280, 280)
FACE = [face.id for face in DECK.faces].index("circle-4")


def beside(which: int, slip_mm: float = 0.0) -> DrawnCard:
    """A card that fits the known one, at one of the places that the rules leave."""
    x, y, angle = neighbour_places(DECK)[FACE][which]
    middle = place(np.array([KNOWN.pose]), np.array([[x, y]]))[0, 0]
    turn = KNOWN.pose[2] + float(np.deg2rad(angle))
    return DrawnCard("square-2", "red", (float(middle[0]) + slip_mm, float(middle[1]), turn))


def without_badge(evidence: Evidence, card: DrawnCard) -> Evidence:
    """The same table with a smudge over the card's middle."""
    raster = evidence.raster
    image = raster.image_bgr.copy()
    x, y = raster.to_raster(np.array(card.pose[:2])).astype(int).tolist()
    cv2.circle(image, (x, y), round(6.5 * raster.density), (90, 110, 120), -1)
    return observe(Raster(image, raster.origin_mm, raster.density))
