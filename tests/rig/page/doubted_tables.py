"""A frame with doubts, as the page shows it."""

from __future__ import annotations

from dataclasses import replace

from geometry.showing import over
from measuring.scenes.true_reading import true_table
from rig.store.seen_json import seen_text
from tests.referee.corrections.answered_tables import a_dot, middle
from tests.scenes import scene
from vision.reading import Doubt
from vision.reason import Reason


def doubted_table() -> str:
    """Questions of every kind that has answers, beside the two illegal and the borderline card."""
    seen = true_table(scene("two-walnut").truth)
    upper, lower = next((c, below[0]) for c, below in over(seen.layout).items() if below)
    (ax, ay), (bx, by) = middle(seen, upper), middle(seen, lower)
    card = seen.layout.cards[5]
    rival = "circle-1" if card.face != "circle-1" else "circle-2"
    spot = a_dot(seen, shows=True)
    colour = seen.layout.card(spot[0]).colour
    said = {
        "order": Reason("order-unclear"),
        "face": Reason("face-unclear", {"face": card.face, "rival": rival}),
        "dot": Reason("dot-not-seen"),
        "colour": Reason("colour-unclear", {"colour": seen.layout.card(7).colour, "rival": "blue"}),
        "missing": Reason("start-not-seen"),
    }
    doubts = (
        Doubt("order", upper, ((ax + bx) / 2, (ay + by) / 2), said["order"]),
        Doubt("face", card.id, middle(seen, card.id), said["face"]),
        Doubt("dot", spot[0], spot[2], said["dot"], {colour: -1}),
        Doubt("missing", None, (900.0, 300.0), said["missing"], {"red": 1, "blue": 1}),
        Doubt("colour", 7, middle(seen, 7), said["colour"]),
    )
    return seen_text(replace(seen, doubts=doubts))
