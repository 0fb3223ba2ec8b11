"""What is true of a scene, as its truth.json says it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from geometry.deck_file import published_deck
from geometry.layout import Card, Layout
from geometry.pose import PointsMm, Pose
from geometry.rules import Rules, parse_rules
from rig.lens_file import parse_lens
from vision.doubting.sight import in_sight
from vision.lens import Lens
from vision.view import TableView


@dataclass(frozen=True, slots=True)
class TrueView:
    """Where the lens was: takes the table frame (mm, z into the table) to the picture."""

    lens: Lens
    rotation: NDArray[np.float64]
    translation_mm: NDArray[np.float64]

    @property
    def view(self) -> TableView:
        """How it sees the table."""
        return TableView(self.lens, self.rotation, self.translation_mm)

    def to_px(self, table_mm: PointsMm) -> NDArray[np.float64]:
        """Pixels (N, 2) of points (N, 2) on the table."""
        return self.view.to_px(table_mm)


@dataclass(frozen=True, slots=True)
class Truth:
    """A scene's truth. Card ids are indices in order of play; dots outside the picture do not
    count.

    `scores` and `scores_without_illegal` name the colours on the table only.
    `illegal` maps a card to the rule it breaks; what a borderline card is
    called is open. `covers` maps a card to the one it was laid on, as meant. `over_px`: the middle,
    in the picture, of what lies over the cards and may hide some; `over_outlines_px`: the outlines
    (N, 2) of its parts, where they are known.
    """

    layout: Layout
    scores: Mapping[str, int]
    scores_without_illegal: Mapping[str, int]
    illegal: Mapping[int, str]
    borderline: frozenset[int]
    covers: Mapping[int, int]
    visible_dots: Mapping[int, int]
    has_markers: bool
    camera: TrueView
    rules: Rules
    over_px: tuple[float, float] | None = None
    over_outlines_px: tuple[NDArray[np.float64], ...] = ()

    @property
    def lens(self) -> Lens:
        """The lens of the scene's camera."""
        return self.camera.lens


def parse_truth(data: Mapping[str, Any], deck: Deck | None = None) -> Truth:
    """Make a truth of a decoded truth.json. KeyError or ValueError where it is not one."""
    deck = deck if deck is not None else published_deck()
    area = data["play_area_mm"]
    cards = data["cards"]
    camera = _camera(data["camera"])
    laid = [_card(index, card) for index, card in enumerate(cards)]
    layout = Layout(
        deck=deck,
        cards=tuple(in_sight(laid, camera.view, np.zeros(len(laid)), deck.card)),
        play_area_mm=None if area is None else (float(area[0]), float(area[1])),
    )
    on_table = {card.colour for card in layout.cards}
    return Truth(
        layout=layout,
        scores=_of_colours(data["scores"], on_table),
        scores_without_illegal=_of_colours(data["scores_without_illegal"], on_table),
        illegal={index: str(cards[index]["rule"]) for index in data["illegal"]},
        borderline=frozenset(data["borderline"]),
        covers={i: c["covers"] for i, c in enumerate(cards) if c["covers"] is not None},
        visible_dots={i: int(c["visible_dots"]) for i, c in enumerate(cards)},
        has_markers=bool(data["markers"]),
        camera=camera,
        rules=parse_rules(data.get("rules", {})),
        over_px=_over_px(data, camera),
        over_outlines_px=tuple(
            np.array(part, dtype=np.float64) for part in data.get("over_outlines_px", ())
        ),
    )


def _over_px(data: Mapping[str, Any], camera: TrueView) -> tuple[float, float] | None:
    """Where something lies over the cards; the layout's middle where only its kind is said."""
    over = data.get("over")
    if not over:
        return None
    cards = [[card["x_mm"], card["y_mm"]] for card in data["cards"]]
    at_mm = np.array(over[1:3] if len(over) > 2 else np.mean(cards, axis=0), dtype=np.float64)
    x, y = camera.to_px(PointsMm(at_mm[None]))[0]
    return float(x), float(y)


def _of_colours(scores: Mapping[str, int], names: set[str]) -> dict[str, int]:
    return {name: int(dots) for name, dots in scores.items() if name in names}


def _card(index: int, data: Mapping[str, Any]) -> Card:
    pose = Pose(
        float(data["x_mm"]), float(data["y_mm"]), float(data["angle_deg"]), bool(data["mirrored"])
    )
    return Card(index, str(data["colour"]), str(data["face"]), pose)


def _camera(data: Mapping[str, Any]) -> TrueView:
    return TrueView(
        lens=parse_lens(dict(data)),
        rotation=np.array(data["rotation"], dtype=np.float64),
        translation_mm=np.array(data["translation_mm"], dtype=np.float64),
    )
