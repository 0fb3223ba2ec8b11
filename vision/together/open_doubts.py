"""What of the joined table stays in doubt.

A doubt of one photograph is settled where another, taken from elsewhere, plainly shows what it is
about: the same card, as the joined table has it, or the same place without anything in doubt there.
What the photographs show differently is a doubt of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from shapely import Polygon

from geometry.layout import Layout
from geometry.pose import Pose
from geometry.rules import Rules
from geometry.score import points_without, score_round, stake
from geometry.showing import bodies, shown
from geometry.verdict import judge
from vision.assemble import middle_px
from vision.reading import Corners, Doubt, DoubtKind, Reading
from vision.reason import Reason
from vision.together.names import Named, Open, agrees, with_odds
from vision.together.orders import Order
from vision.together.photographs import Floats
from vision.together.poses import pairs_of
from vision.together.told import OF_SCALE, Sight, Told

PLAIN_SHARE = 0.3
"""Of a card's area: where as much of it shows, a photograph misses it only if it is not there, or
something hides it."""
ROUND_MM = 20.0
"""What a picture that is doubted as a whole may have missed shows so near its cards, or on them."""
APART_MM, APART_DEG = 2.5, 2.5
"""Two cards that touch lie so much otherwise to each other in no two readings of one table."""
Outlines = Mapping[int, Corners]
Changes = dict[str, int]


@dataclass(frozen=True)
class OpenTable:
    """The joined table, in the first photograph's millimetres, and what its doubts come from."""

    layout: Layout
    cards: Mapping[int, Named]
    orders: tuple[Order, ...]
    sight: Sight
    rules: Rules

    @cached_property
    def plain(self) -> Mapping[int, frozenset[int]]:
        """For each card the photographs, by their places, that show it as the joined table has it,
        without a doubt.
        """
        deck = self.layout.deck
        return {
            card: frozenset(
                place
                for place, member in enumerate(self.sight.members)
                if agrees(named, member, deck) and self.sight.undoubted(place, card)
            )
            for card, named in self.cards.items()
        }

    @cached_property
    def any_colour(self) -> Changes:
        """The changes of something that could be of any colour on the table."""
        start = self.layout.deck.starting_colour.name
        return {card.colour: 1 for card in self.layout.cards if card.colour != start}

    def is_settled(self, told: Told) -> bool:
        """Whether photographs from elsewhere plainly show what a doubt is about."""
        sight, view = self.sight, self.sight.view_of(told)
        others = sight.others(view)
        if told.is_whole:
            if told.doubt.reason.code in OF_SCALE:
                return False
            own = sight.members[told.member].poses
            return bool(own) and all(
                bool(self.plain[card] & set(others))
                and self._is_plain(sight.body(pose).buffer(ROUND_MM), others)
                for card, pose in own.items()
            )
        if told.card is not None:
            return bool(self.plain[told.card] & set(others))
        return told.area is not None and self._is_plain(told.area, others)

    def _is_plain(self, area: Polygon, places: Sequence[int]) -> bool:
        """Whether one of some photographs, by their places, shows an area without anything in doubt
        there.
        """
        sight = self.sight
        return any(
            sight.shows_plainly(
                place, area, {card: place in self.plain[card] for card in sight.members[place].ids}
            )
            for place in places
        )


def doubts_of(table: OpenTable, outlines: Outlines) -> Iterator[Doubt]:
    """All doubts but those about placements, in the first photograph's pixels."""
    yield from _names(table, outlines)
    yield from _orders(table, outlines)
    yield from _absent(table, outlines)
    yield from _apart(table, outlines)
    yield from _kept(table, outlines)
    yield from _counted(table, outlines)


def verdict_doubts(reading: Reading, table: OpenTable) -> Iterator[Doubt]:
    """Placements that a photograph which plainly shows them has legal and the joined table illegal,
    or the other way round.
    """
    illegal = {item.card for item in reading.illegal}
    open_cards = {doubt.card for doubt in reading.doubts if doubt.kind == "verdict"}
    outlines = {card.id: card.outline_px for card in reading.cards}
    for card in reading.cards:
        if card.id in open_cards:
            continue
        says = {
            found
            for place in table.plain[card.id]
            if all(place in table.plain[one] for one in card.over)
            for found in [_illegal_there(table, place, card.id)]
            if found is not None
        }
        if (card.id not in illegal) in says:
            change = stake(reading.seen.layout, card.id, illegal, set())
            if card.id in illegal:
                before = reading.scores_without_illegal
                after = points_without(reading.seen.layout, illegal - {card.id})
                change = _changed(before, after)
            reason = Reason("together-verdict-differs")
            at = middle_px(outlines[card.id])
            yield Doubt("card", card.id, at, reason, {}, change)


def _illegal_there(table: OpenTable, place: int, card: int) -> bool | None:
    """Whether a card lies illegally by one photograph alone; None where that is borderline."""
    member = table.sight.members[place]
    own = member.ids[card]
    reading = member.photo.reading
    if any(one.kind == "verdict" and one.card == own for one in reading.doubts):
        return None
    return any(item.card == own for item in reading.illegal)


