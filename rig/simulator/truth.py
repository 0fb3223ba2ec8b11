"""What is true of a scene, in the form of the shared photographs' JSON."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from geometry.layout import Layout
from geometry.rules import Rules
from geometry.showing import visible_dots
from geometry.verdict import Verdict, judge
from rig.simulator.camera import Camera
from rig.simulator.conditions import Conditions
from rig.simulator.rounds import Played
from rig.simulator.sheets import marker_corners_mm


def scores_of(layout: Layout) -> dict[str, int]:
    """Visible dots of every colour of the deck; 0 where it is not on the table."""
    scores = {colour.name: 0 for colour in layout.deck.colours}
    dots = visible_dots(layout)
    for card in layout.cards:
        if card.colour in scores:
            scores[card.colour] += sum(dots[card.id])
    return scores


def truth_of(played: Played, camera: Camera, conditions: Conditions) -> dict[str, object]:
    """Truth as plain values that JSON can hold."""
    layout = played.layout
    middles = np.array([[card.pose.x_mm, card.pose.y_mm] for card in layout.cards])
    markers: list[dict[str, object]] = []
    if conditions.markers != "none" and layout.play_area_mm is not None:
        for number, corners in marker_corners_mm(layout.play_area_mm).items():
            markers.append({"id": number, "corners_mm": corners.tolist()})
    verdicts = judge(layout, Rules(free_for_all=conditions.free_for_all))
    illegal = [card for card, verdict in verdicts.items() if verdict.status == "illegal"]
    borderline = [card for card, verdict in verdicts.items() if verdict.status == "borderline"]
    return {
        "deck": layout.deck.name,
        "play_area_mm": list(layout.play_area_mm) if layout.play_area_mm else None,
        "scores": scores_of(layout),
        "scores_without_illegal": scores_of(layout.without(illegal)),
        "illegal": illegal,
        "borderline": borderline,
        "cards": _cards(played, verdicts),
        "markers": markers,
        "camera": camera.as_json(),
        "px_per_mm": float(camera.scale_px_per_mm(middles).min()),
        "conditions": conditions.as_json(),
    }


def _cards(played: Played, verdicts: Mapping[int, Verdict]) -> list[dict[str, object]]:
    dots = visible_dots(played.layout)
    return [
        {
            "colour": card.colour,
            "face": card.face,
            "x_mm": card.pose.x_mm,
            "y_mm": card.pose.y_mm,
            "angle_deg": card.pose.angle_deg,
            "mirrored": card.pose.mirrored,
            "layer": layer,
            "covers": covers,
            "visible_dots": int(sum(dots[card.id])),
            "rule": verdicts[card.id].rule if verdicts[card.id].status == "illegal" else None,
        }
        for layer, (card, covers) in enumerate(
            zip(played.layout.cards, played.covers, strict=True)
        )
    ]
