"""Readings of several photographs of one table, joined into one: pure.

The frames are brought together by the cards that they share, each card is named by all that show
it, and the joined table is judged and counted by what judges a single one. A doubt of one
photograph is settled by another that was taken from elsewhere and plainly shows what it is about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import shapely

from geometry.deck import Deck
from geometry.layout import Card, Layout
from geometry.rules import Rules
from geometry.spread import PoseSpread, spread_of
from vision.assemble import assemble
from vision.reading import Corners, Reading, SeenCard, SeenTable
from vision.together.names import Named, agrees, named
from vision.together.open_doubts import OpenTable, doubts_of, verdict_doubts
from vision.together.orders import stacked
from vision.together.outlines import final_turns_deg, in_final_frame, outlines_px
from vision.together.photographs import (
    Member,
    OtherTable,
    Photograph,
    brought_together,
    card_ids,
)
from vision.together.poses import placed
from vision.together.same_view import same_views
from vision.together.told import Sight, told_by
from vision.trust import LEAST

Points = tuple[tuple[float, float], ...]


def joined(photos: Sequence[Photograph], rules: Rules) -> Reading | OtherTable:
    """One reading of a table from those of several photographs, its pixels those of the first.

    Cards that the first shows keep their ids. One photograph alone is as it was read.
    ValueError where there is none.
    """
    if not photos:
        raise ValueError("expected a photograph at least, found none")
    if len(photos) == 1:
        return photos[0].reading
    members = brought_together(photos)
    if isinstance(members, OtherTable):
        return members
    deck = photos[0].reading.seen.layout.deck
    told = tuple(one for k, member in enumerate(members) for one in told_by(k, member))
    sight = Sight(members, same_views(members), told, deck.card)
    cards = tuple(named(card, sight, deck) for card in card_ids(members))
    poor = [sight.is_poor(view) for view in sight.views]
    poses = placed(cards, members, poor) if cards else {}
    lying = tuple(
        Card(one.id, one.colour, one.face, poses[one.id], _in_sight(one.id, members))
        for one in cards
    )
    layout, orders = stacked(Layout(deck, lying, photos[0].reading.play_area_mm), sight)
    table = OpenTable(layout, {card.id: card for card in cards}, orders, sight, rules)
    outlines = outlines_px(layout, members)
    seen = SeenTable(
        in_final_frame(layout, members),
        tuple(_seen(table.cards[card.id], outlines[card.id], sight, deck) for card in layout.cards),
        tuple(doubts_of(table, outlines)),
        photos[0].reading.scale_px_per_mm,
    )
    reading = assemble(seen, rules)
    more = tuple(verdict_doubts(reading, table))
    return assemble(replace(seen, doubts=(*seen.doubts, *more)), rules) if more else reading


def _in_sight(card: int, members: Sequence[Member]) -> Points | None:
    """What of a card's surroundings is in sight, in the joined frame: that of the photograph which
    shows most; None where one shows it whole.
    """
    best: Points = ()
    most = -1.0
    for member in members:
        if card not in member.ids:
            continue
        own = member.photo.reading.seen.layout.card(member.ids[card]).in_sight_mm
        if own is None:
            return None
        area = shapely.Polygon(own).area if own else 0.0
        if area > most:
            most = area
            best = _moved(own, member)
    return best


def _moved(points: Points, member: Member) -> Points:
    if not points:
        return ()
    return tuple((float(x), float(y)) for x, y in member.alignment.places(np.array(points)))


def _seen(card: Named, outline: Corners, sight: Sight, deck: Deck) -> SeenCard:
    """How surely a card is known: as surely as the photograph that shows it best, of those that
    have it so; while its name is open, as the one that shows it worst.
    """
    turns = final_turns_deg(sight.members)
    looks = [
        (one, turn)
        for member, turn in zip(sight.members, turns, strict=True)
        if card.id in member.ids and agrees(card, member, deck)
        for one in member.photo.reading.seen.cards
        if one.id == member.ids[card.id]
    ]
    if not looks:
        return SeenCard(card.id, outline, LEAST)
    best, turn = (min if card.open else max)(looks, key=lambda one: one[0].confidence)
    spread = None if best.spread is None else _turned(best.spread, turn)
    return replace(best, id=card.id, outline_px=outline, spread=spread)


def _turned(spread: PoseSpread, turn_deg: float) -> PoseSpread:
    """How exactly a card's place is known, in a frame turned by so much."""
    angle = np.deg2rad(turn_deg)
    turn = np.eye(3)
    turn[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    return spread_of(turn @ spread.matrix @ turn.T)
