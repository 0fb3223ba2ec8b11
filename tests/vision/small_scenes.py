"""Small scenes, quickly read."""

from __future__ import annotations

from functools import cache

from geometry.deck_file import published_deck
from measuring.scenes.truth import Truth, parse_truth
from simulator import Conditions, SimulatedScene, simulate_scene

DECK = published_deck()


@cache
def small_scene(
    seed: int, markers: str = "all", table: str = "slate"
) -> tuple[SimulatedScene, Truth]:
    """Seven cards, simulated; without markers the lens is not known either."""
    conditions = Conditions(
        cards=7, px_per_mm=2.2, table=table, markers=markers, lens_known=markers == "all"
    )
    scene = simulate_scene(seed, conditions)
    return scene, parse_truth(scene.truth)
