"""Tables for the tests: true ones, built ones and random ones."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from geometry.deck_file import published_deck
from geometry.layout import Card, Layout
from geometry.moves import legal_placements
from geometry.pose import Pose
from geometry.rules import Rules
from tests.decks import OLDER_DECK

DECK = published_deck()
DATA = Path(__file__).parent / "data"


@dataclass(frozen=True)
class TrueTable:
    layout: Layout
    truth: dict[str, Any]


@cache
def true_tables() -> dict[str, TrueTable]:
    frames = json.loads((DATA / "true_layouts.json").read_text("utf-8"))
    return {name: TrueTable(_layout(frame), frame) for name, frame in frames.items()}


def _layout(frame: dict[str, Any]) -> Layout:
    cards = tuple(
        Card(i, c["colour"], c["face"], Pose(c["x_mm"], c["y_mm"], c["angle_deg"], c["mirrored"]))
        for i, c in enumerate(frame["cards"])
    )
    width, height = frame["play_area_mm"]
    return Layout(OLDER_DECK, cards, (width, height))


def table(*cards: Card, play_area_mm: tuple[float, float] | None = None) -> Layout:
    return Layout(DECK, cards, play_area_mm)


def beside(pose: Pose, along_mm: float = 0.0, down_mm: float = 0.0, turn_deg: float = 0.0) -> Pose:
    """The pose moved along the table's axes and turned on the spot."""
    return replace(
        pose,
        x_mm=pose.x_mm + along_mm,
        y_mm=pose.y_mm + down_mm,
        angle_deg=pose.angle_deg + turn_deg,
    )


def turned_about(pose: Pose, x_mm: float, y_mm: float, by_deg: float) -> Pose:
    """The pose turned clockwise about a point of the table."""
    dx, dy = pose.x_mm - x_mm, pose.y_mm - y_mm
    cos, sin = np.cos(np.deg2rad(by_deg)), np.sin(np.deg2rad(by_deg))
    return replace(
        pose,
        x_mm=x_mm + float(cos * dx - sin * dy),
        y_mm=y_mm + float(sin * dx + cos * dy),
        angle_deg=pose.angle_deg + by_deg,
    )


def moved(layout: Layout, move: Callable[[Pose], Pose]) -> Layout:
    """The layout with every pose moved, without a play area."""
    return Layout(
        layout.deck, tuple(replace(card, pose=move(card.pose)) for card in layout.cards), None
    )


def mirrored_in_y_axis(pose: Pose) -> Pose:
    """The pose of a card seen in a mirror on the table's y axis: x is negated."""
    return Pose(-pose.x_mm, pose.y_mm, -pose.angle_deg, not pose.mirrored)


@cache
def random_table(seed: int) -> Layout:
    """Some cards laid by the rules, some slipped, some thrown: all verdicts occur."""
    rng = np.random.default_rng(seed)
    layout = Layout(DECK, (Card(0, "white", "start", Pose(400, 300, rng.uniform(0, 360))),))
    for card_id in range(1, 1 + int(rng.integers(3, 14))):
        card = _random_card(rng, layout, card_id)
        layout = layout.laid_on_top(card)
    return layout


def _random_card(rng: np.random.Generator, layout: Layout, card_id: int) -> Card:
    colour = str(rng.choice([c.name for c in DECK.colours]))
    face = str(rng.choice([f.id for f in DECK.faces]))
    fits = legal_placements(layout, colour, face, Rules())
    if not fits or rng.random() < 0.15:
        x, y, angle = rng.uniform((250, 150, 0), (550, 450, 360))
        return Card(card_id, colour, face, Pose(x, y, angle, bool(rng.random() < 0.5)))
    slip = float(rng.choice([0.0, 0.5, 2.0, 4.0]))
    along, down = rng.normal(0, 0.7 * slip, 2)
    turn = float(rng.normal(0, slip))
    fit = fits[int(rng.integers(len(fits)))]
    return Card(card_id, colour, face, beside(fit.pose, along, down, turn))


def cards_below(layout: Layout, index: int) -> Layout:
    """The table as it was before the card at this index was laid."""
    return Layout(layout.deck, layout.cards[:index], layout.play_area_mm)


def laid_on(
    on: str, shape_on: int, of: str, shape_of: int, colour: str = "blue"
) -> tuple[Card, Card]:
    """A card upright at (300, 300) and one that covers its shape exactly, front up."""
    below = Card(1, "green", on, Pose(300.0, 300.0, 0.0))
    for fit in legal_placements(table(below), colour, of, Rules()):
        if (fit.shape_on, fit.shape_of, fit.pose.mirrored) == (shape_on, shape_of, False):
            return below, Card(2, colour, of, fit.pose)
    raise ValueError(f"shape {shape_of} of {of} does not fit on shape {shape_on} of {on}")
