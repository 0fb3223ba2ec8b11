"""Cards that a reading has and the known table has not: laid, in which order, and what of that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from geometry.pose import Pose
from geometry.rules import Rules
from referee.changes import MOVED_DEG, MOVED_MM
from referee.events import Event, Note
from referee.known_table import KnownCard, KnownTable
from referee.naming import first_seen, open_cards, vote
from referee.placing import place_existed, placed
from referee.sight import shared_mm2
from referee.taken import TakenCard, as_it_lay
from referee.turns import in_order, in_turn
from vision.reading import Reading
from vision.together.matching import Matching, away

COVERED_MM2 = 250.0
"""A card that a known one covers by so much lay there before it and was missed; a corner triangle
is the smallest shape that can be covered. Where less is covered, what is laid last lies on top."""


@dataclass(frozen=True, slots=True)
class Laid:
    """The table with the new cards, what is said of them, and which read card each is (by the read
    card's id). `taken`: the cards that are gone still; `held`: where cards seem to lie that the
    next reading has to confirm.
    """

    table: KnownTable
    events: tuple[Event, ...]
    pairs: Mapping[int, int]
    taken: tuple[TakenCard, ...]
    held: tuple[Pose, ...] = ()


@dataclass(frozen=True, slots=True)
class Turns:
    """Who plays by which rules: `players` are colours in the order of turns, if anybody said."""

    players: tuple[str, ...]
    rules: Rules


def lay(
    table: KnownTable, reading: Reading, found: Matching, turns: Turns,
    taken: tuple[TakenCard, ...], held: Sequence[Pose],
) -> Laid:  # fmt: skip
    """The new cards of a reading laid one by one, the lowest first.

    One of which the reading doubts that it is a card, or that a known card covers, counts when the
    last reading had it in `held` already.
    """
    read, out = {card.id: card for card in reading.cards}, Laid(table, (), {}, taken)
    doubted = open_cards(reading.doubts, read)
    unclear = {doubt.card for doubt in reading.doubts if doubt.kind == "card"}
    order = in_order(found.new, reading, turns.players, table)
    for read_id in order:
        before, pose = out.table, found.poses[read_id]
        cover = _what_covers(out, reading, found, read_id)
        is_open = read_id in unclear or cover is not None
        if is_open and not any(_is_there(pose, one) for one in held):
            out = replace(out, held=(*out.held, pose))
            continue
        weight = vote(len(read), read[read_id], read_id in doubted, is_free=True)
        laid = first_seen(out.table.next_id, read[read_id], pose, weight, read_id in doubted)
        out = _with_one(out, read_id, replace(laid, laid_with=table.next_id), cover)
        event = _said(out, before, out.pairs[read_id], read_id in doubted, turns)
        out = replace(out, events=(*out.events, event))
    if len(out.events) < 2:
        return out
    return replace(out, events=tuple(_with_others(event) for event in out.events))


def _with_one(out: Laid, read_id: int, laid: KnownCard, cover: int | None) -> Laid:
    """One more card: where it lay before it was taken for gone, under what covers it, or on top."""
    again = as_it_lay(out.taken, laid.name, laid.pose)
    if again is not None:
        place = min(again.place, len(out.table.cards))
        table = out.table.put_back(again.card, place)
        rest = tuple(one for one in out.taken if one is not again)
        return replace(out, table=table, pairs={**out.pairs, read_id: again.card.id}, taken=rest)
    table = out.table.laid(laid)
    if cover is not None:
        upper = table.card(cover)
        table = table.with_card(replace(laid, laid_with=upper.laid_with))
        table = table.put_below(laid.id, cover)
    return replace(out, table=table, pairs={**out.pairs, read_id: laid.id})


def _what_covers(out: Laid, reading: Reading, found: Matching, read_id: int) -> int | None:
    """The lowest known card that a reading has over a new one by as much as a shape; None where
    none is, the reading is not clear, or that card lies below what the new one lies on.
    """
    if any(doubt.kind == "order" and doubt.card == read_id for doubt in reading.doubts):
        return None
    known = {read: card for card, read in found.pairs.items()} | dict(out.pairs)
    above = {known[one.id] for one in reading.cards if read_id in one.over and one.id in known}
    card = next(one for one in reading.cards if one.id == read_id)
    below = {known[one] for one in card.over if one in known}
    order = [one.id for one in out.table.cards]
    lowest = max((order.index(one) for one in below), default=-1)
    pose = found.poses[read_id]
    for other in order[lowest + 1 :]:
        if (
            other in above
            and shared_mm2(out.table, pose, out.table.card(other).pose) >= COVERED_MM2
        ):
            return other
    return None


def _with_others(event: Event) -> Event:
    return replace(event, notes=("several_laid", *event.notes))


def _is_there(pose: Pose, other: Pose) -> bool:
    mm, deg = away(pose, other)
    return mm <= MOVED_MM and deg <= MOVED_DEG


def _said(out: Laid, before: KnownTable, card_id: int, is_open: bool, turns: Turns) -> Event:
    """A card that was laid, and whether its name, its turn and its place are in order."""
    table, card = out.table, out.table.card(card_id)
    twice = any(one.name == card.name for one in before.cards)
    on_top = table.cards[-1].id == card_id
    turn = not on_top or in_turn(turns.players, table, turns.rules)
    notes: tuple[Note, ...] = () if turn else ("out_of_turn",)
    event = placed(table, turns.rules, card, Event("laid", sure=not twice and not is_open and turn))
    if event.status == "free" and place_existed(before, card, turns.rules):
        notes = (*notes, "place_existed")
    return replace(event, notes=notes)
