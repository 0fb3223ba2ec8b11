"""What a photograph cannot tell: other tables that would look the same and score otherwise.

Of a card that lies almost wholly under another little more than its band shows, and every face has
the same band. Where the card over it is illegal and comes off (E2), the score hangs on a face that
is nowhere to be seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from geometry.layout import Card, Layout
from geometry.pose import PointsMm
from geometry.rules import Rules
from geometry.score import RoundScore, score_round
from geometry.showing import bodies, shown, visible_dots
from geometry.verdict import judge
from vision.drawing.templates import TEMPLATE_DENSITY, THINNING, Templates, draw_templates, thinned

EDGE_MM = 0.5
"""So close to what covers a card nothing of it is told: blur inside the range is as wide."""
LEAST_MM2 = 2.0
"""Tables that differ in less of what they show look the same: a piece of line 2 mm long."""
PLAIN_MM2 = 100.0
"""Of two colours so much shows only one way round: it holds a dot, a line or some band."""
DRAWN, INK = 0.5, 2
PLACE_MM2 = 1 / TEMPLATE_DENSITY**2
THINNED_MM2 = THINNING * PLACE_MM2
FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Undetermined:
    """The true cards, by id, of which the picture does not tell what a score hangs on."""

    as_it_lies: frozenset[int]
    without_illegal: frozenset[int]


def undetermined(layout: Layout, rules: Rules) -> Undetermined:
    """The cards that could have another face or side, or lie the other way round under or over
    another one, and the table would look the same, break no more rules and score otherwise.

    Each face exists once per colour: one that another card has is no such face.
    """
    score, broken = _scored(layout, rules)
    lies: set[int] = set()
    without: set[int] = set()
    for cards, other in (*_other_faces(layout), *_other_orders(layout)):
        scored, faults = _scored(other, rules)
        if faults > broken:
            continue
        if scored.as_it_lies != score.as_it_lies:
            lies.update(cards)
        if scored.without_illegal != score.without_illegal:
            without.update(cards)
    return Undetermined(frozenset(lies), frozenset(without))


def dots_outside(layout: Layout) -> bool:
    """Whether dots that would count lie outside the picture."""
    whole = replace(layout, cards=tuple(replace(c, in_sight_mm=None) for c in layout.cards))
    return visible_dots(layout) != visible_dots(whole)


def _scored(layout: Layout, rules: Rules) -> tuple[RoundScore, int]:
    """Both scores, and how many cards are illegal."""
    verdicts = judge(layout, rules)
    return score_round(layout, verdicts), sum(v.status == "illegal" for v in verdicts.values())


def _other_faces(layout: Layout) -> Iterator[tuple[tuple[int], Layout]]:
    """The table with a card turned round, turned over or of a face that no card of its colour has,
    wherever what shows of it is drawn alike.
    """
    templates = draw_templates(layout.deck)
    visible = shown(layout)
    faces = {face.id: k for k, face in enumerate(layout.deck.faces)}
    for card in layout.cards:
        if card.face not in faces:
            continue
        held = {c.face for c in layout.cards if c.colour == card.colour and c is not card}
        seen = _seen_places(card, visible[card.id], templates)
        own = _drawn(templates, 2 * faces[card.face] + card.pose.mirrored)[seen]
        for face, k in faces.items():
            for mirrored in (False, True) if face not in held else ():
                drawn = _drawn(templates, 2 * k + mirrored)
                for turned, there in ((False, drawn), (True, drawn[::-1])):
                    differs = (there[seen] != own).sum() * PLACE_MM2
                    if differs < LEAST_MM2:
                        other = _card_as(card, face, mirrored, turned)
                        yield (card.id,), _with(layout, other)


def _seen_places(card: Card, visible: BaseGeometry, templates: Templates) -> NDArray[np.bool_]:
    """Where (P,) on the templates' grid a card shows, clear of the edges of what covers it."""
    if card.in_sight_mm is not None:
        if len(card.in_sight_mm) < 3:
            return np.zeros(len(templates.grid_mm), np.bool_)
        visible = visible.intersection(Polygon(card.in_sight_mm))
    at = _on_table(card, templates)
    return np.asarray(shapely.contains_xy(visible.buffer(-EDGE_MM), *at.T))


