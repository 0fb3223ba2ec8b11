"""A simulated table of cards, and the cards on it as they are known to lie."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

import numpy as np

from geometry.pose import PointsMm
from geometry.showing import over
from measuring.scenes.truth import Truth, parse_truth
from simulator import Conditions, simulate_scene
from tests.vision.over_cards.things import Image
from vision.over_cards.known_cards import KnownCard, front_corners
from vision.over_cards.over_cards import OverCards, find_over_cards

THICK_MM = 0.33


@cache
def table(seed: int = 3, cloth: str = "cloth") -> tuple[Image, Truth]:
    """Sixteen cards and the starting card, simulated."""
    conditions = Conditions(players=2, cards=17, table=cloth, tilt_deg=9.0, px_per_mm=2.4)
    scene = simulate_scene(seed, conditions)
    return scene.image_bgr, parse_truth(scene.truth)


def known(truth: Truth, without: Collection[int] = ()) -> list[KnownCard]:
    """The cards as they lie, some left out."""
    below, heights = over(truth.layout, 0.0), dict[int, float]()
    out = []
    for card in truth.layout.cards:
        heights[card.id] = THICK_MM + max((heights[k] for k in below[card.id]), default=0.0)
        mm = card.pose.to_table(front_corners(truth.layout.deck.card))
        if card.id not in without:
            px = truth.camera.view.to_px(mm, heights[card.id])
            out.append(KnownCard(card.face, card.colour, card.pose.mirrored, px))
    return out


def found(image: Image, truth: Truth, without: Collection[int] = ()) -> tuple[OverCards, ...]:
    return find_over_cards(image, truth.camera.view, known(truth, without), truth.layout.deck)


def place_of(truth: Truth, card: int) -> tuple[float, float]:
    pose = truth.layout.card(card).pose
    return pose.x_mm, pose.y_mm


def place_px(truth: Truth, card: int) -> tuple[float, float]:
    """Where a card's middle is in the picture."""
    x, y = truth.camera.to_px(PointsMm(np.array([place_of(truth, card)])))[0]
    return float(x), float(y)
