"""What the table came to, with all that was known on the way, as a reading like a picture's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from geometry.score import score_round
from geometry.showing import over, visible_dots
from geometry.verdict import judge
from referee.following import Following
from referee.interpretation.colours_by_turn import BY_TURN
from referee.known_table import KnownCard, KnownTable, Name
from referee.open_questions import DECISIVE, either, other_name
from referee.second_look import AGREEING, seen_once
from referee.turns import out_of_turn, turns_tell_all
from vision.assemble import assemble, middle_px
from vision.reading import Doubt, DoubtKind, Reading, SeenCard, SeenTable
from vision.reason import Reason
from vision.together.sides import shows_the_same

_OF_NAMES = ("face", "colour")
_OF_NUMBERS = "cards-too-few"


def final_reading(state: Following) -> Reading:
    """The known table, judged and counted; unsure where neither history nor the last picture tells.

    A doubt of the last picture is settled where history tells: a card's face and colour by the
    votes of all readings, the order by that of laying (K1), numbers of cards by whose turn it was.
    """
    seen = table_seen(state.table)
    doubts = tuple(_doubts(state, assemble(seen, state.rules)))
    return assemble(replace(seen, doubts=doubts), state.rules)


def table_seen(table: KnownTable) -> SeenTable:
    """The known table as one picture would show it, each card where its last one did."""
    seen = tuple(SeenCard(one.id, one.outline_px, one.confidence) for one in table.cards)
    return SeenTable(table.layout, seen, (), table.scale_px_per_mm)


def _doubts(state: Following, counted: Reading) -> Iterator[Doubt]:
    table, last = state.table, state.last
    any_colour = dict.fromkeys(counted.scores, 1)
    unsettled = state.unsettled
    if last is None or not state.at_rest or unsettled.apart or unsettled.held:
        at, reason = _middle(table), Reason("history-not-at-rest")
        yield Doubt("table", None, at, reason, any_colour, any_colour)
    for card in table.cards:
        yield from _open_name(card, table, any_colour)
    yield from _doubtful_names(state, any_colour)
    yield from _seen_once(table, any_colour)
    if last is None:
        return
    for doubt in last.doubts:
        if not _is_settled(doubt, state):
            known = None if doubt.card is None else state.pairs.get(doubt.card)
            yield replace(doubt, card=known, odds=())
    yield from _missing(state, any_colour)
    yield from _open_sides(table)
    yield from _order_otherwise(state)
    changed = _counts_otherwise(state, last)
    if changed:
        reason = Reason("history-counts-otherwise")
        yield Doubt("dot", None, _middle(table), reason, changed, changed)


def _counts_otherwise(state: Following, last: Reading) -> dict[str, int]:
    """By how many visible dots the last picture's cards differ from the same ones as known, colour
    by colour: as many as differ, so that nothing evens out.
    """
    dots, out = visible_dots(state.table.layout), Counter[str]()
    for card in last.cards:
        known = state.pairs.get(card.id)
        if known is not None and state.table.card(known).name == (card.colour, card.face):
            out[card.colour] += abs(card.visible_dots - sum(dots[known]))
    return {colour: number for colour, number in out.items() if number}


def _seen_once(table: KnownTable, changes: Mapping[str, int]) -> Iterator[Doubt]:
    """Cards that one reading alone named, or has where they lie: what nothing agrees with nothing
    gainsays either.
    """
    for card_id in seen_once(table):
        at, reason = middle_px(table.card(card_id).outline_px), Reason("history-seen-once")
        yield Doubt("card", card_id, at, reason, changes, changes)


def _open_sides(table: KnownTable) -> Iterator[Doubt]:
    """Cards of which it is not clear which way up or round they lie, where that shows."""
    for card in table.cards:
        sides = sorted(card.sides, key=lambda side: side.votes, reverse=True)
        if len(sides) < 2:
            continue
        first, second = sides[:2]
        if first.votes - second.votes >= DECISIVE and first.readings >= AGREEING:
            continue
        if not shows_the_same(table.deck, card.name[1], first.pose, second.pose):
            dots = {card.name[0]: len(table.deck.face(card.name[1]).dots_mm)}
            reason = Reason("side-unclear")
            yield Doubt("face", card.id, middle_px(card.outline_px), reason, dots, dots)


def _open_name(card: KnownCard, table: KnownTable, changes: Mapping[str, int]) -> Iterator[Doubt]:
    second = other_name(card)
    if second is None:
        return
    reason = Reason("history-name-open", either(card, second, table))
    kind: DoubtKind = "face" if card.name[1] != second[1] else "colour"
    yield Doubt(kind, card.id, middle_px(card.outline_px), reason, changes, changes)


def _doubtful_names(state: Following, changes: Mapping[str, int]) -> Iterator[Doubt]:
    """Cards whose names cannot all be right, or that the last picture names otherwise: one doubt a
    card, whatever speaks against its name.
    """
    against: dict[int, Reason] = {}
    seen: dict[Name, int] = {}
    for card in state.table.cards:
        if card.name in seen:
            for card_id in (seen[card.name], card.id):
                against[card_id] = Reason("history-name-twice")
        seen.setdefault(card.name, card.id)
    for card_id in out_of_turn(state.players, state.table, state.rules):
        against.setdefault(card_id, Reason("history-out-of-turn"))
    for card_id, reason in _named_otherwise(state):
        against.setdefault(card_id, reason)
    for card in state.table.cards:
        if card.id not in against or card.named:
            continue
        told = against[card.id]
        kind: DoubtKind = "colour" if told.code == "history-out-of-turn" else "face"
        yield Doubt(kind, card.id, middle_px(card.outline_px), told, changes, changes)


def _named_otherwise(state: Following) -> Iterator[tuple[int, Reason]]:
    """Known cards that the last picture gives another name, without a doubt of its own."""
    if state.last is None:
        return
    open_cards = {doubt.card for doubt in state.last.doubts if doubt.kind in _OF_NAMES}
    for read in state.last.cards:
        known = state.pairs.get(read.id)
        if known is None or read.id in open_cards:
            continue
        card, name = state.table.card(known), (read.colour, read.face)
        if card.name != name:
            yield known, Reason("history-named-otherwise", either(card, name, state.table))


def _is_settled(doubt: Doubt, state: Following) -> bool:
    """Whether history answers a doubt of the last picture."""
    if doubt.reason.code == BY_TURN:
        return False
    if doubt.kind in ("verdict", "order") or doubt.reason.code == "start-not-seen":
        start = state.table.deck.starting_face.id
        return doubt.kind != "missing" or any(one.name[1] == start for one in state.table.cards)
    if doubt.kind in _OF_NAMES and doubt.card is not None:
        known = state.pairs.get(doubt.card)
        return known is not None and state.table.card(known).lead >= DECISIVE
    if doubt.reason.code == _OF_NUMBERS:
        return turns_tell_all(state.players, state.table)
    return False


def _missing(state: Following, changes: Mapping[str, int]) -> Iterator[Doubt]:
    """Known cards that the last picture lacks are covered, or else were missed by it too: what is
    covered is not asked for.
    """
    lost = [card_id for card_id, times in state.unsettled.absent.items() if times]
    for card_id in lost:
        card = next((one for one in state.table.cards if one.id == card_id), None)
        if card is not None:
            at, reason = middle_px(card.outline_px), Reason("history-card-missing")
            yield Doubt("card", card.id, at, reason, changes, changes)


def _order_otherwise(state: Following) -> Iterator[Doubt]:
    """Cards that the last picture shows the other way up, without a doubt of its own, where that
    would count otherwise: one that slid under the edge of another changes nothing.
    """
    last = state.last
    if last is None:
        return
    below = over(state.table.layout)
    unclear = {doubt.card for doubt in last.doubts if doubt.kind == "order"}
    for card in last.cards:
        upper = state.pairs.get(card.id)
        for other in card.over:
            lower = state.pairs.get(other)
            if upper is None or lower is None or upper not in below.get(lower, ()):
                continue
            changes, without = _otherwise(state, lower, upper)
            if card.id not in unclear and other not in unclear and (changes or without):
                at = middle_px(card.outline_px)
                reason = Reason("history-order-otherwise")
                yield Doubt("order", upper, at, reason, changes, without)


def _otherwise(state: Following, upper: int, lower: int) -> tuple[dict[str, int], dict[str, int]]:
    """By how much both scores change where the known upper card of two is put under the other."""
    swapped = state.table.put_below(upper, lower).layout
    one, other = (
        score_round(layout, judge(layout, state.rules)) for layout in (state.table.layout, swapped)
    )
    return _changed(one.as_it_lies, other.as_it_lies), _changed(
        one.without_illegal, other.without_illegal
    )


def _changed(scores: Mapping[str, int], others: Mapping[str, int]) -> dict[str, int]:
    colours = {*scores, *others}
    gains = {one: others.get(one, 0) - scores.get(one, 0) for one in sorted(colours)}
    return {one: dots for one, dots in gains.items() if dots}


def _middle(table: KnownTable) -> tuple[float, float]:
    """The middle of all cards in the last picture."""
    if not table.cards:
        return 0.0, 0.0
    points = [middle_px(one.outline_px) for one in table.cards]
    x, y = (sum(values) / len(points) for values in zip(*points, strict=True))
    return x, y
