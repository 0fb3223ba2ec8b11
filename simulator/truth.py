"""What is true of a scene, in the form of the shared photographs' JSON."""

from collections.abc import Mapping

import numpy as np

from geometry.layout import Layout
from geometry.score import without_illegal
from geometry.showing import visible_dots
from geometry.verdict import Verdict, judge
from simulator.camera.camera import PlacedLens
from simulator.camera.photograph import Photograph
from simulator.camera.viewpoint import card_corners_mm
from simulator.conditions import Conditions
from simulator.play.rounds import Played, ambiguous_dots, rules_of
from simulator.tabletop.sheets import marker_corners_mm


def dots_that_count(layout: Layout, camera: PlacedLens) -> dict[int, int]:
    """For every card how many of its dots show, in the picture, by the dots' middles."""
    last = np.array(camera.lens.size_wh) - 1
    counts = {}
    for card, shows in visible_dots(layout).items():
        if not shows:
            counts[card] = 0
            continue
        own = layout.card(card)
        px = camera.to_px(own.pose.to_table(np.array(layout.deck.face(own.face).dots_mm)))
        inside = np.all((px >= 0) & (px <= last), axis=1)
        counts[card] = int((inside & np.array(shows)).sum())
    return counts


def scores_of(layout: Layout, camera: PlacedLens) -> dict[str, int]:
    """Visible dots of every colour of the deck; 0 where it is not on the table."""
    scores = {colour.name: 0 for colour in layout.deck.colours}
    for card, dots in dots_that_count(layout, camera).items():
        colour = layout.card(card).colour
        if colour in scores:
            scores[colour] += dots
    return scores


def truth_of(
    played: Played, camera: PlacedLens, conditions: Conditions, photo: Photograph
) -> dict[str, object]:
    """Truth as plain values that JSON can hold.

    Beyond the shared form: `ambiguous_dots`, `rules`, `outside` (cards that are not wholly
    in the picture; their dots count as far as they are in it), `photo` (what was
    measured) and `conditions`; where something lies over the cards also `over` (its kind, where
    its middle lies, mm, and its angle, radians), `over_outlines_px` and `over_hides` (the cards
    of which nothing shows). The scores stay those of the cards that lie there.
    """
    layout = played.layout
    rules = rules_of(conditions)
    verdicts = judge(layout, rules)
    cleared = without_illegal(layout, verdicts)
    area = layout.play_area_mm
    return {
        "deck": layout.deck.name,
        "play_area_mm": list(area) if area else None,
        "scores": scores_of(layout, camera),
        "scores_without_illegal": scores_of(cleared, camera),
        "illegal": [card for card, v in verdicts.items() if v.status == "illegal"],
        "borderline": [card for card, v in verdicts.items() if v.status == "borderline"],
        "cards": _cards(played, verdicts, camera),
        "markers": _markers(area, photo.markers),
        "camera": camera.as_json(),
        "ambiguous_dots": [
            {"card": card, "dot": dot, "part": round(part, 3)}
            for card, dot, part in ambiguous_dots(layout, rules)
        ],
        "outside": cards_cut_off(layout, camera),
        "rules": {"free_for_all": conditions.free_for_all},
        "photo": {
            "tilt_deg": float(np.rad2deg(np.arccos(np.clip(camera.rotation[2, 2], -1, 1)))),
            "px_per_mm": _smallest_scale(layout, camera),
            "darkest_white": photo.darkest_white,
            "burnt_share": photo.burnt_share,
        },
        "conditions": conditions.as_json(),
        **(photo.over.as_json() if photo.over is not None else {}),
    }


def table_truth(layout: Layout, camera: PlacedLens) -> dict[str, object]:
    """The play area, all four markers and the camera, as a truth has them."""
    area = layout.play_area_mm
    shown = tuple(marker_corners_mm(area)) if area else ()
    return {
        "play_area_mm": list(area) if area else None,
        "markers": _markers(area, shown),
        "camera": camera.as_json(),
    }


def _markers(
    area_mm: tuple[float, float] | None, shown: tuple[int, ...]
) -> list[dict[str, object]]:
    if area_mm is None:
        return []
    corners = marker_corners_mm(area_mm)
    return [{"id": number, "corners_mm": corners[number].tolist()} for number in shown]


def _smallest_scale(layout: Layout, camera: PlacedLens) -> float:
    """Pixels per mm at the corner of a card that is seen smallest."""
    return float(camera.scale_px_per_mm(card_corners_mm(layout)).min())


def cards_cut_off(layout: Layout, camera: PlacedLens) -> list[int]:
    """Ids of cards that are not wholly in the picture."""
    px = camera.to_px(card_corners_mm(layout)).reshape(-1, 4, 2)
    last = np.array(camera.lens.size_wh) - 1
    inside = np.all((px >= 0) & (px <= last), axis=(1, 2)).tolist()
    return [card.id for card, whole in zip(layout.cards, inside, strict=True) if not whole]


def _cards(
    played: Played, verdicts: Mapping[int, Verdict], camera: PlacedLens
) -> list[dict[str, object]]:
    dots = dots_that_count(played.layout, camera)
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
            "visible_dots": dots[card.id],
            "rule": verdicts[card.id].rule if verdicts[card.id].status == "illegal" else None,
        }
        for layer, (card, covers) in enumerate(zip(played.layout.cards, played.covers, strict=True))
    ]