def _on_table(card: Card, templates: Templates) -> PointsMm:
    """The grid's places (P, 2) on a card, table mm."""
    flip = -1.0 if card.pose.mirrored else 1.0
    return card.pose.to_table(templates.grid_mm * [flip, 1.0])


def _drawn(templates: Templates, row: int) -> NDArray[np.int8]:
    """What (P,) a row of the templates draws: 0 black, 1 white, 2 ink."""
    white, ink = templates.white[row] > DRAWN, templates.ink[row] > DRAWN
    return np.asarray(np.where(white, 1, np.where(ink, INK, 0)), np.int8)


def _card_as(card: Card, face: str, mirrored: bool, turned: bool) -> Card:
    angle = card.pose.angle_deg + (180.0 if turned else 0.0)
    return replace(card, face=face, pose=replace(card.pose, angle_deg=angle, mirrored=mirrored))


def _with(layout: Layout, card: Card) -> Layout:
    cards = tuple(card if other.id == card.id else other for other in layout.cards)
    return replace(layout, cards=cards)


def _other_orders(layout: Layout) -> Iterator[tuple[tuple[int, int], Layout]]:
    """The table with a card just over one that it lies under, or just under one that it lies over,
    wherever nothing that shows would change.
    """
    templates, whole = draw_templates(layout.deck), bodies(layout)
    start = layout.deck.starting_face.id
    for low, lower in enumerate(layout.cards):
        for high in range(low + 1, len(layout.cards)):
            upper = layout.cards[high]
            if start in (lower.face, upper.face) or _plain(layout, low, high, whole):
                continue
            rest = [card for card in layout.cards if card not in (lower, upper)]
            for moved, at in ((lower, high - 1), (upper, low)):
                other = replace(layout, cards=(*rest[:at], upper, lower, *rest[at:]))
                seen, then = (_looks(one, moved, whole, templates) for one in (layout, other))
                if (seen != then).sum() * THINNED_MM2 < LEAST_MM2:
                    yield (lower.id, upper.id), other


def _plain(layout: Layout, low: int, high: int, whole: Mapping[int, Polygon]) -> bool:
    """Whether cards at these ranks do not overlap, or so much of where they do shows that nobody
    can mistake which one it is.
    """
    lower, upper = layout.cards[low], layout.cards[high]
    both = whole[lower.id].intersection(whole[upper.id])
    if both.is_empty:
        return True
    for card in layout.cards[high + 1 :]:
        both = both.difference(whole[card.id])
    return bool(lower.colour != upper.colour and both.area > PLAIN_MM2)


def _looks(
    layout: Layout, on: Card, whole: Mapping[int, Polygon], templates: Templates
) -> NDArray[np.int64]:
    """What (K,) shows where a card lies: -1 the table, 0 black, 1 white, and a colour's ink."""
    at = _on_table(on, templates)[thinned(templates)]
    out = np.full(len(at), -1)
    for card in layout.cards:
        if not whole[card.id].intersects(whole[on.id]):
            continue
        inside = shapely.contains_xy(whole[card.id], *at.T)
        row = 2 * templates.faces.index(card.face) + card.pose.mirrored
        drawn = _drawn(templates, row)[_nearest(card, at[inside], templates)]
        ink = INK + templates.colours.index(card.colour)
        out[inside] = np.where(drawn == INK, ink, drawn)
    return out


def _nearest(card: Card, table_mm: FloatArray, templates: Templates) -> NDArray[np.int64]:
    """The grid's places (K,) nearest to places (K, 2) on the table, within a card."""
    flip = -1.0 if card.pose.mirrored else 1.0
    own = card.pose.to_card(table_mm) * [flip, 1.0]
    return templates.nearest(np.clip(own, -templates.half_mm, templates.half_mm))