def _names(table: OpenTable, outlines: Outlines) -> Iterator[Doubt]:
    for named in table.cards.values():
        for found in named.open:
            kind: DoubtKind = "colour" if found.kind == "colour" else "face"
            first, second = _as_named(table, named, found)
            at = middle_px(outlines[named.id])
            for told in table.sight.told:
                if told.card == named.id and told.doubt.kind == kind:
                    first = _largest(first, told.doubt.changes_scores_by)
                    second = _largest(second, told.doubt.changes_scores_without_illegal_by)
            doubt = Doubt(kind, named.id, at, _reason(named, found), first, second)
            yield with_odds(doubt, found, named)


def _reason(named: Named, found: Open) -> Reason:
    if found.kind == "colour":
        rival = str(found.rival)
        if found.differ:
            return Reason("colour-differs", {"colour": named.colour, "rival": rival})
        return Reason("colour-unclear", {"colour": named.colour, "rival": rival})
    if found.kind == "face":
        rival = str(found.rival)
        if found.differ:
            return Reason("face-differs", {"face": named.face, "rival": rival})
        return Reason("face-unclear", {"face": named.face, "rival": rival})
    return Reason("side-differs") if found.differ else Reason("side-unclear")


def _as_named(table: OpenTable, named: Named, found: Open) -> tuple[Changes, Changes]:
    """What the other name changes in both scores, the most of the ways in which it may lie."""
    card = table.layout.card(named.id)
    if found.kind == "colour":
        card = replace(card, colour=str(found.rival))
    elif found.kind == "face":
        card = replace(card, face=str(found.rival))
    first, second = Changes(), Changes()
    for turn in (0.0, 180.0):
        for mirrored in (False, True):
            pose = replace(
                card.pose, angle_deg=(card.pose.angle_deg + turn) % 360, mirrored=mirrored
            )
            other = replace(card, pose=pose)
            cards = tuple(other if one.id == card.id else one for one in table.layout.cards)
            lying, without = _between(table, replace(table.layout, cards=cards))
            first, second = _largest(first, lying), _largest(second, without)
    return first, second


def _largest(one: Mapping[str, int], other: Mapping[str, int]) -> Changes:
    """The larger change of each colour."""
    out = dict(one)
    for colour, by in other.items():
        if abs(by) > abs(out.get(colour, 0)):
            out[colour] = by
    return out


def _between(table: OpenTable, other: Layout) -> tuple[Changes, Changes]:
    """What another layout changes in both scores."""
    before, after = (
        score_round(layout, judge(layout, table.rules)) for layout in (table.layout, other)
    )
    return (
        _changed(before.as_it_lies, after.as_it_lies),
        _changed(before.without_illegal, after.without_illegal),
    )


def _changed(before: Mapping[str, int], after: Mapping[str, int]) -> Changes:
    gains = {one: after.get(one, 0) - before.get(one, 0) for one in sorted({*before, *after})}
    return {one: by for one, by in gains.items() if by}


def _orders(table: OpenTable, outlines: Outlines) -> Iterator[Doubt]:
    """Pairs whose order is open, where the other one changes a score."""
    for one in table.orders:
        first, second = _between(table, _swapped(table.layout, one))
        if first or second:
            middles = np.array([middle_px(outlines[card]) for card in (one.upper, one.lower)])
            x, y = middles.mean(axis=0).tolist()
            reason = Reason("order-differs") if one.differ else Reason("order-unclear")
            yield Doubt("order", one.upper, (x, y), reason, first, second)


def _swapped(layout: Layout, order: Order) -> Layout:
    """The layout with the upper card of a pair just below the lower one."""
    rest = [card for card in layout.cards if card.id != order.upper]
    place = [card.id for card in rest].index(order.lower)
    rest.insert(place, layout.card(order.upper))
    return replace(layout, cards=tuple(rest))


def _absent(table: OpenTable, outlines: Outlines) -> Iterator[Doubt]:
    """Cards that a photograph lacks though it would plainly show them: there, or not?"""
    whole, seen = bodies(table.layout), shown(table.layout)
    for card in table.layout.cards:
        if seen[card.id].area <= PLAIN_SHARE * whole[card.id].area:
            continue
        if not any(_lacks(table, place, card.id) for place in range(len(table.sight.members))):
            continue
        gone = table.layout.without([card.id])
        first, second = _between(table, gone)
        at, reason = middle_px(outlines[card.id]), Reason("together-not-there")
        yield Doubt("card", card.id, at, reason, first, second)


def _lacks(table: OpenTable, place: int, card: int) -> bool:
    """Whether a photograph shows the place of a card, nothing of it in doubt, and not the card."""
    member, sight = table.sight.members[place], table.sight
    if card in member.ids or not member.ids:
        return False
    body = sight.body(table.layout.card(card).pose)
    view = sight.views[place]
    if sight.blocks(view, body) or sight.is_poor(view):
        return False
    return member.shows(np.array(body.exterior.coords))


def _apart(table: OpenTable, outlines: Outlines) -> Iterator[Doubt]:
    """Cards that lie otherwise to what they touch in one photograph, where that changes a score."""
    told = set[int]()
    for member in table.sight.members:
        for upper, lower in pairs_of(member):
            here, below = (table.layout.card(one).pose for one in (upper, lower))
            read, under = member.poses[upper], member.poses[lower]
            x = below.x_mm + read.x_mm - under.x_mm
            y = below.y_mm + read.y_mm - under.y_mm
            turn = (read.angle_deg - under.angle_deg - here.angle_deg + below.angle_deg + 90) % 180
            far = np.hypot(x - here.x_mm, y - here.y_mm) > APART_MM or abs(turn - 90) > APART_DEG
            if not far or upper in told:
                continue
            there = replace(here, x_mm=x, y_mm=y, angle_deg=(here.angle_deg + turn - 90) % 360)
            first, second = _between(table, _with_pose(table.layout, upper, there))
            if first or second:
                told.add(upper)
                at, reason = middle_px(outlines[upper]), Reason("together-place-differs")
                yield Doubt("card", upper, at, reason, first, second)


def _with_pose(layout: Layout, card: int, pose: Pose) -> Layout:
    cards = tuple(replace(one, pose=pose) if one.id == card else one for one in layout.cards)
    return replace(layout, cards=cards)


def _kept(table: OpenTable, outlines: Outlines) -> Iterator[Doubt]:
    """The doubts of the photographs that no other settles, but those that were asked anew."""
    first = table.sight.members[0]
    for told in table.sight.told:
        if told.is_counted or _is_asked_anew(told) or table.is_settled(told):
            continue
        doubt = told.doubt
        if told.card is not None:
            at = _at_px(table, told, outlines)
            yield replace(doubt, card=told.card, at_px=at, outline_px=())
        elif told.member == 0 or told.at_mm is None:
            yield (
                doubt
                if told.member == 0
                else replace(doubt, at_px=middle_of(outlines, first.photo.size_wh), outline_px=())
            )
        else:
            area = told.area if told.is_thing else None
            corners = () if area is None else _in_first(table, np.array(area.exterior.coords))
            (at,) = _in_first(table, np.array([told.at_mm]))
            yield replace(doubt, at_px=at, outline_px=corners)


def _is_asked_anew(told: Told) -> bool:
    """Whether a doubt is about what was asked of all photographs together: names and orders."""
    if told.card is None:
        return False
    return told.doubt.kind in ("face", "order") or (
        told.doubt.kind == "colour" and "rival" in told.doubt.reason.facts
    )


def _at_px(table: OpenTable, told: Told, outlines: Outlines) -> tuple[float, float]:
    """Where a doubt about a card is, in the first photograph."""
    if told.member == 0:
        return told.doubt.at_px
    if told.at_mm is not None:
        (at,) = _in_first(table, np.array([told.at_mm]))
        return at
    return middle_of(outlines, table.sight.members[0].photo.size_wh)


def _in_first(table: OpenTable, joined_mm: Floats) -> tuple[tuple[float, float], ...]:
    """Places (N, 2) in the first photograph's pixels; those beyond its horizon at its corner."""
    px = np.nan_to_num(table.sight.members[0].to_px(joined_mm))
    return tuple((float(x), float(y)) for x, y in px)


def middle_of(outlines: Outlines, size_wh: tuple[int, int]) -> tuple[float, float]:
    """The middle of all cards in the first photograph, or of that where there are none."""
    if not outlines:
        return size_wh[0] / 2, size_wh[1] / 2
    x, y = np.mean([middle_px(one) for one in outlines.values()], axis=0).tolist()
    return x, y


def _counted(table: OpenTable, outlines: Outlines) -> Iterator[Doubt]:
    """What the whole table lacks: a starting card (S2), or equally many cards of each colour, as
    all players lay (S3, E1); only a free-for-all ends before that (V4).
    """
    at = middle_of(outlines, table.sight.members[0].photo.size_wh)
    start = table.layout.deck.starting_face.id
    if table.layout.cards and all(card.face != start for card in table.layout.cards):
        yield Doubt("missing", None, at, Reason("start-not-seen"), table.any_colour,
                    table.any_colour)  # fmt: skip
    if table.rules.free_for_all:
        return
    white = table.layout.deck.starting_colour.name
    numbers = Counter(card.colour for card in table.layout.cards if card.colour != white)
    most = max(numbers.values(), default=0)
    for name, count in sorted(numbers.items()):
        if count < most:
            reason = Reason("cards-too-few", {"count": count, "colour": name, "most": most})
            changes = {name: most - count}
            yield Doubt("missing", None, at, reason, changes, changes)
